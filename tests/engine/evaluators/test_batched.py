import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.batched import BatchedEvaluator
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games import make_game
from extremum.engine.kernels.layout import OBJECTIVE
from tests.engine.evaluators.doubles import MisereRefusing, StoneEvaluator, stone_values
from tests.engine.kernels.positions import random_positions, states_of

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
    batched = BatchedEvaluator(StoneEvaluator(), most=16, wait=0.001)

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
