"""A run with nothing stood in for: self-play, learning, and a net that has become better by them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from extremum.engine.brains import make_brain
from extremum.engine.evaluators.evaluator import Evaluator
from extremum.engine.games import make_game
from extremum.engine.games.game import Game, Position
from extremum.engine.options import Options
from extremum.engine.search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from extremum.engine.search.states import state_of
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.training.loop import Player as SelfPlayer
from extremum.engine.training.loop import Training, play_with_itself
from extremum.engine.training.opponents import Player
from extremum.engine.training.publish import open_net
from extremum.engine.training.run import Run, open_run, read_log
from extremum.engine.training.samples import Samples
from extremum.engine.training.yardsticks import play_match

REAL = {"mix": "gomoku:6:1", "games": 120, "cycle": 30, "lockstep": 32, "sims": "2x4,4x12"}
REAL |= {"batch": 64, "uses": 4.0, "adaptive": True, "yardstick": 0.0}


class PriorBrain:
    """Plays what the net prefers, without any search."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        moves = position.legal_moves()
        move = moves[int(np.argmax(self._evaluator.evaluate(state_of(position)[None]).logits[0, moves]))]
        return Choice(move, Analysis((Candidate(move, 0, 0.0, 1.0, -1.0, (move,)),), 0, 0.0, 0))


class Listening:
    """Self-play that takes note of the budgets it is given."""

    def __init__(self, player: SelfPlayer, budgets: list[tuple[int, int]]) -> None:
        self._player, self._budgets = player, budgets

    def use(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        self._player.use(evaluator_of)

    def set_budget(self, budget: tuple[int, int]) -> None:
        self._budgets.append(budget)
        self._player.set_budget(budget)

    def step(self) -> list[Samples]:
        return self._player.step()


@pytest.mark.slow
def test_a_real_run_ramps_its_search_learns_and_beats_chance(tmp_path: Path) -> None:
    budgets: list[tuple[int, int]] = []

    def make_player(run: Run, evaluator: Evaluator, budget: tuple[int, int], rng: np.random.Generator) -> Listening:
        budgets.append(budget)
        return Listening(play_with_itself(run, evaluator, budget, rng), budgets)

    run = open_run(tmp_path, REAL)
    training = Training(run, lambda line: None, lambda: False, make_player=make_player, device="cpu")
    training.work()
    run.close()
    assert budgets == [(2, 4), (4, 12)]
    first, *_, last = lines = [line for line in read_log(tmp_path) if line["kind"] == "cycle"]
    assert [line["sims"] for line in lines] == ["2x4", "2x4", "4x12", "4x12"]
    assert last["losses"]["policy"] - last["entropy"] < 0.75 * (first["losses"]["policy"] - first["entropy"])
    assert last["held_out"]["policy"] < first["held_out"]["policy"]
    assert first["kl"] > 0.04  # twice the target: the rate was lowered
    assert training.learner.factor < 1
    net = Player("net", PriorBrain(open_net(run.net, "gomoku", "auto", "cpu", 1)), Limits(visits=1))
    chance = Player("random", make_brain("random", Options(seed=1)), Limits(visits=1))
    result = play_match(net, chance, [make_game("gomoku", 6).start()] * 20, lambda: False)
    assert result is not None
    assert result.score > 0.8
