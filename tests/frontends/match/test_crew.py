from __future__ import annotations

import argparse
from dataclasses import replace

import pytest

from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.arguments import MatchParser, read_settings
from extremum.frontends.match.crew import MANY, Crew
from extremum.frontends.match.engines import read_engines
from extremum.frontends.match.settings import Settings

NET = "mcts visits=10"


def given(*words: str) -> tuple[Settings, argparse.Namespace]:
    parsed = MatchParser().parse_args([*words, "--size", "8"])
    return replace(read_settings(parsed), engines=tuple(read_engines(parsed.engine))), parsed


@pytest.mark.parametrize(
    ("words", "together"),
    [
        ([NET, "rollout visits=10"], MANY),
        ([NET, "random", "beginner", "alphabeta depth=2"], MANY),
        (["auto visits=10", "random"], MANY),  # a net is the best there
        ([NET, "alphabeta"], 1),  # whose second would be shared
        ([NET, "rollout visits=10 movetime=1"], 1),
        ([NET, "auto depth=2"], 1),  # a net there, whose tree has no depth
        ([NET, "rollout visits=10", "--movetime", "1"], 1),
        ([NET, "rollout visits=10", "--time", "60+1"], 1),
        ([NET, "gtp:gnugo"], 1),
        (["alphabeta depth=2", "random"], 1),  # no net would gain by it
        ([NET, "alphabeta", "--movetime", "1", "--together", "3"], 3),
    ],
)
def test_games_share_a_process_where_nobody_looks_at_a_clock(words: list[str], together: int) -> None:
    assert Crew.of(*given(*words)).together == together


def test_engines_of_others_have_their_process() -> None:
    with pytest.raises(BadFlagError, match="--together is for engines of ours, and 'gnugo' is none"):
        Crew.of(*given(NET, "gtp:gnugo", "--together", "2"))


def test_a_crew_is_no_larger_than_its_work() -> None:
    assert Crew(4, 16).for_games(10) == Crew(4, 3)
    assert Crew(4, 16).for_games(2) == Crew(2, 1)
    assert Crew(2, 16, pin=True).for_games(100) == Crew(2, 16, pin=True)
