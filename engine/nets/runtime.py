"""A net at work in torch, on the CPU or a GPU: buffers that are kept, and graphs where CUDA has them.

A batch is begun and collected apart, so that a caller may prepare the next one meanwhile: as many buffers are made as
batches are in flight, and kept where batches have fixed sizes. On CUDA inputs and outputs lie in pinned memory, batches
are filled up to fixed sizes and the net is captured as a graph for each of them when a board is first seen, larger ones
are plain calls; elsewhere all of them are. What only CUDA does (pinning, capturing, events) has not been measured, and
neither has MPS.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch  # noqa: TID253, torch is at home here
from torch import Tensor  # noqa: TID253, torch is at home here

from ..errors import EngineError
from .build import load_net
from .checkpoint import Checkpoint

DEVICES = ("auto", "cpu", "cuda", "mps")
PRECISIONS = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
GRAPH_SIZES = (8, 32, 64, 128, 256)  # positions, on CUDA: a search takes up to 64, many of them 256 together
IN_FLIGHT = 2  # batches of a size whose buffers are made at once
WARMING_RUNS = 3
NO_MEMORY = ("out of memory", "can't allocate memory")  # what torch says of MPS and of the processor

Array = npt.NDArray[np.float32]


def choose_device(name: str) -> torch.device:
    """The device of this name, the fastest one for `auto`; EngineError when there is none."""
    if name not in DEVICES:
        raise EngineError(f"unknown device '{name}': one of {', '.join(DEVICES)}")
    present = [
        *(["cuda"] if torch.cuda.is_available() else []),
        *(["mps"] if torch.backends.mps.is_available() else []),
    ]
    present.append("cpu")
    if name == "auto":
        return torch.device(present[0])
    if name not in present:
        raise EngineError(f"there is no device '{name}' here: one of {', '.join(present)}")
    return torch.device(name)


@dataclass(slots=True, eq=False)
class Slot:
    """The buffers of one batch: write `inputs`, begin, collect."""

    key: tuple[int, int]  # positions it has room for, board size
    host: Tensor
    device: Tensor
    outputs: list[Tensor]  # logits and WDL on the device
    collected: list[Tensor]  # the same on the host
    run: Callable[[], None] = lambda: None
    count: int = 0
    done: torch.cuda.Event | None = field(default=None)

    @property
    def inputs(self) -> Array:
        """The planes to be written, [count, planes, size, size]."""
        array: Array = self.host.numpy()
        return array[: self.count]


class TorchRuntime:
    """A net on a device; safe for many threads. On the CPU torch as a whole is set to this many threads."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        device: str = "auto",
        precision: str = "auto",
        threads: int = 1,
        batch_sizes: Sequence[int] | None = None,
    ) -> None:
        self.device = choose_device(device)
        self._is_cuda = self.device.type == "cuda"
        self._description = checkpoint.description
        self._precision = _precision(precision, "fp16" if self._is_cuda else "fp32")
        self._batch_sizes = (GRAPH_SIZES if self._is_cuda else ()) if batch_sizes is None else tuple(batch_sizes)
        if self.device.type == "cpu":
            torch.set_num_threads(threads)
        with _failed_allocations():
            self._net = load_net(checkpoint).eval().to(self.device)
        self._net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's types lack it
        self._free: dict[tuple[int, int], list[Slot]] = {}
        self._prepared: set[int] = set()  # board sizes
        self._lock = threading.Lock()

    def borrow(self, count: int, size: int) -> Slot:
        """Buffers for this many positions, to be filled."""
        capacity = min((batch for batch in self._batch_sizes if batch >= count), default=count)
        with self._lock, _failed_allocations():
            if size not in self._prepared:
                self._prepare(size)
            free = self._free.get((capacity, size))
            slot = free.pop() if free else self._make_slot(capacity, size)
        slot.count = count
        return slot

    def begin(self, slot: Slot) -> None:
        """Start on a filled slot; on CUDA returns at once."""
        with _failed_allocations():
            slot.device.copy_(slot.host, non_blocking=True)
            with self._lock:
                slot.run()
            for output, collected in zip(slot.outputs, slot.collected, strict=True):
                collected.copy_(output, non_blocking=True)
        if slot.done is not None:
            slot.done.record()

    def collect(self, slot: Slot) -> tuple[Array, Array]:
        """Wait for a slot's logits and WDL logits and give the slot back."""
        if slot.done is not None:
            slot.done.synchronize()
        elif self.device.type == "mps":
            torch.mps.synchronize()
        logits, wdl = (output[: slot.count].numpy().copy() for output in slot.collected)
        if slot.key[0] in self._batch_sizes:
            with self._lock:
                self._free[slot.key].append(slot)
        return logits, wdl

    def _prepare(self, size: int) -> None:
        """Make the buffers and graphs of all fixed sizes, while nobody else may run: no clock runs yet."""
        for batch in self._batch_sizes:
            self._free[batch, size] = [self._make_slot(batch, size) for _ in range(IN_FLIGHT)]
        self._prepared.add(size)

    def _make_slot(self, capacity: int, size: int) -> Slot:
        shape = (capacity, self._description.num_planes, size, size)
        widths = (self._description.num_moves(size), 3)
        host = torch.zeros(shape, pin_memory=self._is_cuda)
        collected = [torch.zeros((capacity, width), pin_memory=self._is_cuda) for width in widths]
        slot = Slot(
            key=(capacity, size),
            host=host,
            device=host.to(self.device),  # the same buffers where the device is the host
            outputs=[output.to(self.device) for output in collected],
            collected=collected,
            done=torch.cuda.Event() if self._is_cuda else None,  # type: ignore[no-untyped-call]  # torch's own
        )
        is_fixed = capacity in self._batch_sizes
        slot.run = self._captured(slot) if self._is_cuda and is_fixed else lambda: self._run(slot)
        return slot

    def _run(self, slot: Slot) -> None:
        with torch.inference_mode(), self._autocast():
            answers = self._net.infer(slot.device.contiguous(memory_format=torch.channels_last))
            for output, answer in zip(slot.outputs, answers, strict=True):
                output.copy_(answer)

    def _captured(self, slot: Slot) -> Callable[[], None]:
        """The run as a CUDA graph, after some runs in which libraries choose their algorithms."""
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch's own
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARMING_RUNS):
                self._run(slot)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        # What other threads copy meanwhile belongs to batches of their own.
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            self._run(slot)
        return graph.replay

    def _autocast(self) -> AbstractContextManager[object]:
        if self._precision is torch.float32:
            return nullcontext()
        return torch.autocast(self.device.type, dtype=self._precision, cache_enabled=not self._is_cuda)


@contextmanager
def _failed_allocations() -> Iterator[None]:
    """Raise MemoryError, as everything else does: torch has another error for each device, or only a text."""
    try:
        yield
    except RuntimeError as error:
        if isinstance(error, torch.OutOfMemoryError) or any(words in str(error) for words in NO_MEMORY):
            raise MemoryError(str(error)) from None
        raise


def _precision(name: str, automatic: str) -> torch.dtype:
    if name != "auto" and name not in PRECISIONS:
        raise EngineError(f"unknown precision '{name}': one of auto, {', '.join(PRECISIONS)}")
    return PRECISIONS[automatic if name == "auto" else name]
