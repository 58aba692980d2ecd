"""A run whose whole state is one file: arrays and numbers, written whole or not at all.

run.toml             the method and what the run cannot change on its way
state.safetensors    all that is needed to go on
log.jsonl            a line for each plan, each report and each match
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from ..errors import EngineError
from ..nets.tensors import save_tensors
from .files import write_whole
from .run import LOG, append_line, lock_folder, make_folder, note_plan

VERSION = 1  # of the directory and of its state; those from a version to come are refused

Arrays = dict[str, npt.NDArray[Any]]
Numbers = dict[str, float]


class SmallRun:
    """An open run directory, which nobody else may open meanwhile."""

    def __init__(
        self, folder: Path, method: str, fixed: Mapping[str, str | int], plan: Mapping[str, object] | None = None
    ) -> None:
        """Go on with a run, or begin one; EngineError, and nothing changed, when it is of another kind.

        A plan, which may change on the way, is noted in the log.
        """
        self.folder, self.state, self.log = folder, folder / "state.safetensors", folder / LOG
        wanted = {"method": method, **fixed}
        is_new = not (folder / "run.toml").is_file()
        if is_new:
            make_folder(folder)
        else:
            _refuse_other(folder, wanted)
        self._lock = lock_folder(folder)
        if is_new:
            lines = [f"{name} = {json.dumps(value)}" for name, value in {"version": VERSION, **wanted}.items()]
            write_whole(folder / "run.toml", lambda path: path.write_text("\n".join(lines) + "\n", encoding="utf-8"))
        if plan is not None:
            note_plan(folder, plan)

    def close(self) -> None:
        """Let others open it."""
        os.close(self._lock)

    def append(self, line: Mapping[str, object]) -> None:
        """Add a line to the log."""
        append_line(self.log, line)

    def load(self) -> tuple[Arrays, Numbers] | None:
        """The state, None where there is none yet; EngineError when it is damaged or from a version to come."""
        if not self.state.exists():
            return None
        try:
            with safe_open(self.state, "np") as file:
                texts = file.metadata() or {}
                arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, no dict
            version, numbers = int(texts["version"]), json.loads(texts["numbers"])
        except (SafetensorError, KeyError, ValueError):
            raise EngineError(f"state '{self.state}' is damaged") from None
        except OSError as error:
            raise EngineError(f"state '{self.state}' cannot be read: {error.strerror or error}") from None
        if version > VERSION:
            raise EngineError(f"state '{self.state}' has version {version}, this is {VERSION}")
        return arrays, numbers

    def resume(self, numbers: Numbers, take: Callable[[Arrays], None]) -> Numbers:
        """Have the state's arrays taken, and return its numbers instead of these; where there is none yet, these."""
        found = self.load()
        if found is None:
            return numbers
        arrays, kept = found
        try:
            take(arrays)
            return {name: float(kept[name]) for name in numbers}
        except (KeyError, RuntimeError, ValueError):
            raise EngineError(f"state '{self.state}' is damaged") from None

    def save(self, arrays: Arrays, numbers: Numbers) -> None:
        """Write the state; EngineError, and the last one stays, when the disk does not take it."""
        texts = {"version": str(VERSION), "numbers": json.dumps(numbers)}
        write_whole(self.state, lambda partial: save_tensors(partial, arrays, texts))


def read_kind(folder: Path) -> dict[str, Any]:
    """What run.toml says; EngineError when the directory is no run's, or from a version to come."""
    path = folder / "run.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EngineError(f"'{folder}' is no run directory") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EngineError(f"'{path}' cannot be read: {error}") from None
    version = table.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise EngineError(f"run directory '{folder}' has version {version}, this is {VERSION}")
    return {"method": "net"} | table


def _refuse_other(folder: Path, wanted: Mapping[str, str | int]) -> None:
    found = read_kind(folder)
    for name, value in wanted.items():
        if found.get(name) != value:
            raise EngineError(f"run directory '{folder}' has {name} '{found.get(name)}', not '{value}'")
    for name in found.keys() - wanted.keys() - {"version"}:
        raise EngineError(f"run directory '{folder}' has {name} '{found[name]}', which was not asked for")
