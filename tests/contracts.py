"""What every entry of a table must do."""

from __future__ import annotations

import random

import pytest

from extremum.engine.errors import IllegalMoveError
from extremum.engine.games.game import Color, Game, Position


def check_game(game: Game, games: int = 4) -> None:
    """Play random games and hold every position to what `Game` and `Position` promise."""
    rng = random.Random(f"{game.name} {game.size} {game.rule}")
    assert game.objective in (1, -1)
    assert game.pass_move in (None, game.num_moves - 1)
    _check_start(game)
    for _ in range(games):
        position = game.start()
        while position.outcome() is None:
            _check_going_on(position)
            position = _check_play(position, rng.choice(position.legal_moves()))
        _check_finished(position)


def _check_start(game: Game) -> None:
    start = game.start()
    assert start.game == game
    assert (start.side_to_move, start.ply, start.last_move) == (Color.BLACK, 0, None)
    assert start.outcome() is None
    assert game.setup(start.black, start.white, Color.BLACK) == start


def _check_going_on(position: Position) -> None:
    legal = position.legal_moves()
    assert legal
    assert legal == sorted(set(legal))
    _check_stones(position)
    _check_refusals(position, set(legal))


def _check_play(position: Position, move: int) -> Position:
    before = _seen(position)
    after = position.play(move)
    assert _seen(position) == before
    assert (after.game, after.ply, after.last_move) == (position.game, position.ply + 1, move)
    assert after.side_to_move is position.side_to_move.opponent
    is_pass = move == position.game.pass_move
    assert (after.black | after.white) == (position.black | position.white | (0 if is_pass else 1 << move))
    return after


def _check_finished(position: Position) -> None:
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.margin > 0) == (outcome.winner is not None)
    assert outcome.value(Color.BLACK) == -outcome.value(Color.WHITE)
    assert position.legal_moves() == []
    _check_stones(position)
    _check_refusals(position, set())
    assert position.outcome() == outcome


def _check_stones(position: Position) -> None:
    assert position.black & position.white == 0
    assert (position.black | position.white) >> position.game.size**2 == 0
    twin = position.game.setup(position.black, position.white, position.side_to_move)
    assert (twin.ply, twin.last_move) == (0, None)
    assert _seen(twin) == _seen(position)
    turned = position.turned(position.side_to_move.opponent)
    assert turned.side_to_move is position.side_to_move.opponent
    assert _seen(turned.turned(position.side_to_move)) == _seen(position)


def _check_refusals(position: Position, legal: set[int]) -> None:
    before = _seen(position)
    for move in set(range(-1, position.game.num_moves + 1)) - legal:
        with pytest.raises(IllegalMoveError) as refusal:
            position.play(move)
        assert refusal.value.move == move
    assert _seen(position) == before


def _seen(position: Position) -> tuple[object, ...]:
    """All of a position but its history."""
    return position.black, position.white, position.side_to_move, position.legal_moves(), position.outcome()
