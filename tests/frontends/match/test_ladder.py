from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from extremum.engine.games import make_game
from extremum.frontends.match.engines import read_engines
from extremum.frontends.match.entrants import able, dial, limited
from extremum.frontends.match.score import Score
from extremum.frontends.match.strength import is_in_order, isotonic, order, write_dial, write_ratings
from extremum.frontends.match.table import Standings
from tests.frontends.match.test_report import forfeited, settings
from tests.protocol.engine import ENGINE, HOME


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ENGINE, *words], capture_output=True, text=True, timeout=200, cwd=HOME)


QUICK = ("--size", "5", "--games", "2", "--visits", "2")


@pytest.mark.slow
def test_the_ladder_writes_its_tables_and_goes_on(tmp_path: Path) -> None:
    words = (*QUICK, "--levels", "0,50,80", "--out", str(tmp_path))
    begun = run("ladder", *words, "--games", "4", "--minutes", "0.001")
    assert begun.returncode == 0, begun.stderr
    played, wanted = re.findall(r"^(\d+)/(\d+) games", begun.stderr, re.MULTILINE)[-1]
    assert 2 * int(played) == int(wanted)  # the first round of two
    done = run("ladder", *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(" 0 to play") == 4
    assert done.stdout.count(f"`extremum ladder --size 5 --games 2 --visits 2 --levels 0,50,80 --out {tmp_path}`") == 4
    titles = re.findall(r"^### (.*)$", done.stdout, re.MULTILINE)
    assert titles == [
        "gomoku 5x5: the levels, winning Elo",
        "gomoku 5x5: players who want to win, winning Elo",
        "gomoku 5x5: players who want to lose, losing Elo",
        "gomoku 5x5: the levels against players who want to lose, losing Elo",
    ]
    assert len(re.findall(r"^\| level \| 0 \| 50 \| 80 \|$", done.stdout, re.MULTILINE)) == 2
    assert len(re.findall(r"^\| Elo \| [+-]\d+ \| \+0 \| [+-]\d+ \|$", done.stdout, re.MULTILINE)) == 2
    assert re.search(r"^Neighbors: .*2 undecided", done.stdout, re.MULTILINE)  # of two games each
    assert done.stdout.count("| random | +0 | 0 |") == 2
    assert {"rollout", "alphabeta", "minimax", "rollout mode=weakest"} <= set(
        re.findall(r"^\| (.*?) \|", done.stdout, re.M)
    )
    assert "mcts does not play: there are no weights for gomoku 5x5" in done.stderr
    assert (tmp_path / "table.md").read_text() == done.stdout
    assert _without_commands(begun.stdout) == _without_commands(done.stdout)


def _without_commands(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("`")]


@pytest.mark.slow
def test_one_part_is_played_with_its_own_games_and_the_others_stay(tmp_path: Path) -> None:
    words = ("--size", "5", "--visits", "2", "--levels", "0,50", "--out", str(tmp_path))
    first = run("ladder", *words, "--part", "dial", "--games", "4")
    assert re.findall(r"^### (.*)$", first.stdout, re.MULTILINE) == ["gomoku 5x5: the levels, winning Elo"]
    second = run("ladder", *words, "--part", "losing-dial", "--games", "2")
    assert second.stdout.startswith(first.stdout.rstrip("\n"))
    assert second.stdout.count("### ") == 2
    counts = [len((tmp_path / part / "results.jsonl").read_text().splitlines()) for part in ("dial", "losing-dial")]
    assert counts == [4, 2 * 2 * 5]  # two levels, five players who want to lose or do not care


@pytest.mark.slow
def test_the_weakest_mode_meets_its_panels(tmp_path: Path) -> None:
    done = run("ladder", "--weakest", *QUICK, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"^\| (W|R|L1|L2|X) \| (.*?) \| (\d) \|", done.stdout, re.MULTILINE)
    assert {panel for panel, *_ in rows} == {"W", "R", "L1", "L2"}
    assert [row for row in rows if row[1] == "random"] == [("R", "random", "2")]
    assert len(rows) == 15
    assert "exploiter does not play: there are no exploiter weights for misère gomoku 5x5" in done.stderr


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (Score(10, 0, 0), "in order"),
        (Score(0, 0, 10), "reversed"),
        (Score(6, 0, 4), "undecided"),
        (Score(0, 400, 0), "undecided"),
        (Score(60, 0, 40), "undecided"),  # the exact bound of 60 in 100 is 49.7 %
        (Score(61, 0, 39), "in order"),
        (Score(), "unplayed"),
    ],
)
def test_neighbors_are_in_order_when_95_percent_say_so(score: Score, said: str) -> None:
    assert order(score) == said


def test_what_falls_is_pooled() -> None:
    assert isotonic([1.0, 2.0, 3.0]) == [1.0, 2.0, 3.0]
    assert isotonic([3.0, 1.0, 2.0, 5.0]) == [2.0, 2.0, 2.0, 5.0]
    assert isotonic([1.0, 5.0, 3.0, 4.0]) == [1.0, 4.0, 4.0, 4.0]


def test_a_level_that_is_surely_weaker_than_the_one_below_is_named() -> None:
    match = replace(settings(), engines=tuple(read_engines(["level=0", "level=50", "level=100"])))
    results = [forfeited(number, "level=0", "level=50", "level=0") for number in range(0, 20, 2)]
    results += [forfeited(number, "level=50", "level=100", "level=100") for number in range(1, 20, 2)]
    standings = Standings(match, results)
    assert not is_in_order(standings)
    lines = list(write_dial(standings))
    assert "Neighbors: 1 in order, 1 reversed." in lines
    assert "level=100 is weaker than level=50: +0 =0 -10." in lines


def test_who_has_not_played_has_a_dash_for_a_rating() -> None:
    names = ["level=0", "level=50", "level=100"]
    match = replace(settings(), engines=tuple(read_engines(names)))
    results = [forfeited(number, "level=0", "level=50", "level=0") for number in range(10)]
    lines = list(write_dial(Standings(match, results)))
    assert re.fullmatch(r"\| Elo \| -\d+ \| \+0 \| - \|", lines[2])
    assert re.fullmatch(r"\| ± 95 % \| \d+ \| 0 \| - \|", lines[3])
    assert "Neighbors: 1 in order, 1 unplayed." in lines
    assert "| level=100 | - | - | 0 | - | 0 |" in list(write_ratings(Standings(match, results), "level=50"))


def test_levels_that_did_not_meet_are_compared_by_their_ratings_and_fall_in_the_misere() -> None:
    names = ["level=0", "level=50", "level=100", "naive-loser"]
    match = replace(settings(), engines=tuple(read_engines(names)), misere=True)
    wins = {"level=0": 90, "level=50": 10, "level=100": 50}  # of a hundred against the loser
    results = [
        forfeited(number, name, "naive-loser", "naive-loser" if number < count else name)
        for name, count in wins.items()
        for number in range(100)
    ]
    lines = list(write_dial(Standings(match, results)))
    assert lines[2] == "| Elo | +763 | +0 | +382 |"  # by hand: 400 log10 of 9 * 9, and of 9
    assert "Neighbors: 1 in order, 1 reversed." in lines
    assert "level=50 is weaker than level=100: -382 ± 132 Elo." in lines
    assert "The nearest falling curve is at most 191 Elo away." in lines
    assert not is_in_order(Standings(match, results))
    assert is_in_order(Standings(match, results[:200]))


def test_the_dial_is_not_capped_by_the_visits_of_the_ladder() -> None:
    def visits(game: str, size: int, *levels: int) -> list[int]:
        return [int(dict(engine.options)["visits"]) for engine in dial(levels, make_game(game, size), 100)]

    assert visits("othello", 8, 0, 30, 80, 90, 100) == [25_000, 5_000, 200, 6_325, 200_000]
    assert visits("gomoku", 8, 94, 97, 100) == sorted({*visits("gomoku", 8, 94, 97, 100)})
    assert visits("othello", 8, *range(94, 101)) == sorted({*visits("othello", 8, *range(94, 101))})


def test_searches_are_given_as_much_as_takes_equally_long() -> None:
    game = make_game("gomoku", 8)
    words = ["alphabeta", "mcts", "random", "rollout visits=7", "level=30", "strong", "gtp:x"]
    visits = [dict(engine.options).get("visits") for engine in limited(words, game, 100)]
    assert visits == ["25000", "100", None, "7", "25000", None, None]


@pytest.mark.slow
def test_the_trained_loser_plays_where_its_weights_serve() -> None:
    boards = [make_game("gomoku", 8), make_game("othello"), make_game("gomoku", 15), make_game("othello", 6)]
    assert [bool(able(["exploiter"], game, 1)) for game in boards] == [True, True, False, False]
    assert able(["gtp:x"], boards[0], 1)[0].protocol == "gtp"  # others are not asked


def test_a_suite_is_printed() -> None:
    done = run("openings", "--kind", "random:3", "--count", "4", "--game", "othello")
    assert done.returncode == 0, done.stderr
    header, *lines = done.stdout.splitlines()
    assert header == "# othello 8x8 standard: random:3, seed 1, by extremum openings"
    assert all(re.fullmatch(r"([a-h][1-8]){3}", line) for line in lines)
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["ladder", "--weakest", "--part", "dial"], "--part is of the tables, and --weakest plays the panels"),
        (["ladder", "--levels", "0,101"], "argument --levels: '0,101' is no list of levels"),
        (["ladder", "--size", "99"], "unacceptable size: 99 is not in 3..20"),
        (["openings", "--count", "0"], "argument --count: '0' is no positive number"),
        (["report"], "the following arguments are required: folder"),
        (["report", "/no/such"], "/no/such holds no match: "),
    ],
)
def test_a_bad_word_is_refused_in_one_line(words: list[str], complaint: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"extremum: {complaint}")
    assert done.stderr.count("\n") == 1
