"""What analysis boards send beyond the plain protocol, and what a manager may do wrong."""

from __future__ import annotations

import re

import pytest

from extremum.engine.options import Options
from extremum.engine.session import Session
from extremum.protocol.gomocup.dialect import MOST_STONES, Gomocup
from extremum.protocol.gomocup.table import LINES
from extremum.protocol.recognize import FIRST_WORDS
from tests.doubles import FakeWaiting, NeverReady, RecordingSend, ScriptedBrain, SessionWith, ThinkingBrain

POINT = re.compile(r"\d+,\d+")


class Board:
    """An analysis board that speaks with a session in this process."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session(Options(seed=1, visits=500))
        self.gomocup = Gomocup(self.session)
        self.writes = 0
        assert self.say("START 15", "INFO timeout_turn 20000") == ["OK"]

    def say(self, *lines: str, interrupt: bool = False) -> list[str]:
        send = RecordingSend()
        for line in lines:
            self.gomocup.handle(line.encode(), send, FakeWaiting(interrupt=interrupt, message=True))
        self.writes = len(send.messages)
        assert all(message.count(b"\n") == 1 and message.endswith(b"\n") for message in send.messages)
        return send.text.splitlines()


@pytest.fixture
def board() -> Board:
    board = Board()
    board.session.set_brain("alphabeta")
    assert board.session.be_ready(120)
    return board


def test_the_engine_tells_what_it_can_take(board: Board) -> None:
    lines = board.say("yxshowinfo")
    assert re.fullmatch(r"MESSAGE Extremum \S+", lines[0])
    assert re.fullmatch(r"MESSAGE INFO MAX_THREAD_NUM \d+", lines[1])
    assert lines[2] == "MESSAGE INFO MAX_HASH_SIZE 20"


def test_yxboard_sets_a_position_up_and_says_nothing(board: Board) -> None:
    assert board.say("YXBOARD", "7,7,2", "8,8,1", "7,8,2", "DONE") == []
    assert len(board.session.moves) == 3
    assert board.say("TAKEBACK 7,8", "TAKEBACK 8,8") == ["OK", "OK"]
    assert board.say("YXBOARD 7,7,1 8,8,1 DONE")[0].startswith("ERROR 2 own stones")
    assert len(board.session.moves) == 1


def test_the_stones_of_a_board_may_come_in_any_order(board: Board) -> None:
    five = "0,0,2 0,1,2 0,2,2 0,3,2 5,5,1 5,6,1 5,7,1 5,9,1 9,9,2"
    assert POINT.fullmatch(board.say(f"BOARD {five} DONE")[0])


def test_a_finished_board_is_an_error_and_changes_nothing(board: Board) -> None:
    before = board.session.position
    five = "0,0,2 0,1,2 0,2,2 0,3,2 0,4,2 5,5,1 5,6,1 5,7,1 5,9,1"
    assert board.say(f"BOARD {five} DONE") == ["ERROR the game is over"]
    assert board.session.position is before


def test_a_turn_that_ends_the_game_is_an_error(board: Board) -> None:
    board.say("YXBOARD 0,0,1 9,0,2 0,1,1 9,1,2 0,2,1 9,2,2 0,3,1 9,3,2 DONE")
    before = board.session.position
    assert board.say("TURN 0,4") == ["ERROR the game is over after 0,4"]
    assert board.session.position == before


def test_live_lines_come_in_blocks_before_the_move() -> None:
    board = Board(SessionWith(ThinkingBrain()))
    board.session.set_option("visits", "300")
    lines = board.say("INFO show_detail 3", "BEGIN")
    assert lines[0] == "MESSAGE REALTIME REFRESH"
    assert "MESSAGE REALTIME BEST 0,0" in lines
    keys = [line.split()[1] for line in lines if line.startswith("INFO")][-12:]
    block = "PV NUMPV DEPTH SELDEPTH NODES TOTALNODES TOTALTIME SPEED EVAL WINRATE BESTLINE PV"
    assert " ".join(keys) == block
    assert lines[-2] == "INFO PV DONE"
    assert POINT.fullmatch(lines[-1])
    assert "INFO WINRATE 0.750000" in lines
    assert "INFO EVAL 110" in lines
    assert "INFO BESTLINE 0,0 1,0" in lines
    assert len(board.say("INFO show_detail 0", "TURN 5,5")) == 1


def test_a_proven_win_is_told_as_a_mate(board: Board) -> None:
    lines = board.say("INFO show_detail 2", "BOARD 5,5,1 5,6,1 5,7,1 5,8,1 0,0,2 2,0,2 4,0,2 6,0,2 DONE")
    assert "INFO EVAL +M1" in lines
    assert lines[-1] in ("5,4", "5,9")


def check_candidates(lines: list[str], count: int) -> None:
    """So many different moves were told at the end, and the first of them was made."""
    assert f"INFO NUMPV {count}" in lines
    moves = [line.split()[2] for line in lines if line.startswith("INFO BESTLINE")][-count:]
    assert len(set(moves)) == count
    assert lines[-1] == moves[0]


def test_nbest_tells_so_many_lines_and_makes_the_best_move(board: Board) -> None:
    board.say("INFO show_detail 2", "INFO max_depth 2", "INFO max_node 0", "YXBOARD 7,7,1 8,8,2 DONE")
    lines = board.say("YXNBEST 3")
    check_candidates(lines, 3)
    assert len(board.session.moves) == 3
    assert board.session.barred == frozenset()
    for wrong in ("YXNBEST", "YXNBEST 0", "YXNBEST many", "YXNBEST 1000"):
        assert board.say(wrong)[0].startswith("ERROR ")


def test_nbest_without_limit_ends_when_it_is_stopped() -> None:
    board = Board(SessionWith(ThinkingBrain()))
    board.session.set_brain("alphabeta")
    assert POINT.fullmatch(board.say("INFO timeout_turn -1", "YXNBEST 2", interrupt=True)[-1])


@pytest.mark.parametrize("turn", ["300", "-1"])
@pytest.mark.parametrize(
    "command", ["YXNBEST 3", "YXSEARCHDEFEND", "YXBALANCEONE 0", "YXBALANCETWO 0", "SWAP2BOARD DONE"]
)
def test_whoever_stops_a_search_before_the_brain_is_loaded_has_an_answer(command: str, turn: str) -> None:
    session = NeverReady()
    board = Board(session)
    session.waited = 0.0
    (answer,) = board.say(f"INFO timeout_turn {turn}", command, interrupt=True)
    assert session.waited == 0
    assert all(POINT.fullmatch(point) for point in answer.split(" "))


@pytest.mark.parametrize("command", ["YXNBEST 3", "YXBALANCETWO 0", "SWAP2BOARD 1,1 2,2 3,3 DONE"])
def test_a_turn_that_is_over_before_the_brain_is_loaded_has_an_answer(command: str) -> None:
    session = NeverReady()
    board = Board(session)
    session.waited = 0.0
    (answer,) = board.say("INFO timeout_turn 3000", command)
    assert 2 < session.waited < 6
    assert answer == "SWAP" or all(POINT.fullmatch(point) for point in answer.split(" "))


def test_a_search_for_defenses_tells_what_every_move_is_worth() -> None:
    board = Board()
    board.session.set_brain("rollout")
    assert board.session.be_ready(120)
    board.say("START 5", "INFO show_detail 2", "INFO max_node 2000", "YXBOARD 2,2,1 1,1,2 DONE")
    lines = board.say("YXSEARCHDEFEND")
    check_candidates(lines, 23)
    assert len(board.session.moves) == 3


def test_blocked_points_are_not_played(board: Board) -> None:
    four = "BOARD 5,5,1 5,6,1 5,7,1 5,8,1 0,0,2 2,0,2 4,0,2 6,0,2 DONE"
    assert board.say("YXBLOCK", "5,4", "DONE") == []
    assert board.say(four) == ["5,9"]
    assert board.say("YXBLOCK 5,9 DONE", "YXBLOCKUNDO 5,4 DONE") == []
    assert board.say(four) == ["5,4"]
    assert board.say("YXBLOCKRESET") == []
    assert board.session.barred == frozenset()
    assert board.say("YXBLOCK 99,9 DONE")[0].startswith("ERROR ")


def test_forbidden_points_are_told_for_black_in_renju(board: Board) -> None:
    assert board.say("YXSHOWFORBID") == ["FORBID ."]
    board.say("INFO rule 4", "YXBOARD 7,6,1 0,0,2 7,8,1 0,14,2 6,7,1 14,0,2 8,7,1 14,14,2 DONE")
    assert board.say("YXSHOWFORBID") == ["FORBID 0707."]


def test_the_hash_can_be_cleared_and_asked_for(board: Board) -> None:
    board.say("INFO hash_size 65536")
    assert board.say("YXHASHCLEAR", "YXSHOWHASHUSAGE") == [
        "MESSAGE the hash table is empty",
        "MESSAGE the hash table has 64 MB",
    ]


def test_what_is_kept_in_files_elsewhere_is_refused_with_all_of_its_lines(board: Board) -> None:
    before = board.session.position
    assert board.say("yxquerydatabaseallt", "7,7", "6,8", "done", "yxquerydatabaseone 7,7 done") == []
    assert board.say("yxhashdump", "a file") == ["MESSAGE the hash table is not kept in files"]
    assert board.say("yxhashload a file") == ["MESSAGE the hash table is not kept in files"]
    for lines in (["yxsetdatabase", "games.db"], ["yxdbsplit games.db"], ["yxsavedatabase"]):
        assert board.say(*lines) == ["ERROR there is no database of positions"]
    for name in ("yxedittvddatabase 1 87 0 0", 'yxedittextdatabase "a b"', "yxdeletedatabaseall wl"):
        assert board.say(name, "7,7", "done") == ["ERROR there is no database of positions"]
    assert board.say("yxblockpath", "7,7", "6,8", "done")[0].startswith("ERROR lines of play cannot be left out")
    for lines in (["yxsoosorvstep1"], ["yxsoosorvstep4 2", "7,7", "done"]):
        assert board.say(*lines) == ["ERROR the opening of Soosorv is not played here, Swap2 is"]
    assert board.say("yxblockpathreset", "RELOADCONFIG ", "RELOADCONFIG config.toml") == []
    assert board.say("yxhashdump", "START 15") == ["ERROR YXHASHDUMP without a file", "OK"]
    assert board.session.position == before


def test_a_depth_that_cannot_be_reached_is_no_limit(board: Board) -> None:
    for depth, limit in (("7", 7), ("225", 0), ("100", 0), ("63", 63), ("0", 0), ("-1", 0)):
        board.say(f"INFO max_depth {depth}")
        assert board.session.options.depth == limit


@pytest.mark.parametrize(("command", "count"), [("YXBALANCEONE 0", 1), ("YXBALANCETWO 0", 2), ("YXBALANCETWO", 2)])
def test_balance_makes_moves_and_tells_them(board: Board, command: str, count: int) -> None:
    board.say("INFO timeout_turn 500", "YXBOARD 7,7,1 DONE")
    (answer,) = board.say(command)
    assert len(answer.split(" ")) == count
    assert len(board.session.moves) == 1 + count


def test_swap2_opens_with_three_stones_and_answers_three_or_five(board: Board) -> None:
    (opening,) = board.say("INFO timeout_turn 500", "SWAP2BOARD", "DONE")
    points = opening.split(" ")
    assert len(set(points)) == 3
    assert all(POINT.fullmatch(point) for point in points)
    assert re.fullmatch(r"SWAP|\d+,\d+", board.say("SWAP2BOARD", *points, "DONE")[0])
    # Black has an open three, white nothing: whoever may choose takes black.
    assert board.say("SWAP2BOARD 7,7 0,0 7,8 14,14 7,9 DONE") == ["SWAP"]
    assert board.say("SWAP2BOARD", "DONE")[0].count(" ") == 2
    for wrong in ("7,7 8,8", "7,7,1 8,8,2 9,9,1", "7,7 7,7 8,8", "x"):
        assert board.say(f"SWAP2BOARD {wrong} DONE")[0].startswith("ERROR ")


def test_swap2_is_played_with_yixins_words_too(board: Board) -> None:
    board.say("INFO timeout_turn 500", "TURN 0,0")
    opening = board.say("yxswap2step1")
    points = [re.fullmatch(rf"MESSAGE SWAP2 MOVE{number} (\d+) (\d+)", line) for number, line in enumerate(opening, 1)]
    assert len({found.groups() for found in points if found}) == 3
    # Black has an open three, white nothing: whoever may choose takes black.
    three, five = "7,7,2 0,0,1 7,8,2", "7,7,2 0,0,1 7,8,2 14,14,1 7,9,2"
    assert re.fullmatch("MESSAGE SWAP2 SWAP1 (YES|NO)", board.say(f"yxboard {three} done", "yxswap2step2")[0])
    assert board.say(f"yxboard {five} done", "yxswap2step3") == ["MESSAGE SWAP2 SWAP2 YES"]
    assert board.say("yxswap2step2") == ["ERROR there are 5 stones, not 3"]


def test_a_board_that_is_never_done_gets_its_error_before_the_next_answer(board: Board) -> None:
    assert board.say("BOARD", "7,7,1", "ABOUT")[0] == "ERROR BOARD without DONE"
    assert board.say("BOARD", *["7,7,1"] * (MOST_STONES + 5), "DONE")[0].startswith("ERROR ")
    assert board.say("YXBOARD", "7,7,1", "INFO time_left 5000", "8,8,2", "done") == []
    assert len(board.session.moves) == 2
    assert board.say("DONE") == ["UNKNOWN command DONE"]


def test_a_complaint_waits_for_the_end_of_a_board(board: Board) -> None:
    assert board.say("INFO rule 9", "BOARD", "7,7,2", "DONE") == ["ERROR rule 9 is not played here"]
    assert POINT.fullmatch(board.say("BOARD", "7,7,2", "DONE")[0])
    for setting in ("mode best", "brain xyzzy", "level 200", "strength 101"):
        assert board.say(f"INFO {setting}", "YXSTOP", "RESTART") == [f"ERROR {setting} is not played here"]


def test_every_brain_mode_level_and_option_can_be_reached(board: Board) -> None:
    board.say("INFO brain rollout", "INFO level 30", "INFO seed 7", "INFO pondering 1", "INFO thread_num 2")
    board.say("INFO hash_size 8192", "INFO max_node -1", "INFO evaluator patterns")
    session = board.session
    assert (session.brain_name, session.level) == ("rollout", 30)
    options = session.options
    assert (options.seed, options.ponder, options.threads, options.memory) == (7, True, 2, 8)
    assert (options.visits, options.evaluator) == (0, "patterns")
    board.say("INFO strength 50")
    assert session.level == 75


def test_the_time_left_is_the_side_to_moves(board: Board) -> None:
    board = Board(SessionWith(ScriptedBrain()))
    board.say("INFO timeout_match 60000", "INFO timeout_turn 5000", "INFO time_left 30000", "TURN 7,7")
    clock = board.session.clock
    black, white = clock.left(board.session.moves[0].color), clock.left(board.session.moves[1].color)
    assert black is not None
    assert white is not None
    assert (black.main, round(white.main)) == (60.0, 30)
    board.say("INFO time_left 2147483647", "TURN 8,9", "INFO time_left -5", "TURN 8,11")
    assert board.say("INFO timeout_match 0", "INFO time_left 10000", "RESTART") == ["OK"]


def test_a_small_board_has_no_room_for_five(board: Board) -> None:
    assert board.say("START 4") == ["ERROR unacceptable size: 4 is not in 5..20"]
    assert board.say("START") == ["ERROR syntax error: '' is not an integer"]


def test_nothing_is_thrown_away_in_a_lost_position() -> None:
    lost = "BOARD 5,5,2 6,5,2 7,5,2 8,5,2 5,7,1 9,9,1 12,3,1 DONE"  # an open four
    for brain in ("alphabeta", "mcts", "rollout"):
        board = Board()
        board.session.set_brain(brain)
        assert board.session.be_ready(120)
        assert board.say(lost) in (["4,5"], ["9,5"]), brain


def test_the_words_that_are_recognized_are_commands() -> None:
    words = {word.upper() for word, dialect in FIRST_WORDS.items() if dialect == "gomocup"}
    assert words - {"INFO"} <= set(LINES)
