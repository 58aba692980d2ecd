import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.batched import BatchedEvaluator
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.evaluators.torch import TorchEvaluator
from extremum.engine.games import make_game
from extremum.engine.kernels.layout import OBJECTIVE
from tests.doubles import FakeTime
from tests.engine.evaluators.doubles import MisereRefusing, StoneEvaluator, stone_values
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint

FOREVER = 60.0


@pytest.fixture(scope="module")
def states() -> States:
    return states_of(random_positions(make_game("othello", 8), 1))


def together(tasks: list[Callable[[], Evaluation]]) -> list[Evaluation]:
    with ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(task) for task in tasks]
        return [future.result(FOREVER) for future in futures]


def as_members(batched: BatchedEvaluator, requests: list[States]) -> list[Evaluation]:
    """Evaluate each request as a member, all of them members before the first one asks."""
    barrier = threading.Barrier(len(requests))

    def task(states: States) -> Evaluation:
        with batched.member() as evaluator:
            barrier.wait(FOREVER)
            return evaluator.evaluate(states)

    return together([partial(task, states) for states in requests])


def test_the_requests_of_all_members_become_one_batch(states: States) -> None:
    inner = StoneEvaluator()
    requests = [states[:3], states[3:4], states[4:10]]
    answers = as_members(BatchedEvaluator(inner, wait=FOREVER), requests)
    assert inner.batches == [10]
    for request, answer in zip(requests, answers, strict=True):
        assert np.array_equal(answer.value, stone_values(request))
        assert np.allclose(answer.logits[:, 0], answer.value)
        assert len(answer.draw) == len(request)


def test_one_alone_waits_for_nobody(states: States) -> None:
    inner = StoneEvaluator()
    batched = BatchedEvaluator(inner, wait=FOREVER)
    batched.evaluate(states[:2])
    with batched.member() as evaluator:
        evaluator.evaluate(states[:3])
    assert inner.batches == [2, 3]


def test_nobody_waits_longer_than_the_most(states: States) -> None:
    batched = BatchedEvaluator(StoneEvaluator(), wait=0.001)
    with batched.member() as evaluator, batched.member():
        assert np.array_equal(evaluator.evaluate(states[:2]).value, stone_values(states[:2]))


def test_a_member_who_leaves_is_not_waited_for(states: States) -> None:
    batched = BatchedEvaluator(StoneEvaluator(), wait=FOREVER)
    leaving = batched.member()
    leaving.__enter__()

    def stay() -> Evaluation:
        with batched.member() as evaluator:
            return evaluator.evaluate(states[:2])

    def leave() -> Evaluation:
        leaving.__exit__(None, None, None)
        return StoneEvaluator().evaluate(states[:1])

    assert np.array_equal(together([stay, leave])[0].value, stone_values(states[:2]))


def test_a_batch_has_at_most_so_many_positions(states: States) -> None:
    inner = StoneEvaluator()
    requests = [states[start : start + 4] for start in range(0, 24, 4)]
    answers = as_members(BatchedEvaluator(inner, most=8, wait=FOREVER), requests)
    assert sum(inner.batches) == 24
    assert max(inner.batches) <= 8
    for request, answer in zip(requests, answers, strict=True):
        assert np.array_equal(answer.value, stone_values(request))


def test_a_batch_takes_no_longer_than_it_may_by_the_pace_of_those_before(states: States) -> None:
    clock = FakeTime()
    inner = Slow(clock, pace=0.001)
    batched = BatchedEvaluator(inner, wait=FOREVER, longest=0.02, now=clock)
    batched.evaluate(states[:2])
    requests = [states[start : start + 4] for start in range(0, 48, 4)]
    answers = as_members(batched, requests)
    assert inner.batches == [2, 20, 20, 8]
    for request, answer in zip(requests, answers, strict=True):
        assert np.array_equal(answer.value, stone_values(request))


def test_each_board_has_a_pace_of_its_own_and_it_may_change(states: States) -> None:
    clock = FakeTime()
    inner = Slow(clock, pace=0.01)
    small = states_of(random_positions(make_game("gomoku", 6), 1))
    batched = BatchedEvaluator(inner, wait=FOREVER, longest=0.02, now=clock)
    batched.evaluate(states[:2])
    as_members(batched, [states[:1]] * 6)
    assert inner.batches == [2, 2, 2, 2]
    as_members(batched, [small[:1]] * 6)
    assert inner.batches[4:] == [6]
    inner.pace = 0.0001
    for _ in range(20):
        batched.evaluate(states[:2])
    inner.batches.clear()
    as_members(batched, [states[:1]] * 6)
    assert inner.batches == [6]


class Slow(StoneEvaluator):
    """Takes time for each position."""

    def __init__(self, clock: FakeTime, pace: float) -> None:
        super().__init__()
        self.pace = pace
        self._clock = clock

    def evaluate(self, states: States) -> Evaluation:
        self._clock.advance(self.pace * len(states))
        return super().evaluate(states)


class Aside:
    """Does its work while others go on, as a GPU does, and records what was begun and collected."""

    works_aside = True

    def __init__(self, evaluator: TorchEvaluator | StoneEvaluator, until: Callable[[], bool] = lambda: True) -> None:
        """Takes `until` something is so to begin the first time."""
        self.record: list[str] = []
        self._evaluator = evaluator
        self._until = until

    def evaluate(self, states: States) -> Evaluation:
        return self.begin(states)()

    def begin(self, states: States) -> Callable[[], Evaluation]:
        number = self.record.count("begin")
        if isinstance(self._evaluator, StoneEvaluator):
            collect: Callable[[], Evaluation] = partial(self._evaluator.evaluate, states)
        else:
            collect = self._evaluator.begin(states)
        while number == 0 and not self._until():
            threading.Event().wait(0.001)
        self.record.append("begin")

        def collected() -> Evaluation:
            self.record.append(f"collect {number}")
            return collect()

        return collected


def test_a_device_begins_with_the_next_batch_before_the_last_one_is_collected(states: States) -> None:
    checkpoint = random_checkpoint("othello", "b4c32", 8)
    plain = TorchEvaluator(checkpoint, "cpu")
    inner = Aside(TorchEvaluator(checkpoint, "cpu"), until=lambda: batched.waiting == 6)
    batched = BatchedEvaluator(inner, wait=FOREVER)
    requests = [states[start : start + 3] for start in range(0, 12, 3)]
    answers = as_members(batched, requests)
    assert inner.record == ["begin", "begin", "collect 0", "collect 1"]  # half of the members each
    for request, answer in zip(requests, answers, strict=True):
        assert np.allclose(answer.value, plain.evaluate(request).value, atol=1e-5)
    assert not plain.works_aside  # a processor would only keep the first half waiting


def test_many_searches_over_a_device_get_their_own_answers(states: States) -> None:
    check_many_searches(BatchedEvaluator(Aside(StoneEvaluator()), most=16, wait=0.001), states)


def test_what_a_device_refuses_reaches_whoever_asked_for_it(states: States) -> None:
    batched = BatchedEvaluator(Aside(MisereRefusing()), wait=0.001)
    misere = states[:2].copy()
    misere[:, OBJECTIVE] = 1
    with pytest.raises(EngineError, match=r"^no misère$"):
        batched.evaluate(misere)
    assert np.array_equal(batched.evaluate(states[:3]).value, stone_values(states[:3]))


class Small(StoneEvaluator):
    """Has memory for two positions."""

    def evaluate(self, states: States) -> Evaluation:
        if len(states) > 2:
            raise MemoryError
        return super().evaluate(states)


def test_what_is_too_large_together_is_evaluated_one_by_one(states: States) -> None:
    requests = [states[:2], states[2:4], states[4:5]]
    answers = as_members(BatchedEvaluator(Small(), wait=FOREVER), requests)
    for request, answer in zip(requests, answers, strict=True):
        assert np.array_equal(answer.value, stone_values(request))
    with pytest.raises(MemoryError):
        BatchedEvaluator(Small()).evaluate(states[:3])


def test_a_request_larger_than_a_batch_is_served_alone(states: States) -> None:
    inner = StoneEvaluator()
    BatchedEvaluator(inner, most=4).evaluate(states[:20])
    assert inner.batches == [20]


def test_boards_of_several_games_are_served_in_turns(states: States) -> None:
    inner = StoneEvaluator()
    small = states_of(random_positions(make_game("gomoku", 6), 1))
    requests = [states[:4], small[:3], states[4:8], small[3:6]]
    answers = as_members(BatchedEvaluator(inner, wait=0.01), requests)
    assert sum(inner.batches) == 14
    for request, answer in zip(requests, answers, strict=True):
        assert np.array_equal(answer.value, stone_values(request))


def test_many_searches_get_their_own_answers(states: States) -> None:
    check_many_searches(BatchedEvaluator(StoneEvaluator(), most=16, wait=0.001), states)


def check_many_searches(batched: BatchedEvaluator, states: States) -> None:
    def search(seed: int) -> bool:
        rng = np.random.default_rng(seed)
        with batched.member() as evaluator:
            for _ in range(50):
                chosen = states[rng.integers(len(states), size=rng.integers(1, 9))]
                if not np.array_equal(evaluator.evaluate(chosen).value, stone_values(chosen)):
                    return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(search, range(6)))


def test_a_refusal_hits_only_whoever_asked_for_it(states: States) -> None:
    misere = states[:2].copy()
    misere[:, OBJECTIVE] = 1
    batched = BatchedEvaluator(MisereRefusing(), wait=FOREVER)
    barrier = threading.Barrier(2)

    def ask(request: States) -> Evaluation | str:
        with batched.member() as evaluator:
            barrier.wait(FOREVER)
            try:
                return evaluator.evaluate(request)
            except EngineError as refusal:
                return str(refusal)

    with ThreadPoolExecutor(2) as pool:
        refused, served = pool.map(ask, [misere, states[:3]])
    assert refused == "no misère"
    assert isinstance(served, Evaluation)
    assert np.array_equal(served.value, stone_values(states[:3]))


class Broken:
    """Has a bug."""

    def evaluate(self, states: States) -> Evaluation:
        raise ZeroDivisionError


def test_a_bug_reaches_its_searches_and_leaves_the_others_working(states: States) -> None:
    batched = BatchedEvaluator(Broken(), wait=FOREVER)
    barrier = threading.Barrier(2)

    def ask(request: States) -> type[BaseException] | None:
        with batched.member() as evaluator:
            barrier.wait(FOREVER)
            try:
                evaluator.evaluate(request)
            except (ZeroDivisionError, EngineError) as error:
                return type(error)
        return None

    with ThreadPoolExecutor(2) as pool:
        kinds = list(pool.map(ask, [states[:2], states[2:3]]))
    assert ZeroDivisionError in kinds
    assert None not in kinds
