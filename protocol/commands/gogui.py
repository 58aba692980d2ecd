"""Commands by which GoGui learns the rules and shows the engine's settings."""

from __future__ import annotations

from ...engine.brains import brain_names
from ...engine.errors import UsageError
from ...engine.options import option_choices, option_kind, option_names
from ...engine.session import MODES, Session
from ..command import COMMANDS, read_integer
from ..notation import diagram, write_color, write_vertex
from ..reply import Told, words
from .board import verdict


@COMMANDS.command("gogui-rules_game_id")
def rules_game_id(session: Session) -> str:
    """Tell the game's name."""
    return session.game.name.capitalize()


@COMMANDS.command("gogui-rules_board_size")
def rules_board_size(session: Session) -> int:
    """Tell the size of the board."""
    return session.game.size


@COMMANDS.command("gogui-rules_board")
def rules_board(session: Session) -> list[str]:
    """Show the bare board, the row with the highest number first."""
    rows = ["".join(cells) for cells in diagram(session.position)]
    # GoGui counts rows from below, so that Othello's board stands on its head there.
    return rows[::-1] if session.game.name == "othello" else rows


@COMMANDS.command("gogui-rules_legal_moves")
def rules_legal_moves(session: Session) -> Told:
    """List the legal moves; there are none once the game is over."""
    return words(write_vertex(move, session.game) for move in session.position.legal_moves())


@COMMANDS.command("gogui-rules_side_to_move")
def rules_side_to_move(session: Session) -> str:
    """Tell whose turn it is."""
    return write_color(session.position.side_to_move)


@COMMANDS.command("gogui-rules_final_result")
def rules_final_result(session: Session) -> str:
    """Tell the result in words; empty while the game goes on."""
    return verdict(session)


@COMMANDS.command("gogui-analyze_commands")
def analyze_commands() -> list[str]:
    """List the commands for GoGui's menu."""
    return [
        "param/Settings/extremum-param",
        "plist/Legal Moves/gogui-rules_legal_moves",
        "string/Explain Last Move/gomill-explain_last_move",
        "hstring/Describe Engine/gomill-describe_engine",
        "hstring/List Options/list_options",
        "string/Final Score/final_score",
    ]


@COMMANDS.command("extremum-param")
def param(session: Session, key: str | None = None, value: str | None = None) -> list[str] | None:
    """Show mode, level, brain and options in GoGui's form, or set one of them."""
    if key is None:
        return parameters(session)
    if value is None:
        raise UsageError("usage: extremum-param [KEY VALUE]")
    match key:
        case "mode":
            session.set_mode(value)
        case "level":
            session.set_level(read_integer(value))
        case "brain":
            session.set_brain(value)
        case _:
            session.set_option(key, value)
    return None


def parameters(session: Session) -> list[str]:
    """The settings as GoGui's dialog reads them."""
    return [
        f"[list/{'/'.join(MODES)}] mode {session.mode}",
        f"level {session.level}",
        f"[list/{'/'.join(brain_names())}] brain {session.brain_name}",
        *(parameter(session, name) for name in option_names()),
    ]


def parameter(session: Session, name: str) -> str:
    """An option as GoGui's dialog reads it."""
    if option_kind(name) is bool:
        return f"[bool] {name} {int(session.options.text(name) == 'true')}"
    if option_choices(name):
        return f"[list/{'/'.join(option_choices(name))}] {name} {session.options.text(name)}"
    return f"{name} {session.options.text(name)}"
