from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from extremum.engine.allocation import Budget
from extremum.engine.games.game import Color
from extremum.engine.memory import free_megabytes
from extremum.engine.options import Options
from extremum.engine.session import Session
from extremum.protocol.connection import Urgency
from extremum.protocol.gomocup.dialect import Gomocup
from tests.doubles import FakeWaiting, RecordingSend
from tests.protocol.engine import ENGINE, Engine


class Manager:
    """Speaks with a brain in this process."""

    def __init__(self) -> None:
        self.session = Session(Options(seed=1))
        self.session.set_brain("random")
        self.gomocup = Gomocup(self.session)

    def say(self, *lines: str) -> str:
        send = RecordingSend()
        for line in lines:
            self.gomocup.handle(line.encode(), send, FakeWaiting())
        return send.text


@pytest.fixture
def manager() -> Manager:
    manager = Manager()
    assert manager.say("START 15") == "OK\n"
    return manager


def test_start_answers_exactly_ok_and_sets_the_size(manager: Manager) -> None:
    assert manager.say("START 20\r") == "OK\n"
    assert manager.session.game.size == 20


def test_a_size_that_is_not_played_is_an_error(manager: Manager) -> None:
    for size in (4, 21):
        assert manager.say(f"START {size}") == f"ERROR unacceptable size: {size} is not in 5..20\n"
    assert manager.say("START 1000") == "ERROR unacceptable size: 1000 is not in 5..20\n"
    assert manager.say("START many").startswith("ERROR ")
    assert manager.say("RECTSTART 15,16") == "ERROR the board is always a square\n"
    assert manager.session.game.size == 15


def test_turn_places_the_stone_and_answers_with_a_move(manager: Manager) -> None:
    x, y = map(int, manager.say("TURN 7,8").split(","))
    session = manager.session
    assert session.position.black == 1 << (8 * 15 + 7)
    assert session.position.white == 1 << (y * 15 + x)


def test_begin_moves_first_and_only_on_an_empty_board(manager: Manager) -> None:
    assert "," in manager.say("begin")
    assert manager.say("BEGIN") == "ERROR the board is not empty\n"


@pytest.mark.parametrize("lines", [["BOARD", "7,7,1", "8,8,2", "DONE"], ["BOARD 7,7,1 8,8,2 DONE"], ["board", "DONE"]])
def test_board_sets_the_position_up_and_asks_for_a_move(manager: Manager, lines: list[str]) -> None:
    assert manager.say("TURN 1,1").count("\n") == 1
    assert manager.say(*lines).count("\n") == 1
    stones = manager.session.position.black | manager.session.position.white
    assert stones.bit_count() == (3 if "7,7,1" in " ".join(lines) else 1)
    assert not stones >> 16 & 1


def test_a_wrong_board_is_an_error_and_changes_nothing(manager: Manager) -> None:
    manager.say("TURN 1,1")
    before = manager.session.position
    for stones in ("7,7,1 7,7,2", "7,7,3", "77,7,1", "7,7,1 8,8,1", "nonsense"):
        assert manager.say(f"BOARD {stones} DONE").startswith("ERROR ")
        assert manager.session.position is before


def test_takeback_takes_back_the_last_move_only(manager: Manager) -> None:
    answer = manager.say("TURN 7,7").strip()
    assert manager.say("TAKEBACK 7,7").startswith("ERROR ")
    assert manager.say(f"TAKEBACK {answer}") == "OK\n"
    assert manager.say("TAKEBACK 7,7") == "OK\n"
    assert manager.say("RESTART") == "OK\n"


def test_info_is_never_answered_and_sets_what_it_names(manager: Manager) -> None:
    lines = ["INFO rule 1", "INFO timeout_turn 500", "INFO timeout_match 60000", "INFO time_left 30000"]
    lines += ["INFO mode weakest", "INFO max_node 1000", "INFO max_depth 7", "INFO max_memory 367001600"]
    lines += ["INFO nonsense 3", "INFO", "INFO timeout_turn many", "INFO folder /a b"]
    assert manager.say(*lines) == ""
    session = manager.session
    assert (session.game.rule, session.mode) == ("standard", "weakest")
    left = 80 if "onnxruntime" in sys.modules else 150  # the runtime stays once something has loaded it
    assert (session.options.visits, session.options.depth, session.options.memory) == (1000, 7, left)
    planned = session.clock.budget(session.position, 0.0)
    assert planned is not None
    assert planned.seconds == pytest.approx(0.5, abs=0.01)


def test_a_manager_may_allow_more_memory_than_there_is(manager: Manager) -> None:
    manager.say(f"INFO max_memory {2**49}")
    free = free_megabytes()
    assert free is not None
    assert manager.session.options.memory < 1.1 * free  # as far as that may change from look to look


def test_a_rule_that_is_not_played_is_told_at_the_next_command(manager: Manager) -> None:
    assert manager.say("INFO rule 8") == ""
    assert manager.say("BEGIN") == "ERROR rule 8 is not played here\n"
    assert "," in manager.say("BEGIN")


def test_no_time_a_turn_means_as_fast_as_possible_and_negative_no_limit(manager: Manager) -> None:
    manager.say("INFO timeout_turn 0")
    assert manager.session.clock.budget(manager.session.position, 0.05) == Budget(0, 0)
    manager.say("INFO timeout_turn -1")
    assert manager.session.clock.budget(manager.session.position, 0.05) is None


def test_stones_on_stones_and_off_the_board_are_errors(manager: Manager) -> None:
    manager.say("TURN 7,7")
    before = manager.session.position
    for point in ("7,7", "15,0", "-1,0", "7", "7,7,7,7", ""):
        assert manager.say(f"TURN {point}").startswith("ERROR ")
    assert manager.session.position is before


def test_what_a_brain_refuses_leaves_the_board_as_it_was(manager: Manager) -> None:
    manager.say("INFO timeout_match 60000", "TURN 1,1")
    session = manager.session
    session.set_brain("dqn")
    before, left = session.position, session.clock.left(Color.BLACK)
    no = "ERROR 'dqn' does not play gomoku: it knows othello only\n"
    for line in ("TURN 9,9", "BOARD 5,5,2 DONE", "SWAP2BOARD 1,1 2,2 3,3 DONE", "YXSWAP2STEP1", "YXBALANCETWO 0"):
        assert manager.say(line) == no, line
        assert (session.position, session.clock.left(Color.BLACK)) == (before, left), line
    session.set_brain("random")
    assert "," in manager.say("TURN 9,9")
    assert len(session.moves) == 4


def test_a_brain_that_does_not_play_the_game_is_told_at_the_next_command(manager: Manager) -> None:
    assert manager.say("INFO brain dqn") == ""
    assert manager.say("TURN 5,5") == "ERROR brain dqn is not played here\n"
    assert manager.session.brain_name == "random"
    assert "," in manager.say("TURN 5,5")


def test_an_unknown_command_is_unknown(manager: Manager) -> None:
    assert manager.say("FLY 3") == "UNKNOWN command FLY\n"


def test_stop_and_end_are_seen_while_thinking(manager: Manager) -> None:
    assert manager.gomocup.urgency(b"YXSTOP\r") is Urgency.INTERRUPT
    assert manager.gomocup.urgency(b"end") is Urgency.QUIT
    assert manager.say("YXSTOP", "STOP") == ""


def test_a_whole_game_over_pipes() -> None:
    script = "ABOUT\r\nSTART 9\r\nINFO timeout_turn 100\r\nBEGIN\r\nINFO max_depth 2\r\nTURN 0,0\r\nEND\r\n"
    done = subprocess.run([*ENGINE, "gomocup"], input=script.encode(), capture_output=True, timeout=60, check=True)
    about, ok, first, second = done.stdout.decode().split("\n")[:-1]
    assert about.startswith('name="Extremum", version=')
    assert ok == "OK"
    assert first == "4,4"
    assert "," in second


@pytest.mark.slow
def test_the_memory_that_a_manager_allows_is_kept() -> None:
    with Engine([*ENGINE, "gomocup"]) as engine:
        engine.send("START 15\nINFO max_memory 367001600\nINFO timeout_turn 2000\n")
        assert engine.read_until("\n") == "OK\n"
        for line in ("BEGIN", "TURN 0,0", "TURN 1,0"):
            engine.send(f"{line}\n")
            assert "," in engine.read_until("\n")
        status = Path(f"/proc/{engine.process.pid}/status").read_text(encoding="ascii")
        most = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
        assert most < 350 * 1024
