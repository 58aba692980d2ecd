"""The forward pass of every net in terms of a few operations, whoever carries them out.

The numpy evaluator computes with them, the export writes them down as a graph; the torch modules, which also learn,
are held to the same answers by a test.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from . import planes
from .description import Classic, Description, Residual

T = TypeVar("T")

POOL_CENTER, POOL_SCALE = 11.0, 10.0  # pooled means are also given scaled by (size - center) / scale


class Operations(Protocol[T]):
    """What a net is made of; `name` is the layer whose weights are meant."""

    def conv(self, name: str, maps: T) -> T:
        """A convolution that keeps the board's size, with its bias."""

    def linear(self, name: str, vectors: T) -> T:
        """A fully connected layer."""

    def relu(self, values: T) -> T:
        """Negative values become zero."""

    def add(self, maps: T, others: T) -> T:
        """The sum of maps."""

    def add_to_channels(self, maps: T, vectors: T) -> T:
        """Maps with a number added to each channel."""

    def pooled(self, maps: T) -> T:
        """Vectors of each channel's mean, mean scaled by the board's size, and maximum."""

    def flat(self, maps: T) -> T:
        """Maps as vectors."""

    def join(self, vectors: T, others: T) -> T:
        """Vectors side by side."""


def forward(operations: Operations[T], description: Description, inputs: T) -> tuple[T, T]:
    """The logits of the moves, and of win, draw and loss."""
    shape = description.shape
    if isinstance(shape, Classic):
        return _classic(operations, inputs)
    return _residual(operations, shape, inputs, has_pass=planes.has_pass(description.game))


def _residual(do: Operations[T], shape: Residual, inputs: T, *, has_pass: bool) -> tuple[T, T]:
    trunk = do.conv("stem", inputs)
    for block in range(shape.blocks):
        trunk = do.add(trunk, _block(do, f"blocks.{block}", do.relu(trunk), looks_around=block in shape.pooled))
    neck = do.conv("neck", do.relu(trunk))
    pooled = do.pooled(do.relu(neck))
    maps = do.relu(do.add_to_channels(neck, do.linear("policy_bias", pooled)))
    logits = do.flat(do.conv("policy", maps))
    if has_pass:
        logits = do.join(logits, do.linear("policy_pass", pooled))
    return logits, do.linear("wdl", do.relu(do.linear("hidden", pooled)))


def _block(do: Operations[T], name: str, active: T, *, looks_around: bool) -> T:
    maps = do.conv(f"{name}.first", active)
    if looks_around:
        maps = do.add_to_channels(maps, do.linear(f"{name}.around", do.pooled(active)))
    return do.conv(f"{name}.second", do.relu(maps))


def _classic(do: Operations[T], inputs: T) -> tuple[T, T]:
    maps = inputs
    for name in ("first", "second", "third"):
        maps = do.relu(do.conv(name, maps))
    logits = do.linear("policy", do.flat(do.relu(do.conv("policy_maps", maps))))
    hidden = do.relu(do.linear("hidden", do.flat(do.relu(do.conv("value_maps", maps)))))
    return logits, do.linear("wdl", hidden)
