"""Commands: each is a function, its signature its grammar, its docstring its help."""

from __future__ import annotations

import inspect
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Protocol, TypeAlias, get_type_hints

from ..engine.errors import EngineError, IllegalMoveError, UsageError
from ..engine.games.game import Color
from ..engine.session import Session
from .host import Alone, Host
from .notation import read_color, write_vertex
from .reply import Reply, Told, text_of, value_of

LONGEST_REFUSAL = 300  # characters; a client shows it in one line

Function: TypeAlias = Callable[..., Reply]
Parser: TypeAlias = Callable[[str, Session], object]


class Waiting(Protocol):
    """What has arrived behind the command under way."""

    def interrupted(self) -> bool:
        """True when a search has to end."""

    def has_message(self) -> bool:
        """True when anything at all has come, or nothing more can come."""


class Nobody:
    """Nobody waits for a command that takes no time."""

    def interrupted(self) -> bool:
        """Never."""
        return False

    def has_message(self) -> bool:
        """Never."""
        return False


class Exchange:
    """One command under way: what waits behind it, where it runs, and its answer if that is streamed."""

    def __init__(self, waiting: Waiting, stream: Callable[[Told], None], host: Host | None = None) -> None:
        self.waiting = waiting
        self.host = host or Alone()
        self.streaming = False
        self.closing = False
        self._stream = stream

    def open(self) -> None:
        """Tell that the command succeeds, before the first part of its answer."""
        self._stream(Told("", None))
        self.streaming = True

    def stream(self, told: Told) -> None:
        """Send a part of an answer at once; the first part also tells that the command succeeds."""
        self._stream(told)
        self.streaming = True
        self.host.publish(told.value)

    def close(self) -> None:
        """Let this be the connection's last command."""
        self.closing = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client is told."""

    accepted: bool
    reply: Reply

    @property
    def text(self) -> str:
        """As a line dialect writes it."""
        return text_of(self.reply)

    @property
    def value(self) -> Any:
        """As data."""
        return value_of(self.reply)


@dataclass(frozen=True, slots=True)
class Command:
    """A function with its grammar."""

    name: str
    function: Function
    given: tuple[type, ...]  # what the function gets before its arguments: the session, the exchange, the table
    parsers: tuple[Parser, ...]
    more: Parser | None  # reads the arguments beyond these, where the function takes any number
    fewest: int
    usage: str
    help: str

    def read(self, arguments: Sequence[str], session: Session) -> list[object]:
        """The values of the arguments."""
        count, most = len(arguments), len(self.parsers)
        if count < self.fewest or (count > most and self.more is None):
            raise UsageError(f"usage: {self.usage}")
        values = [parse(text, session) for parse, text in zip(self.parsers, arguments, strict=False)]
        if self.more is not None and count > most:
            values += [self.more(text, session) for text in arguments[most:]]
        return values


class CommandTable:
    """Every command by its name, and the one place where a refusal becomes an answer."""

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._commands

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __getitem__(self, name: str) -> Command:
        if name not in self._commands:
            raise EngineError(f"unknown command '{name}'")
        return self._commands[name]

    def command(self, *names: str) -> Callable[[Function], Function]:
        """Make a function a command under these names."""

        def add(function: Function) -> Function:
            for name in names:
                self._commands[name] = describe(name, function)
            return function

        return add

    def answer(self, words: Sequence[str], session: Session, exchange: Exchange) -> Answer:
        """Carry out a command; whatever happens, there is one answer."""

        def run() -> Reply:
            command = self._commands.get(words[0])
            if command is None:
                raise EngineError("unknown command")
            values = command.read(words[1:], session)
            given = {Session: session, Exchange: exchange, CommandTable: self}
            return command.function(*(given[kind] for kind in command.given), *values)

        return attempt(run, session, " ".join(words))


def attempt(run: Callable[[], Reply], session: Session, name: str) -> Answer:
    """What running something tells; this is where every error ends."""
    try:
        return Answer(True, run())
    except IllegalMoveError as error:
        return refusal(f"illegal move: {write_vertex(error.move, session.game)} {error.reason}")
    except EngineError as error:
        return refusal(str(error))
    except Exception:
        logging.getLogger(__name__).exception("internal error in '%s'", name[:LONGEST_REFUSAL])
        return refusal("internal error")


def refusal(text: str) -> Answer:
    """One line, however long the culprit was."""
    line = " ".join(text.split())
    return Answer(False, line if len(line) <= LONGEST_REFUSAL else line[:LONGEST_REFUSAL] + "...")


def describe(name: str, function: Function) -> Command:
    """Read a command's grammar from its signature."""
    hints = get_type_hints(function, include_extras=True)
    given: list[type] = []
    parsers: list[Parser] = []
    more: Parser | None = None
    fewest = 0
    usage = [name]
    for parameter in inspect.signature(function).parameters.values():
        kind, word = hints[parameter.name], parameter.name.upper()
        if kind in (Session, Exchange, CommandTable):
            given.append(kind)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            more = parser(kind)
            usage += [] if word == "IGNORED" else [f"[{word}...]"]
        else:
            parsers.append(parser(kind))
            optional = parameter.default is not parameter.empty
            fewest += not optional
            usage.append(f"[{word}]" if optional else word)
    text = " ".join((function.__doc__ or "").split())
    return Command(name, function, tuple(given), tuple(parsers), more, fewest, " ".join(usage), text)


def parser(kind: Any) -> Parser:
    """How arguments of a kind are read: plain kinds here, others carry their parser in `Annotated`."""
    if isinstance(kind, UnionType):  # `X | None`: an optional argument
        kind = kind.__args__[0]
    if kind in PARSERS:
        return PARSERS[kind]
    found: Parser = kind.__metadata__[0]
    return found


def read_integer(text: str) -> int:
    """A whole number, in ASCII digits."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
        raise UsageError(f"syntax error: '{text}' is not an integer")
    return int(text)


def read_number(text: str) -> float:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"syntax error: '{text}' is not a number")
    return value


PARSERS: dict[object, Parser] = {
    str: lambda text, session: text,
    int: lambda text, session: read_integer(text),
    float: lambda text, session: read_number(text),
    Color: lambda text, session: read_color(text),
}

COMMANDS = CommandTable()
