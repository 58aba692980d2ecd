from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from extremum.protocol.stream import LONGEST, LineSplitter


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=10))
def test_lines_do_not_depend_on_the_chunks(data: bytes, cuts: list[int]) -> None:
    splitter = LineSplitter()
    edges = [0, *sorted(cuts), len(data)]
    lines = [line for low, high in pairwise(edges) for line in splitter.feed(data[low:high])]
    lines += splitter.rest()
    assert lines == (data.split(b"\n") if data[-1:] not in (b"", b"\n") else data.split(b"\n")[:-1])


def test_a_very_long_line_is_not_kept() -> None:
    splitter = LineSplitter()
    for _ in range(200):
        assert splitter.feed(b"x" * 65536) == []
    assert splitter.feed(b"x\nname\n") == [b"x" * (LONGEST + 1), b"name"]
