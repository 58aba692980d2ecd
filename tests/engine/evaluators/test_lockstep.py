from __future__ import annotations

from functools import partial
from threading import Thread

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, Evaluator, States
from extremum.engine.evaluators.lockstep import MOST, Strands
from extremum.engine.games import make_game
from extremum.engine.kernels.layout import SIZE
from extremum.engine.search.states import state_of


class Noting:
    """Values are the positions' first words' sums; notes how many came at once, and refuses a size."""

    def __init__(self, refused: int = 0) -> None:
        self.batches: list[int] = []
        self._refused = refused

    def evaluate(self, states: States) -> Evaluation:
        self.batches.append(len(states))
        if (states[:, SIZE] == self._refused).any():
            raise EngineError("no")
        assert len(set(states[:, SIZE].tolist())) == 1
        value = states[:, SIZE].astype(np.float32)
        return Evaluation(np.repeat(value[:, None], 4, axis=1), value, value)


class Buggy:
    def evaluate(self, states: States) -> Evaluation:
        raise ValueError("a bug")


def states(size: int, count: int) -> States:
    return np.repeat(state_of(make_game("gomoku", size).start())[None], count, axis=0)


def ask(evaluator: Evaluator, size: int, counts: list[int], heard: list[list[float]]) -> None:
    heard.extend(evaluator.evaluate(states(size, count)).value.tolist() for count in counts)


def to_the_end(strands: Strands) -> None:
    while strands:
        strands.go_round()


def test_what_strands_ask_for_is_evaluated_together() -> None:
    strands, noting = Strands(), Noting()
    heard: list[list[list[float]]] = [[], [], []]
    for number, counts in enumerate(([1, 2], [3], [4, 5, 6])):
        strands.begin(partial(ask, strands.shared(noting), 7, counts, heard[number]))
    assert (len(strands), noting.batches) == (3, [])
    to_the_end(strands)
    assert noting.batches == [1 + 3 + 4, 2 + 5, 6]
    assert (strands.positions, strands.batches) == (sum(noting.batches), 3)
    assert heard == [[[7.0], [7.0] * 2], [[7.0] * 3], [[7.0] * 4, [7.0] * 5, [7.0] * 6]]


def test_boards_and_evaluators_do_not_mix() -> None:
    strands, first, second = Strands(), Noting(), Noting()
    heard: list[list[float]] = []
    for noting, size in ((first, 7), (first, 9), (first, 7), (second, 7)):
        strands.begin(partial(ask, strands.shared(noting), size, [2], heard))
    to_the_end(strands)
    assert sorted(first.batches) == [2, 4]
    assert second.batches == [2]
    assert sorted(heard) == [[7.0, 7.0]] * 3 + [[9.0, 9.0]]


def test_no_batch_is_larger_than_the_most() -> None:
    strands, noting = Strands(), Noting()
    heard: list[list[float]] = []
    for count in (MOST - 1, 2, MOST, 2 * MOST):
        strands.begin(partial(ask, strands.shared(noting), 7, [count], heard))
    to_the_end(strands)
    assert noting.batches == [MOST - 1, 2, MOST, 2 * MOST]
    assert [len(values) for values in heard] == noting.batches


def test_a_refusal_is_raised_where_it_was_asked_for_and_nowhere_else() -> None:
    strands, refusing = Strands(), Noting(refused=9)
    heard: list[list[float]] = []
    refused: list[str] = []

    def asking() -> None:
        with pytest.raises(EngineError, match="no"):
            strands.shared(refusing).evaluate(states(9, 1))
        refused.append("here")

    strands.begin(asking)
    strands.begin(asking)
    strands.begin(partial(ask, strands.shared(refusing), 7, [1, 1], heard))
    to_the_end(strands)
    assert refused == ["here", "here"]
    assert heard == [[7.0], [7.0]]


def test_a_bug_reaches_whoever_drives() -> None:
    strands = Strands()
    strands.begin(partial(ask, strands.shared(Buggy()), 7, [1], []))
    with pytest.raises(ValueError, match="a bug"):
        strands.go_round()


def test_what_a_strand_raises_reaches_whoever_drives() -> None:
    strands = Strands()

    def failing() -> None:
        strands.shared(Noting()).evaluate(states(7, 1))
        raise KeyError("lost")

    strands.begin(failing)
    with pytest.raises(KeyError, match="lost"):
        strands.go_round()


def test_outside_of_strands_an_answer_comes_at_once() -> None:
    strands, noting = Strands(), Noting()
    shared = strands.shared(noting)
    heard: list[list[float]] = []
    ask(shared, 7, [2], heard)

    def with_a_helper() -> None:
        helper = Thread(target=ask, args=(shared, 7, [3], heard))
        helper.start()
        helper.join()

    strands.begin(with_a_helper)
    assert not strands
    assert noting.batches == [2, 3]
    assert [len(values) for values in heard] == [2, 3]
