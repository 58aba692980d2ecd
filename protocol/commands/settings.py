"""Commands that choose the game, the mode, the brain and its options."""

from __future__ import annotations

from ...engine.brains import brain_names
from ...engine.games import GAMES
from ...engine.options import option_help, option_names
from ...engine.session import Session
from ..command import COMMANDS, read_integer
from ..reply import Told


@COMMANDS.command("set_game")
def set_game(session: Session, game: str, rule: str | None = None, in_a_row: int | None = None) -> None:
    """Change the game and clear the board: gomoku [freestyle|standard|renju] [IN_A_ROW], or othello."""
    if rule is not None and in_a_row is None and rule.isdecimal():
        in_a_row, rule = read_integer(rule), None
    session.set_game(game.lower(), rule and rule.lower(), in_a_row)


@COMMANDS.command("list_games")
def list_games() -> list[str]:
    """List the games, one a line."""
    return [name.capitalize() for name in GAMES]


@COMMANDS.command("set_mode")
def set_mode(session: Session, mode: str) -> None:
    """Play to win, strongest, or to lose, weakest."""
    session.set_mode(mode.lower())


@COMMANDS.command("set_level")
def set_level(session: Session, level: int) -> None:
    """Play between the weakest, 0, and the strongest, 100; 50 is random."""
    session.set_level(level)


@COMMANDS.command("set_brain")
def set_brain(session: Session, brain: str) -> None:
    """Change who chooses the moves."""
    session.set_brain(brain)


@COMMANDS.command("list_brains")
def list_brains() -> list[str]:
    """List the brains, one a line."""
    return brain_names()


@COMMANDS.command("set_option")
def set_option(session: Session, key: str, value: str) -> None:
    """Change an option."""
    session.set_option(key, value)


@COMMANDS.command("get_option")
def get_option(session: Session, key: str) -> Told:
    """Tell the value of an option."""
    return Told(session.options.text(key), getattr(session.options, key))


@COMMANDS.command("list_options")
def list_options(session: Session) -> Told:
    """List the options with their values and what they mean."""
    lines = [f"{name} {session.options.text(name)}: {option_help(name)}" for name in option_names()]
    return Told("\n".join(lines), {name: getattr(session.options, name) for name in option_names()})
