"""Commands about the engine itself."""

from __future__ import annotations

import time

from ...engine.brains import AUTO, best_measured
from ...engine.brains.description import describe
from ...engine.games.misere import misere
from ...engine.options import option_names
from ...engine.session import Session
from .. import NAME, VERSION
from ..command import COMMANDS, CommandTable, Exchange
from ..reply import Told


@COMMANDS.command("protocol_version")
def protocol_version() -> int:
    """Tell the version of GTP."""
    return 2


@COMMANDS.command("name")
def name() -> str:
    """Tell the engine's name."""
    return NAME


@COMMANDS.command("version")
def version() -> str:
    """Tell the engine's version."""
    return VERSION


@COMMANDS.command("known_command")
def known_command(table: CommandTable, *command: str) -> bool:
    """Tell whether a command is known."""
    return bool(command) and command[0] in table


@COMMANDS.command("list_commands")
def list_commands(table: CommandTable) -> list[str]:
    """List the commands, one a line."""
    return [command.name for command in table]


@COMMANDS.command("help")
def help_(table: CommandTable, command: str | None = None) -> list[str]:
    """Explain a command, or list them all with their arguments."""
    if command is None:
        return [command.usage for command in table]
    found = table[command]
    return [found.usage, found.help]


@COMMANDS.command("quit")
def quit_(exchange: Exchange, *ignored: str) -> None:
    """End the connection."""
    exchange.close()


@COMMANDS.command("cputime", "gomill-cpu_time")
def cputime() -> Told:
    """Tell the seconds of processor time used so far."""
    seconds = time.process_time()
    return Told(f"{seconds:.3f}", seconds)


@COMMANDS.command("status")
def status(exchange: Exchange) -> Told:
    """Tell how busy the process is: sessions, positions a second, batches, queues, seconds it runs, megabytes."""
    figures = exchange.host.status()
    return Told("\n".join(f"{name}: {figure}" for name, figure in figures.items()), figures)


@COMMANDS.command("gomill-describe_engine")
def describe_engine(session: Session) -> Told:
    """Describe the engine and its settings for a game record."""
    game = session.game
    described = {
        "game": f"{game.name} {game.rule} {game.size}x{game.size}",
        "mode": f"{session.mode}, level {session.level}",
        **brain_record(session),
        **{option: session.options.text(option) for option in option_names()},
    }
    lines = [f"{NAME} {VERSION}", *(f"{name}: {text}" for name, text in described.items())]
    return Told("\n".join(lines), {"name": NAME, "version": VERSION} | described)


def brain_record(session: Session) -> dict[str, str]:
    """The brain at work: why `auto` stands for it, what computes, and by which file of weights."""
    is_auto, at_work, is_losing = session.brain_name == AUTO, session.brain_at_work, session.mode == "weakest"
    measured = best_measured(session.game, -1 if is_losing else 1, session.options.device) if is_auto else None
    start = session.game.start()
    parts = describe(at_work, session.options, (misere(start) if is_losing else start).game)
    return {
        "brain": f"{AUTO}, here {at_work}" if is_auto else at_work,
        **({"measured": measured.measured} if measured is not None and measured.brain == at_work else {}),
        "runtime": parts.runtime,
        "weights_file": parts.weights,
    }
