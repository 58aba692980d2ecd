from __future__ import annotations

import numpy as np

from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.graph import make_graph
from extremum.engine.kernels.gumbel import Gumbel, make_plans, make_roots
from extremum.engine.kernels.leaf import make_leaf_work
from extremum.engine.kernels.lockstep import LEAF, LEAVES, Manner, Rows, advance, update
from extremum.engine.kernels.puct import Batch, Puct, make_batch, node_of
from extremum.engine.kernels.rng import make_rng
from extremum.engine.search.states import state_of

GAME = Gomoku(5)
SHARED = {"moves", "ends"}  # of a batch: not one for each row


def guarded_rows(most: int, beyond: int) -> tuple[Rows, list[np.ndarray]]:
    """Room for so many visits, and what lies beyond it in memory."""
    whole = make_batch(most + 1 + beyond)._asdict()
    own = {name: array if name in SHARED else array[: most + 1] for name, array in whole.items()}
    return Rows(Batch(**own), np.zeros(2, np.int64)), [whole[name][most + 1 :] for name in whole if name not in SHARED]


def test_searches_that_begin_when_the_rows_are_full_wait_for_the_next_batch() -> None:
    graph, roots = make_graph(64, 1024), make_roots(6, GAME.num_moves)
    rows, beyond = guarded_rows(2, 8)
    for root in range(6):
        roots.states[root] = state_of(GAME.start().play(root))
        roots.nodes[root] = node_of(graph, roots.states[root], 1)
    rest = (make_plans((4, 8)), Manner(Puct(), Gumbel()), rows, make_leaf_work(), make_rng(1))
    for expanded in (0, 2, 4):
        begun = [root for root in range(6) if graph.nodes["first"][roots.nodes[root]] < 0]
        assert len(begun) == 6 - expanded
        assert {advance(graph, roots, root, *rest) for root in begun} == {LEAF}
        assert rows.filled[LEAVES] == 2
        assert not any(array.any() for array in beyond)
        update(graph, rows, np.zeros((2, GAME.num_moves), np.float32), np.zeros(2, np.float32))
