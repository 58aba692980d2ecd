"""Tables, panels, records and the page, from results that are made up here."""

from __future__ import annotations

import json
import random
import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from extremum.engine.session import Session
from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.crew import Crew
from extremum.frontends.match.drawing import Text
from extremum.frontends.match.engines import Engine
from extremum.frontends.match.main import run
from extremum.frontends.match.opening_files import read_openings
from extremum.frontends.match.plots import opening_plot
from extremum.frontends.match.records import to_ggf, to_sgf, write_game
from extremum.frontends.match.report import main, write_report
from extremum.frontends.match.results import Folder, Result
from extremum.frontends.match.schedule import fixtures, pairings
from extremum.frontends.match.score import Score
from extremum.frontends.match.settings import Settings
from extremum.frontends.match.sprt import Sprt
from extremum.protocol.records import read_record, restore

NAMES = ("first", "second <b>", "third")


def settings(game: str = "othello", size: int = 8, names: tuple[str, ...] = NAMES[:2], rounds: int = 2) -> Settings:
    engines = tuple(Engine(name, brain="random") for name in names)
    rule, in_a_row = ("standard", 0) if game == "othello" else ("freestyle", 5)
    openings = ((), ())
    return Settings(
        engines, game, size, rule, in_a_row, "round-robin", rounds, "none", openings, 1, 0.0, 0.0, 0.0, 0.2, 60.0, False
    )


def played(match: Settings, number: int, black: str, white: str) -> Result:
    """A whole random game."""
    rng, position, moves = random.Random(number), match.make_game().start(), list[int]()
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    outcome = position.outcome()
    assert outcome is not None
    value = 0 if outcome.winner is None else 1 if outcome.winner == 0 else -1
    text = "0" if outcome.winner is None else f"{outcome.winner.name[0]}+{outcome.margin}"
    seconds: list[float | None] = [0.25 for _ in moves]
    return Result(
        number, number // 2, black, white, 0, (1 + value) / 2, text, "board", "", "", {}, moves, seconds, "2026-01-02"
    )


def forfeited(number: int, black: str, white: str, culprit: str) -> Result:
    result, score = ("W+F", 0.0) if culprit == black else ("B+F", 1.0)
    return Result(
        number,
        number // 2,
        black,
        white,
        1,
        score,
        result,
        "crash",
        culprit,
        "it </script> died",
        {},
        [],
        [],
        "2026-01-02",
    )


def test_formats_pair_as_they_say() -> None:
    assert pairings(4, "round-robin") == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert pairings(4, "gauntlet") == [(0, 1), (0, 2), (0, 3)]
    assert pairings(4, "ladder") == [(0, 1), (1, 2), (2, 3)]
    assert pairings(4, "teams:2") == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert pairings(4, "ladder:2") == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]


def test_colors_change_within_a_pair_and_openings_from_pair_to_pair() -> None:
    games = list(fixtures(settings(names=NAMES, rounds=2)))
    assert [game.number for game in games] == list(range(12))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.black, first.white) == (second.white, second.black)
        assert (first.pair, first.opening) == (second.pair, second.opening)
    assert [game.opening for game in games] == [0] * 6 + [1] * 6


@pytest.mark.parametrize(("game", "size"), [("othello", 8), ("othello", 6), ("gomoku", 9)])
def test_a_record_can_be_read_again(game: str, size: int, tmp_path: Path) -> None:
    match = settings(game, size)
    result = played(match, 7, "first [x]", "second")
    session = Session()
    restore(read_record(to_sgf(match, result)), session)
    assert (session.game.name, session.game.size) == (game, size)
    wanted = [None if move == session.game.pass_move else move for move in result.moves]
    assert [move.move for move in session.moves] == wanted
    assert session.outcome() is not None
    if game == "othello":
        short = replace(result, moves=result.moves[:20], seconds=result.seconds[:20])
        (tmp_path / "game.ggf").write_text(to_ggf(match, short))
        assert read_openings(tmp_path / "game.ggf", match.make_game()) == [tuple(short.moves)]


def test_the_page_holds_everything_and_nothing_else_is_needed() -> None:
    match = settings(names=NAMES)
    results = [played(match, 0, "first", "second <b>"), forfeited(1, "third", "first", "third")]
    page = write_report(match, results)
    assert "second &lt;b&gt;" in page
    assert "<b>" not in page
    assert not re.search(r"(src|href)=", page)
    assert page.count("</script>") == 2
    data = json.loads(re.search(r"id='data'>(.*?)</script>", page)[1])  # type: ignore[index] # it is there
    assert [game["number"] for game in data["games"]] == [0, 1]
    assert data["games"][0]["moves"] == results[0].moves


def test_the_plots_lie_beside_the_page_as_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, folder = settings(names=NAMES), Folder(tmp_path)
    folder.open(match)
    folder.add(played(match, 0, "first", "second <b>"))
    folder.add(forfeited(1, "third", "first", "third"))
    folder.close()
    assert main([str(tmp_path)]) == 0
    written = [tmp_path / name for name in ("report.html", "elo.png", "openings.png", "times.png")]
    assert capsys.readouterr().out.split() == [str(path) for path in written]
    for picture in written[1:]:
        width, height, pixels = read_png(picture.read_bytes())
        assert (width, height) > (1000, 50)
        assert len(set(zip(*[iter(pixels)] * 3, strict=True))) > 2  # more than a white sheet with black letters


def read_png(data: bytes) -> tuple[int, int, bytes]:
    """Width, height and pixels of a picture whose rows are not filtered."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    at = data.index(b"IDAT")
    size = struct.unpack(">I", data[at - 4 : at])[0]
    rows = zlib.decompress(data[at + 4 : at + 4 + size])
    each = 3 * width + 1
    assert len(rows) == each * height
    return width, height, b"".join(rows[start + 1 : start + each] for start in range(0, len(rows), each))


def test_a_long_match_shows_the_first_openings_only() -> None:
    drawing = opening_plot({f"{number + 1}: f5d6": Score(1, 0, 1) for number in range(500)}, "first")
    texts = [mark.text for mark in drawing.marks if isinstance(mark, Text)]
    assert texts[0] == "first: wins, draws, losses, the first 100 of 500 openings"
    assert texts[-2] == "100: f5d6"


def test_records_that_a_sudden_end_prevented_are_written_when_the_match_goes_on(tmp_path: Path) -> None:
    match, folder = settings(rounds=1), Folder(tmp_path)
    results = [played(match, 0, *NAMES[:2]), played(match, 1, *NAMES[1::-1])]
    folder.open(match)
    for result in results:
        folder.add(result)
    folder.close()
    write_game(tmp_path, match, results[0])
    files = [tmp_path / "games" / name for name in ("000000.ggf", "000000.sgf", "000001.ggf", "000001.sgf")]
    files[0].unlink()  # killed between one file and the next
    assert run(match, Folder(tmp_path), Crew()) == 0  # every game is finished
    assert sorted((tmp_path / "games").iterdir()) == files
    assert files[0].read_text() == to_ggf(match, results[0]) + "\n"
    assert files[3].read_text() == to_sgf(match, results[1]) + "\n"


def test_a_report_needs_a_finished_game(tmp_path: Path) -> None:
    with pytest.raises(BadFlagError, match="holds no match"):
        main([str(tmp_path)])
    begun = Folder(tmp_path)
    begun.open(settings())
    begun.close()
    with pytest.raises(BadFlagError, match="holds no finished game"):
        main([str(tmp_path)])


def test_results_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text('{"number": 1}\nxyzzy\n')
    with pytest.raises(BadFlagError, match=r"results.jsonl cannot be read: "):
        Folder(tmp_path).results()


def test_a_folder_is_in_use_by_one_run(tmp_path: Path) -> None:
    first = Folder(tmp_path)
    first.open(settings())
    with pytest.raises(BadFlagError, match="is in use by another run"):
        Folder(tmp_path).open(settings())
    first.close()
    second = Folder(tmp_path)
    assert second.open(settings()) == {}
    second.close()


def test_the_page_names_the_moves_of_the_openings_and_the_state_of_the_test() -> None:
    match = replace(settings(names=NAMES[:2]), openings=((37, 43), ()), sprt=Sprt(0, 50))
    page = write_report(match, [played(match, 0, *NAMES[:2]), forfeited(1, *NAMES[1::-1], culprit="first")])
    assert "<tr><td>1</td><td>f5d6</td></tr><tr><td>2</td><td>from the start</td></tr>" in page
    assert ">1: f5d6</text>" in page
    assert re.search(r"SPRT: log likelihood ratio -?\d\.\d\d in -2\.94\.\.2\.94, undecided\.", page)
