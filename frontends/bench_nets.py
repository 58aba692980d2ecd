"""The benchmark's lines on nets, which have random weights, and on searches that ask them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median

import numpy as np

from ..engine.brains.mcts import good_batch
from ..engine.evaluators.evaluator import Evaluator, States
from ..engine.evaluators.inputs import draw_planes
from ..engine.evaluators.native import NativeEvaluator, ShortEvaluator
from ..engine.evaluators.numpy import NumpyEvaluator
from ..engine.evaluators.onnx import OnnxEvaluator
from ..engine.evaluators.symmetric import turned
from ..engine.evaluators.torch import TorchEvaluator
from ..engine.evaluators.weightless import PatternsEvaluator, RolloutEvaluator
from ..engine.games.game import Position
from ..engine.kernels.puct import Puct
from ..engine.nets.build import make_net, take_checkpoint
from ..engine.nets.checkpoint import Checkpoint
from ..engine.nets.description import Description
from ..engine.nets.export import export
from ..engine.nets.quantize import quantize
from ..engine.search.mcts import MEGABYTE, Search
from ..engine.search.opened import pace
from ..engine.search.states import state_of
from ..engine.search.stopper import Limits, Stopper
from .bench_search import LARGE_TREE, ROUNDS, Line, quiet

NETS = (
    ("gomoku", "classic", 8),
    ("gomoku", "b4c32", 8),
    ("gomoku", "b6c64", 8),
    ("gomoku", "b10c128", 8),
    ("gomoku", "b4c32", 15),
    ("gomoku", "b6c64", 15),
    ("othello", "b4c32", 8),
)
BATCHES = (8, 64)
SEARCHED = ("short", "native", "int8", "torch")  # runtimes that a search is measured with, torch on a GPU only
DEEPER = 6  # plies
NO_FLOOR, SHARE_FLOOR, CLASSIC_FLOOR = "none", "90 %", "20,000"


def figures(seconds: float, device: str) -> Iterator[Line]:
    """Measure for so many seconds each."""
    for game, config, size in NETS:
        yield from net_lines(game, config, size, seconds, device)
    if device == "cpu":
        yield from _weightless(seconds)


def net_lines(game: str, config: str, size: int, seconds: float, device: str = "cpu") -> Iterator[Line]:
    """The speed of a net in every runtime, and how much of it a search keeps."""
    position = quiet(game, size, 8)
    runtimes = _runtimes(random_net(game, config, size), position, device)
    board = f"{config} {size}x{size}" if game == "gomoku" else f"{config} {game}"
    calls = {
        f"{name} {board}, batch {batch}": (_evaluation(evaluator, position, batch), batch)
        for name, evaluator in runtimes.items()
        for batch in BATCHES
    }
    for what, speed in _speeds(calls, seconds).items():
        yield what, f"{speed:,.0f} positions/s", NO_FLOOR
    for name in SEARCHED:
        if name in runtimes and (name != "torch" or device != "cpu"):
            yield from _neural(f"{name} {board}", runtimes[name], position, seconds, device)


def _runtimes(checkpoint: Checkpoint, position: Position, device: str) -> dict[str, Evaluator]:
    if device != "cpu":
        return {"torch": TorchEvaluator(checkpoint, device)}
    game = position.game
    calibration = np.stack([state_of(quiet(game.name, game.size, stones)) for stones in range(2, 14)])
    eight_bits = quantize(checkpoint, draw_planes(checkpoint.description, calibration))
    return {
        "short": ShortEvaluator(checkpoint),
        "native": NativeEvaluator(checkpoint),
        "int8": OnnxEvaluator(eight_bits.SerializeToString()),
        "onnx": OnnxEvaluator(export(checkpoint).SerializeToString()),
        "torch": TorchEvaluator(checkpoint, "cpu"),
        "numpy": NumpyEvaluator(checkpoint),
    }


def _speeds(calls: Mapping[str, tuple[Callable[[], object], int]], seconds: float) -> dict[str, float]:
    """Positions a second, the medians of rounds in which all take turns: all meet the same machine."""
    found: dict[str, list[float]] = {what: [] for what in calls}
    for _ in range(ROUNDS):
        for what, (call, batch) in calls.items():
            found[what].append(batch * _rate(call, seconds / ROUNDS))
    return {what: median(rates) for what, rates in found.items()}


def _neural(name: str, evaluator: Evaluator, position: Position, seconds: float, device: str) -> Iterator[Line]:
    """Evaluator and search in turns, so that both meet the same machine; medians.

    By processor time, for others use the machine, but by the clock where a device does the work.
    """
    now = time.process_time if device == "cpu" else time.perf_counter
    batch = good_batch(device, pace(evaluator, position.game))  # as the engine plays
    alone = _evaluation(evaluator, position, batch)
    views = turned(evaluator, np.random.default_rng(1))
    search = Search(views, 256 * MEGABYTE, batch, Puct(collisions=batch, tactics=True))
    search.choose(position, Stopper(Limits(visits=LARGE_TREE)))
    pairs = []
    for _ in range(ROUNDS):
        speed = batch * _rate(alone, seconds / ROUNDS, now)
        made = _playouts(search, position, seconds, now)  # whole: a search's beginning and end take time, too
        pairs.append((made, made / speed))
    playouts, share = (median(column) for column in zip(*pairs, strict=True))
    yield f"mcts {name}, batch {batch}", f"{playouts:,.0f} playouts/s", CLASSIC_FLOOR if "classic" in name else NO_FLOOR
    yield f"mcts {name}, share of the evaluator", f"{100 * share:.0f} %", SHARE_FLOOR


def _playouts(search: Search, position: Position, seconds: float, now: Callable[[], float]) -> float:
    """Playouts a second; time is what limits the search, as on a clock."""
    before, begun = search.tree.visits, now()
    search.choose(position, Stopper(Limits(seconds=seconds), now=now))
    return (search.tree.visits - before) / (now() - begun)


def _weightless(seconds: float) -> Iterator[Line]:
    """Evaluators without a net."""
    for game, size in (("gomoku", 15), ("othello", 8)):
        position = quiet(game, size, 8)
        evaluators: dict[str, Evaluator] = {"patterns": PatternsEvaluator(), "rollout": RolloutEvaluator()}
        calls = {
            f"{name} {game} {size}x{size}, batch 64": (_evaluation(evaluator, position, 64), 64)
            for name, evaluator in evaluators.items()
        }
        for what, speed in _speeds(calls, seconds).items():
            yield what, f"{speed:,.0f} positions/s", NO_FLOOR


def _evaluation(evaluator: Evaluator, position: Position, batch: int) -> Callable[[], object]:
    """A call that evaluates a batch; once it has been made already."""
    states = _leaves(position, batch)
    evaluator.evaluate(states)
    return lambda: evaluator.evaluate(states)


def _leaves(position: Position, count: int) -> States:
    """Different positions with some more stones than this one, as a search meets them."""
    game, plies = position.game, position.ply
    return np.stack([state_of(quiet(game.name, game.size, plies + number % DEEPER)) for number in range(count)])


def _rate(call: Callable[[], object], seconds: float, now: Callable[[], float] = time.perf_counter) -> float:
    """Calls a second."""
    begun, count = now(), 0
    while count < 2 or now() < begun + seconds:
        call()
        count += 1
    return count / (now() - begun)


def random_net(game: str, config: str, size: int) -> Checkpoint:
    """A net that was never trained: as quick as one that was."""
    description = Description(game, config, (size,))
    return take_checkpoint(make_net(description), description)
