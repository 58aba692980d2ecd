"""For players that know one game."""

from __future__ import annotations

from ..errors import EngineError
from ..games.game import Game


def refuse_other_games(brain: str, game: Game) -> None:
    """Raise EngineError unless the game is Othello."""
    if game.name != "othello":
        raise EngineError(f"'{brain}' does not play {game.name}: it knows othello only")
