"""The benchmark's lines on nets, on the tree that asks them, and on the solvers beside it; nets have random weights."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from ..engine.brains import make_brain
from ..engine.evaluators.evaluator import Evaluation, Evaluator, States
from ..engine.evaluators.inputs import draw_planes
from ..engine.evaluators.numpy import NumpyEvaluator
from ..engine.evaluators.onnx import OnnxEvaluator
from ..engine.evaluators.symmetric import TurnedEvaluator
from ..engine.evaluators.torch import TorchEvaluator
from ..engine.games import make_game
from ..engine.games.game import Color, Position
from ..engine.kernels.graph import EDGES, NODES
from ..engine.kernels.layout import KIND, SIZE
from ..engine.kernels.puct import Puct
from ..engine.nets.build import make_net, take_checkpoint
from ..engine.nets.checkpoint import Checkpoint
from ..engine.nets.description import Description
from ..engine.nets.export import export
from ..engine.nets.quantize import quantize
from ..engine.options import Options
from ..engine.search.mcts import MEGABYTE, Search
from ..engine.search.states import state_of
from ..engine.search.stopper import Limits, Stopper
from ..engine.search.threats import find_vcf, new_table

NETS = (("classic", 8), ("b4c32", 8), ("b6c64", 8), ("b4c32", 15), ("b6c64", 15))
BATCHES = (8, 64)
TREE_BATCH = 16
MOST_NODES = 2_000_000  # of the tree that grows, for a second
FLOORS = {"evaluations": "none", "share": "90 %", "classic": "20,000 (int8)", "fours": "1 M", "discs": "15 M"}

Line = tuple[str, str, str]  # what is measured, the figure, the floor


def figures(seconds: float) -> Iterator[Line]:
    """Measure for so many seconds each."""
    for config, size in NETS:
        yield from _net_lines(config, size, seconds)
    for game, size in (("gomoku", 8), ("gomoku", 15), ("othello", 8)):
        yield _overhead(_quiet(game, size, 8), seconds)
    yield from _growth(int(MOST_NODES * min(seconds, 1.0)))
    yield _fours(seconds)
    yield _discs(seconds)


class Nothing:
    """An evaluator that costs nothing and says little, always the same of a position."""

    def evaluate(self, states: States) -> Evaluation:
        """Some logits and values."""
        num_moves = int(states[0, SIZE]) ** 2 + int(states[0, KIND])
        seeds = (states[:, 9:] % 1009).sum(axis=1)[:, None] % 97
        logits = ((seeds * np.arange(1, num_moves + 1, dtype=np.uint64)) % 31 / 8).astype(np.float32)
        return Evaluation(logits, logits[:, 0] / 16 - np.float32(0.1), np.zeros(len(states), np.float32))


def _net_lines(config: str, size: int, seconds: float) -> Iterator[Line]:
    """The speed of a net in every runtime, and how much of it a search keeps."""
    position = _quiet("gomoku", size, 8)
    checkpoint = _random_net("gomoku", config, size)
    calibration = np.stack([state_of(_quiet("gomoku", size, stones)) for stones in range(2, 14)])
    eight_bits = quantize(checkpoint, draw_planes(checkpoint.description, calibration))
    runtimes: dict[str, Evaluator] = {
        "int8": OnnxEvaluator(eight_bits.SerializeToString()),
        "onnx": OnnxEvaluator(export(checkpoint).SerializeToString()),
        "torch": TorchEvaluator(checkpoint, "cpu"),
        "numpy": NumpyEvaluator(checkpoint),
    }
    for name, evaluator in runtimes.items():
        for batch in BATCHES if name in ("int8", "onnx") else BATCHES[1:]:
            speed = _evaluations(evaluator, position, batch, seconds / 4)
            yield f"{name} {config} {size}x{size}, batch {batch}", f"{speed:,.0f} positions/s", FLOORS["evaluations"]
    yield from _neural(f"{config} {size}x{size}", runtimes["int8"], position, seconds)


def _neural(name: str, evaluator: Evaluator, position: Position, seconds: float) -> Iterator[Line]:
    """Evaluator and search in turns, so that both meet the same machine; the medians are compared."""
    turned = TurnedEvaluator(evaluator, np.random.default_rng(1))
    search = Search(turned, 256 * MEGABYTE, TREE_BATCH, Puct(collisions=TREE_BATCH, tactics=True))
    search.choose(position, Stopper(Limits(visits=1000)))
    pairs = []
    for _ in range(5):
        alone = _evaluations(evaluator, position, TREE_BATCH, seconds / 10)
        before, begun = search.tree.visits, time.perf_counter()
        search.choose(position, Stopper(Limits(seconds=seconds / 5)))
        pairs.append((alone, (search.tree.visits - before) / (time.perf_counter() - begun)))
    alone, playouts = np.median(np.array(pairs), axis=0)
    floor = FLOORS["classic"] if name.startswith("classic") else FLOORS["evaluations"]
    yield f"mcts int8 {name}, batch {TREE_BATCH}", f"{playouts:,.0f} playouts/s", floor
    yield f"mcts int8 {name}, share of the evaluator", f"{100 * playouts / alone:.0f} %", FLOORS["share"]


def _evaluations(evaluator: Evaluator, position: Position, batch: int, seconds: float) -> float:
    states = state_of(position)[None].repeat(batch, axis=0)
    evaluator.evaluate(states)
    return batch * _rate(lambda: evaluator.evaluate(states), seconds)


def _rate(call: Callable[[], object], seconds: float) -> float:
    """Calls a second."""
    begun, count = time.perf_counter(), 0
    while count < 2 or time.perf_counter() < begun + seconds:
        call()
        count += 1
    return count / (time.perf_counter() - begun)


def _overhead(position: Position, seconds: float) -> Line:
    """What a playout costs beside its evaluation."""
    search = Search(Nothing(), 256 * MEGABYTE, TREE_BATCH, Puct(collisions=TREE_BATCH, tactics=True))
    search.choose(position, Stopper(Limits(visits=200)))
    before, begun = search.tree.visits, time.perf_counter()
    search.choose(position, Stopper(Limits(seconds=seconds)))
    each = (time.perf_counter() - begun) / max(1, search.tree.visits - before)
    game = position.game
    return f"tree, {game.name} {game.size}x{game.size}, a playout", f"{each * 1e6:.1f} us", "10 us"


def _growth(most: int) -> Iterator[Line]:
    """Time for a playout while a tree of Othello grows, and the memory of its nodes."""
    position = _quiet("othello", 8, 8)
    search = Search(Nothing(), 700 * most, 64, Puct(collisions=64))
    times: list[float] = []
    for goal in (most // 20, most // 10, most - most // 20, most):
        before, begun = search.tree.visits, time.perf_counter()
        while search.tree.num_nodes < goal and not search.tree.is_full:
            search.choose(position, Stopper(Limits(visits=search.tree.visits + 2000)))
        times.append((time.perf_counter() - begun) / max(1, search.tree.visits - before))
    used = search.tree.graph.used
    held = used[NODES] * 72 + used[EDGES] * 16
    yield f"tree of {used[NODES]:,} nodes, a playout", f"{times[3] * 1e6:.1f} us", "see below"
    yield "the same beside one of a tenth of the nodes", f"{times[3] / times[1]:.2f} times", "2 times"
    yield "the same, memory of a node", f"{held / used[NODES]:.0f} bytes", FLOORS["evaluations"]


def _fours(seconds: float) -> Line:
    """Wins by fours are looked for in vain, where many fours can be made."""
    position, nodes, spent = _crowded(), 0, 0.0
    while spent < seconds:
        table, begun = new_table(), time.perf_counter()
        nodes += find_vcf(position, table=table).nodes
        spent += time.perf_counter() - begun
    return "wins by fours, gomoku 15x15, crowded", f"{nodes / spent:,.0f} nodes/s", FLOORS["fours"]


def _discs(seconds: float) -> Line:
    """Othello is solved from 18 empty squares on."""
    position = _quiet("othello", 8, 42)
    brain = make_brain("alphabeta", Options(seed=1))
    brain.choose(position, Stopper(Limits(visits=1, depth=1)))
    analysis = brain.choose(position, Stopper(Limits(seconds=max(1.0, seconds)))).analysis
    return "othello solved, 18 empty", f"{analysis.visits / analysis.seconds:,.0f} nodes/s", FLOORS["discs"]


def _random_net(game: str, config: str, size: int) -> Checkpoint:
    description = Description(game, config, (size,))
    return take_checkpoint(make_net(description), description)


def _quiet(game: str, size: int, plies: int) -> Position:
    """The same game each time, in Gomoku about the middle and without a row in reach."""
    rng = random.Random(f"{game} {size}")
    while True:
        position = make_game(game, size).start()
        while position.outcome() is None and position.ply < plies:
            position = position.play(rng.choice(_sensible(position)))
        if position.outcome() is None and (game == "othello" or find_vcf(position, 1000).wins is False):
            return position


def _sensible(position: Position) -> list[int]:
    size, moves = position.game.size, position.legal_moves()
    if position.game.name == "othello":
        return moves
    return [move for move in moves if max(abs(move // size - size // 2), abs(move % size - size // 2)) <= 3]


def _crowded() -> Position:
    """Stones by chance on every third point: with thousands of fours and no win among them."""
    rng, game = random.Random(0), make_game("gomoku", 15)
    while True:
        points = rng.sample(range(game.num_moves), 76)
        position = game.setup(
            sum(1 << move for move in points[::2]), sum(1 << move for move in points[1::2]), Color.BLACK
        )
        found = find_vcf(position, max_nodes=200_000)
        if position.outcome() is None and found.wins is not True and found.nodes > 20_000:
            return position
