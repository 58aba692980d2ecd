"""Properties of random games."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from extremum.engine.games.game import Color, Game, Position, points
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.lines import axes
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, inverse, transform_move, transform_position

GAMES: list[Game] = [
    Gomoku(3, in_a_row=3),
    Gomoku(5, in_a_row=4, rule="standard"),
    Gomoku(7),
    Gomoku(8, rule="renju"),
    Othello(6),
    Othello(8),
]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position some random moves into a game."""
    position = draw(st.sampled_from(GAMES)).start()
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=80)):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
    return position


@settings(max_examples=60, deadline=None)
@given(positions())
def test_a_position_has_legal_moves_exactly_while_the_game_goes_on(position: Position) -> None:
    moves = position.legal_moves()
    assert bool(moves) == (position.outcome() is None)
    assert all(position.play(move).last_move == move for move in moves)


@settings(max_examples=60, deadline=None)
@given(positions(), st.sampled_from(list(SYMMETRIES)))
def test_a_symmetry_keeps_the_rules_and_can_be_undone(position: Position, symmetry: int) -> None:
    game = position.game
    image = transform_position(position, symmetry)
    assert image.outcome() == position.outcome()
    assert image.legal_moves() == sorted(transform_move(game, move, symmetry) for move in position.legal_moves())
    back = transform_position(image, inverse(symmetry))
    assert (back.black, back.white) == (position.black, position.white)


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 9), st.data())
def test_a_row_wins_wherever_it_lies(size: int, data: st.DataObject) -> None:
    game = Gomoku(size, in_a_row=3, rule="standard")
    move = data.draw(st.integers(0, size * size - 1))
    stones = data.draw(st.integers(0, (1 << size * size) - 1)) & ~(1 << move)
    won = game.setup(stones, 0, Color.BLACK).outcome() is not None
    if not won:
        after = game.setup(stones, 0, Color.BLACK).play(move).outcome()
        assert (after is not None and after.winner is Color.BLACK) == (3 in _runs(size, stones, move))


def _runs(size: int, stones: int, move: int) -> list[int]:
    """The lengths of the four unbroken rows through a point, counted stone by stone."""
    there = set(points(stones))
    runs = []
    for rays in axes(size, move):
        length = 1
        for ray in rays:
            outward = [bit.bit_length() - 1 for bit in ray]
            length += next((n for n, point in enumerate(outward) if point not in there), len(outward))
        runs.append(length)
    return runs
