"""What a folder takes in, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.crew import Crew
from extremum.frontends.match.engines import read_engine
from extremum.frontends.match.main import missing_games, run
from extremum.frontends.match.program import programs_of
from extremum.frontends.match.report import main
from extremum.frontends.match.results import Folder, write_whole
from extremum.frontends.match.settings import Settings
from extremum.frontends.match.sprt import Sprt
from extremum.frontends.match.table import Standings, write_remarks
from tests.frontends.match.test_report import forfeited, settings

NAMES = ("first", "second")
BEGUN = replace(settings(names=NAMES), sprt=Sprt(0, 50), programs=("0.1.0 aaa",))
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


@pytest.mark.parametrize("openings", [((37, 43), (37, 45)), ((37, 43),), ((37,), ())])
def test_other_openings_are_refused_and_nothing_changes(openings: tuple[tuple[int, ...], ...], tmp_path: Path) -> None:
    begun = replace(settings(), openings=((37, 43), (37, 29)))
    opened(tmp_path, begun)
    told = "holds another match: the openings differ from those of the games already played; another --out begins anew$"
    with pytest.raises(BadFlagError, match=told):
        opened(tmp_path, replace(begun, rounds=4, openings=openings))
    assert Folder(tmp_path).settings() == begun


def test_openings_that_have_grown_are_taken_in(tmp_path: Path) -> None:
    begun = replace(settings(), openings=((37, 43), (37, 29)))
    more = replace(begun, rounds=3, openings=(*begun.openings, (37, 45)))
    opened(tmp_path, begun)
    assert opened(tmp_path, more) == more


def test_a_match_of_fewer_games_than_there_are_plays_no_more_and_forgets_nothing(tmp_path: Path) -> None:
    begun, folder = replace(settings(names=NAMES), openings=((37, 43), (37, 29))), Folder(tmp_path)
    folder.open(begun)
    for number in range(4):
        folder.add(forfeited(number, "first", "second", "first"))  # of the second opening
    folder.close()
    assert run(replace(begun, rounds=1, openings=begun.openings[:1]), Folder(tmp_path), Crew()) == 0
    assert Folder(tmp_path).settings() == begun
    assert main([str(tmp_path)]) == 0
    assert "<td>2</td><td>f5f4</td>" in (tmp_path / "report.html").read_text()


def test_a_report_tells_of_openings_that_were_forgotten(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.open(replace(settings(names=NAMES), openings=((),)))
    folder.add(forfeited(0, "first", "second", "first"))
    folder.close()
    assert main([str(tmp_path)]) == 0
    assert "<td>2</td><td>not known</td>" in (tmp_path / "report.html").read_text()


def test_a_pair_keeps_its_opening_when_there_are_more(tmp_path: Path) -> None:
    grown = replace(settings(rounds=3), openings=((), (37, 43), (37, 45)))
    begun = replace(forfeited(4, "first", "second", "first"), opening=0)  # the third pair, when there were two openings
    left = missing_games(grown, {4: begun})
    assert [(game.number, game.opening) for game in left] == [(0, 0), (1, 0), (2, 1), (3, 1), (5, 0)]


@pytest.mark.parametrize(
    "text", ['{"engines": [1], "openings": []}', "[]", "{", "1", '{"engines": [], "openings": 1}', '{"openings": []}']
)
def test_settings_that_cannot_be_read_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(text)
    with pytest.raises(BadFlagError, match=f"^{tmp_path} holds no match: "):
        main([str(tmp_path)])


def test_settings_of_no_game_are_refused(tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(json.dumps(settings().to_json() | {"size": 99}))
    with pytest.raises(BadFlagError, match="holds no match: unacceptable size: 99 is not one of 6, 8"):
        main([str(tmp_path)])


def test_a_file_that_a_full_disk_does_not_take_stays_as_it_was(tmp_path: Path) -> None:
    file, new = tmp_path / "match.json", tmp_path / "match.json.new"
    file.write_text("before")
    new.symlink_to("/dev/full")
    with pytest.raises(BadFlagError, match=f"^cannot write '{file}': No space left on device$"):
        write_whole(file, "after")
    assert (file.read_text(), sorted(tmp_path.iterdir())) == ("before", [file])


def test_a_game_that_a_full_disk_does_not_take_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    file.symlink_to("/dev/full")
    with pytest.raises(BadFlagError, match=f"^cannot write '{file}': No space left on device$"):
        Folder(tmp_path).add(forfeited(0, "first", "second", "first"))


def test_a_run_that_cannot_write_games_leaves_the_folder_to_others(tmp_path: Path) -> None:
    match, folder = settings(names=NAMES, rounds=1), Folder(tmp_path)
    (tmp_path / "games").touch()
    folder.open(match)
    folder.add(forfeited(0, *NAMES, "first"))
    folder.close()
    with pytest.raises(BadFlagError, match=f"^cannot write '{tmp_path}': File exists$"):
        run(match, folder, Crew())
    assert opened(tmp_path, match) == match


@pytest.mark.parametrize("out", ["/no/such/x.html", "/dev/null/x.html"])
def test_a_report_that_cannot_be_written_is_refused(out: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.open(settings(names=NAMES))
    folder.add(forfeited(0, "first", "second", "first"))
    folder.close()
    with pytest.raises(BadFlagError, match=f"^cannot write '{out}': No"):
        main([str(tmp_path), "--out", out])


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
