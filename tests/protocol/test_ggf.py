from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Move
from extremum.engine.session import Session
from extremum.protocol.ggf import LONGEST, read_clock, read_games, read_moves, read_time, write_ggf
from extremum.protocol.notation import write_vertex
from extremum.protocol.records import restore


def test_a_game_is_written_as_ggs_has_it() -> None:
    text = write_ggf(make_game("othello"), [(37, 1.5), (43, None)], {"PB": "a [b]", "RE": "+2.00"})
    board = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
    assert text == f"(;GM[Othello]PB[a (b)]RE[+2.00]TY[8]BO[8 {board} *]B[F5//1.50]W[D6];)"


def test_moves_are_read_with_and_without_evaluations() -> None:
    text = "2 (;GM[Othello]PB[x]B[f5/1.2/3.4]W[D6//0.5]\nB[ pa ];)(;GM[Othello]B[C4];)"
    assert read_moves(text) == [["f5", "D6", "pa"], ["C4"]]


@given(st.integers(0, 10**6))
def test_what_is_written_is_read_again(seed: int) -> None:
    rng = random.Random(seed)
    game = make_game("othello", rng.choice([6, 8]))
    position, moves = game.start(), list[Move]()
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    vertices = [write_vertex(move, game).upper().replace("PASS", "PA") for move in moves]
    assert read_moves(write_ggf(game, [(move, None) for move in moves], {})) == [vertices]


def test_a_game_is_read_with_its_board_and_its_clocks() -> None:
    board = "8 -------- -------- -------- ---O*---\n---*O--- -------- -------- -------- *"
    (game,) = read_games(f"(;GM[Othello]PB[a]RE[+2.000:r]TI[05:00/10/02:00]BO[{board}]B[f5/1.5/4]W[d6]B[PA//1];)")
    assert [(move.point, move.value, move.seconds) for move in game.moves] == [
        ("f5", 1.5, 4.0),
        ("d6", None, 0.0),
        ("PA", None, 1.0),
    ]
    assert game.moves[2].is_pass
    assert (game.seconds_left(Color.BLACK), game.seconds_left(Color.WHITE)) == (315.0, 310.0)
    assert game.board is not None
    assert game.board.size == 8


def test_a_game_with_another_start_is_loaded() -> None:
    session = Session()
    board = "8 " + "-" * 19 + "*" + "-" * 7 + "**" + "-" * 6 + "*O" + "-" * 27 + " O"
    restore(read_games(f"(;GM[Othello]BO[{board}]W[C3];)")[0].record(), session)
    assert (session.game.name, len(session.moves), session.start.side_to_move) == ("othello", 1, Color.WHITE)


@pytest.mark.parametrize(
    "board", ["", "8", "x *", "8 --- *", "10 " + "-" * 64 + " *", "8" * 5000 + " " + "-" * 64 + " *"]
)
def test_a_game_without_a_board_is_refused(board: str) -> None:
    (game,) = read_games(f"(;GM[Othello]BO[{board}]B[f5];)")
    with pytest.raises(EngineError, match="the GGF game has no board"):
        game.record()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("15:00", 900.0),
        ("1:02:03", 3723.0),
        ("1.02:00:00", 93600.0),
        ("-00:05", -5.0),
        ("30", 30.0),
        ("x", None),
        ("9" * 400 + ".1:1:1", None),
    ],
)
def test_times_are_read_as_the_server_writes_them(text: str, seconds: float | None) -> None:
    assert read_time(text) == seconds


def test_clocks_are_read() -> None:
    assert read_clock("15:00//02:00") == (900.0, 0.0, 120.0)
    assert read_clock("05:00,0:0/10,1:0/02:00") == (300.0, 10.0, 120.0)
    assert read_clock("05:00") == (300.0, 0.0, 0.0)
    assert read_clock("soon") is None


@pytest.mark.parametrize("tag", ["TI", "TB"])
def test_a_clock_with_more_time_than_there_is_is_refused(tag: str) -> None:
    (game,) = read_games(f"(;GM[Othello]{tag}[{'9' * 400}.1:1:1]B[F5];)")
    with pytest.raises(EngineError, match=r"^no clock has as much time as '9{40}'$"):
        game.seconds_left(Color.BLACK)


def test_a_clock_in_words_is_none() -> None:
    (game,) = read_games("(;GM[Othello]TI[soon]B[F5//nan]W[D6/1e999/1e999];)")
    assert game.seconds_left(Color.BLACK) is None
    assert [(move.value, move.seconds) for move in game.moves] == [(None, 0.0), (None, 0.0)]


def test_a_game_is_looked_for_once_however_many_begin() -> None:
    assert read_games("(;" * 500_000) == []  # seconds by the thousand, if each of them looked for its end


def test_an_overlong_game_is_refused_at_once() -> None:
    with pytest.raises(EngineError, match=f"^no GGF game: a text of more than {LONGEST} characters$"):
        read_games("(;" + "B[" * 100_000 + ";)")
