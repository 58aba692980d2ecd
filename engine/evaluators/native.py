"""Nets by this project's own kernels: convolutions with a quarter of the products, positions side by side."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Self, TypeAlias

import numpy as np

from ..errors import EngineError
from ..kernels.vectors import LANES
from ..nets.checkpoint import Checkpoint, load_checkpoint
from .evaluator import Evaluation, Floats, States, evaluation_of
from .inputs import draw_planes, refuse_device
from .plans import BLOCKS, Room, lay_out
from .views import Symmetries

_Chunk: TypeAlias = tuple[Floats, Symmetries]


class NativeEvaluator:
    """A net in single precision; every call computes on the caller's thread unless it was given more."""

    name, _is_short = "native", False

    def __init__(self, checkpoint: Checkpoint, threads: int = 1) -> None:
        self.description = checkpoint.description
        self._layers = lay_out(checkpoint.weights, short=self._is_short)
        self._free: dict[int, list[Room]] = {}  # rooms that nobody uses, by board size
        self._lock = Lock()
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads - 1, "native") if threads > 1 else None

    @classmethod
    def load(cls, path: Path, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1) -> Self:
        """The net in a `.safetensors` file; EngineError when it does not fit."""
        refuse_device(cls.name, device)
        return cls(load_checkpoint(path, game, sha256), threads)

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        return self.evaluate_through(states, np.zeros(len(states), np.int64))

    def evaluate_through(self, states: States, symmetries: Symmetries) -> Evaluation:
        """The evaluation of a batch, each position seen through its symmetry."""
        planes = draw_planes(self.description, states)
        answers = self._compute_all(self._chunks(planes, symmetries))
        if len(answers) == 1:
            return evaluation_of(*answers[0])
        logits, wdl = (np.concatenate(parts) for parts in zip(*answers, strict=True))
        return evaluation_of(logits, wdl)

    def _chunks(self, planes: Floats, symmetries: Symmetries) -> list[_Chunk]:
        """Some blocks each, as even as it goes where threads share them."""
        blocks = -(-len(planes) // LANES)
        length = LANES * min(BLOCKS, -(-blocks // self._threads))
        parts = (slice(start, start + length) for start in range(0, len(planes), length))
        return [(planes[part], symmetries[part]) for part in parts]

    def _compute_all(self, chunks: list[_Chunk]) -> list[tuple[Floats, Floats]]:
        """Those of every chunk: the first one here, the others by threads where there are some."""
        if self._pool is None or len(chunks) == 1:
            return [self._compute(*chunk) for chunk in chunks]
        others = [self._pool.submit(self._compute, *chunk) for chunk in chunks[1:]]
        return [self._compute(*chunks[0]), *(other.result() for other in others)]

    def _compute(self, planes: Floats, symmetries: Symmetries) -> tuple[Floats, Floats]:
        """The logits and the WDL logits of a chunk."""
        room = self._borrow(planes.shape[2])
        try:
            return room.evaluate(planes, symmetries)
        except KeyError as error:
            raise EngineError(f"the weights have no layer {error}") from None
        finally:
            with self._lock:
                self._free[room.size].append(room)

    def _borrow(self, size: int) -> Room:
        with self._lock:
            free = self._free.setdefault(size, [])
            return free.pop() if free else Room(self._layers, self.description, size)


class ShortEvaluator(NativeEvaluator):
    """A net with the products of its convolutions in sixteen bits, which is quicker where a processor has AVX2."""

    name, _is_short = "short", True
