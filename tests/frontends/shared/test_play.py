"""A game over a real engine, as every window plays it."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from extremum.frontends.shared.setup import Seat, Setup
from extremum.frontends.shared.situation import situation
from extremum.frontends.shared.snapshot import snapshot
from extremum.frontends.shared.timer import Left
from tests.doubles import FakeTime
from tests.frontends.shared.plays import AGAINST_RANDOM, SLOW, TWO_PEOPLE, playing, pump, settle, told

pytestmark = pytest.mark.slow

RENJU_FORK = "(;GM[4]SZ[15]RU[renju];B[hh];W[aa];B[hi];W[ca];B[gj];W[ea];B[fj];W[ga])"  # a double three at H6


def test_the_board_is_what_the_engine_says(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE) as play:
        settle(play)
        assert play.board is not None
        assert (play.board.side, len(play.board.legal), play.board.result) == ("black", 81, "")
        play.play("E5")
        settle(play)
        assert play.board.stones() == {(4, 4): "black"}
        assert play.board.side == "white"
        assert "auto" in play.driver.brains


def test_an_occupied_point_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE) as play:
        settle(play)
        play.play("E5")
        settle(play)
        play.play("E5")
        settle(play)
        assert [notice.values for notice in play.notices()] == [("illegal move: E5 is occupied",)]
        assert play.line.moves == (("black", "E5"),)


def test_undo_takes_the_engines_answer_back_too_and_redo_repeats_both(tmp_path: Path) -> None:
    with playing(tmp_path, AGAINST_RANDOM) as play:
        settle(play)
        play.undo()
        assert told(play) == ["nothing_to_undo"]
        play.play("E5")
        settle(play)
        moves = play.line.moves
        assert [color for color, _ in moves] == ["black", "white"]
        play.undo()
        settle(play)
        assert (play.line.moves, play.line.future) == ((), moves)
        play.redo()
        settle(play)
        assert (play.line.moves, play.paused) == (moves, False)


def test_a_move_is_refused_while_the_engine_thinks_and_move_now_ends_it(tmp_path: Path) -> None:
    with playing(tmp_path, replace(AGAINST_RANDOM, movetime=3600), SLOW) as play:
        settle(play)
        play.play("E5")
        pump(play, lambda: play.driver.thinking and play.driver.thought is not None)
        play.play("A1")
        assert told(play) == ["not_now"]
        play.move_now()
        settle(play)
        assert len(play.line.moves) == 2


def test_a_new_game_cuts_the_search_short(tmp_path: Path) -> None:
    with playing(tmp_path, replace(AGAINST_RANDOM, movetime=3600), SLOW) as play:
        settle(play)
        play.play("E5")
        pump(play, lambda: play.driver.thinking)
        play.begin(replace(TWO_PEOPLE, game="othello", size=6))
        settle(play)
        assert play.board is not None
        assert (play.board.game, play.board.size, play.line.ply) == ("othello", 6, 0)
        assert sorted(play.board.stones()) == [(2, 2), (2, 3), (3, 2), (3, 3)]


def test_two_engines_play_a_whole_game_of_othello_with_its_passes(tmp_path: Path) -> None:
    seat = Seat(is_engine=True, brain="random")
    with playing(tmp_path, Setup("othello", 6, black=seat, white=seat)) as play:
        pump(play, lambda: play.is_over)
        assert play.board is not None
        assert play.board.result
        assert [notice.key for notice in situation(play)][1:] == ["discs"]


def test_a_person_without_a_move_passes_and_is_told(tmp_path: Path) -> None:
    blocked = "(;GM[2]SZ[6]AB[aa]AW[ba][ca][ff]PL[W])"  # white has no move, black has D1
    with playing(tmp_path, replace(TWO_PEOPLE, game="othello", size=6)) as play:
        settle(play)
        play.load(blocked)
        pump(play, lambda: play.line.moves == (("white", "pass"),) and not play.driver.busy)
        assert "must_pass" in told(play)
        assert play.board is not None
        assert play.board.side == "black"


def test_flipped_discs_are_known(tmp_path: Path) -> None:
    with playing(tmp_path, replace(TWO_PEOPLE, game="othello", size=8)) as play:
        settle(play)
        play.play("D3")
        settle(play)
        assert play.driver.flipped() == [(3, 3)]


def test_renjus_forbidden_points_are_shown_to_black(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE) as play:
        settle(play)
        play.load(RENJU_FORK)
        settle(play)
        assert play.board is not None
        assert play.setup.rule == "renju"
        forbidden = play.board.forbidden_points()
        assert forbidden
        row, column = forbidden[0]
        assert play.board.stone((row, column)) is None


def test_a_broken_record_is_refused_and_the_game_goes_on(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE) as play:
        settle(play)
        play.play("E5")
        settle(play)
        for text in ("", "no game", "(;GM[4]SZ[9];B[zz", "(;GM[3])", "(;GM[4]SZ[9];B[aa];W[aa])", "(;GM[4]SZ[99])"):
            play.load(text)
            assert told(play) == ["bad_sgf"]
            assert play.line.moves == (("black", "E5"),)


def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE) as play:
        settle(play)
        for vertex in ("E5", "D4", "A1"):
            play.play(vertex)
            settle(play)
        texts: list[str] = []
        play.record(texts.append)
        pump(play, lambda: bool(texts))
        moves = play.line.moves
        play.begin(TWO_PEOPLE)
        settle(play)
        play.load(texts[0])
        settle(play)
        assert play.line.moves == moves


def test_a_dead_engine_is_told_with_its_last_words_and_comes_back(tmp_path: Path) -> None:
    with playing(tmp_path, AGAINST_RANDOM) as play:
        settle(play)
        play.play("E5")
        settle(play)
        moves = play.line.moves
        os.killpg(play.driver.engine._link._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]  # a real death
        pump(play, lambda: play.driver.dead is not None)
        dead = play.driver.dead
        assert dead is not None
        assert (dead.key, dead.reason) == ("ended_signal", "SIGKILL")
        assert any("white" in line for line in dead.last_words)
        play.play("A1")
        play.undo()
        assert told(play) == ["ended_signal", "engine_gone", "engine_gone"]
        play.restart()
        settle(play)
        assert (play.line.moves, play.driver.dead) == (moves, None)


def test_a_missing_engine_is_told(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE, "no-such-program --at all") as play:
        pump(play, lambda: play.driver.dead is not None)
        assert play.driver.dead is not None
        assert play.driver.dead.reason == "no-such-program: No such file or directory"


def test_an_analysis_marks_candidates_and_draws_the_graph(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE, SLOW) as play:
        settle(play)
        play.analyze(on=True)
        pump(play, lambda: play.driver.thought is not None)
        assert play.driver.thought is not None
        assert play.driver.thought.best.line[0] == play.driver.thought.best.vertex
        assert play.winrates[0] == pytest.approx(0.75)
        play.play("E5")
        pump(play, lambda: 1 in play.winrates)
        assert play.winrates[1] == pytest.approx(0.25)
        play.analyze(on=False)
        settle(play)


def test_the_hint_in_weakest_mode_helps_to_lose(tmp_path: Path) -> None:
    weakest = replace(AGAINST_RANDOM, white=Seat(is_engine=True, level=0))
    with playing(tmp_path, weakest, SLOW) as play:
        settle(play)
        play.hint()
        pump(play, lambda: play.study.hint is not None)
        assert told(play) == ["hint_to_lose"]
        assert play.driver.thought is not None
        assert play.driver.thought.losing


def test_a_seat_that_is_changed_while_a_game_is_laid_out_stays_changed(tmp_path: Path) -> None:
    with playing(tmp_path, Setup(size=9, black=Seat(), white=Seat(is_engine=True, brain="random"))) as play:
        play.sit("white", Seat())  # the engine has only been started
        settle(play)
        play.play("E5")
        settle(play)
        assert not play.setup.white.is_engine
        assert play.line.ply == 1


def test_a_game_that_was_loaded_is_nobodys_achievement(tmp_path: Path) -> None:
    weakest = Setup(size=9, black=Seat(), white=Seat(is_engine=True, level=0, brain="random"))
    lost = "(;GM[4]SZ[9];B[aa];W[ee];B[ca];W[ef];B[ea];W[eg];B[ga];W[eh])"
    with playing(tmp_path, weakest) as play:
        settle(play)
        play.load(lost)
        settle(play)
        play.sit("white", Seat())
        play.play("A1")
        settle(play)
        play.play("E6")
        settle(play)
        assert play.board is not None
        assert play.board.winner == "white"
        assert play.tally.games == 0


def test_the_clock_runs_for_whoever_moves_and_its_end_ends_the_game(tmp_path: Path) -> None:
    time = FakeTime()
    with playing(tmp_path, replace(TWO_PEOPLE, main=60, increment=2), SLOW, time) as play:
        settle(play)
        time.advance(10)
        assert (play.timer.left("black"), play.timer.left("white")) == (Left(52), Left(62))
        play.play("E5")
        settle(play)
        assert play.timer.left("black") == Left(54)
        time.advance(70)
        play.pump()
        assert (play.time_winner, told(play)) == ("black", ["lost_on_time"])
        play.play("A1")
        assert told(play) == ["game_over"]


def test_a_snapshot_is_plain_values(tmp_path: Path) -> None:
    import json

    with playing(tmp_path, AGAINST_RANDOM) as play:
        settle(play)
        play.play("E5")
        settle(play)
        values = json.loads(json.dumps(snapshot(play)))
        assert values["moves"][0] == ["black", "E5"]
        assert values["board"]["rows"][4][4] == "X"
        assert values["situation"] == [["to_move", "black"]]
