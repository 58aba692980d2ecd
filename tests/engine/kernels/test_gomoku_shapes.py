import random

import numpy as np
import pytest

from extremum.engine.games.game import Color, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.gomoku_lines import EDGE, HALF, SHAPE_BITS, SHAPES, shapes_of_line, windows_of_line
from extremum.engine.kernels.gomoku_shapes import (
    BOARD_WORDS,
    CLASS,
    CLASS_COUNTS,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_FOUR_AND_THREE,
    MAKES_FOURS,
    MAKES_OPEN_FOUR,
    MAKES_THREE,
    MAKES_THREES,
    MEMO,
    MOST_CELLS,
    NUM_CLASSES,
    NUM_PLACED,
    POINTS,
    place_stone,
    set_up,
    take_back,
)
from extremum.engine.search.states import state_of
from tests.diagrams import read

BLACK_EXACT, BOTH_EXACT = (1 << HALF) - 1, (1 << 62) - 1
GAMES = [Gomoku(9), Gomoku(9, 5, "standard"), Gomoku(9, 5, "renju"), Gomoku(7, 4), Gomoku(4, 3), Gomoku(3, 3)]
GAMES += [Gomoku(9, 6, "standard"), Gomoku(10, 10)]
LARGE = Gomoku(20)


@pytest.mark.parametrize(
    ("line", "shapes"),
    [
        ("..XXXXX..", {"five": 1}),
        (".XXXXXX..", {"five": 1}),
        (".XXXX.", {"open four": 1}),
        ("OXXXX.", {"four": 1}),
        ("XXX.XXX", {"four": 1}),
        ("X.XXX.X", {"four": 2}),
        ("..XXX..", {"open three": 1}),
        (".XX.X.", {"open three": 1}),
        ("OXXX..", {"sleeping three": 1}),
        ("O.XXX.O", {"sleeping three": 1}),
        ("X.X.X", {"sleeping three": 1}),
        ("..XX..", {"open two": 1}),
        (".X..X.", {"open two": 1}),
        ("OXX...", {"sleeping two": 1}),
        ("OXX..O", {}),
        ("..XXX.....XX..", {"open three": 1, "open two": 1}),
        ("......X......", {}),
    ],
)
def test_the_shapes_of_a_line_are_counted_once(line: str, shapes: dict[str, int]) -> None:
    assert _count(line) == (shapes, _count(line)[1])
    assert _count(_turned(line))[1] == shapes
    assert _count(line[::-1])[0] == shapes


def test_an_overline_is_nothing_where_five_must_be_exact() -> None:
    assert _count("XXX.XXX", exact=BOTH_EXACT)[0] == {}
    assert _count(".XXXXXX.", exact=BOTH_EXACT)[0] == {}
    assert _count(".XXXX.X..", exact=BOTH_EXACT)[0] == {"four": 1}


def test_renju_binds_black_only() -> None:
    assert _count("XXX.XXX", exact=BLACK_EXACT)[0] == {}
    assert _count("OOO.OOO", exact=BLACK_EXACT)[1] == {"four": 1}


def test_shapes_shift_with_the_number_in_a_row() -> None:
    assert _count(".XXX.", k=4)[0] == {"open four": 1}
    assert _count(".XX...", k=4)[0] == {"open three": 1}
    assert _count(".XX.", k=3)[0] == {"open four": 1}
    assert _count("OXXXXX..", k=6)[0] == {"four": 1}


def test_the_windows_of_the_misere_are_counted() -> None:
    _, _, _, black, white = windows_of_line(_stones("OX.X...X"), 8, 5, 0)
    assert _fields(black, 12, 4) == [0, 0, 2, 1]
    assert _fields(white, 12, 4) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("row", "mark", "expected"),
    [
        ("..XXX*...", "*", MAKES_OPEN_FOUR),
        ("OXXX*....", "*", MAKES_FOUR),
        ("OXXXX*...", "*", MAKES_FIVE),
        ("..XX*....", "*", MAKES_THREE),
    ],
)
def test_a_point_has_the_class_of_what_it_makes(row: str, mark: str, expected: int) -> None:
    board = _board(_position("\n".join([row] + ["." * 9] * 8)))
    assert _class_of(board, row.index(mark)) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([".........", "..XX*....", "....X....", "....X....", "........."], MAKES_THREES),
        ([".........", "OXXX*....", "....X....", "....X....", "........."], MAKES_FOUR_AND_THREE),
        (["O...O....", "OXXX*....", "....X....", "....X....", "....X...."], MAKES_FOURS),
    ],
)
def test_directions_are_combined_at_a_point(rows: list[str], expected: int) -> None:
    board = _board(_position("\n".join(rows + ["." * 9] * 4)))
    assert _class_of(board, 13) == expected


@pytest.mark.parametrize("objective", [1, -1])
@pytest.mark.parametrize("game", [*GAMES, pytest.param(LARGE, marks=pytest.mark.slow)], ids=str)
def test_the_board_kept_up_is_the_board_read_anew(game: Gomoku, objective: int) -> None:
    rng = random.Random(5)
    position: Position = game.start()
    board = _board(position, objective)
    while moves := _quiet(position):
        move = rng.choice(moves)
        position = position.play(move)
        place_stone(board, move)
        if position.outcome() is not None:
            break
        assert _seen(board) == _seen(_board(position, objective))


@pytest.mark.parametrize("objective", [1, -1])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_taking_back_restores_the_board(game: Gomoku, objective: int) -> None:
    rng = random.Random(6)
    position: Position = game.start()
    board = _board(position, objective)
    seen, played = [_seen(board)], []
    while position.outcome() is None and (moves := _quiet(position)):
        played.append(rng.choice(moves))
        position = position.play(played[-1])
        place_stone(board, played[-1])
        seen.append(_seen(board))
    while played:
        assert _seen(board) == seen.pop()
        assert take_back(board) == played.pop()
    assert _seen(board) == seen.pop()


@pytest.mark.parametrize("game", [*GAMES, pytest.param(LARGE, marks=pytest.mark.slow)], ids=str)
def test_the_points_that_complete_a_row_are_those_of_the_rules(game: Gomoku) -> None:
    rng = random.Random(7)
    position: Position = game.start()
    while position.outcome() is None and (moves := _quiet(position)):
        for color in Color:
            board, turned = _board(position), position.turned(color)
            winning = [move for move in turned.legal_moves() if _completes(turned, move)]
            assert [move for move in turned.legal_moves() if _class_of(board, move, color) == MAKES_FIVE] == winning
            assert board[CLASS_COUNTS + color * NUM_CLASSES + MAKES_FIVE] == len(winning)
        position = position.play(rng.choice(moves))


def _quiet(position: Position) -> list[int]:
    """The legal moves that complete no row, for those are never placed."""
    return [move for move in position.legal_moves() if not _completes(position, move)]


def _completes(position: Position, move: int) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is not None


def _board(position: Position, objective: int = 1) -> np.ndarray:
    board = np.zeros(BOARD_WORDS, np.int64)
    set_up(board, state_of(position), objective)
    return board


def _position(drawing: str) -> Position:
    diagram = read(drawing)
    return Gomoku(diagram.size).setup(diagram.black, diagram.white, Color.BLACK)


def _class_of(board: np.ndarray, cell: int, color: int = 0) -> int:
    return int(CLASS[board[POINTS + color * MOST_CELLS + cell]])


def _seen(board: np.ndarray) -> list[int]:
    """The board without the memo and the undo stack."""
    words = board[:MEMO].copy()
    words[NUM_PLACED] = 0
    return [int(word) for word in words]


def _stones(line: str) -> int:
    return sum(1 << EDGE + place + "XO".index(sign) * HALF for place, sign in enumerate(line) if sign != ".")


def _turned(line: str) -> str:
    return line.translate(str.maketrans("XO", "OX"))


def _count(line: str, k: int = 5, exact: int = 0) -> tuple[dict[str, int], dict[str, int]]:
    _, _, _, black, white = shapes_of_line(_stones(line), len(line), k, exact)
    return _named(black), _named(white)


def _named(counts: int) -> dict[str, int]:
    fields = _fields(counts, SHAPE_BITS, len(SHAPES))
    return {name: count for name, count in zip(SHAPES, fields, strict=True) if count}


def _fields(counts: int, bits: int, number: int) -> list[int]:
    return [counts >> bits * place & (1 << bits) - 1 for place in range(number)]
