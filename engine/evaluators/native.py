"""Nets by this project's own kernels: convolutions with a quarter of the products, eight positions side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np

from ..errors import EngineError
from ..kernels import maps as kernels
from ..kernels.direct import direct
from ..kernels.products import PADDED, connect, packed
from ..kernels.vectors import LANES
from ..kernels.winograd import convolve, room_for, side_of, transformed
from ..nets.checkpoint import Checkpoint, load_checkpoint
from ..nets.forward import POOL_CENTER, POOL_SCALE, forward
from .evaluator import Evaluation, Floats, States, evaluation_of
from .inputs import draw_planes, refuse_device

BLOCKS = 4  # of positions that are computed at a time: their maps stay near
LINE = 64  # bytes of the cache

_enter, _combine, _add_to_channels, _pool, _connect, _convolve = (
    direct(kernel)
    for kernel in (kernels.enter_planes, kernels.combine, kernels.add_to_channels, kernels.pool, connect, convolve)
)


class NativeEvaluator:
    """A net in single precision; every call computes on the caller's thread unless it was given more."""

    def __init__(self, checkpoint: Checkpoint, threads: int = 1) -> None:
        self.description = checkpoint.description
        self._layers = _layers(checkpoint.weights)
        self._rooms: dict[int, list[_Room]] = {}  # that nobody uses, by board size
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(threads - 1, "native") if threads > 1 else None

    @classmethod
    def load(
        cls, path: Path, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1
    ) -> NativeEvaluator:
        """The net in a `.safetensors` file; EngineError when it does not fit."""
        refuse_device("native", device)
        return cls(load_checkpoint(path, game, sha256), threads)

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        planes = draw_planes(self.description, states)
        parts = [planes[start : start + BLOCKS * LANES] for start in range(0, len(planes), BLOCKS * LANES)]
        others = [self._pool.submit(self._forward, part) for part in parts[1:]] if self._pool else []
        answers = [self._forward(part) for part in (parts[:1] if self._pool else parts)]
        answers += [other.result() for other in others]
        logits, wdl = (np.concatenate(each) for each in zip(*answers, strict=True))
        return evaluation_of(logits, wdl)

    def _forward(self, planes: Floats) -> tuple[Floats, Floats]:
        """The logits and the WDL logits of a few blocks."""
        count, _, size, _ = planes.shape
        room = self._borrow(size)
        run = _Run(self._layers, room, -(-count // LANES))
        try:
            answers = forward(run, self.description, run.enter(planes))
        except KeyError as error:
            raise EngineError(f"the weights have no layer {error}") from None
        logits, wdl = (run.leave(answer, count) for answer in answers)
        with self._lock:
            self._rooms[size].append(room)
        return logits, wdl

    def _borrow(self, size: int) -> _Room:
        with self._lock:
            free = self._rooms.setdefault(size, [])
            return free.pop() if free else _Room(size)


@dataclass(frozen=True, slots=True)
class _Layer:
    """Weights laid out for a kernel."""

    weights: Floats
    biases: Floats
    kernel: int  # 3 or 1, 0 for a fully connected layer
    inputs: int


class _Room:
    """Memory to work on for one board size; maps have zeros around the board, which nobody overwrites."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.side = int(side_of(size))
        self._arrays: dict[tuple[str, int], Floats] = {}

    def maps(self, name: str, channels: int) -> Floats:
        """Maps of a name, [BLOCKS, channels, side, side, LANES]."""
        shape = (BLOCKS, channels, self.side, self.side, LANES)
        return self.array(name, math.prod(shape)).reshape(shape)

    def array(self, name: str, count: int) -> Floats:
        """Numbers of a name that are kept from one time to the next, zeros at first."""
        key = (name, count)
        if key not in self._arrays:
            self._arrays[key] = _aligned(count)
        return self._arrays[key]


@dataclass(frozen=True, slots=True)
class _Maps:
    """Maps of some channels; of active ones, what is positive is meant."""

    array: Floats
    channels: int
    is_active: bool = False


@dataclass(slots=True)
class _Pending:
    """A convolution of 3x3 that is put off: it may be added to other maps in one go."""

    name: str
    maps: _Maps
    done: _Maps | None = None


_Value: TypeAlias = _Maps | _Pending | Floats  # vectors are [blocks, numbers, LANES]


class _Run:
    """The operations of one forward pass."""

    def __init__(self, layers: Mapping[str, _Layer], room: _Room, blocks: int) -> None:
        self._layers = layers
        self._room = room
        self._blocks = blocks

    def enter(self, planes: Floats) -> _Maps:
        """The planes of positions as maps."""
        channels = planes.shape[1]
        array = self._room.maps("planes", channels)
        _enter(planes, array)
        return _Maps(array, channels)

    def leave(self, vectors: _Value, count: int) -> Floats:
        """Vectors as an array [count, numbers]."""
        assert isinstance(vectors, np.ndarray)
        return np.ascontiguousarray(vectors.transpose(0, 2, 1).reshape(-1, vectors.shape[1])[:count])

    def conv(self, name: str, maps: _Value) -> _Value:
        done = self._done(maps)
        layer = self._layers[name]
        return _Pending(name, done) if layer.kernel == 3 else self._combined(name, layer, done)

    def linear(self, name: str, vectors: _Value) -> _Value:
        assert isinstance(vectors, np.ndarray)
        layer = self._layers[name]
        rows = _padded(len(layer.biases))
        results = np.empty((self._blocks, rows, LANES), np.float32)
        _connect(layer.weights, _flat(vectors), _flat(results), self._blocks, layer.inputs, rows)
        return np.ascontiguousarray(results[:, : len(layer.biases)]) + layer.biases[:, None]

    def relu(self, values: _Value) -> _Value:
        if isinstance(values, np.ndarray):
            return np.maximum(values, 0)
        done = self._done(values)
        return _Maps(done.array, done.channels, is_active=True)

    def add(self, maps: _Value, others: _Value) -> _Value:
        assert isinstance(others, _Pending)
        return self._convolved(others, onto=self._done(maps))

    def add_to_channels(self, maps: _Value, vectors: _Value) -> _Value:
        assert isinstance(vectors, np.ndarray)
        done = self._done(maps)
        _add_to_channels(_flat(done.array), _flat(vectors), self._blocks * done.channels, self._room.size)
        return done

    def pooled(self, maps: _Value) -> _Value:
        done = self._done(maps)
        assert done.is_active
        vectors = np.empty((self._blocks, 3 * done.channels, LANES), np.float32)
        scale = (self._room.size - POOL_CENTER) / POOL_SCALE
        _pool(_flat(done.array), _flat(vectors), self._blocks, done.channels, self._room.size, scale)
        return vectors

    def flat(self, maps: _Value) -> _Value:
        done, size = self._done(maps), self._room.size
        boards = done.array[: self._blocks, : done.channels, 1 : size + 1, 1 : size + 1]
        vectors = boards.reshape(self._blocks, -1, LANES)
        return np.maximum(vectors, 0) if done.is_active else vectors

    def join(self, vectors: _Value, others: _Value) -> _Value:
        assert isinstance(vectors, np.ndarray)
        assert isinstance(others, np.ndarray)
        return np.concatenate([vectors, others], axis=1)

    def _done(self, value: _Value) -> _Maps:
        """Maps that are there."""
        assert not isinstance(value, np.ndarray)
        if isinstance(value, _Maps):
            return value
        if value.done is None:
            value.done = self._convolved(value)
        return value.done

    def _convolved(self, pending: _Pending, onto: _Maps | None = None) -> _Maps:
        layer, maps, size = self._layers[pending.name], pending.maps, self._room.size
        outputs = len(layer.biases)
        to = self._room.maps(pending.name.rpartition(".")[2], outputs) if onto is None else onto.array
        room = self._room.array("room", room_for(self._room.side, layer.inputs))
        how = (self._blocks, size, layer.inputs, outputs)
        _convolve(
            _flat(maps.array), maps.is_active, layer.weights, layer.biases, _flat(to), onto is not None, room, *how
        )
        return _Maps(to, outputs)

    def _combined(self, name: str, layer: _Layer, maps: _Maps) -> _Maps:
        assert maps.is_active
        size, outputs = self._room.size, len(layer.biases)
        rows = _padded(outputs)
        to = self._room.maps(name, rows)
        _combine(_flat(maps.array), layer.weights, _flat(to), self._blocks, size, layer.inputs, rows)
        biases = np.zeros((self._blocks, rows, LANES), np.float32)
        biases[:, :outputs] = layer.biases[:, None]
        _add_to_channels(_flat(to), _flat(biases), self._blocks * rows, size)
        return _Maps(to, outputs)


def _layers(weights: Mapping[str, Floats]) -> dict[str, _Layer]:
    names = [name.removesuffix(".weight") for name in weights if name.endswith(".weight")]
    return {name: _layer(weights[f"{name}.weight"], weights[f"{name}.bias"]) for name in names}


def _layer(weight: Floats, biases: Floats) -> _Layer:
    outputs, inputs = weight.shape[:2]
    kernel = weight.shape[2] if weight.ndim == 4 else 0
    laid = transformed(weight) if kernel == 3 else packed(weight.reshape(outputs, inputs))
    return _Layer(laid, np.ascontiguousarray(biases), kernel, inputs)


def _flat(array: Floats) -> Floats:
    return np.ascontiguousarray(array).reshape(-1)


def _padded(rows: int) -> int:
    return -(-rows // PADDED) * PADDED


def _aligned(count: int) -> Floats:
    """Zeros that begin with a line of the cache."""
    raw = np.zeros(4 * count + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + 4 * count].view(np.float32)
