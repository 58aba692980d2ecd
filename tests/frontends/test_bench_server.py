import re

import pytest

from extremum.frontends.bench_server import Scale, figures


@pytest.mark.slow
def test_the_server_is_measured_without_a_fault() -> None:
    small = Scale(0.5, round_trips=50, crowd=5, idle=20, searchers=(1, 2), visits=20, players=3, kills=2)
    lines = {what: figure for what, figure, _ in figures(small)}
    assert len(lines) == 24
    assert all(re.search(r"\d", figure) for figure in lines.values())
    assert lines["20 idle clients, sessions"] == "20"
    assert lines["the same, answers lost, refused or out of order"] == "0"
    assert lines["2 clients killed in mid-search, sessions left"] == "0"
    assert any(re.fullmatch(r"SIGTERM in mid-search: [A-Q]\d+, exit status 0", what) for what in lines)
