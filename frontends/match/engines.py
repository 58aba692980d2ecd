"""Who plays: an engine as the command line or a TOML file names it."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import count
from pathlib import Path
from typing import Any

from ...engine.brains import AUTO, BRAINS, brain_names, resolve
from ...engine.brains.level import CHANCE
from ...engine.errors import EngineError
from ...engine.games.game import Game
from ...engine.options import Options
from ...engine.session import Session
from ...protocol.clients import gomocup, nboard
from ..flags import BadFlagError
from . import own

OWN = "own"
DEPTHLESS = (AUTO, "mcts", "rollout")  # trees that grow unevenly, or whatever is best
PROTOCOLS = ("gtp", "gomocup", "nboard", "zmq")
REFUSALS = {"gomocup": gomocup.refusal, "nboard": nboard.refusal}
VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {  # of a TOML file
    "command": (lambda value: isinstance(value, str), "a text, as in a shell"),
    "setup": (lambda value: _is_list_of_lines(value), "a list of lines"),
    "lenient": (lambda value: isinstance(value, bool), "true or false"),
    "options": (lambda value: isinstance(value, dict), "a table, as { visits = 100 }"),
}
_COMMAND = re.compile(rf"(?:([^=:]+)=)?({'|'.join(PROTOCOLS)}):(.*)", re.DOTALL)
_ADDRESS = re.compile(r"tcp://.+:\d{1,5}|ipc://.+")


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine: a command with its protocol, or one of ours."""

    name: str
    protocol: str = OWN
    command: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()  # lines sent at the start; for Gomocup keys and values of INFO
    lenient: bool = False  # lines that are no answers are passed over
    brain: str = "auto"
    level: int = 100
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_limited(self) -> bool:
        """True for a search of ours that counts visits or plies, not seconds."""
        given = {key for key, value in self.options if value != "0"}
        counts = "visits" in given or ("depth" in given and self.brain not in DEPTHLESS)
        return self.protocol == OWN and counts and "movetime" not in given

    def at_work(self, game: Game) -> str:
        """The brain of one of ours in a game."""
        options, objective = dict(self.options), 1 if self.level >= CHANCE else -1
        device, weights = (options.get(key, AUTO) for key in ("device", "weights"))
        return resolve(self.brain, game, objective, device, weights)

    def to_json(self) -> dict[str, Any]:
        """A value for JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Engine:
        """The engine that `to_json` wrote."""
        known = {field.name for field in fields(cls)}
        made: dict[str, Any] = {
            name: tuple(entry) if isinstance(entry, list) else entry for name, entry in value.items()
        }
        made["options"] = tuple((key, text) for key, text in value["options"])
        return cls(**{name: entry for name, entry in made.items() if name in known})


def read_engines(texts: Iterable[str], file: str | None = None) -> list[Engine]:
    """The engines of a command line, with the names that a TOML file gives; equal names are numbered."""
    entries = _read_file(file) if file else {}
    wanted = list(texts) or list(entries)
    return _numbered([_entry(text, entries[text]) if text in entries else read_engine(text) for text in wanted])


def read_engine(text: str) -> Engine:
    """An engine from `[NAME=]PROTOCOL:COMMAND`, or a brain of ours with settings such as `level=30`."""
    found = _COMMAND.fullmatch(text.strip())
    if found is not None:
        words = _split(found[3])
        return Engine(found[1] or " ".join([Path(words[0]).name, *words[1:]]), found[2], tuple(words))
    words = text.split()
    brain = words.pop(0) if words and "=" not in words[0] else "auto"
    settings = dict(_setting(word) for word in words)
    return _own(settings.pop("name", " ".join(text.split())), brain, settings)


def refuse_unable(engines: Iterable[Engine], game: Game) -> None:
    """Refuse an engine that cannot play the game, or whose program or weights are not there; equals are asked once."""
    for engine in {replace(engine, name=""): engine for engine in engines}.values():
        refused = _refusal(engine, game)
        if refused is not None:
            raise BadFlagError(f"engine '{engine.name}': {refused}")


def _refusal(engine: Engine, game: Game) -> str | None:
    if engine.protocol == OWN:
        return own.refusal(engine, game)
    if engine.protocol in REFUSALS and (refused := REFUSALS[engine.protocol](game)) is not None:
        return refused
    if engine.protocol == "zmq":
        address = engine.command[0]
        return None if _ADDRESS.fullmatch(address) else f"'{address}' is no address, as tcp://HOST:PORT"
    program = engine.command[0]
    return None if shutil.which(program) else f"there is no program '{program}'"


def _own(name: str, brain: str, settings: Mapping[str, str]) -> Engine:
    if brain not in brain_names():
        choices = f"PROTOCOL:COMMAND, one of {', '.join((AUTO, *BRAINS))}, or a reference player"
        raise BadFlagError(f"unknown engine '{brain}': {choices}")
    options = {key: value for key, value in settings.items() if key not in ("mode", "level")}
    try:
        session = Session()
        if "mode" in settings:
            session.set_mode(settings["mode"])
        if "level" in settings:
            session.set_level(_level(settings["level"]))
        for key, value in options.items():
            Options().changed(key, value)
    except EngineError as error:
        raise BadFlagError(f"engine '{name}': {error}") from error
    return Engine(name, brain=brain, level=session.level, options=tuple(options.items()))


def _level(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise EngineError(f"unacceptable level: '{text}' is no whole number in 0..100") from None


def _setting(word: str) -> tuple[str, str]:
    key, sign, value = word.partition("=")
    if not sign:
        raise BadFlagError(f"'{word}' is no setting of an engine: KEY=VALUE")
    return key, value


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadFlagError(f"the command '{command}': {error}") from error
    if not words:
        raise BadFlagError("an engine's command is empty")
    return words


def _read_file(file: str) -> dict[str, dict[str, Any]]:
    try:
        entries = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise BadFlagError(f"{file}: it is no text in UTF-8") from error
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadFlagError(f"{file}: {error}") from error
    if not all(isinstance(entry, dict) for entry in entries.values()):
        raise BadFlagError(f"{file}: every engine is a table, as [name]")
    return entries


def _entry(name: str, entry: Mapping[str, Any]) -> Engine:
    """An engine of a TOML file: `command` and `protocol`, or `brain`, `mode`, `level`, `weights` and `options`."""
    _refuse_odd(name, entry)
    if "command" not in entry:
        settings = {str(key): str(value) for key, value in entry.get("options", {}).items()}
        plain = {key: str(entry[key]) for key in entry if key not in ("options", "brain")}
        return _own(name, str(entry.get("brain", "auto")), settings | plain)
    protocol = str(entry.get("protocol", "gtp"))
    if protocol not in PROTOCOLS:
        raise BadFlagError(f"engine '{name}': unknown protocol '{protocol}': one of {', '.join(PROTOCOLS)}")
    unknown = set(entry) - {"command", "protocol", "setup", "lenient"}
    if unknown:
        raise BadFlagError(f"engine '{name}': unknown key '{min(unknown)}'")
    setup = tuple(entry.get("setup", ()))
    return Engine(name, protocol, tuple(_split(entry["command"])), setup, entry.get("lenient", False))


def _refuse_odd(name: str, entry: Mapping[str, Any]) -> None:
    """Refuse values of another type than their keys take."""
    for key, (is_right, wanted) in VALUES.items():
        if key in entry and not is_right(entry[key]):
            raise BadFlagError(f"engine '{name}': {key} is {wanted}")


def _is_list_of_lines(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(line, str) for line in value)


def _numbered(engines: list[Engine]) -> list[Engine]:
    """The same with different names."""
    names = [engine.name for engine in engines]
    taken = {name for name in names if names.count(name) == 1}
    numbered = []
    for engine in engines:
        name = engine.name
        if names.count(name) > 1:
            again = (f"{name} #{number}" for number in count(1))
            name = next(one for one in again if one not in taken)
            taken.add(name)
        numbered.append(replace(engine, name=name))
    return numbered
