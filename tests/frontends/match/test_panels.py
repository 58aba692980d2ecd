"""The panels of the weakest mode, from results that are made up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from extremum.engine.brains.reference_gomoku import PLAYERS as GOMOKU_PLAYERS
from extremum.engine.brains.reference_othello import PLAYERS as OTHELLO_PLAYERS
from extremum.frontends.match.entrants import LOSERS, WINNERS
from extremum.frontends.match.panels import PANELS, tally, write_panels
from tests.frontends.match.test_report import NAMES, forfeited, played, settings


def test_panels_count_by_seat_what_happened_on_the_board() -> None:
    match = settings()
    results = [played(match, number, *NAMES[:2]) for number in range(0, 20, 2)]
    results += [played(match, number, *NAMES[1::-1]) for number in range(1, 20, 2)]
    both, black, white = (tally(results, "first", NAMES[1], seat) for seat in ("both", "black", "white"))
    assert black.games == white.games == 10
    assert both.losses == black.losses + white.losses
    assert black.losses == sum(result.result[0] == "W" for result in results[:10])
    lines = list(write_panels(results, "first", [("R", NAMES[1])]))
    assert len(lines) == 3
    assert lines[-1].startswith("| R | second <b> | 20 | ")
    assert f"| {10 * black.losses}/{10 * black.draws}/{10 * black.wins} | " in lines[-1]


def test_a_forfeit_is_no_loss_on_the_board() -> None:
    subject, other = NAMES[:2]
    results = [forfeited(0, subject, other, subject), forfeited(1, other, subject, other)]
    results += [replace(played(settings(), 2, subject, other), result="W+12")]
    results.append(replace(results[0], number=4, reason="resignation", result="W+R"))
    both = tally(results, subject, other, "both")
    assert (both.losses, both.draws, both.wins, both.own_faults, both.other_faults) == (1, 0, 0, 2, 1)
    assert tally(results, subject, other, "white").games == 0
    line = list(write_panels(results, subject, [("R", other)]))[-1]
    assert line.startswith("| R | second <b> | 1 | 100.00% | 2.50% to 100.00% | 0.00% | 0.00% | 100/0/0 | 0/0/0 |")
    assert line.endswith("| 12.0 | 2 own, 1 other |")
    only = list(write_panels(results[:2], subject, [("R", other)]))[-1]
    assert only.startswith("| R | second <b> | 0 | 0.00% | 0.00% to 100.00% |")


@pytest.mark.parametrize(("game", "players"), [("gomoku", GOMOKU_PLAYERS), ("othello", OTHELLO_PLAYERS)])
def test_the_panels_name_players_that_exist(game: str, players: dict[str, object]) -> None:
    named = [text for texts in PANELS[game].values() for text in texts] + [*WINNERS[game], *LOSERS[game]]
    assert {text.split()[0] for text in named} <= {*players, "auto", "random", "rollout", "alphabeta", "exploiter"}
