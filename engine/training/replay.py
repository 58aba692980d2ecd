"""The replay: all games on disk, the recent ones in memory, and batches drawn from those."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..errors import EngineError
from ..evaluators.views import goals_of, turned_states
from ..games.symmetry import SYMMETRIES
from ..kernels.encode import encode
from ..kernels.layout import GOMOKU, SIZE
from ..nets.planes import num_planes
from .samples import Samples, join
from .shards import Kind, Part, Shard, States, list_shards, pack, read_shard, unpack, write_shard

POWER, GROWTH, LEAST_ROWS, SCALE = 0.65, 0.4, 10_000, 10_000

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one kind as a net and its losses take them, each seen through a random symmetry."""

    planes: Floats  # [batch, planes, size, size]
    policy: Floats  # [batch, num_moves]
    reply: npt.NDArray[np.int64]  # [batch] -1 where there was none
    outcome: Floats  # [batch]
    value: Floats  # [batch]
    ownership: Floats  # [batch, size, size], or [batch, 0] where the game has none
    score: Floats  # [batch] in boards

    def __len__(self) -> int:
        return len(self.policy)


def window(rows: int) -> int:
    """How many of the last rows are learned from when there are so many in all; it grows slower than they do."""
    if rows <= LEAST_ROWS:
        return LEAST_ROWS
    grown = (rows - LEAST_ROWS + SCALE) ** POWER - SCALE**POWER
    return int(grown / (POWER * SCALE ** (POWER - 1)) * GROWTH) + LEAST_ROWS


class Replay:
    """The games of a run, in its folder; a new one begins empty, and goes on after the last shard otherwise."""

    def __init__(self, folder: Path, game: str, planes: int = 0) -> None:
        """The games in a folder; `planes` is how many a net sees, 0 for all of the game's."""
        self._folder = folder
        self._game = game
        self._planes = planes or num_planes(game)
        self._shards = list_shards(folder)
        self._recent: list[tuple[Shard, list[Part]]] = []
        self._learned: dict[Kind, _Pool] = {}
        self._held_out: dict[Kind, _Pool] = {}
        for shard in reversed(self._shards):
            if self._num_recent_rows() >= window(self.num_rows):
                break
            self._recent.insert(0, (shard, self._checked(shard)))
        self._pool()

    @property
    def num_games(self) -> int:
        """The games on disk."""
        return sum(shard.num_games for shard in self._shards)

    @property
    def num_rows(self) -> int:
        """The rows on disk."""
        return sum(shard.num_rows for shard in self._shards)

    @property
    def last_shard(self) -> int:
        """The number of the last shard; 0 when there is none."""
        return self._shards[-1].number if self._shards else 0

    def rows_after(self, number: int) -> int:
        """The rows of the shards after this one."""
        return sum(shard.num_rows for shard in self._shards if shard.number > number)

    def add(self, games: Sequence[Samples]) -> Shard:
        """Keep a block of finished games, on disk first; each of the samples is one game."""
        parts = pack(games, self.num_games)
        shard = write_shard(self._folder, self.last_shard + 1, parts)
        self._shards.append(shard)
        self._recent.append((shard, parts))
        while self._num_recent_rows() - self._recent[0][0].num_rows >= window(self.num_rows):
            self._recent.pop(0)
        self._pool()
        return shard

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """Rows of one kind, each as likely as it is weighty and was surprising; kinds come by their shares."""
        return _draw(self._learned, count, rng, self._planes)

    def draw_held_out(self, count: int, rng: np.random.Generator) -> Batch | None:
        """The same of the games that nothing is learned from; None while there are none."""
        return _draw(self._held_out, count, rng, self._planes) if self._held_out else None

    def states(self, count: int, rng: np.random.Generator) -> Iterator[States]:
        """Positions of each kind, to calibrate a net by."""
        for pool in self._learned.values():
            rows = pool.choose(count, rng)
            yield turned_states(unpack(pool.samples.states[rows]), np.zeros(len(rows), np.int64))

    def _num_recent_rows(self) -> int:
        return sum(shard.num_rows for shard, _ in self._recent)

    def _checked(self, shard: Shard) -> list[Part]:
        parts = read_shard(shard)
        for part in parts:
            game = "gomoku" if part.kind[0] == GOMOKU else "othello"
            if game != self._game:
                raise EngineError(f"replay shard '{shard.path}' is of {game}, not {self._game}")
        return parts

    def _pool(self) -> None:
        kinds: dict[Kind, list[tuple[Samples, Samples]]] = {}
        for _, parts in self._recent:
            for part in parts:
                kinds.setdefault(part.kind, []).append(part.split())
        pools = {kind: [join(halves) for halves in zip(*split, strict=True)] for kind, split in kinds.items()}
        self._learned = {kind: _Pool(learned) for kind, (learned, _) in pools.items() if len(learned)}
        self._held_out = {kind: _Pool(held_out) for kind, (_, held_out) in pools.items() if len(held_out)}


class _Pool:
    """The rows of one kind in memory, with their chances."""

    def __init__(self, samples: Samples) -> None:
        self.samples = samples
        mean = float(samples.surprise.mean()) or 1.0
        self._chances = np.cumsum(samples.weight * (0.5 + 0.5 * samples.surprise / mean), dtype=np.float64)

    @property
    def share(self) -> float:
        return float(self.samples.weight.sum())

    def choose(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
        places = np.searchsorted(self._chances, rng.random(count) * self._chances[-1], side="right")
        chosen: npt.NDArray[np.intp] = np.minimum(places, len(self.samples) - 1)
        return chosen


def _draw(pools: dict[Kind, _Pool], count: int, rng: np.random.Generator, planes: int) -> Batch:
    kinds = list(pools.values())
    shares = np.array([pool.share for pool in kinds])
    pool = kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]
    rows = pool.choose(count, rng)
    return _batch(pool.samples[rows], rng.integers(len(SYMMETRIES), size=count), planes)


def _batch(samples: Samples, symmetries: npt.NDArray[np.int64], num_planes: int) -> Batch:
    size, kind = int(samples.states[0, SIZE]), int(samples.states[0, 0])
    states = turned_states(unpack(samples.states), symmetries)
    planes = np.empty((len(states), num_planes, size, size), np.float32)
    encode(states, planes)
    goals = goals_of(size)[symmetries, : size * size].astype(np.intp)  # [batch, area]
    ownership = _moved(samples.ownership, goals).reshape(len(states), size, size) if kind != GOMOKU else None
    return Batch(
        planes=planes,
        policy=_moved(samples.policy, goals),
        reply=_turned_moves(samples.reply, goals),
        outcome=samples.outcome.astype(np.float32),
        value=samples.value.astype(np.float32),
        ownership=np.zeros((len(states), 0), np.float32) if ownership is None else ownership,
        score=samples.score.astype(np.float32) / np.float32(size * size),
    )


def _moved(values: npt.NDArray[np.generic], goals: npt.NDArray[np.intp]) -> Floats:
    """What belongs to points goes where they go; a pass stays where it is."""
    moved = values.astype(np.float32)
    np.put_along_axis(moved, goals, values[:, : goals.shape[1]].astype(np.float32), axis=1)
    return moved


def _turned_moves(moves: npt.NDArray[np.int16], goals: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    area = goals.shape[1]
    on_board = (moves >= 0) & (moves < area)
    places = np.where(on_board, moves, 0)
    return np.where(on_board, goals[np.arange(len(moves)), places], moves).astype(np.int64)
