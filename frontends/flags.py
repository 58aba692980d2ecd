"""Start-up flags: each stands for commands that are carried out before the first line is read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from ..engine.bounds import Bounds
from ..engine.session import Session
from ..protocol import NAME, VERSION
from ..protocol.command import Exchange
from ..protocol.commands import COMMANDS

USAGE = """%(prog)s [OPTION...]           play on standard input: GTP, Gomocup or NBoard, as its first line shows
       %(prog)s gomocup [OPTION...]   the same under a Gomocup manager
       %(prog)s gui                   a window to play in
       %(prog)s web                   the same in a browser
       %(prog)s play                  the same in a terminal
       %(prog)s nboard [OPTION...]    the same under NBoard
       %(prog)s ggs                   play on the Generic Game Server
       %(prog)s serve                 serve many clients at once
       %(prog)s connect ADDRESS       be the engine of a server elsewhere
       %(prog)s keygen NAME           make keys for servers and clients
       %(prog)s match                 play engines against each other
       %(prog)s report                show a match as a page
       %(prog)s ladder                measure our levels, brains and modes
       %(prog)s openings              write openings for matches
       %(prog)s bench                 measure this machine
       %(prog)s train                 train a net by self-play
       %(prog)s warm                  compile what the searches need"""


class BadFlagError(Exception):
    """A flag that cannot be honored; its text is for the person who wrote it."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag and the command it stands for; its value becomes the command's arguments."""

    name: str
    value: str
    command: tuple[str, ...]
    help: str
    shows: bool = False  # the answer is printed, and that is all


# In the order in which they are carried out.
FLAGS = (
    Flag("--game", "'GAME [RULE] [IN_A_ROW]'", ("set_game",), "gomoku or othello, as set_game has it"),
    Flag("--size", "N", ("boardsize",), "the board's size"),
    Flag("--mode", "MODE", ("set_mode",), "strongest or weakest"),
    Flag("--level", "N", ("set_level",), "0 weakest, 50 random, 100 strongest"),
    Flag("--brain", "NAME", ("set_brain",), "who chooses the moves"),
    Flag("--seed", "N", ("set_option", "seed"), "seed of everything random"),
    Flag("--visits", "N", ("set_option", "visits"), "most playouts or nodes a move"),
    Flag("--depth", "N", ("set_option", "depth"), "deepest iteration of an alpha-beta search"),
    Flag("--movetime", "SECONDS", ("set_option", "movetime"), "time a move when no clock was set"),
    Flag("--lag", "SECONDS", ("set_option", "lag"), "time of each move kept back"),
    Flag("--memory", "MB", ("set_option", "memory"), "megabytes for the hash table or the tree"),
    Flag("--ponder", "BOOLEAN", ("set_option", "ponder"), "think on while the opponent does"),
    Flag("--certified", "BOOLEAN", ("set_option", "certified"), "weakest Gomoku as second: mirror, never win"),
    Flag("--evaluation", "NAME", ("set_option", "evaluation"), "alphabeta in Othello: patterns or handmade"),
    Flag("--textbook", "BOOLEAN", ("set_option", "textbook"), "rollout: the textbook's version"),
    Flag("--weights", "FILE", ("set_option", "weights"), "a file of weights, or the name of shipped ones"),
    Flag("--evaluator", "NAME", ("set_option", "evaluator"), "mcts: what judges positions"),
    Flag("--device", "NAME", ("set_option", "device"), "mcts: where a net runs; cuda and mps are unmeasured"),
    Flag("--threads", "N", ("set_option", "threads"), "threads of a search that only time limits"),
    Flag("--batch", "N", ("set_option", "batch"), "mcts: most positions judged at a time"),
    Flag("--option", "KEY=VALUE", ("set_option",), "any option; may be repeated"),
    Flag("--komi", "NUMBER", ("komi",), "taken note of"),
    Flag("--time-settings", "'MAIN PERIOD STONES'", ("time_settings",), "the clock, as time_settings has it"),
    Flag("--kgs-time-settings", "'KIND ...'", ("kgs-time_settings",), "the clock, as kgs-time_settings has it"),
    Flag("--kata-time-settings", "'KIND ...'", ("kata-time_settings",), "the clock, as kata-time_settings has it"),
    Flag("--load", "FILE", ("load_game",), "a game to begin with, in any format"),
    Flag("--command", "LINE", (), "any command; may be repeated"),
    Flag("--get-option", "KEY", ("get_option",), "show an option and exit", shows=True),
    Flag("--list-options", "", ("list_options",), "show the options and exit", shows=True),
    Flag("--list-games", "", ("list_games",), "show the games and exit", shows=True),
    Flag("--list-brains", "", ("list_brains",), "show the brains and exit", shows=True),
    Flag("--help-command", "COMMAND", ("help",), "explain a command and exit", shows=True),
)
WHOLE = {"--load", "--weights"}  # a file's name may contain blanks


class Parser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self, program: str = "extremum") -> None:
        usage = USAGE if program == "extremum" else None
        super().__init__(program, usage, f"{NAME} plays Gomoku and Othello.", allow_abbrev=False)
        self.add_argument("--version", action="version", version=f"{NAME} {VERSION}")
        self.add_argument("--log", metavar="FILE", help="append the traffic to a file")
        self.add_argument("--rules", metavar="RULE", help="freestyle, standard or renju")
        self.add_argument("--in-a-row", metavar="N", help="stones in a row that win")
        add_search_limits(self)
        if program == "extremum":
            self.add_argument("--guest", action="store_true", help="whoever asks may not use files of this machine")
        for flag in FLAGS:
            self.add_argument(flag.name, **_how(flag))

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def add_search_limits(parser: argparse.ArgumentParser) -> None:
    """The most that a client may ask of a search, by the same names wherever there are clients."""
    parser.add_argument("--search-time", type=seconds, metavar="SECONDS", help="longest search")
    parser.add_argument("--search-memory", type=count, metavar="MB", help="most for a session's hash table or tree")


def carry_out_bounded(given: argparse.Namespace, session: Session) -> list[str] | None:
    """The same within the limits that the flags name; whoever starts an engine may name files, its guests may not."""
    session.bounds = Bounds(given.search_time, given.search_memory)
    session.options = session.bounds.within(session.options)
    shown = carry_out(given, session)
    session.bounds = replace(session.bounds, is_guest=given.guest, may_ponder=True)
    return shown


def carry_out(given: argparse.Namespace, session: Session) -> list[str] | None:
    """Carry out the flags; returns what is to be shown instead of playing, None to play."""
    shown = []
    playing = True
    for flag, value, words in commands(given):
        exchange = Exchange(Startup(), lambda text: None)
        answer = COMMANDS.answer(words, session, exchange) if words else None
        if answer is not None and not answer.accepted:
            raise BadFlagError(f"{flag.name} {value}: {answer.text}".replace(" :", ":"))
        if flag.shows and answer is not None:
            shown.append(answer.text)
        playing = playing and not flag.shows and not exchange.closing
    return None if playing else shown


def commands(given: argparse.Namespace) -> Iterator[tuple[Flag, str, list[str]]]:
    """Each flag with its value and its command."""
    for flag in FLAGS:
        values = getattr(given, flag.name.strip("-").replace("-", "_"))
        if flag.name == "--game":
            values = _game(given)
        for value in values or []:
            yield flag, value, [*flag.command, *_arguments(flag, value)]


def count(text: str) -> int:
    """A number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def seconds(text: str) -> float:
    """A time."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no time in seconds")
    return value


class Startup:
    """Nobody waits at start-up, and an analysis ends after its first report."""

    def interrupted(self) -> bool:
        """Never: a move has its full time."""
        return False

    def has_message(self) -> bool:
        """Always: an analysis must not go on for ever."""
        return True


def _how(flag: Flag) -> dict[str, Any]:
    if not flag.value:
        return {"action": "append_const", "const": "", "help": flag.help}
    optional = {"nargs": "?", "const": "true"} if flag.value == "BOOLEAN" else {}
    return {"action": "append", "metavar": flag.value, "help": flag.help, **optional}


def _game(given: argparse.Namespace) -> list[str]:
    """The game, its rule and its row belong to one command."""
    parts = [
        *(given.game or []),
        *([given.rules] if given.rules else []),
        *([given.in_a_row] if given.in_a_row else []),
    ]
    if not parts:
        return []
    return [" ".join(parts if given.game else ["gomoku", *parts])]


def _arguments(flag: Flag, value: str) -> list[str]:
    if flag.name in WHOLE:
        return [value]
    if flag.name == "--option":
        key, _, text = value.partition("=")
        return [key, *text.split()]
    return value.split()
