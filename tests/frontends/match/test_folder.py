"""What a folder takes in, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.engines import read_engine
from extremum.frontends.match.program import programs_of
from extremum.frontends.match.results import Folder
from extremum.frontends.match.settings import Settings
from extremum.frontends.match.sprt import Sprt
from extremum.frontends.match.table import Standings, write_remarks
from tests.frontends.match.test_report import forfeited, settings

BEGUN = replace(settings(names=("first", "second")), sprt=Sprt(0, 50), programs=("0.1.0 aaa",))
OTHER = replace(BEGUN, programs=("0.2.0 bbb",))


def opened(path: Path, wanted: Settings, *, mixed: bool = False) -> Settings:
    """The settings that are there after a run with others."""
    folder = Folder(path, mixed=mixed)
    folder.open(wanted)
    folder.close()
    return folder.settings()


def test_settings_survive_the_disk(tmp_path: Path) -> None:
    assert opened(tmp_path, BEGUN) == BEGUN
    assert opened(tmp_path / "2", settings()) == settings()


def test_another_program_is_refused_in_one_line_that_says_how_to_go_on(tmp_path: Path) -> None:
    opened(tmp_path, BEGUN)
    with pytest.raises(BadFlagError) as refused:
        opened(tmp_path, OTHER)
    further = "another --out begins anew, --mixed goes on with both"
    told = f"{tmp_path} was begun by another program: 0.1.0 aaa there, 0.2.0 bbb here; {further}"
    assert str(refused.value) == told
    assert Folder(tmp_path).settings() == BEGUN


def test_programs_are_mixed_on_request_and_the_table_says_so(tmp_path: Path) -> None:
    opened(tmp_path, BEGUN)
    mixed = opened(tmp_path, OTHER, mixed=True)
    assert mixed.programs == ("0.1.0 aaa", "0.2.0 bbb")
    assert opened(tmp_path, BEGUN) == mixed  # both have played there
    remarks = list(write_remarks(Standings(mixed, [forfeited(0, "first", "second", "first")])))
    assert "our engines were several programs: 0.1.0 aaa, 0.2.0 bbb" in remarks


def test_a_match_that_was_begun_before_programs_were_noted_goes_on(tmp_path: Path) -> None:
    opened(tmp_path, replace(BEGUN, programs=()))
    assert opened(tmp_path, BEGUN) == BEGUN


def test_other_bounds_of_the_test_are_refused_or_wanted(tmp_path: Path) -> None:
    opened(tmp_path, BEGUN)
    other = replace(BEGUN, sprt=Sprt(0, 20, 0.1, 0.1))
    with pytest.raises(BadFlagError, match=r"not the same sprt: 0,50,0\.05,0\.05 there, 0,20,0\.1,0\.1 here; another "):
        opened(tmp_path, other)
    with pytest.raises(BadFlagError, match=r"not the same sprt: 0,50,0\.05,0\.05 there, None here"):
        opened(tmp_path, replace(BEGUN, sprt=None))
    assert opened(tmp_path, other, mixed=True) == other


def test_a_program_is_its_version_its_sources_and_its_weights(tmp_path: Path) -> None:
    (shipped,) = programs_of([read_engine("mcts"), read_engine("gtp:x")])
    assert shipped.startswith("0.1.0 ")
    assert programs_of([read_engine("alphabeta depth=2")]) == (shipped,)
    assert programs_of([read_engine("gtp:x")]) == ()
    net = tmp_path / "net.onnx"
    found = set[str]()
    for content in (b"one", b"two"):
        net.write_bytes(content)
        found.update(programs_of([read_engine(f"mcts weights={net}")]))
    assert len({shipped, *found}) == 3
