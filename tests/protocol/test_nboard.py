from __future__ import annotations

import random
import re
import time

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from extremum.engine.search.analysis import Analysis, Candidate
from extremum.engine.session import Session
from extremum.protocol.commands import COMMANDS
from extremum.protocol.connection import Urgency
from extremum.protocol.ggf import write_ggf
from extremum.protocol.nboard import NBoard, by_depth
from extremum.protocol.recognize import FIRST_WORDS, recognize
from tests.doubles import FakeWaiting, NeverReady, RecordingSend, ScriptedBrain, SessionWith, ThinkingBrain
from tests.protocol.engine import ENGINE, THINKER, Engine

EMPTY = "8 ---------------------------O*------*O--------------------------- *"
GAME = f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[05:00//02:00]TY[8]BO[{EMPTY}]B[F5//10.5]W[D6/-1.2/20];)"


DRAWN = 42  # the seed of a game by chance that is a draw from eight empty squares on
KNOWN = ((1, 1.0), (-1, -6.0), (None, 3.0))  # a win by any margin, a loss by six, nothing


class Gui:
    """Speaks with an engine in this process."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or SessionWith(ScriptedBrain())
        self.nboard = NBoard(self.session)
        assert self.say("nboard 2") == ["set myname Extremum"]

    def say(self, *lines: str, interrupt: bool = False) -> list[str]:
        send = RecordingSend()
        for line in lines:
            self.nboard.handle(line.encode(), send, FakeWaiting(interrupt=interrupt, message=True))
        assert all(message.count(b"\n") == 1 for message in send.messages)
        return send.text.splitlines()


def test_the_game_is_othello_and_its_moves_are_told() -> None:
    gui = Gui()
    assert gui.say("set depth 6", f"set game {GAME}", "set contempt 3", "ping 1") == ["pong 1"]
    session = gui.session
    assert (session.game.name, session.options.depth, len(session.moves)) == ("othello", 6, 2)
    assert gui.say("move C3/1.5/2.25", "move d3", "ping 2") == ["pong 2"]
    assert [played.move for played in session.moves] == [37, 43, 18, 19]


def test_go_chooses_a_move_without_playing_it() -> None:
    gui = Gui()
    gui.say(f"set game {GAME}")
    before = gui.session.position
    *_, answer, last = gui.say("go")
    assert last == "status"  # no longer thinking
    assert re.fullmatch(r"=== [A-H][1-8]/8\.24/\d+\.\d\d", answer)
    assert gui.session.position == before


def test_the_clock_is_the_games() -> None:
    gui = Gui()
    gui.say(f"set game {GAME}", "go")
    control = gui.session.clock.control
    assert control is not None
    assert control.main == pytest.approx(300 - 10.5)
    gui.say("move C3//30", "move C4/-5.50", "move E3/2", "go")  # NBoard leaves out a time of nothing
    control = gui.session.clock.control
    assert control is not None
    assert control.main == pytest.approx(300 - 20)
    gui.say(f"set game {GAME.replace('TI[05:00//02:00]', '')}", "go")
    assert gui.session.clock.control is None


def test_a_ping_takes_the_place_of_the_answer() -> None:
    gui = Gui(SessionWith(ThinkingBrain()))
    assert gui.say(f"set game {GAME}", "go", "hint 3", "analyze", "ping 9", interrupt=True) == [
        "status Extremum is thinking",
        "status Extremum is thinking",
        "status Extremum is analyzing",
        "pong 9",
    ]
    assert len(gui.session.moves) == 2
    assert gui.nboard.urgency(b"ping 9\r") is Urgency.INTERRUPT
    assert gui.nboard.urgency(b"quit") is Urgency.QUIT


def test_a_ping_is_heeded_while_the_brain_loads() -> None:
    gui = Gui(NeverReady())
    gui.say(f"set game {GAME}")
    assert gui.say("hint 3", "analyze", "go", "ping 7", interrupt=True) == [
        "status Extremum is thinking",
        "status Extremum is analyzing",
        "status Extremum is thinking",
        "pong 7",
    ]
    assert len(gui.session.moves) == 2


@pytest.mark.slow
def test_hints_stream_the_best_moves_with_their_discs() -> None:
    gui = Gui(Session())
    gui.say("set depth 4", f"set game {GAME}")
    first, *lines, last = gui.say("hint 3")
    assert (first, last) == ("status Extremum is thinking", "status")
    hints = [line for line in lines if line.startswith("search")]
    assert all(re.fullmatch(r"search ([A-H][1-8]|PA)+ -?\d+\.\d\d 0 \d+ \d+ nodes", line) for line in hints)
    assert len({line.split()[1][:2] for line in hints}) == 3
    evaluations = [float(line.split()[2]) for line in hints[-3:]]
    assert evaluations == sorted(evaluations, reverse=True)
    assert any(line.startswith("nodestats ") for line in lines)


@pytest.mark.slow
def test_every_move_has_a_hint_and_all_are_as_deep() -> None:
    gui = Gui(Session())
    gui.say("set depth 5", f"set game (;GM[Othello]TI[05:00]BO[{EMPTY}];)")
    hints = [line.split() for line in gui.say("hint 64") if line.startswith("search")][-4:]
    assert {hint[1][:2] for hint in hints} == {"D3", "C4", "F5", "E6"}
    assert [(hint[2], hint[4]) for hint in hints] == [(hints[0][2], "5")] * 4  # the four are one but for symmetry
    assert re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", gui.say("set depth 1", "go")[-2])


@pytest.mark.slow
def test_a_solved_end_is_told_as_such() -> None:
    gui = Gui(Session())
    gui.say("set depth 20", f"set game {_game_of(56, seed=4)}")
    hints = [line for line in gui.say("hint 1") if line.startswith("search")]
    assert re.fullmatch(r"search ([A-H][1-8]|PA)+ -?\d+\.00 0 100% \d+ nodes", hints[-1]), hints


def test_hints_of_one_depth_come_together_and_no_line_is_told_as_deeper_than_it_is() -> None:
    proven, exact, other = (Candidate(1, 1, 0.5, 0.5, 0.5, (1,), known, 1, discs) for known, discs in KNOWN)
    lines = [
        (Analysis((each,), 1, 1.0, depth), each) for each, depth in ((proven, 9), (other, 7), (exact, 8), (other, 6))
    ]
    assert [(depth, each) for depth, _, each in by_depth(lines)] == [
        ("100%W", proven),
        ("100%W", exact),
        ("6", other),
        ("6", other),
    ]
    assert [depth for depth, _, _ in by_depth(lines[1:])] == ["6", "6", "100%"]


@pytest.mark.slow
def test_a_proven_draw_is_worth_the_contempt_and_a_hint_tells_both_of_its_values() -> None:
    gui = Gui(Session())
    gui.say("set depth 20", f"set game {_game_of(56, seed=DRAWN)}", "set contempt -100")
    side = 1 if gui.session.position.side_to_move is Color.BLACK else -1
    hints = [line for line in gui.say("hint 1") if line.startswith("search")]
    assert re.fullmatch(r"search ([A-H][1-8]|PA)+ 100\.00,-100\.00 0 100% \d+ nodes", hints[-1]), hints
    assert gui.say("go")[-2].split("/")[1] == f"{-100 * side:.2f}"
    assert gui.say("set contempt 0", "go")[-2].split("/")[1] == "0.00"


def _game_of(stones: int, seed: int) -> str:
    """A game by chance up to so many stones, where there is a choice."""
    rng, game = random.Random(seed), make_game("othello")
    position, moves = game.start(), list[tuple[int, float | None]]()
    while (position.black | position.white).bit_count() < stones or len(position.legal_moves()) < 2:
        moves.append((rng.choice(position.legal_moves()), None))
        position = position.play(moves[-1][0])
    return write_ggf(game, moves, {})


def test_a_forced_pass_is_pa() -> None:
    gui = Gui()
    gui.say("set game (;GM[Othello]BO[8 *O" + "-" * 62 + " O];)")  # only black can take anything
    assert gui.say("go")[-2] == "=== PA//0.00"
    assert gui.say("move PA", "ping 1") == ["pong 1"]
    assert gui.session.position.side_to_move is Color.BLACK


def test_learn_is_answered_and_an_analysis_goes_backwards() -> None:
    gui = Gui()
    assert gui.say("learn") == ["learned"]
    gui.say(f"set game {GAME}")
    lines = [line for line in gui.say("analyze") if line.startswith("analysis")]
    assert [line.split()[1] for line in lines] == ["2", "1", "0"]
    assert len(gui.session.moves) == 2


def test_what_is_not_known_is_passed_over_and_what_is_refused_is_told() -> None:
    gui = Gui()
    gui.say(f"set game {GAME}")
    before = gui.session.position
    assert gui.say("xyzzy", "", "set colour blue", "\0") == []
    for line in ("set game rubbish", "set game (;GM[Othello]BO[8 x *];)", "move A1", "move Z9", "hint many"):
        (answer,) = gui.say(line)
        assert answer.startswith("status "), line
    assert gui.say(f"set game {GAME.replace('F5', 'A1')}")[0].startswith("status move 1: A1")
    clock = "9" * 5000 + ":00"  # more digits than a number may have
    assert gui.say(f"set game (;GM[Othello]TI[{clock}]BO[{EMPTY}];)")[0].startswith("status ")
    assert gui.session.position is before
    gui.say("set game (;GM[Othello]BO[8 " + "*" * 64 + " *];)")
    assert gui.say("go", "hint 2") == ["status the game is over"] * 2


def test_every_brain_mode_and_level_can_be_reached() -> None:
    gui = Gui(Session())
    assert gui.say("set mode weakest", "set brain rollout", "set option visits 50") == []
    assert (gui.session.mode, gui.session.brain_name, gui.session.options.visits) == ("weakest", "rollout", 50)
    assert gui.say("set level 60", "set level 200") == ["status unacceptable level: 200 is not in 0..100"]


def test_a_ping_ends_a_search_over_pipes_and_nothing_follows_it() -> None:
    with Engine([*THINKER[:-2], "nboard", "--movetime", "60"]) as engine:
        engine.send(f"nboard 2\nset game {GAME.replace('TI', 'XX')}\ngo\n")
        assert engine.read_until("thinking\n").startswith("set myname Extremum\n")
        time.sleep(0.3)
        asked = time.monotonic()
        engine.send("ping 4\nping 5\nquit\n")
        told = engine.read_until("pong 4\n")
        assert "===" not in told
        assert time.monotonic() - asked < 3
        assert engine.read_until("\n") == "pong 5\n"
        assert engine.wait(5) == 0


def test_a_script_gets_its_move() -> None:
    with Engine([*ENGINE, "nboard", "--brain", "random"]) as engine:
        engine.send(f"nboard 2\r\nset game {GAME}\r\ngo\r\n")
        engine.end()
        assert re.search(r"=== [A-H][1-8]//\d", engine.read_until("=== ") + engine.read_until("\n"))


def test_no_first_word_of_another_dialect_is_a_command_of_gtp() -> None:
    assert not [word for word in FIRST_WORDS if word in COMMANDS]
    assert [recognize(line) for line in (b"START 15\r", b"nboard 2", b"1 name", b"", b"boardsize 9")] == [
        "gomocup",
        "nboard",
        "gtp",
        "gtp",
        "gtp",
    ]
