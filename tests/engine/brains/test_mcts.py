from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import onnx
import pytest

from extremum.engine.brains import make_brain
from extremum.engine.brains.mcts import GPU_BATCH, LARGEST_BATCH, SMALLEST_BATCH, MctsBrain, good_batch
from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.evaluators.weightless import PatternsEvaluator
from extremum.engine.games.game import Color, Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.nets.export import export
from extremum.engine.options import Options
from extremum.engine.search.opened import Opened
from extremum.engine.search.stopper import Limits, Stopper
from tests.contracts_brain import check_brain, check_plays_on_to_the_end, check_repeats, choose, choose_within
from tests.doubles import FakeTime
from tests.engine.nets.random_nets import random_checkpoint


def brain(**options: object) -> MctsBrain:
    named = {"seed": 1, "memory": 16, "evaluator": "patterns", "batch": 8, **options}
    return MctsBrain(Options(**named))  # type: ignore[arg-type]  # named by the tests


@pytest.mark.slow
@pytest.mark.parametrize("evaluator", ["patterns", "rollout"])
def test_mcts_brain_keeps_the_contract(evaluator: str) -> None:
    check_brain(lambda: brain(evaluator=evaluator))


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A file for each game."""
    folder, files = tmp_path_factory.mktemp("weights"), {}
    for game, sizes in (("gomoku", (6, 7)), ("othello", (6,))):
        path = folder / f"{game}.onnx"
        onnx.save(export(random_checkpoint(game, "b4c32", *sizes)), path)
        files[game] = str(path)
    return files


@pytest.mark.slow
@pytest.mark.parametrize("wrap", [lambda game: game, Misere], ids=["normal", "misere"])
@pytest.mark.parametrize("game", [Gomoku(6), Othello(6)], ids=["gomoku", "othello"])
def test_a_net_plays_whole_games_and_repeats_itself(game: Game, wrap: type, weights: dict[str, str]) -> None:
    def make() -> MctsBrain:
        return brain(evaluator="auto", weights=weights[game.name])

    check_plays_on_to_the_end(make(), wrap(game), visits=30)
    check_repeats(make, wrap(game).start())


def test_the_visits_limit_is_met_exactly(weights: dict[str, str]) -> None:
    assert choose(brain(), Gomoku(9).start(), 500).analysis.visits == 500
    player = brain(evaluator="auto", weights=weights["othello"])
    assert choose(player, Othello(6).start(), 100).analysis.visits == 100


def test_the_speed_is_that_of_this_search() -> None:
    player, position = brain(), Othello(8).start()
    choice = choose(player, position, 500)
    assert choice.analysis.inherited == 0
    position = position.play(choice.move).play(choice.analysis.best.line[1])
    kept = choose(player, position, 1).analysis
    assert kept.inherited == kept.visits > 1
    again = choose(player, position, kept.visits + 100).analysis
    assert (again.visits, again.inherited) == (kept.visits + 100, kept.visits)
    assert again.speed == pytest.approx(100 / max(again.seconds, 1e-3))


def test_a_win_by_fours_is_announced_with_its_line() -> None:
    game = Gomoku(15)
    black = sum(1 << game.size * row + column for row, column in ((7, 4), (7, 5), (7, 6), (5, 8), (6, 8), (9, 8)))
    white = sum(1 << game.size * row + column for row, column in ((7, 3), (0, 0), (0, 14), (14, 0), (14, 14), (2, 2)))
    best = choose(brain(), game.setup(black, white, Color.BLACK), 100).analysis.best
    assert (best.proven, best.value) == (1, 1.0)
    assert best.distance == len(best.line)


@pytest.mark.parametrize("wrap", [lambda game: game, Misere], ids=["normal", "misere"])
def test_an_endgame_is_solved_before_the_tree_is_searched(wrap: Callable[[Game], Game]) -> None:
    position = wrap(Othello(8)).start()
    chance = random.Random(1)
    while (position.black | position.white).bit_count() < 52:
        position = position.play(chance.choice(position.legal_moves()))
    solved = choose(brain(), position, 400).analysis.best
    exact = choose(make_brain("alphabeta", Options(seed=1)), position, 10**8).analysis.best
    assert (solved.proven, solved.discs) == (exact.proven, exact.discs)
    assert solved.proven is not None
    assert choose(brain(), position, 2).analysis.visits == 2  # too few to solve anything


def test_missing_and_other_weights_are_refused_and_another_game_may_follow(weights: dict[str, str]) -> None:
    player = brain(evaluator="auto", weights=weights["othello"])
    with pytest.raises(EngineError, match="are for othello, not gomoku"):
        choose(player, Gomoku(6).start(), 10)
    assert choose(player, Othello(6).start(), 10).analysis.visits == 10
    with pytest.raises(EngineError, match=r"are missing$"):
        choose(brain(evaluator="auto", weights=str(Path("nowhere.onnx"))), Othello(6).start(), 10)
    with pytest.raises(EngineError, match=r"^the net is for board sizes 6, 7, not 9$"):
        choose(brain(evaluator="auto", weights=weights["gomoku"]), Gomoku(9).start(), 10)


class Forgetful:
    """Opens an evaluator that has no memory left after so many calls."""

    def __init__(self, calls: int) -> None:
        self._calls = calls
        self._evaluator = PatternsEvaluator()

    def open(self, options: Options, game: Game) -> Opened:
        return Opened(self, 1e-4)

    def in_turn(self) -> AbstractContextManager[object]:
        return nullcontext()

    def evaluate(self, states: States) -> Evaluation:
        if self._calls == 0:
            raise MemoryError
        self._calls -= 1
        return self._evaluator.evaluate(states)


def test_a_search_that_runs_out_of_memory_plays_its_best_move() -> None:
    options = Options(seed=1, memory=16, evaluator="patterns")
    choice = choose(MctsBrain(options, Forgetful(5)), Gomoku(9).start(), 1000)
    assert 1 < choice.analysis.visits < 1000
    assert choice.move == choice.analysis.best.move
    with pytest.raises(MemoryError):
        choose(MctsBrain(options, Forgetful(0)), Gomoku(9).start(), 1000)


def test_the_clock_is_kept_by_the_stopper_alone() -> None:
    stopper = Stopper(Limits(seconds=0.5), now=FakeTime(step=0.001))
    choose_within(brain(), Othello(8).start(), stopper)
    assert 0.5 <= stopper.elapsed < 0.6


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("pace", [1e-6, 2e-5, 1e-4, 1e-3, 1.0])
def test_a_batch_takes_less_than_thirty_milliseconds_where_one_position_does(device: str, pace: float) -> None:
    for wanted in (0, 1, 16, 1000):
        batch = good_batch(device, pace, wanted)
        assert batch == 1 or batch * pace < 0.03 or batch == SMALLEST_BATCH <= wanted
        assert batch >= 1
        assert wanted == 0 or batch <= wanted


class OnDevice(Forgetful):
    """An evaluator that tells where it is."""

    def __init__(self, device: str) -> None:
        super().__init__(calls=10**6)
        self.device = device
        self.most = 0

    def evaluate(self, states: States) -> Evaluation:
        self.most = max(self.most, len(states))
        return super().evaluate(states)


def test_a_batch_is_as_large_as_the_device_at_work_likes_it_whatever_was_asked_for() -> None:
    for device, most in (("cuda", GPU_BATCH), ("cpu", LARGEST_BATCH)):
        evaluators = OnDevice(device)
        player = MctsBrain(Options(seed=1, memory=16, evaluator="patterns", device="auto"), evaluators)
        choose(player, Othello(8).start(), 20_000)
        assert most // 2 <= evaluators.most <= most


def test_quick_evaluations_are_made_many_at_a_time() -> None:
    batches = [good_batch("cpu", pace) for pace in (1e-6, 1e-4, 1e-3)]
    assert batches == sorted(batches, reverse=True)
    assert batches[0] > batches[-1]
