"""A run: its settings, and the directory that holds all of it.

run.toml                  the settings
checkpoint.safetensors    all that is needed to go on
replay/                   every finished game
net.safetensors           what plays at present; .onnx and .int8.onnx beside it at the end
kept/                     the net every so many minutes
log.jsonl                 a line for each plan, each cycle and each match
"""

from __future__ import annotations

import fcntl
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ..errors import EngineError
from ..nets.checkpoint import load_checkpoint
from ..nets.description import NETS
from .files import write_whole
from .mix import Mix, mix_text, read_mix

VERSION = 1  # of the directory; one from a version to come is refused
EVALUATORS = ("auto", "short", "native", "int8", "onnx", "torch")
FIXED = ("mix", "net", "seed")  # what a run cannot change on its way
LOG, REPLAY = "log.jsonl", "replay"


def _setting(default: Any, text: str, low: float = 0, high: float = 1e12) -> Any:
    return field(default=default, metadata={"help": text, "low": low, "high": high})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is to do."""

    mix: str = _setting("gomoku:8:1", "the games and their shares, GAME:SIZE[:RULE][:misere]:SHARE,...")
    net: str = _setting("b4c32", f"the net: {', '.join(NETS)}")
    seed: int = _setting(1, "seed of everything random", 0, 2**31 - 1)
    hours: float = _setting(1.0, "the planned length of the run", 1e-6, 10_000)
    games: int = _setting(0, "end after so many games; 0 is no limit")
    cycle: int = _setting(400, "games between two rounds of learning", 1, 10**6)
    lockstep: int = _setting(128, "games played at the same time", 1, 10**5)
    sims: str = _setting("4x8,8x24,16x64", "CONSIDEREDxSIMULATIONS a move, in the stages of the run")
    careless: float = _setting(0.0, "share of the moves of a game that are played without a look", 0, 1)
    uses: float = _setting(4.0, "times that each position is learned from", 0.01, 1000)
    batch: int = _setting(256, "positions in a step of learning", 1, 10**5)
    rate: float = _setting(2e-3, "the highest learning rate; a net that begins with weights wants a lower one", 1e-9, 1)
    adaptive: bool = _setting(False, "steer the learning rate by how far policies move", 0, 1)
    evaluator: str = _setting("auto", "what plays: short, native, int8, onnx, torch, or auto for the fastest")
    checkpoint: float = _setting(10.0, "minutes between checkpoints", 0)
    keep: float = _setting(0.0, "minutes between nets that are kept; 0 keeps ten in all")
    yardstick: float = _setting(20.0, "minutes between matches with fixed opponents; 0 plays none")
    yardgames: int = _setting(40, "games of such a match", 2, 10_000)
    follow: str = _setting("", "a run, under way or not, whose games are learned from before own ones are played")
    init: str = _setting("", "a file of weights to begin with; of the other objective without its value head")

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            kinds = (int, float) if isinstance(one.default, float) else (type(one.default),)
            if type(value) not in kinds:
                raise EngineError(f"unacceptable {one.name}: {value!r} is no {kinds[-1].__name__}")
            if not isinstance(value, str) and not one.metadata["low"] <= value <= one.metadata["high"]:
                bounds = f"{one.metadata['low']:g}..{one.metadata['high']:g}"
                raise EngineError(f"unacceptable {one.name}: {value} is not in {bounds}")
        if self.evaluator not in EVALUATORS:
            raise EngineError(f"unknown evaluator '{self.evaluator}': one of {', '.join(EVALUATORS)}")
        read_mix(self.mix).description(self.net)
        self.stages()

    def stages(self) -> list[tuple[int, int]]:
        """Moves considered and simulations, stage by stage."""
        try:
            pairs = [tuple(int(number) for number in stage.split("x")) for stage in self.sims.split(",")]
        except ValueError:
            pairs = [()]
        if any(len(pair) != 2 or not 1 <= pair[0] <= pair[1] for pair in pairs):
            raise EngineError(f"cannot read the sims '{self.sims}': CONSIDEREDxSIMULATIONS, separated by commas")
        return [(pair[0], pair[1]) for pair in pairs]


class Run:
    """An open run directory, which nobody else may open meanwhile."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self.replay, self.kept = folder / REPLAY, folder / "kept"
        self.checkpoint, self.net, self.log = folder / "checkpoint.safetensors", folder / "net", folder / LOG
        self._lock = lock_folder(folder)
        try:
            self.replay.mkdir(exist_ok=True)
            self.kept.mkdir(exist_ok=True)
        except OSError as error:
            raise EngineError(f"run directory '{folder}' cannot be used: {error.strerror}") from None

    def close(self) -> None:
        """Let others open it."""
        os.close(self._lock)

    def append(self, line: Mapping[str, object]) -> None:
        """Add a line to the log."""
        append_line(self.log, line)


def lock_folder(folder: Path) -> int:
    """Lock a run directory until the handle is closed; EngineError when somebody else has it open."""
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise EngineError(f"run directory '{folder}' is in use") from None
    except OSError as error:
        raise EngineError(f"run directory '{folder}' cannot be used: {error.strerror}") from None
    return handle


def append_line(log: Path, line: Mapping[str, object]) -> None:
    """Add a line to a log, after one that a kill cut short on a line of its own; EngineError when the disk is full."""
    try:
        with log.open("ab+") as file:
            length = file.tell()
            file.seek(max(0, length - 1))
            is_cut = file.read(1) not in (b"", b"\n")
            file.write((b"\n" if is_cut else b"") + json.dumps(line).encode() + b"\n")
    except OSError as error:
        raise EngineError(f"cannot write '{log}': {error.strerror}") from None


def open_run(folder: Path, given: Mapping[str, object]) -> Run:
    """Go on with a run, or begin one with the settings given; EngineError, and nothing changed, where both differ."""
    if (folder / "run.toml").is_file():
        before = read_settings(folder)
        settings = replace(before, **_normal(given))
        for name in (*FIXED, "follow"):
            if getattr(settings, name) != getattr(before, name):
                theirs, mine = getattr(before, name), getattr(settings, name)
                raise EngineError(f"run directory '{folder}' has {name} '{theirs}', not '{mine}'")
    else:
        settings = replace(Settings(), **_normal(given))
        before = None
        _refuse_unfit(settings)
        make_folder(folder)
    run = Run(folder, settings)
    if settings != before:
        write_whole(folder / "run.toml", lambda path: path.write_text(_toml(settings), encoding="utf-8"))
    note_plan(folder, changes(settings))
    return run


def changes(settings: Settings) -> dict[str, object]:
    """What differs from the settings that nobody has to say, beside what a run cannot change; its hours always."""
    usual = asdict(Settings())
    said = {name: value for name, value in asdict(settings).items() if value != usual[name] and name not in FIXED}
    return {"hours": settings.hours} | said


def note_plan(folder: Path, plan: Mapping[str, object]) -> None:
    """Add to a run's log what it is asked to do, unless that is what it says already."""
    told = [line["plan"] for line in read_log(folder) if line.get("kind") == "plan"]
    if not told or told[-1] != plan:
        append_line(folder / LOG, {"kind": "plan", "plan": plan})


def read_settings(folder: Path) -> Settings:
    """The settings of a run; EngineError when it is none, or from a version to come."""
    path = folder / "run.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EngineError(f"'{folder}' is no run directory") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EngineError(f"'{path}' cannot be read: {error}") from None
    version, method = table.pop("version", None), table.pop("method", "net")
    if not isinstance(version, int) or version > VERSION:
        raise EngineError(f"run directory '{folder}' has version {version}, this is {VERSION}")
    if method != "net":
        raise EngineError(f"run directory '{folder}' has method '{method}', not 'net'")
    try:
        return Settings(**table)
    except TypeError:
        raise EngineError(f"'{path}' has settings that are unknown or of the wrong type") from None


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run's log; one that a kill cut short is left out."""
    path = folder / LOG
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(f"'{path}' cannot be read: {error}") from None
    return [line for line in map(_parsed, lines) if line is not None]


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        line = json.loads(text)
    except json.JSONDecodeError:
        return None
    return line if isinstance(line, dict) else None


def _normal(given: Mapping[str, object]) -> dict[str, Any]:
    """The settings given, the mix as it is written always."""
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return settings | ({"mix": mix_text(read_mix(settings["mix"]))} if "mix" in settings else {})


def _refuse_unfit(settings: Settings) -> None:
    """Raise EngineError, before anything is made, for weights or games that this net cannot begin with."""
    mix = read_mix(settings.mix)
    if settings.init:
        found = load_checkpoint(Path(settings.init), mix.name).description
        if found.config != settings.net:
            raise EngineError(f"weights '{settings.init}' are of a net '{found.config}', not '{settings.net}'")
    if settings.follow:
        theirs, mine = (each.description(settings.net) for each in (_mix_of(Path(settings.follow)), mix))
        if (theirs.game, theirs.objective) != (mine.game, mine.objective):
            told = f"{theirs.game}, {theirs.objective}, not {mine.game}, {mine.objective}"
            raise EngineError(f"run directory '{settings.follow}' is of {told}")


def _mix_of(folder: Path) -> Mix:
    return read_mix(read_settings(folder).mix)


def make_folder(folder: Path) -> None:
    """Make a run directory; EngineError when there is something else already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = not any(path.name not in (REPLAY, "kept") for path in folder.iterdir())
    except OSError as error:
        raise EngineError(f"run directory '{folder}' cannot be made: {error.strerror}") from None
    if not is_empty:
        raise EngineError(f"'{folder}' is no run directory, and not empty")


def _toml(settings: Settings) -> str:
    lines = [f"version = {VERSION}"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in asdict(settings).items()]
    return "\n".join(lines) + "\n"
