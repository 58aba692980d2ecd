"""The standings, from results that are made up."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from extremum.frontends.match.records import to_sgf
from extremum.frontends.match.report import write_report
from extremum.frontends.match.table import Standings, write_standings
from tests.frontends.match.test_report import NAMES, forfeited, played, settings


def test_the_table_counts_scores_colors_and_faults() -> None:
    match = settings(names=NAMES)
    results = [forfeited(0, "first", "third", "third"), forfeited(1, "third", "first", "third")]
    results.append(forfeited(2, "first", "second <b>", "first"))
    standings = Standings(match, results)
    by_name = {line.name: line for line in standings.lines}
    assert by_name["first"].score.text() == "+2 =0 -1"
    assert by_name["first"].black.text() == "+1 =0 -1"
    assert (by_name["third"].faults, by_name["first"].faults, by_name["second <b>"].faults) == (2, 1, 0)
    text = "\n".join(write_standings(standings))
    assert "third: crash 2 times, in games 0, 1: it </script> died" in text
    assert "first: crash in game 2: it </script> died" in text
    assert "a draw was added to each pairing" in text


def test_pairs_are_counted_once_both_games_are_there() -> None:
    results = [forfeited(0, "first", "x", "x"), forfeited(1, "x", "first", "x"), forfeited(2, "first", "x", "first")]
    assert Standings(settings(names=("first", "x")), results).pair_points() == [2.0]


def test_pairs_that_the_first_engine_did_not_play_are_not_its_own() -> None:
    results = [forfeited(0, "first", "x", "x"), forfeited(1, "x", "first", "x")]
    results += [forfeited(2, "x", "y", "y"), forfeited(3, "y", "x", "y")]
    results += [forfeited(4, "y", "first", "first"), forfeited(5, "first", "y", "y")]
    assert Standings(settings(names=("first", "x", "y")), results).pair_points() == [2.0, 1.0]


def test_what_goes_wrong_after_the_end_is_in_the_record_and_in_the_table() -> None:
    match = settings(names=("first", "second"))
    result = replace(played(match, 0, "first", "second"), late={"second": "crash: ended with status 3"})
    assert "second: after the end: crash: ended with status 3" in to_sgf(match, result)
    text = "\n".join(write_standings(Standings(match, [result])))
    assert "second: after the end" in text
    assert "crash: ended with status 3" in text
    assert "second: after the end: crash" in write_report(match, [result])


def test_each_of_many_engines_is_compared_with_the_next_in_rank() -> None:
    match = settings(names=NAMES)
    results = [
        forfeited(number, "first", "second <b>", "second <b>" if number < 15 else "first") for number in range(20)
    ]
    results += [
        forfeited(number, "second <b>", "third", "third" if number < 10 else "second <b>") for number in range(20)
    ]
    standings = Standings(match, results)
    first, second, third = standings.lines
    # By hand: the rating of 15 in 20 is ln 3 above, its deviation 1 / sqrt(20 * 0.75 * 0.25).
    assert first.ahead == pytest.approx(0.5 * (1 + math.erf(math.log(3) * math.sqrt(3.75) / math.sqrt(2))))
    assert second.ahead == pytest.approx(0.5)
    assert third.ahead is None
    table = list(write_standings(standings))
    assert table[0].endswith("faults  ahead")
    assert table[1].endswith(f" {first.ahead:.1%}")
    assert f"<td>{first.ahead:.1%}</td>" in write_report(match, results)
    two = Standings(settings(), [played(settings(), 0, *NAMES[:2])])
    assert "ahead" not in next(iter(write_standings(two)))


def test_who_has_not_played_is_last_and_has_no_rating() -> None:
    match = settings(names=("c", "a", "b"))
    results = [forfeited(number, "a", "b", "b" if number < 3 else "a") for number in range(5)]
    standings = Standings(match, results)
    assert [line.name for line in standings.lines] == ["a", "b"]
    assert standings.lines[1].ahead is None
    lines = list(write_standings(standings))
    assert [line.split()[:4] for line in lines[2:4]][1] == ["c", "-", "-", "0"]
    assert "c: no rating, for it has not played" in lines
    assert not any("somebody won or lost everything" in line for line in lines)
    page = write_report(match, results)
    assert "c: no rating, for it has not played." in page
    assert not re.search(r"\b(nan|inf)\b", page)


def test_engines_that_have_not_met_are_not_compared() -> None:
    match = settings(names=("a", "b", "c", "d"))
    results = [forfeited(number, "a", "b", "b" if number < 3 else "a") for number in range(5)]
    results += [forfeited(number, "c", "d", "d" if number < 14 else "c") for number in range(5, 16)]
    standings = Standings(match, results)
    assert [line.name for line in standings.lines] == ["c", "a", "b", "d"]
    assert [line.ahead is None for line in standings.lines] == [True, False, True, True]
    split = "some engines have not met, not even through others: their ratings cannot be compared"
    assert split in list(write_standings(standings))
    assert split not in list(write_standings(Standings(match, results[:5])))


def test_games_that_were_the_same_are_counted_and_warned_of() -> None:
    match = settings(names=NAMES[:2], rounds=3)
    once, back = played(match, 0, *NAMES[:2]), played(match, 1, *NAMES[1::-1])
    results = [once, back, replace(once, number=2), replace(back, number=3, moves=back.moves[:-1], seconds=[])]
    results.append(forfeited(4, *NAMES[:2], culprit="first"))
    results.append(forfeited(5, *NAMES[:2], culprit="first"))
    standings = Standings(match, results)
    assert standings.repeats == 1
    warning = "1 of 6 games were the same as another one: the errors are larger than they look"
    assert warning in list(write_standings(standings))
    assert warning in write_report(match, results)
    assert Standings(match, [once, back]).repeats == 0


def test_resignations_are_no_faults_and_claims_have_their_game() -> None:
    match = settings(names=("first", "second"))
    resigned = replace(forfeited(6, "first", "second", "first"), reason="resignation", text="at ply 2", result="W+R")
    claimed = replace(played(match, 7, "second", "first"), result="B+12", claims={"second": "false claim: W+64"})
    standings = Standings(match, [resigned, claimed])
    assert list(standings.faults().items()) == [(("second", "false claim", "W+64 instead of B+12"), [7])]
    assert [line.faults for line in standings.lines] == [0, 0]
    lines = list(write_standings(standings))
    assert "first: resigned in game 6" in lines
    assert "second: false claim in game 7: W+64 instead of B+12" in lines
    page = write_report(match, standings.results)
    faults, _, rest = page.partition("<h2>Faults</h2>")[2].partition("<h2>Resignations</h2>")
    assert "<td>second</td><td>false claim</td><td>W+64 instead of B+12</td><td>1</td><td>7</td>" in faults
    assert "first" not in faults
    assert rest.startswith(
        "<table><tr><th>engine</th><th>times</th><th>games</th></tr><tr><td>first</td><td>1</td><td>6</td>"
    )
