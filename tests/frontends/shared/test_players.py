"""Two programs at one board: another engine plays a color, the first is the referee."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from extremum.frontends.flags import BadFlagError
from extremum.frontends.shared.arguments import WindowParser
from extremum.frontends.shared.dial import dials_of
from extremum.frontends.shared.setup import Seat, Setup
from tests.frontends.shared.plays import AGAINST_RANDOM, QUICK, RANDOM, SLOW, playing, pump, settle, told

RHINO = "/usr/games/gtp-rhino -l 1 -b 0 -r 0"  # Debian's package grhino: Othello in plain GTP, without gogui-rules
OTHELLO = Setup("othello", 8, black=RANDOM, white=Seat(is_engine=True), movetime=0.05)


@pytest.mark.slow
def test_a_program_of_somebody_else_plays_a_whole_game(tmp_path: Path) -> None:
    assert Path(RHINO.split()[0]).exists(), "the engine of Debian's package grhino is missing: apt-get install grhino"
    with playing(tmp_path, OTHELLO, white=RHINO) as play:
        pump(play, lambda: play.is_over or play.paused, timeout=120)
        assert (play.is_over, told(play)) == (True, [])
        assert play.board is not None
        assert {color for color, _ in play.line.moves} == {"black", "white"}
        assert play.board.winner == "white"  # its opponent plays at random


@pytest.mark.slow
def test_both_colors_may_have_a_program_and_a_persons_game_is_followed_through_undo(tmp_path: Path) -> None:
    with playing(tmp_path, AGAINST_RANDOM, SLOW, white=f"{QUICK} --seed 1") as play:
        settle(play)
        for vertex in ("E5", "A1"):
            play.play(vertex)
            settle(play)
        moves = play.line.moves
        assert [color for color, _ in moves] == ["black", "white"] * 2
        play.undo()
        settle(play)
        play.play("J9")
        settle(play)
        assert (len(play.line.moves), play.line.moves[:3]) == (4, (*moves[:2], ("black", "J9")))
        play.begin(replace(AGAINST_RANDOM, size=8, rule="renju", main=60, overtime="byoyomi"))
        settle(play)
        play.play("D4")
        settle(play)
        assert (len(play.line.moves), told(play)) == (2, [])


@pytest.mark.slow
def test_a_program_that_does_not_know_the_game_is_told_and_nothing_hangs(tmp_path: Path) -> None:
    with playing(tmp_path, AGAINST_RANDOM, white=RHINO) as play:
        settle(play)
        play.play("E5")
        settle(play)
        assert (told(play), play.paused, len(play.line.moves)) == (["no_move"], True, 1)


@pytest.mark.slow
def test_move_now_and_the_death_of_a_player(tmp_path: Path) -> None:
    with playing(tmp_path, AGAINST_RANDOM, white=SLOW) as play:
        settle(play)
        play.play("E5")
        pump(play, lambda: play.driver.thinking and play.driver.thought is not None)
        play.move_now()
        settle(play)
        assert len(play.line.moves) == 2
        os.killpg(play.driver.engines[1]._link._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]  # a real death
        pump(play, lambda: play.driver.dead is not None)
        assert told(play) == ["ended_signal"]
        play.restart()
        settle(play)
        assert (len(play.line.moves), play.driver.dead) == (2, None)


def test_the_command_line_names_them() -> None:
    given = WindowParser("gui", None).parse_args(["--black-engine", "one --flag", "--white-engine", "tcp://host:1"])
    assert sorted(dials_of(given).players) == ["black", "white"]
    for words in ("", "'"):
        with pytest.raises(BadFlagError, match="--white-engine"):
            dials_of(WindowParser("gui", None).parse_args(["--white-engine", words]))
