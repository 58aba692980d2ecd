"""Commands about the engine itself."""

from __future__ import annotations

import time

from ...engine.options import option_names
from ...engine.session import Session
from .. import NAME, VERSION
from ..command import COMMANDS, CommandTable, Exchange


@COMMANDS.command("protocol_version")
def protocol_version() -> str:
    """Tell the version of GTP."""
    return "2"


@COMMANDS.command("name")
def name() -> str:
    """Tell the engine's name."""
    return NAME


@COMMANDS.command("version")
def version() -> str:
    """Tell the engine's version."""
    return VERSION


@COMMANDS.command("known_command")
def known_command(table: CommandTable, *command: str) -> str:
    """Tell whether a command is known."""
    return "true" if command and command[0] in table else "false"


@COMMANDS.command("list_commands")
def list_commands(table: CommandTable) -> str:
    """List the commands, one a line."""
    return "\n".join(command.name for command in table)


@COMMANDS.command("help")
def help_(table: CommandTable, command: str | None = None) -> str:
    """Explain a command, or list them all with their arguments."""
    if command is None:
        return "\n".join(command.usage for command in table)
    found = table[command]
    return f"{found.usage}\n{found.help}"


@COMMANDS.command("quit")
def quit_(exchange: Exchange, *ignored: str) -> None:
    """End the connection."""
    exchange.close()


@COMMANDS.command("cputime", "gomill-cpu_time")
def cputime() -> str:
    """Tell the seconds of processor time used so far."""
    return f"{time.process_time():.3f}"


@COMMANDS.command("gomill-describe_engine")
def describe_engine(session: Session) -> str:
    """Describe the engine and its settings for a game record."""
    game = session.game
    brain = (
        f"{session.brain_name}, here {session.brain_at_work}" if session.brain_name == "auto" else session.brain_name
    )
    return "\n".join(
        [
            f"{NAME} {VERSION}",
            f"game: {game.name} {game.rule} {game.size}x{game.size}",
            f"mode: {session.mode}, level {session.level}",
            f"brain: {brain}",
            *(f"{option}: {session.options.text(option)}" for option in option_names()),
        ]
    )
