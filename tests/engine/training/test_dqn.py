from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.action_values import load_values
from extremum.engine.games.game import Position
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.dqn_games import draw_discs
from extremum.engine.kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from extremum.engine.search.states import state_of
from extremum.engine.training.dqn import train_dqn
from extremum.engine.training.plot import plot
from extremum.engine.training.q_learner import Batch, QLearner
from extremum.engine.training.request import Request
from extremum.engine.training.run import read_log
from tests.engine.kernels.positions import random_positions

SMALL = {"games": 40, "seed": 5}


def request(folder: Path, **settings: object) -> Request:
    return Request(folder, SMALL | settings, size=6)


def train(asked: Request, stop: bool = False) -> tuple[Path, list[str]]:
    told: list[str] = []
    return train_dqn(asked, told.append, lambda: stop), told


def test_a_run_makes_weights_that_play_and_goes_on_from_its_state(tmp_path: Path) -> None:
    path, told = train(request(tmp_path))
    assert told[0].endswith("dqn, othello 6x6, 0 games, 0 steps so far")
    assert "against random: " in told[-2]
    first = path.read_bytes()
    values = load_values(path, 6, 1).of(state_of(Othello(6).start()))
    assert values.shape == (36,)
    assert (np.abs(values) <= 1).all()
    again, told = train(request(tmp_path, games=300))
    assert " 0 games" not in told[0]
    assert again.read_bytes() != first
    matches = [line for line in read_log(tmp_path) if line["kind"] == "match"]
    assert [match["opponent"] for match in matches] == ["random", "greedy"] * 2
    assert all(match["wins"] + match["draws"] + match["losses"] == 200 for match in matches)
    assert plot(tmp_path).read_bytes().startswith(b"\x89PNG")


def test_a_run_that_is_stopped_has_written_its_state(tmp_path: Path) -> None:
    path, _ = train(request(tmp_path), stop=True)
    assert path.exists()
    assert (tmp_path / "state.safetensors").exists()


def test_the_misere_is_another_run(tmp_path: Path) -> None:
    train(request(tmp_path), stop=True)
    with pytest.raises(EngineError, match=r"has objective 'ordinary', not 'misere'$"):
        train(replace(request(tmp_path), misere=True))
    with pytest.raises(EngineError, match=r"^this method is for othello, not 'gomoku'$"):
        train(replace(request(tmp_path / "other"), game="gomoku"))
    assert not (tmp_path / "other").exists()


def test_values_say_the_same_in_numpy_as_in_torch(tmp_path: Path) -> None:
    path, _ = train(request(tmp_path), stop=True)
    learner = QLearner(6, 1, 5)
    positions = [position for position in random_positions(Othello(6), 2) if position.outcome() is None]
    discs = np.array([discs_of(position) for position in positions], np.uint64)
    planes = np.empty((len(discs), 4, 36), np.float32)
    draw_discs(discs, np.zeros(len(discs), np.int64), learner._permutations, planes)
    assert load_values(path, 6, 1).forward(planes) == pytest.approx(learner.values(learner.target, discs), abs=1e-5)


def test_a_learner_learns_what_a_move_is_worth() -> None:
    """A terminal reward and a later position with its sign; after some steps values are near their targets."""
    learner, rng = QLearner(6, 1, 1), np.random.default_rng(1)
    start = discs_of(Othello(6).start())
    discs = np.array([[*start, 0, 0]] * 64, np.uint64)
    square = 8 * 1 + 2
    moves, rewards = np.array([[square, 0]] * 64, np.int8), np.full(64, 0.75, np.float32)
    batch: Batch = (discs, moves, rewards)
    for _ in range(60):
        learner.learn(batch, rng.integers(8, size=64), 0.0)
    values = learner.values(learner.net, discs[:1, :2])[0]
    assert values[1 * 6 + 2] == pytest.approx(0.75, abs=0.1)
    learner.target.load_state_dict(learner.net.state_dict())
    later = np.array([[*start, *start]] * 64, np.uint64)
    flipped = np.array([[square, -1]] * 64, np.int8)
    best = max(values[point] for point in (8, 13, 22, 27))
    targets = learner._later(later[:, 2:], np.zeros(64, np.int64)) * -1
    assert targets[0] == pytest.approx(-best, abs=1e-5)
    assert learner.learn((later, flipped, np.zeros(64, np.float32)), np.zeros(64, np.int64), 0.0) > 0.1


def discs_of(position: Position) -> list[int]:
    """The discs with eight squares a row, those of the side to move first."""
    state = state_of(position)
    side = int(state[SIDE])
    return [int(state[BLACK_DISCS + side]), int(state[WHITE_DISCS - side])]
