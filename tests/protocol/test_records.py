from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extremum.engine.errors import EngineError
from extremum.engine.session import Session
from extremum.protocol.records import read_record, restore, write_record


def loaded(text: str, game: str = "gomoku") -> Session:
    session = Session()
    session.set_game(game)
    restore(read_record(text), session)
    return session


def played(game: str, rule: str | None, size: int, in_a_row: int | None, seed: int) -> Session:
    rng = random.Random(seed)
    session = Session()
    session.set_game(game, rule, in_a_row)
    session.set_size(size)
    for _ in range(rng.randrange(size * size)):
        position = session.position
        if position.outcome() is not None:
            session.play(position.side_to_move, None)
            break
        move = rng.choice(position.legal_moves())
        session.play(position.side_to_move, None if move == position.game.pass_move else move)
    return session


@given(
    st.sampled_from([("gomoku", "freestyle", 20, 6), ("gomoku", "standard", 9, None), ("othello", None, 6, None)]),
    st.integers(0, 10**6),
)
def test_a_game_written_and_read_comes_back(kind: tuple[str, str | None, int, int | None], seed: int) -> None:
    session = played(*kind, seed)
    again = loaded(write_record(session), game="othello" if kind[0] == "gomoku" else "gomoku")
    assert again.position == session.position
    assert [(move.color, move.move) for move in again.moves] == [(move.color, move.move) for move in session.moves]
    assert write_record(again) == write_record(session)


@given(st.text(alphabet="();[]\\:BWABGMSZPLaehj148 \n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    session = Session()
    before = session.position
    try:
        restore(read_record("(;SZ[9]" + text), session)
    except EngineError:
        assert session.position is before


@pytest.mark.parametrize("text", ["", "x", "(", "()", "(;", "((((", "(;[x])", "(B[aa])", "(;GM[4]SZ[9];B[aa", "(;@)"])
def test_what_is_no_sgf_is_refused(text: str) -> None:
    with pytest.raises(EngineError):
        read_record(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[3])", r"GM\[3\] is neither Gomoku nor Othello"),
        ("(;SZ[x])", "unacceptable size: 'x'"),
        ("(;SZ[9:15])", "unacceptable size: '9:15'"),
        ("(;GM[4]SZ[99])", r"unacceptable size: 99 is not in 3\.\.20"),
        ("(;GM[4]SZ[9];B[aa];W[aa])", "move 2: A9 is occupied"),
        ("(;GM[4]SZ[9];B[zz])", "'zz' is no point of a 9x9 board"),
        ("(;GM[4]SZ[9];B[tt])", "move 1: pass is no move before the end of the game"),
        ("(;GM[4]SZ[9];B[aa];AW[bb])", "stones are set up in the middle of the game"),
        ("(;GM[2]SZ[8];B[aa])", "move 1: A1 flips nothing"),
        ("(;GM[4]SZ[9]AB[aa:b])", "'aa:b' is no rectangle of points"),
        ("(;GM[4]SZ[9]AB[aa]AW[aa]AB[])", "'' is no point of a 9x9 board"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    with pytest.raises(EngineError, match=f"^{reason}$"):
        loaded(text)


def test_a_missing_kind_is_the_game_at_hand() -> None:
    assert loaded("(;SZ[8];B[dc])", "othello").game.name == "othello"
    assert loaded("(;SZ[8];B[dc])").game.name == "gomoku"
    assert loaded("(;GM[1];B[dc])").game.size == 19


def test_stones_are_set_up_in_lists_and_rectangles_and_taken_away() -> None:
    session = loaded("(;GM[4]SZ[9]AB[aa:cb][ee]AW[ff];AE[aa]PL[W])")
    assert session.position.black.bit_count() == 6
    assert session.position.white.bit_count() == 1
    assert session.position.side_to_move.name == "WHITE"
    assert not session.moves


def test_old_names_and_letters_with_numbers_are_read() -> None:
    session = loaded("(;GaMe[4]SiZe[15];Black[h8];White[i9])")
    assert [move.move for move in session.moves] == [7 * 15 + 7, 6 * 15 + 8]


def test_the_rule_stays_where_the_file_says_nothing() -> None:
    session = Session()
    session.set_game("gomoku", "renju")
    restore(read_record("(;GM[4]SZ[9])"), session)
    assert (session.game.rule, session.game.size) == ("renju", 9)
