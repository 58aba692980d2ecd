"""Finished games on disk: a shard is one file with the samples of a block of games, checked when it is read.

A shard's name says its number, its games and its rows, so that the folder is its own index. States are packed: of
Gomoku's lines only the rows are kept, the others follow from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import EngineError
from ..kernels.layout import (
    BLACK_DISCS,
    GOMOKU,
    IN_A_ROW,
    KIND,
    NUM_LINES,
    OBJECTIVE,
    ROWS,
    RULE,
    SIZE,
    STATE,
    STATE_WORDS,
    STONES,
)
from .files import DAMAGE, write_whole
from .samples import Samples, join

VERSION = 1
HELD_OUT = 20  # one game in so many is never learned from

States: TypeAlias = npt.NDArray[np.uint64]
Kind: TypeAlias = tuple[int, ...]  # game, size, rule, row and objective, as states have them

_NAME = re.compile(r"(\d{6})-(\d+)-(\d+)\.npz")
_KIND = [KIND, SIZE, RULE, IN_A_ROW, OBJECTIVE]
_FIELDS = [field.name for field in fields(Samples)]


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one kind in a shard, their states packed, and the number of the game that each came from."""

    samples: Samples
    games: npt.NDArray[np.int64]  # [rows] counted through the run

    @property
    def kind(self) -> Kind:
        """The game the rows are of."""
        return kind_of(self.samples.states)

    def split(self) -> tuple[Samples, Samples]:
        """The rows to learn from, and those held out."""
        held_out = self.games % HELD_OUT == HELD_OUT - 1
        return self.samples[~held_out], self.samples[held_out]


@dataclass(frozen=True, slots=True)
class Shard:
    """A file that stands in the folder."""

    path: Path
    number: int
    num_games: int
    num_rows: int


def list_shards(folder: Path) -> list[Shard]:
    """The shards of a folder, oldest first."""
    found = ((path, _NAME.fullmatch(path.name)) for path in sorted(folder.iterdir()))
    return [Shard(path, *(int(digits) for digits in name.groups())) for path, name in found if name]


def num_games(folder: Path) -> int:
    """The games in a folder."""
    return sum(shard.num_games for shard in list_shards(folder))


def pack(games: Sequence[Samples], first: int) -> list[Part]:
    """Whole games, the first of which has this number, sorted by their kinds."""
    kinds: dict[Kind, list[tuple[Samples, npt.NDArray[np.int64]]]] = {}
    for number, samples in enumerate(games, start=first):
        numbers = np.full(len(samples), number, np.int64)
        kinds.setdefault(kind_of(samples.states), []).append((samples, numbers))
    joined = (zip(*games_of_kind, strict=True) for games_of_kind in kinds.values())
    return [Part(_packed(join(samples)), np.concatenate(numbers)) for samples, numbers in joined]


def write_shard(folder: Path, number: int, parts: Sequence[Part]) -> Shard:
    """Write a new shard; EngineError when the disk does not take it."""
    num_games = len(np.unique(np.concatenate([part.games for part in parts])))
    num_rows = sum(len(part.games) for part in parts)
    path = folder / f"{number:06}-{num_games}-{num_rows}.npz"
    arrays: dict[str, npt.NDArray[np.generic]] = {"version": np.array(VERSION)}
    for place, part in enumerate(parts):
        arrays[f"{place}.games"] = part.games
        arrays |= {f"{place}.{name}": getattr(part.samples, name) for name in _FIELDS}

    def write(partial: Path) -> None:
        with partial.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)

    write_whole(path, write)
    return Shard(path, number, num_games, num_rows)


def read_shard(shard: Shard) -> list[Part]:
    """The parts of a shard; EngineError when it is damaged, or from a version to come."""
    try:
        with shard.path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            version = int(arrays["version"])
            if version > VERSION:
                raise EngineError(f"replay shard '{shard.path}' has version {version}, this is {VERSION}")
            places = sum(name.endswith(".games") for name in arrays)
            parts = [_part(arrays, place) for place in range(places)]
    except DAMAGE:
        raise EngineError(f"replay shard '{shard.path}' is damaged; move it away to go on without it") from None
    except OSError as error:
        raise EngineError(f"replay shard '{shard.path}' cannot be read: {error.strerror or error}") from None
    if sum(len(part.games) for part in parts) != shard.num_rows:
        raise EngineError(f"replay shard '{shard.path}' does not hold what its name says")
    return parts


def kind_of(states: States) -> Kind:
    """The kind of some rows, which is that of the first."""
    return tuple(int(word) for word in states[0, _KIND])


def unpack(packed: States) -> States:
    """States of which only the rows are filled; turning them fills the rest."""
    states = np.zeros((len(packed), STATE_WORDS), STATE)
    states[:, _words(packed)] = packed
    return states


def _packed(samples: Samples) -> Samples:
    values = {name: getattr(samples, name) for name in _FIELDS}
    return Samples(**values | {"states": np.ascontiguousarray(samples.states[:, _words(samples.states)])})


def _words(states: States) -> list[int]:
    """The words that are kept; a packed state's header tells as well as a full one's."""
    header = list(range(STONES))
    if int(states[0, KIND]) != GOMOKU:
        return [*header, BLACK_DISCS, BLACK_DISCS + 1]
    rows = [ROWS + row for row in range(int(states[0, SIZE]))]
    return header + [STONES + row for row in rows] + [STONES + NUM_LINES + row for row in rows]


def _part(arrays: np.lib.npyio.NpzFile, place: int) -> Part:
    return Part(Samples(*(arrays[f"{place}.{name}"] for name in _FIELDS)), arrays[f"{place}.games"])
