"""What every evaluator with weights does."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators import EVALUATORS, WEIGHTLESS, make_evaluator
from extremum.engine.evaluators.evaluator import Evaluator, States
from extremum.engine.games import make_game
from extremum.engine.kernels.layout import OBJECTIVE
from extremum.engine.nets.checkpoint import Checkpoint, save_checkpoint
from extremum.engine.nets.export import export
from extremum.engine.nets.files import digest
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint


@pytest.fixture(scope="module")
def states() -> States:
    return states_of(random_positions(make_game("othello", 8), 1))


def weights_for(name: str, folder: Path, checkpoint: Checkpoint) -> Path:
    if name == "onnx":
        onnx.save(export(checkpoint), folder / "net.onnx")
        return folder / "net.onnx"
    save_checkpoint(checkpoint, folder / "net.safetensors")
    return folder / "net.safetensors"


@pytest.fixture(params=sorted(EVALUATORS.keys() - WEIGHTLESS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def path(name: str, tmp_path: Path) -> Path:
    return weights_for(name, tmp_path, random_checkpoint("othello", "b4c32", 8))


@pytest.fixture
def evaluator(name: str, path: Path) -> Evaluator:
    return make_evaluator(name, path, "othello", digest(path.read_bytes()), device="cpu")


def refusal_of(name: str, path: Path, game: str = "othello", sha256: str | None = None, device: str = "cpu") -> str:
    with pytest.raises(EngineError) as caught:
        make_evaluator(name, path, game, sha256, device)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(path), "FILE")


def test_an_evaluation_has_a_row_for_each_position(evaluator: Evaluator, states: States) -> None:
    before = states.copy()
    evaluation = evaluator.evaluate(states)
    assert (states == before).all()
    assert evaluation.logits.shape == (len(states), 65)
    assert len(evaluation) == len(evaluation.value) == len(evaluation.draw) == len(states)
    for values in (evaluation.logits, evaluation.value, evaluation.draw):
        assert values.dtype == np.float32
        assert np.isfinite(values).all()
    assert (np.abs(evaluation.value) + evaluation.draw <= 1 + 1e-6).all()
    assert (evaluation.draw >= 0).all()


def test_a_position_is_evaluated_alike_alone_and_in_company(evaluator: Evaluator, states: States) -> None:
    together = evaluator.evaluate(states[:5])
    for index in range(5):
        alone = evaluator.evaluate(states[index : index + 1])
        assert np.allclose(alone.logits[0], together.logits[index], atol=1e-5)
        assert np.allclose(alone.value[0], together.value[index], atol=1e-5)


def test_the_objective_matters(evaluator: Evaluator, states: States) -> None:
    misere = states.copy()
    misere[:, OBJECTIVE] = 1
    assert not np.allclose(evaluator.evaluate(misere).value, evaluator.evaluate(states).value, atol=1e-3)


def test_another_game_is_refused_at_the_board_too(evaluator: Evaluator) -> None:
    with pytest.raises(EngineError, match=r"^the net plays othello, not gomoku$"):
        evaluator.evaluate(states_of([make_game("gomoku", 8).start()]))


def test_another_size_is_refused(evaluator: Evaluator) -> None:
    with pytest.raises(EngineError, match=r"^the net is for board sizes 8, not 6$"):
        evaluator.evaluate(states_of([make_game("othello", 6).start()]))


@pytest.mark.parametrize(
    ("objective", "refusal"),
    [
        ("ordinary", "the net was trained for the ordinary game, not for its misère"),
        ("misere", "the net was trained for the misère, not for the ordinary game"),
    ],
)
def test_another_objective_is_refused(name: str, tmp_path: Path, states: States, objective: str, refusal: str) -> None:
    checkpoint = random_checkpoint("othello", "b4c32", 8, objective=objective)
    evaluator = make_evaluator(name, weights_for(name, tmp_path, checkpoint), "othello", device="cpu")
    other = states[:2].copy()
    other[:, OBJECTIVE] = objective == "ordinary"
    with pytest.raises(EngineError) as caught:
        evaluator.evaluate(other)
    assert str(caught.value) == refusal


def test_missing_weights_are_refused(name: str, path: Path) -> None:
    path.unlink()
    assert refusal_of(name, path) == "weights 'FILE' are missing"


@pytest.mark.parametrize("length", [0, 5, 3000, -1])
def test_truncated_weights_are_refused(name: str, path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    refusals = [f"weights 'FILE' are damaged or no {kind}" for kind in ("onnx", "safetensors")]
    assert refusal_of(name, path) in refusals


def test_weights_of_another_game_are_refused(name: str, path: Path) -> None:
    assert refusal_of(name, path, game="gomoku") == "weights 'FILE' are for othello, not gomoku"


def test_a_wrong_hash_is_refused(name: str, path: Path) -> None:
    refusal = "weights 'FILE' do not have the hash that the manifest says"
    assert refusal_of(name, path, sha256="0" * 64) == refusal


def test_an_unknown_device_is_refused(name: str, path: Path) -> None:
    assert "'tpu'" in refusal_of(name, path, device="tpu")


def test_an_unknown_evaluator_is_refused(tmp_path: Path) -> None:
    assert (
        refusal_of("jax", tmp_path)
        == "unknown evaluator 'jax': one of native, numpy, onnx, patterns, rollout, short, torch"
    )


def test_a_net_without_weights_is_refused(name: str) -> None:
    with pytest.raises(EngineError, match=f"^the {name} evaluator needs weights$"):
        make_evaluator(name, None, "othello")


def test_states_of_two_sizes_in_a_batch_are_a_mistake(evaluator: Evaluator) -> None:
    mixed = states_of([make_game("othello", size).start() for size in (6, 8)])
    with pytest.raises(ValueError, match="different games or sizes"):
        evaluator.evaluate(mixed)
