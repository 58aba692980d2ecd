from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from extremum.engine.games import make_game
from extremum.engine.games.game import Move
from extremum.protocol.ggf import read_moves, write_ggf
from extremum.protocol.notation import write_vertex


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
