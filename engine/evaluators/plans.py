"""A net's forward pass as a list of kernel calls over memory of their own, planned once and carried out many times."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from ..kernels import maps as kernels
from ..kernels.direct import direct
from ..kernels.products import PADDED, ROWS, connect, packed
from ..kernels.vectors import LANES
from ..kernels.winograd import convolve, room_for, side_of, transformed
from ..kernels.winograd_pairs import convolve_pairs, rooms_for, transformed_pairs
from ..nets.description import Description
from ..nets.forward import POOL_CENTER, POOL_SCALE, forward
from .evaluator import Floats
from .views import Symmetries, goals_of

BLOCKS = 4  # of positions that are computed at a time: their maps stay near
LINE = 64  # bytes of the cache

_ONES = np.ones(LANES, np.float32)

_enter, _combine, _add_to_channels, _pool, _flatten, _connect, _convolve, _convolve_pairs, _leave, _leave_moves = (
    direct(kernel)
    for kernel in (
        kernels.enter_planes,
        kernels.combine,
        kernels.add_to_channels,
        kernels.pool,
        kernels.flatten,
        connect,
        convolve,
        convolve_pairs,
        kernels.leave_vectors,
        kernels.leave_moves,
    )
)


@dataclass(frozen=True, slots=True)
class Layer:
    """Weights laid out for a kernel."""

    weights: Floats
    biases: Floats  # filled up with zeros
    kernel: int  # 3 or 1, 0 for a fully connected layer
    inputs: int
    outputs: int
    pairs: tuple[np.ndarray, Floats] | None = None  # the weights in sixteen bits, and their rows' factors


def lay_out(weights: Mapping[str, Floats], *, short: bool) -> dict[str, Layer]:
    """A net's layers; where it may be short, convolutions have weights in sixteen bits, too."""
    names = [name.removesuffix(".weight") for name in weights if name.endswith(".weight")]
    return {name: _layer(weights[f"{name}.weight"], weights[f"{name}.bias"], short=short) for name in names}


class Room:
    """Memory to work on for one board size, and the plans that use it; for one thread at a time."""

    def __init__(self, layers: Mapping[str, Layer], description: Description, size: int) -> None:
        self.size = size
        self.side = int(side_of(size))
        self._layers = layers
        self._description = description
        self.goals = goals_of(size)
        rows, columns = np.divmod(self.goals[:, : size * size], size)
        self.places = ((rows + 1) * self.side + columns + 1).astype(np.int16)  # where on a map a point goes
        self._arrays: dict[tuple[str, int], Floats] = {}
        self._plans: dict[int, Plan] = {}

    def evaluate(self, planes: Floats, symmetries: Symmetries) -> tuple[Floats, Floats]:
        """The logits and the WDL logits of a few positions, seen through symmetries; KeyError if a layer is missing."""
        blocks = -(-len(planes) // LANES)
        if blocks not in self._plans:
            self._plans[blocks] = Plan(self, self._layers, self._description, blocks)
        return self._plans[blocks].carry_out(planes, symmetries)

    def maps(self, name: str, channels: int) -> Floats:
        """Maps of a name, [BLOCKS, channels, side, side, LANES], zeros around the board that nobody overwrites."""
        shape = (BLOCKS, channels, self.side, self.side, LANES)
        return self.array(name, math.prod(shape)).reshape(shape)

    def array(self, name: str, count: int) -> Floats:
        """Numbers of a name that are kept from one time to the next, zeros at first."""
        key = (name, count)
        if key not in self._arrays:
            self._arrays[key] = _aligned(count)
        return self._arrays[key]


class Plan:
    """What is done for so many blocks of positions."""

    def __init__(self, room: Room, layers: Mapping[str, Layer], description: Description, blocks: int) -> None:
        planner = _Planner(room, layers, blocks)
        self._room = room
        maps = room.maps("planes", description.num_planes)
        self._inputs = maps.reshape(*maps.shape[:2], -1, LANES)
        logits, wdl = forward(planner, description, _Maps(maps, description.num_planes))
        self._steps = planner.steps
        self._outputs = [planner.parts(each) for each in (logits, wdl)]

    def carry_out(self, planes: Floats, symmetries: Symmetries) -> tuple[Floats, Floats]:
        """The logits and the WDL logits."""
        _enter(planes.reshape(*planes.shape[:2], -1), symmetries, self._room.places, self._inputs)
        for kernel, arguments in self._steps:
            kernel(*arguments)
        moves, others = self._outputs
        logits, wdl = _empty(moves, len(planes)), _empty(others, len(planes))
        _leave_moves(moves[0].array, symmetries, self._room.goals, logits, moves[0].width)
        _leave_parts(moves[1:], logits, moves[0].width)
        _leave_parts(others, wdl, 0)
        return logits, wdl


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


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Vectors [BLOCKS, rows, LANES] of which `width` rows count; of active ones, what is positive is meant."""

    array: Floats
    width: int
    is_active: bool = False
    others: tuple[_Vectors, ...] = field(default=())  # that stand beside them


_Value: TypeAlias = _Maps | _Pending | _Vectors
_Step: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]


class _Planner:
    """The operations of a forward pass, written down."""

    def __init__(self, room: Room, layers: Mapping[str, Layer], blocks: int) -> None:
        self.steps: list[_Step] = []
        self._room = room
        self._layers = layers
        self._blocks = blocks

    def parts(self, value: _Value) -> list[_Vectors]:
        """What an output consists of."""
        vectors = _as_vectors(value)
        return [vectors, *vectors.others]

    def conv(self, name: str, maps: _Value) -> _Value:
        done, layer = self._done(maps), self._layers[name]
        return _Pending(name, done) if layer.kernel == 3 else self._combined(name, layer, done)

    def linear(self, name: str, vectors: _Value) -> _Value:
        given, layer = _as_vectors(vectors), self._layers[name]
        rows = len(layer.biases)
        to = self._vectors(name, rows)
        width = given.array.shape[1]
        what = (layer.weights, layer.biases, _flat(given.array), given.is_active, _flat(to))
        self._plan(_connect, *what, self._blocks, layer.inputs, width, rows)
        return _Vectors(to, layer.outputs)

    def relu(self, values: _Value) -> _Value:
        return replace(values if isinstance(values, _Vectors) else self._done(values), is_active=True)

    def add(self, maps: _Value, others: _Value) -> _Value:
        assert isinstance(others, _Pending)
        return self._convolved(others, onto=self._done(maps))

    def add_to_channels(self, maps: _Value, vectors: _Value) -> _Value:
        done, given = self._done(maps), _as_vectors(vectors)
        planes = self._blocks * done.channels
        self._plan(_add_to_channels, _flat(done.array), _flat(given.array), planes, self._room.size)
        return done

    def pooled(self, maps: _Value) -> _Value:
        done = self._done(maps)
        assert done.is_active
        to = self._vectors(f"pooled {len(self.steps)}", 3 * done.channels)
        scale = (self._room.size - POOL_CENTER) / POOL_SCALE
        self._plan(_pool, _flat(done.array), _flat(to), self._blocks, done.channels, self._room.size, scale)
        return _Vectors(to, 3 * done.channels)

    def flat(self, maps: _Value) -> _Value:
        done, size = self._done(maps), self._room.size
        to = self._vectors(f"flat {len(self.steps)}", done.channels * size * size)
        self._plan(_flatten, done.array, to, self._blocks, done.channels, size)
        return _Vectors(to, done.channels * size * size, done.is_active)

    def join(self, vectors: _Value, others: _Value) -> _Value:
        return replace(_as_vectors(vectors), others=(_as_vectors(others),))

    def _plan(self, kernel: Callable[..., Any], *arguments: Any) -> None:
        self.steps.append((kernel, arguments))

    def _vectors(self, name: str, rows: int) -> Floats:
        return self._room.array(name, BLOCKS * rows * LANES).reshape(BLOCKS, rows, LANES)

    def _done(self, value: _Value) -> _Maps:
        """Maps that are there."""
        assert not isinstance(value, _Vectors)
        if isinstance(value, _Maps):
            return value
        if value.done is None:
            value.done = self._convolved(value)
        return value.done

    def _convolved(self, pending: _Pending, onto: _Maps | None = None) -> _Maps:
        layer, maps, size = self._layers[pending.name], pending.maps, self._room.size
        to = self._room.maps(pending.name.rpartition(".")[2], layer.outputs) if onto is None else onto.array
        results, shape = (layer.biases, _flat(to), onto is not None), (self._blocks, size, layer.inputs, layer.outputs)
        if layer.pairs and maps.is_active:
            pairs, numbers = rooms_for(self._room.side, layer.inputs)
            rooms = (self._room.array("pairs", pairs).view(np.int32), self._room.array("room", numbers))
            self._plan(_convolve_pairs, _flat(maps.array), *layer.pairs, *results, *rooms, *shape)
        else:
            room = self._room.array("room", room_for(self._room.side, layer.inputs))
            self._plan(_convolve, _flat(maps.array), maps.is_active, layer.weights, _ONES, *results, room, *shape)
        return _Maps(to, layer.outputs)

    def _combined(self, name: str, layer: Layer, maps: _Maps) -> _Maps:
        assert maps.is_active
        rows = -(-layer.outputs // ROWS) * ROWS
        to = self._room.maps(name, rows)
        what = (_flat(maps.array), layer.weights, layer.biases, _flat(to))
        self._plan(_combine, *what, self._blocks, self._room.size, layer.inputs, rows)
        return _Maps(to, layer.outputs)


def _as_vectors(value: _Value) -> _Vectors:
    assert isinstance(value, _Vectors)
    return value


def _empty(parts: list[_Vectors], count: int) -> Floats:
    return np.empty((count, sum(part.width for part in parts)), np.float32)


def _leave_parts(parts: list[_Vectors], answers: Floats, start: int) -> None:
    """Write vectors side by side into an array [positions, numbers]."""
    for part in parts:
        _leave(part.array, answers, start, part.width)
        start += part.width


def _layer(weight: Floats, biases: Floats, *, short: bool) -> Layer:
    outputs, inputs = weight.shape[:2]
    kernel = weight.shape[2] if weight.ndim == 4 else 0
    laid = transformed(weight) if kernel == 3 else packed(weight.reshape(outputs, inputs))
    filled = np.zeros(-(-outputs // PADDED) * PADDED, np.float32)
    filled[:outputs] = biases
    pairs = transformed_pairs(weight) if short and kernel == 3 and inputs % 2 == 0 else None
    return Layer(laid, filled, kernel, inputs, outputs, pairs)


def _flat(array: Floats) -> Floats:
    return array.reshape(-1)


def _aligned(count: int) -> Floats:
    """Zeros that begin with a line of the cache."""
    raw = np.zeros(4 * count + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + 4 * count].view(np.float32)
