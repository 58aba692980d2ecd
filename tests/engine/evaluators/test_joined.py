import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TypeAlias

import numpy as np
import pytest

from extremum.engine.evaluators.ahead import Collect
from extremum.engine.evaluators.batched import BatchedEvaluator
from extremum.engine.evaluators.evaluator import Evaluation, Evaluator, States
from extremum.engine.evaluators.lockstep import Strands
from extremum.engine.evaluators.native import ShortEvaluator
from extremum.engine.evaluators.views import Symmetries, Turning, views_of
from extremum.engine.games import make_game
from tests.engine.evaluators.doubles import StoneEvaluator
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint

FOREVER = 60.0

Task: TypeAlias = tuple[States, Symmetries | None]
Together: TypeAlias = Callable[[Evaluator, list[Task]], list[Evaluation]]


class Aside(StoneEvaluator):
    """Pretends to have a device."""

    works_aside = True

    def begin(self, states: States) -> Collect:
        evaluation = self.evaluate(states)
        return lambda: evaluation


class Net(ShortEvaluator):
    """Turns boards on its own, and records the batches it was shown."""

    def __init__(self) -> None:
        super().__init__(random_checkpoint("othello", "b4c32", 8))
        self.batches: list[int] = []

    def evaluate_through(self, states: States, symmetries: Symmetries) -> Evaluation:
        self.batches.append(len(states))
        return super().evaluate_through(states, symmetries)


def ask(evaluator: Evaluator, task: Task) -> Evaluation:
    states, symmetries = task
    if symmetries is None:
        return evaluator.evaluate(states)
    assert isinstance(evaluator, Turning)
    return evaluator.evaluate_through(states, symmetries)


@contextmanager
def members(batched: BatchedEvaluator, count: int) -> Iterator[list[Evaluator]]:
    with ExitStack() as stack:
        yield [stack.enter_context(batched.member()) for _ in range(count)]


def by_threads(evaluator: Evaluator, tasks: list[Task]) -> list[Evaluation]:
    barrier = threading.Barrier(len(tasks))

    def run(task: Task, member: Evaluator) -> Evaluation:
        barrier.wait(FOREVER)
        return ask(member, task)

    with members(BatchedEvaluator(evaluator, wait=FOREVER), len(tasks)) as each, ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(run, task, member) for task, member in zip(tasks, each, strict=True)]
        return [future.result(FOREVER) for future in futures]


def by_strands(evaluator: Evaluator, tasks: list[Task]) -> list[Evaluation]:
    strands, found = Strands(), {}

    def run(number: int) -> None:
        found[number] = ask(strands.shared(evaluator), tasks[number])

    for number in range(len(tasks)):
        strands.begin(partial(run, number))
    while strands:
        strands.go_round()
    return [found[number] for number in range(len(tasks))]


@pytest.fixture(scope="module")
def states() -> States:
    return states_of(random_positions(make_game("othello", 8), 1))


def check_same(answer: Evaluation, expected: Evaluation) -> None:
    assert np.allclose(answer.logits, expected.logits, atol=1e-5)
    assert np.allclose(answer.value, expected.value, atol=1e-5)
    assert np.allclose(answer.draw, expected.draw, atol=1e-5)


@pytest.mark.parametrize("together", [by_threads, by_strands])
@pytest.mark.parametrize("make", [StoneEvaluator, Net])
def test_views_are_joined_and_turned_back(
    states: States, together: Together, make: Callable[[], StoneEvaluator | Net]
) -> None:
    inner, symmetries = make(), np.arange(12) % 8
    parts = [slice(0, 3), slice(3, 4), slice(4, 12)]
    answers = together(inner, [(states[part], symmetries[part]) for part in parts])
    assert inner.batches == [12]
    for answer, part in zip(answers, parts, strict=True):
        check_same(answer, views_of(make())(states[part], symmetries[part]))


def test_views_are_turned_for_a_device(states: States) -> None:
    symmetries = np.arange(6)
    answers = by_threads(Aside(), [(states[:2], symmetries[:2]), (states[2:6], symmetries[2:])])
    check_same(answers[0], views_of(StoneEvaluator())(states[:2], symmetries[:2]))
    check_same(answers[1], views_of(StoneEvaluator())(states[2:6], symmetries[2:]))


def test_what_is_seen_as_it_is_makes_a_batch_of_its_own(states: States) -> None:
    inner = StoneEvaluator()
    answers = by_strands(inner, [(states[:2], np.array([5, 6])), (states[2:5], None)])
    assert sorted(inner.batches) == [2, 3]
    check_same(answers[0], views_of(StoneEvaluator())(states[:2], np.array([5, 6])))
    check_same(answers[1], StoneEvaluator().evaluate(states[2:5]))
