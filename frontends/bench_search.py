"""The benchmark's lines on the tree alone, and the positions that other lines are measured on."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from statistics import median

import numpy as np

from ..engine.evaluators.evaluator import Evaluation, Floats, States
from ..engine.games import make_game
from ..engine.games.game import Position
from ..engine.kernels.graph import EDGE_BYTES, EDGES, NODE_BYTES, NODES
from ..engine.kernels.layout import KIND, SIZE, STONES
from ..engine.kernels.puct import Puct
from ..engine.search.mcts import MEGABYTE, Search
from ..engine.search.stopper import Limits, Stopper
from ..engine.search.threats import find_vcf
from ..engine.search.tree import EDGES_A_NODE

TREE_BATCH = 32  # of the tree without a net
LARGE_TREE = 4096  # visits, from which on batches are whole
GROWING_BATCH = 64
ROUNDS = 7
PLAYOUTS = 50_000  # of the tree without a net, for a second; in one search, whose beginning and end take time, too
SMALL_NODES, MOST_NODES = 20_000, 2_000_000  # of the tree that grows
SPARE = 1.3  # room for nodes that show all of their moves

NUM_OPINIONS = 97

Line = tuple[str, str, str]  # what is measured, the figure, the floor


def figures(seconds: float) -> Iterator[Line]:
    """Measure for so many seconds each."""
    for game, size in (("gomoku", 8), ("gomoku", 15), ("othello", 8)):
        yield _overhead(quiet(game, size, 8), seconds)
    for game, size in (("gomoku", 15), ("othello", 8)):
        yield from _growth(quiet(game, size, 8), SMALL_NODES, MOST_NODES)


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


def _overhead(position: Position, seconds: float) -> Line:
    """What a playout costs beside its evaluation, in processor time; the median of some rounds."""
    nothing = Nothing()
    search = Search(nothing, 256 * MEGABYTE, TREE_BATCH, Puct(collisions=TREE_BATCH, tactics=True))
    search.choose(position, Stopper(Limits(visits=LARGE_TREE)))
    each = []
    for _ in range(ROUNDS):
        before, begun = search.tree.visits, time.process_time() - nothing.spent
        search.choose(position, Stopper(Limits(visits=before + max(1, int(PLAYOUTS * seconds)))))
        each.append((time.process_time() - nothing.spent - begun) / max(1, search.tree.visits - before))
    game = position.game
    return f"tree, {game.name} {game.size}x{game.size}, a playout", f"{median(each) * 1e6:.1f} us", "10 us"


def _growth(position: Position, small: int, most: int) -> Iterator[Line]:
    """Time for a playout while a tree grows from few nodes to many, and the memory that they take."""
    game, nothing = position.game, Nothing()
    room = NODE_BYTES + EDGES_A_NODE.get(game.name, Puct().width) * EDGE_BYTES
    puct = Puct(collisions=GROWING_BATCH, tactics=True)
    search = Search(nothing, int(2 * SPARE * room * most), GROWING_BATCH, puct)
    times: list[float] = []
    for goal in (small // 2, small, most // 20, most // 10, most - most // 20, most):
        before, begun = search.tree.visits, time.process_time() - nothing.spent
        while search.tree.num_nodes < goal and not search.tree.is_full:
            search.choose(position, Stopper(Limits(visits=search.tree.visits + 2000)))
        times.append((time.process_time() - nothing.spent - begun) / max(1, search.tree.visits - before))
    used = search.tree.graph.used
    held = used[NODES] * NODE_BYTES + used[EDGES] * EDGE_BYTES
    name = f"{game.name} {game.size}x{game.size}"
    yield f"tree, {name}, {small:,} nodes, a playout", f"{times[1] * 1e6:.1f} us", "none"
    yield f"tree, {name}, {used[NODES]:,} nodes, a playout", f"{times[5] * 1e6:.1f} us", "see below"
    yield "the same beside one of a tenth of the nodes", f"{times[5] / times[3]:.2f} times", "none"
    yield f"the same beside one of {small:,} nodes", f"{times[5] / times[1]:.2f} times", "2 times"
    yield "the same, memory of a node", f"{held / used[NODES]:.0f} bytes", "none"
    yield "the same, memory of the tree", f"{held / MEGABYTE:,.0f} MB", "none"


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
