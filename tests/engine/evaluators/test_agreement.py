"""Every runtime gives the same answers, and eight bits nearly the same."""

import numpy as np
import onnxruntime  # type: ignore[import-untyped]  # noqa: TID253, it is what is tested
import pytest

from extremum.engine.evaluators.evaluator import Evaluation, States, evaluation_of
from extremum.engine.evaluators.inputs import draw_planes
from extremum.engine.evaluators.native import NativeEvaluator, ShortEvaluator
from extremum.engine.evaluators.numpy import NumpyEvaluator
from extremum.engine.evaluators.onnx import OnnxEvaluator
from extremum.engine.evaluators.torch import TorchEvaluator
from extremum.engine.games import make_game
from extremum.engine.games.misere import Misere
from extremum.engine.nets.export import export
from extremum.engine.nets.manifest import SHIPPED, SUFFIXES, Entry, read_manifest
from extremum.engine.nets.quantize import quantize
from extremum.engine.training.agreement import GAMES, NEAR, PLIES, played_states
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint

TOLERANCE = 1e-4
SHORT_SHARE, SHORT_TOLERANCE = 0.01, 0.1  # of products in sixteen bits: of the logits' spread, and of anything
# Of random weights in eight bits: the error of the logits as a share of their spread, and how values go together.
SHARE, CORRELATION = 0.15, 0.97

CASES = [
    ("othello", "b4c32", 8),
    ("gomoku", "b4c32", 15),
    ("gomoku", "b6c64", 8),
    ("othello", "b6c64", 6),
    ("othello", "classic", 8),
    ("gomoku", "classic", 15),
    pytest.param("gomoku", "b10c128", 8, marks=pytest.mark.slow),
]


def some_states(game: str, size: int, count: int) -> States:
    return states_of(random_positions(make_game(game, size), 6))[:count]


def furthest(first: Evaluation, second: Evaluation) -> float:
    pairs = ((first.logits, second.logits), (first.value, second.value), (first.draw, second.draw))
    return max(float(np.abs(one - other).max()) for one, other in pairs)


@pytest.mark.parametrize(("game", "config", "size"), CASES)
def test_all_runtimes_agree(game: str, config: str, size: int) -> None:
    checkpoint = random_checkpoint(game, config, size)
    states = some_states(game, size, 20)  # more than numpy computes at a time
    expected = TorchEvaluator(checkpoint, "cpu").evaluate(states)
    assert expected.logits.std() > 100 * TOLERANCE
    assert furthest(NumpyEvaluator(checkpoint).evaluate(states), expected) < TOLERANCE
    assert furthest(NativeEvaluator(checkpoint).evaluate(states), expected) < TOLERANCE
    assert furthest(OnnxEvaluator(export(checkpoint).SerializeToString()).evaluate(states), expected) < TOLERANCE
    short = ShortEvaluator(checkpoint).evaluate(states)
    assert np.abs(short.logits - expected.logits).std() < SHORT_SHARE * expected.logits.std()
    assert furthest(short, expected) < SHORT_TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize(("game", "config", "size"), CASES)
def test_eight_bits_nearly_agree(game: str, config: str, size: int) -> None:
    checkpoint = random_checkpoint(game, config, size)
    states = some_states(game, size, 200)
    calibration, fresh = states[::2].copy(), states[1::2].copy()
    model = quantize(checkpoint, draw_planes(checkpoint.description, calibration))
    exact = OnnxEvaluator(export(checkpoint).SerializeToString()).evaluate(fresh)
    rough = OnnxEvaluator(model.SerializeToString(), game=game).evaluate(fresh)
    error = np.sqrt(np.mean((rough.logits - exact.logits) ** 2)) / exact.logits.std()
    correlation = np.corrcoef(rough.value, exact.value)[0, 1]
    print(f"{game} {config} {size}: error {error:.3f} of the spread, values correlate {correlation:.4f}")
    assert error < SHARE
    assert correlation > CORRELATION


def test_one_onnx_file_serves_every_size() -> None:
    checkpoint = random_checkpoint("gomoku", "b4c32", 5, 9, 20)
    evaluator = OnnxEvaluator(export(checkpoint).SerializeToString())
    reference = TorchEvaluator(checkpoint, "cpu")
    for size in (5, 9, 20):
        states = some_states("gomoku", size, 3)
        assert furthest(evaluator.evaluate(states), reference.evaluate(states)) < TOLERANCE


def shipped_pairs() -> list[tuple[Entry, Entry]]:
    """Every shipped net in eight bits, and the same in single precision."""
    entries = {entry.path.name: entry for entry in read_manifest(SHIPPED)}
    return [
        (entry, entries[name.replace(SUFFIXES["int8"], SUFFIXES["onnx"])])
        for name, entry in entries.items()
        if entry.kind == "int8"
    ]


@pytest.mark.parametrize("pair", shipped_pairs(), ids=lambda pair: pair[0].path.name)
def test_eight_bits_are_near_single_precision_on_this_processor(pair: tuple[Entry, Entry]) -> None:
    small, exact = (OnnxEvaluator.load(entry.path, entry.game, sha256=entry.sha256) for entry in pair)
    game = make_game(pair[0].game, max(pair[0].sizes))
    states = played_states(exact, Misere(game) if pair[0].objective == "misere" else game, GAMES, PLIES)
    one, other, meant = small.evaluate(states), exact.evaluate(states), as_floats(pair[0], small, states)
    assert np.abs(one.value - other.value).mean() < NEAR
    assert np.abs(one.value - meant.value).mean() < 0.01  # more where sums of products overflow


def as_floats(entry: Entry, evaluator: OnnxEvaluator, states: States) -> Evaluation:
    """What the eight bits mean, computed without the processor's kernels for them."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(entry.path, options, providers=["CPUExecutionProvider"])
    return evaluation_of(*session.run(None, {"planes": draw_planes(evaluator.description, states)}))
