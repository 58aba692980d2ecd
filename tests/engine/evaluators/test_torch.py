import numpy as np
import pytest
import torch  # noqa: TID253, it is what is tested

from extremum.engine.brains.mcts import GPU_BATCH
from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import States
from extremum.engine.evaluators.inputs import draw_planes
from extremum.engine.evaluators.torch import TorchEvaluator
from extremum.engine.games import make_game
from extremum.engine.nets.checkpoint import Checkpoint
from extremum.engine.nets.runtime import GRAPH_SIZES, Slot, TorchRuntime, choose_device
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint

CHECKPOINT = random_checkpoint("gomoku", "b4c32", 9)


@pytest.fixture(scope="module")
def states() -> States:
    return states_of(random_positions(make_game("gomoku", 9), 1))[:11]


def test_batches_are_filled_up_to_fixed_sizes_without_a_trace(states: States) -> None:
    planes = draw_planes(CHECKPOINT.description, states)
    plain, padded = (TorchRuntime(CHECKPOINT, "cpu", batch_sizes=sizes) for sizes in ((), (4, 16)))
    for count in (11, 3, 4, 1, 11):
        answers = []
        for runtime in (plain, padded):
            slot = runtime.borrow(count, 9)
            slot.inputs[:] = planes[:count]
            runtime.begin(slot)
            answers.append(runtime.collect(slot))
        assert np.allclose(answers[0][0], answers[1][0], atol=1e-5)
        assert np.allclose(answers[0][1], answers[1][1], atol=1e-5)


def test_buffers_are_used_again_but_never_shared_by_batches_in_flight() -> None:
    runtime = TorchRuntime(CHECKPOINT, "cpu", batch_sizes=(8,))
    first, second = runtime.borrow(8, 9), runtime.borrow(8, 9)
    assert not np.shares_memory(first.inputs, second.inputs)
    first.inputs[:], second.inputs[:] = 0, 1
    for slot in (first, second):
        runtime.begin(slot)
    assert not np.allclose(runtime.collect(first)[0], runtime.collect(second)[0])
    assert runtime.borrow(8, 9) in (first, second)


def test_two_batches_may_be_under_way(states: States) -> None:
    evaluator = TorchEvaluator(CHECKPOINT, "cpu")
    whole = evaluator.evaluate(states)
    front, back = evaluator.begin(states[:6]), evaluator.begin(states[6:])
    assert np.allclose(back().value, whole.value[6:], atol=1e-5)
    assert np.allclose(front().value, whole.value[:6], atol=1e-5)


def test_half_precision_is_near_single_precision(states: States) -> None:
    exact = TorchEvaluator(CHECKPOINT, "cpu").evaluate(states)
    rough = TorchEvaluator(CHECKPOINT, "cpu", "bf16").evaluate(states)
    assert np.abs(rough.logits - exact.logits).max() < 0.1
    assert np.abs(rough.value - exact.value).max() < 0.02
    assert not np.array_equal(rough.logits, exact.logits)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("MPS backend out of memory (MPS allocated: 8.00 GiB)"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory"),
    ],
    ids=["cuda", "mps", "cpu"],
)
def test_torchs_failed_allocations_are_memory_errors(error: Exception) -> None:
    runtime = TorchRuntime(CHECKPOINT, "cpu")
    slot = runtime.borrow(1, 9)

    def fail() -> None:
        raise error

    slot.run = fail
    with pytest.raises(MemoryError, match="memory"):
        runtime.begin(slot)


def test_other_errors_of_torch_stay_what_they_are() -> None:
    runtime = TorchRuntime(CHECKPOINT, "cpu")
    slot = runtime.borrow(1, 9)
    slot.device = slot.device[:, :1]
    with pytest.raises(RuntimeError):
        runtime.begin(slot)


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(EngineError, match=r"^unknown precision 'fp8': one of auto, fp32, fp16, bf16$"):
        TorchEvaluator(CHECKPOINT, "cpu", "fp8")


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(EngineError, match=r"^unknown device 'tpu': one of auto, cpu, cuda, mps$"):
        choose_device("tpu")


def test_a_device_that_is_not_there_is_refused() -> None:
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    for name in [name for name, is_present in present.items() if not is_present]:
        with pytest.raises(EngineError, match=rf"^there is no device '{name}' here: one of .*cpu$"):
            TorchEvaluator(CHECKPOINT, name)


@pytest.mark.gpu
@pytest.mark.parametrize("device", ["cuda", "mps"])
@pytest.mark.parametrize("count", [1, 11, GRAPH_SIZES[-1] + 1])
def test_a_gpu_agrees_with_the_cpu(states: States, device: str, count: int) -> None:
    many = np.resize(states, (count, states.shape[1]))
    expected = TorchEvaluator(CHECKPOINT, "cpu").evaluate(many)
    exact = TorchEvaluator(CHECKPOINT, device, "fp32").evaluate(many)
    rough = TorchEvaluator(CHECKPOINT, device).evaluate(many)
    assert np.abs(exact.logits - expected.logits).max() < 1e-2  # TF32
    assert np.abs(rough.logits - expected.logits).max() < 0.05


def test_a_searchs_batch_on_a_gpu_is_one_of_the_fixed_sizes() -> None:
    assert GPU_BATCH in GRAPH_SIZES
    assert list(GRAPH_SIZES) == sorted(GRAPH_SIZES)


def test_all_fixed_sizes_are_ready_when_a_board_has_been_seen_once() -> None:
    runtime = Counting(CHECKPOINT, "cpu", batch_sizes=(4, 16))
    runtime.collect(runtime.borrow(3, 9))
    made = runtime.made
    for count in (1, 4, 5, 16):
        slots = [runtime.borrow(count, 9) for _ in range(2)]
        for slot in slots:
            runtime.collect(slot)
    assert runtime.made == made


def test_a_batch_above_the_largest_size_has_buffers_of_its_own() -> None:
    runtime = Counting(CHECKPOINT, "cpu", batch_sizes=(4,))
    for _ in range(2):
        slot = runtime.borrow(5, 9)
        assert slot.key == (5, 9)
        runtime.begin(slot)
        assert len(runtime.collect(slot)[0]) == 5
    assert runtime.made.count((5, 9)) == 2


class Counting(TorchRuntime):
    """Keeps what buffers it made."""

    def __init__(self, checkpoint: Checkpoint, device: str, *, batch_sizes: tuple[int, ...]) -> None:
        self.made: list[tuple[int, int]] = []
        super().__init__(checkpoint, device, batch_sizes=batch_sizes)

    def _make_slot(self, capacity: int, size: int) -> Slot:
        self.made.append((capacity, size))
        return super()._make_slot(capacity, size)
