"""The planes against slow twins that read positions."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from extremum.engine.games import renju
from extremum.engine.games.game import Bits, Color, Position, points
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.lines import axes
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, permutation, transform_position
from extremum.engine.kernels.encode import NUM_CLASSIC_PLANES, NUM_GOMOKU_PLANES, NUM_OTHELLO_PLANES, encode
from extremum.engine.kernels.layout import OBJECTIVE
from extremum.engine.nets.planes import PLANES
from tests.engine.kernels.positions import random_positions, states_of

Planes = npt.NDArray[np.float32]

GOMOKU = [
    Gomoku(15),
    Gomoku(15, rule="standard"),
    Gomoku(15, rule="renju"),
    Gomoku(9, rule="renju"),
    Gomoku(20),
    Gomoku(8),
    Gomoku(3, 3),
    Gomoku(7, 4, "standard"),
    Gomoku(12, 6),
]


def encoded(positions: list[Position], num_planes: int) -> Planes:
    size = positions[0].game.size
    planes = np.full((len(positions), num_planes, size, size), 7, np.float32)
    states = states_of(positions)
    before = states.copy()
    encode(states, planes)
    assert (states == before).all()
    return planes


@pytest.mark.parametrize("game", GOMOKU, ids=str)
def test_gomoku_planes_are_those_of_the_slow_twin(game: Gomoku) -> None:
    positions = random_positions(game, 2 if game.size > 9 else 6)[:: game.size]
    planes = encoded(positions, NUM_GOMOKU_PLANES)
    for position, drawn in zip(positions, planes, strict=True):
        expected = gomoku_planes(game, position)
        for name, plane, twin in zip(PLANES["gomoku"], drawn, expected, strict=True):
            assert (plane == twin).all(), f"{name} after {position}"


@pytest.mark.parametrize("size", [6, 8])
def test_othello_planes_are_those_of_the_slow_twin(size: int) -> None:
    positions = random_positions(Othello(size), 4)
    planes = encoded(positions, NUM_OTHELLO_PLANES)
    for position, drawn in zip(positions, planes, strict=True):
        expected = othello_planes(position)
        for name, plane, twin in zip(PLANES["othello"], drawn, expected, strict=True):
            assert (plane == twin).all(), f"{name} after {position}"


@pytest.mark.parametrize("game", [Gomoku(15), Gomoku(9, rule="renju"), Othello(6), Othello(8)], ids=str)
def test_classic_planes_are_stones_moves_and_color(game: Gomoku | Othello) -> None:
    positions = random_positions(game, 3)[::3]
    for position, drawn in zip(positions, encoded(positions, NUM_CLASSIC_PLANES), strict=True):
        is_black = position.side_to_move is Color.BLACK
        sides = (position.black, position.white) if is_black else (position.white, position.black)
        points = range(game.size**2)
        moves = set() if position.outcome() else set(position.legal_moves())
        expected = [[stones >> point & 1 for point in points] for stones in sides]
        expected += [[point in moves for point in points], [is_black for _ in points]]
        assert (drawn.reshape(NUM_CLASSIC_PLANES, -1) == np.array(expected)).all()


@pytest.mark.parametrize("game", [Gomoku(9, rule="renju"), Othello(8)], ids=str)
def test_planes_turn_with_the_board(game: Gomoku | Othello) -> None:
    position: Position = random_positions(game, 1)[20]
    num_planes = len(PLANES[game.name])
    flat = encoded([position], num_planes).reshape(num_planes, -1)
    for symmetry in SYMMETRIES:
        turned = encoded([transform_position(position, symmetry)], num_planes).reshape(num_planes, -1)
        assert (turned[:, permutation(game.size, symmetry)] == flat).all()


@pytest.mark.parametrize("game", [Gomoku(8), Othello(8)], ids=str)
def test_the_misere_shows_in_the_last_plane_only(game: Gomoku | Othello) -> None:
    positions: list[Position] = random_positions(game, 1)
    num_planes = len(PLANES[game.name])
    states = states_of(positions)
    states[:, OBJECTIVE] = 1
    planes = np.empty((len(positions), num_planes, 8, 8), np.float32)
    encode(states, planes)
    ordinary = encoded(positions, num_planes)
    assert (planes[:, :-1] == ordinary[:, :-1]).all()
    assert (planes[:, -1] == -1).all()
    assert (ordinary[:, -1] == 1).all()


def board_plane(stones: Bits, size: int) -> Planes:
    plane = np.zeros(size * size, np.float32)
    plane[points(stones)] = 1
    return plane.reshape(size, size)


def constant(value: float, size: int) -> Planes:
    return np.full((size, size), value, np.float32)


def sides(position: Position) -> tuple[Bits, Bits]:
    stones = position.black, position.white
    return stones[position.side_to_move], stones[1 - position.side_to_move]


def gomoku_planes(game: Gomoku, position: Position) -> Iterator[Planes]:
    size, side = game.size, position.side_to_move
    yield from (board_plane(stones, size) for stones in sides(position))
    yield constant(1, size)
    for color in (side, side.opponent):
        made = {move: shapes_at(game, position, color, move) for move in empty_points(position)}
        for shape in ("five", "open four", "four", "open three"):
            yield board_plane(sum(1 << move for move in made if shape in made[move]), size)
    is_renju = game.rule == "renju"
    forbidden = [
        1 << move
        for move in empty_points(position)
        if is_renju and renju.forbidden(position.black, position.white, size, move)
    ]
    yield board_plane(sum(forbidden), size)
    yield constant(game.rule == "standard", size)
    yield constant(is_renju, size)
    yield constant(is_renju and side is Color.BLACK, size)
    yield constant(1, size)


def empty_points(position: Position) -> list[int]:
    taken = position.black | position.white
    return [move for move in range(position.game.size**2) if not taken >> move & 1]


def shapes_at(game: Gomoku, position: Position, color: Color, move: int) -> set[str]:
    """The best that a stone makes on each of the four lines."""
    own = position.black if color is Color.BLACK else position.white
    opp = position.white if color is Color.BLACK else position.black
    exact = game.rule == "standard" or (game.rule == "renju" and color is Color.BLACK)
    shapes = set()
    for forward, backward in axes(game.size, move):
        bits = [*reversed(backward), 1 << move, *forward]
        line = ["X" if own & bit else "#" if opp & bit else "." for bit in bits]
        shapes.add(best_shape(line, len(backward), game.in_a_row, exact))
    return shapes - {""}


def best_shape(line: list[str], place: int, k: int, exact: bool) -> str:
    padded = ["#"] * 3 + line + ["#"] * 3
    place += 3
    padded[place] = "X"
    fives = [windows(padded, place, k, missing, exact) for missing in range(2)]
    straight = [straight_fours(padded, place, k, missing, exact) for missing in range(2)]
    if fives[0]:
        return "five"
    if straight[0]:
        return "open four"
    if fives[1]:
        return "four"
    return "open three" if straight[1] and k > 3 else ""


def windows(line: list[str], place: int, k: int, missing: int, exact: bool) -> bool:
    """True when k cells through a place hold own stones but for so many empty ones."""
    for start in range(max(1, place - k + 1), min(place, len(line) - 1 - k) + 1):
        cells, beside = line[start : start + k], (line[start - 1], line[start + k])
        if "#" not in cells and cells.count(".") == missing and not (exact and "X" in beside):
            return True
    return False


def straight_fours(line: list[str], place: int, k: int, missing: int, exact: bool) -> bool:
    """True when k - 1 cells through a place, between empty ends, hold own stones but for so many empty ones."""
    for start in range(max(2, place - k + 2), min(place, len(line) - 1 - k) + 1):
        cells, ends = line[start : start + k - 1], line[start - 1] + line[start + k - 1]
        beyond = (line[start - 2], line[start + k])
        if "#" not in cells and cells.count(".") == missing and ends == ".." and not (exact and "X" in beyond):
            return True
    return False


def othello_planes(position: Position) -> Iterator[Planes]:
    size = position.game.size
    own, opp = sides(position)
    yield from (board_plane(discs, size) for discs in (own, opp))
    for color in (position.side_to_move, position.side_to_move.opponent):
        moves = position.turned(color).legal_moves()
        yield board_plane(sum(1 << move for move in moves if move != position.game.pass_move), size)
    yield from (board_plane(frontier(position, discs), size) for discs in (own, opp))
    yield constant(1, size)
    yield constant(len(empty_points(position)) % 2, size)
    yield constant(1, size)


def frontier(position: Position, discs: Bits) -> Bits:
    size, empty = position.game.size, empty_points(position)
    beside = [
        move
        for move in points(discs)
        if any(max(abs(move // size - other // size), abs(move % size - other % size)) == 1 for other in empty)
    ]
    return sum(1 << move for move in beside)
