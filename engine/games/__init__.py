"""The games: plain Python, the reference that every kernel is tested against."""

from __future__ import annotations

from importlib import import_module

from ..errors import EngineError
from .game import Game

GAMES = {
    "gomoku": "gomoku:Gomoku",
    "othello": "othello:Othello",
}


def make_game(name: str, size: int | None = None, rule: str | None = None, in_a_row: int | None = None) -> Game:
    """Make a game by its name; whatever is None takes the game's default."""
    if name not in GAMES:
        raise EngineError(f"unknown game '{name}': one of {', '.join(GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    game: Game = getattr(import_module(f".{module}", __name__), attribute).make(size, rule, in_a_row)
    return game
