"""The benchmark's lines on nets, which have random weights, and on the tree that asks them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from ..engine.brains.mcts import good_batch
from ..engine.evaluators.evaluator import Evaluation, Evaluator, Floats, States
from ..engine.evaluators.inputs import draw_planes
from ..engine.evaluators.native import NativeEvaluator, ShortEvaluator
from ..engine.evaluators.numpy import NumpyEvaluator
from ..engine.evaluators.onnx import OnnxEvaluator
from ..engine.evaluators.symmetric import TurnedEvaluator
from ..engine.evaluators.torch import TorchEvaluator
from ..engine.games import make_game
from ..engine.games.game import Position
from ..engine.kernels.graph import EDGE_BYTES, EDGES, NODE_BYTES, NODES
from ..engine.kernels.layout import KIND, SIZE, STONES
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
from ..engine.search.threats import find_vcf
from ..engine.search.tree import EDGES_A_NODE

NETS = (("classic", 8), ("b4c32", 8), ("b6c64", 8), ("b4c32", 15), ("b6c64", 15))
BATCHES = (8, 64)
TREE_BATCH = 32  # of the tree without a net
LARGE_TREE = 4096  # visits, from which on batches are whole
GROWING_BATCH = 64
ROUNDS = 7
PLAYOUTS = 50_000  # of the tree without a net, for a second
DEEPER = 6  # plies
MOST_NODES = 2_000_000  # of the tree that grows
SPARE = 1.3  # room for nodes that show all of their moves
FLOORS = {"evaluations": "none", "share": "90 %", "classic": "20,000"}

NUM_OPINIONS = 97

Line = tuple[str, str, str]  # what is measured, the figure, the floor


def figures(seconds: float) -> Iterator[Line]:
    """Measure for so many seconds each."""
    for config, size in NETS:
        yield from _net_lines(config, size, seconds)
    for game, size in (("gomoku", 8), ("gomoku", 15), ("othello", 8)):
        yield _overhead(quiet(game, size, 8), seconds)
    for game, size in (("gomoku", 15), ("othello", 8)):
        yield from _growth(quiet(game, size, 8), MOST_NODES)


class Nothing:
    """An evaluator that costs little, and knows how much; it says little, always the same of a position."""

    def __init__(self) -> None:
        self.spent = 0.0  # seconds of processor time
        self._logits: dict[int, Floats] = {}  # by the number of moves, [NUM_OPINIONS, num_moves]

    def evaluate(self, states: States) -> Evaluation:
        """Some logits and values."""
        begun = time.process_time()
        evaluation = self._say(states)
        self.spent += time.process_time() - begun
        return evaluation

    def _say(self, states: States) -> Evaluation:
        num_moves = int(states[0, SIZE]) ** 2 + int(states[0, KIND])
        if num_moves not in self._logits:
            seeds, moves = np.arange(NUM_OPINIONS)[:, None], np.arange(1, num_moves + 1)
            self._logits[num_moves] = (seeds * moves % 31 / 8).astype(np.float32)
        logits = self._logits[num_moves][states[:, STONES:].sum(axis=1) % np.uint64(NUM_OPINIONS)]
        return Evaluation(logits, logits[:, 0] / 16 - np.float32(0.1), np.zeros(len(states), np.float32))


def _net_lines(config: str, size: int, seconds: float) -> Iterator[Line]:
    """The speed of a net in every runtime, and how much of it a search keeps."""
    position = quiet("gomoku", size, 8)
    checkpoint = _random_net("gomoku", config, size)
    calibration = np.stack([state_of(quiet("gomoku", size, stones)) for stones in range(2, 14)])
    eight_bits = quantize(checkpoint, draw_planes(checkpoint.description, calibration))
    runtimes: dict[str, Evaluator] = {
        "short": ShortEvaluator(checkpoint),
        "native": NativeEvaluator(checkpoint),
        "int8": OnnxEvaluator(eight_bits.SerializeToString()),
        "onnx": OnnxEvaluator(export(checkpoint).SerializeToString()),
        "torch": TorchEvaluator(checkpoint, "cpu"),
        "numpy": NumpyEvaluator(checkpoint),
    }
    for name, evaluator in runtimes.items():
        for batch in BATCHES if name in ("short", "native", "int8", "onnx") else BATCHES[1:]:
            speed = _evaluations(evaluator, position, batch, seconds / 4)
            yield f"{name} {config} {size}x{size}, batch {batch}", f"{speed:,.0f} positions/s", FLOORS["evaluations"]
    for name in ("short", "native", "int8"):
        yield from _neural(f"{name} {config} {size}x{size}", runtimes[name], position, seconds)


def _neural(name: str, evaluator: Evaluator, position: Position, seconds: float) -> Iterator[Line]:
    """Evaluator and search in turns, so that both meet the same machine; by processor time, and medians."""
    batch = good_batch("cpu", pace(evaluator, position.game))  # as the engine plays
    turned = TurnedEvaluator(evaluator, np.random.default_rng(1))
    search = Search(turned, 256 * MEGABYTE, batch, Puct(collisions=batch, tactics=True))
    search.choose(position, Stopper(Limits(visits=LARGE_TREE)))
    leaves = _leaves(position, batch)
    pairs = []
    for _ in range(ROUNDS):
        alone = batch * _rate(lambda: evaluator.evaluate(leaves), seconds / ROUNDS / 2, time.process_time)
        before, begun = search.tree.visits, time.process_time()
        search.choose(position, Stopper(Limits(visits=before + int(alone * seconds / ROUNDS))))
        pairs.append((alone, (search.tree.visits - before) / (time.process_time() - begun)))
    playouts, share = (
        np.median(each) for each in ([made for _, made in pairs], [made / alone for alone, made in pairs])
    )
    floor = FLOORS["classic"] if "classic" in name else FLOORS["evaluations"]
    yield f"mcts {name}, batch {batch}", f"{playouts:,.0f} playouts/s", floor
    yield f"mcts {name}, share of the evaluator", f"{100 * share:.0f} %", FLOORS["share"]


def _leaves(position: Position, count: int) -> States:
    """Different positions with some more stones than this one, as a search meets them."""
    game, plies = position.game, position.ply
    return np.stack([state_of(quiet(game.name, game.size, plies + number % DEEPER)) for number in range(count)])


def _evaluations(evaluator: Evaluator, position: Position, batch: int, seconds: float) -> float:
    states = _leaves(position, batch)
    evaluator.evaluate(states)
    return batch * _rate(lambda: evaluator.evaluate(states), seconds)


def _rate(call: Callable[[], object], seconds: float, now: Callable[[], float] = time.perf_counter) -> float:
    """Calls a second."""
    begun, count = now(), 0
    while count < 2 or now() < begun + seconds:
        call()
        count += 1
    return count / (now() - begun)


def _overhead(position: Position, seconds: float) -> Line:
    """What a playout costs beside its evaluation, in processor time."""
    nothing = Nothing()
    search = Search(nothing, 256 * MEGABYTE, TREE_BATCH, Puct(collisions=TREE_BATCH, tactics=True))
    search.choose(position, Stopper(Limits(visits=LARGE_TREE)))
    before, begun = search.tree.visits, time.process_time() - nothing.spent
    search.choose(position, Stopper(Limits(visits=before + int(PLAYOUTS * seconds))))
    each = (time.process_time() - nothing.spent - begun) / max(1, search.tree.visits - before)
    game = position.game
    return f"tree, {game.name} {game.size}x{game.size}, a playout", f"{each * 1e6:.1f} us", "10 us"


def _growth(position: Position, most: int) -> Iterator[Line]:
    """Time for a playout while a tree grows to so many nodes, and the memory that they take."""
    game = position.game
    each = NODE_BYTES + EDGES_A_NODE.get(game.name, Puct().width) * EDGE_BYTES
    search = Search(Nothing(), int(2 * SPARE * each * most), GROWING_BATCH, Puct(collisions=GROWING_BATCH))
    times: list[float] = []
    for goal in (most // 20, most // 10, most - most // 20, most):
        before, begun = search.tree.visits, time.process_time()
        while search.tree.num_nodes < goal and not search.tree.is_full:
            search.choose(position, Stopper(Limits(visits=search.tree.visits + 2000)))
        times.append((time.process_time() - begun) / max(1, search.tree.visits - before))
    used = search.tree.graph.used
    held = used[NODES] * NODE_BYTES + used[EDGES] * EDGE_BYTES
    name = f"{game.name} {game.size}x{game.size}"
    yield f"tree, {name}, {used[NODES]:,} nodes, a playout", f"{times[3] * 1e6:.1f} us", "see below"
    yield "the same beside one of a tenth of the nodes", f"{times[3] / times[1]:.2f} times", "2 times"
    yield "the same, memory of a node", f"{held / used[NODES]:.0f} bytes", FLOORS["evaluations"]
    yield "the same, memory of the tree", f"{held / MEGABYTE:,.0f} MB", FLOORS["evaluations"]


def _random_net(game: str, config: str, size: int) -> Checkpoint:
    description = Description(game, config, (size,))
    return take_checkpoint(make_net(description), description)


def quiet(game: str, size: int, plies: int) -> Position:
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
