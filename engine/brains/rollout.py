"""Tree search by rollouts: UCT, whose tree is kept from move to move."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..games.game import Game, Position
from ..kernels.layout import STATE, STATE_WORDS
from ..kernels.rng import make_rng
from ..kernels.tree import NODE_BYTES, ROOT, clear, copy_subtree, make_tree
from ..kernels.uct import Manner, expand, find, make_workspace, search
from ..search.analysis import Analysis, Choice, Reporter, ignore
from ..search.slices import slices
from ..search.states import state_of
from ..search.stopper import Stopper
from ..search.tree_analysis import analysis_of
from .random import seed_or_new

if TYPE_CHECKING:
    from ..options import Options

MEGABYTE = 1 << 20
PLIES_FOLLOWED = 4  # both sides' moves, and passes
MOST_VISITS = 2**31 - 1  # what a node can count
EXPLORATION = {"gomoku": 0.4, "othello": 0.7}  # measured by matches of the brain with itself
FIRST_PLAY = 1.0
PATIENCE = 1 / 32  # saves memory where the board is wide and costs no strength


class RolloutBrain:
    """Chooses the move that was visited most, unless something better is proven."""

    def __init__(self, options: Options) -> None:
        self._textbook = options.textbook
        self._rng = make_rng(seed_or_new(options.seed))
        nodes = options.memory * MEGABYTE // 2 // NODE_BYTES
        self._tree, self._spare = make_tree(nodes), make_tree(nodes)
        self._root = ROOT
        self._inherited = 0  # visits of the root before the search at hand
        self._states = np.zeros((PLIES_FOLLOWED + 1, STATE_WORDS), STATE)  # the first is the root's
        self._manner: Manner | None = None
        self._work = make_workspace()

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search until the stopper stops it, the result is proven or there is only one move."""
        self._go_to(position)
        self._inherited = self._visits()
        self._search(stopper, report)
        analysis = self._analysis(stopper)
        return Choice(analysis.best.move, analysis)

    def _go_to(self, position: Position) -> None:
        """Make the position the root, with its part of the tree if it is there."""
        state, manner = state_of(position), _manner(position.game, self._textbook)
        node = find(self._tree, self._root, self._states, 0, state) if manner == self._manner else -1
        self._manner = manner
        self._states[0] = state
        if node < 0 or self._textbook or self._tree.first[node] < 0:
            clear(self._tree)
            self._root = ROOT
        else:
            self._root = node
            self._make_room()
        if not self._textbook:
            self._expand_root()

    def _make_room(self) -> None:
        """Move what is below the root into the spare tree once this one is half full."""
        if self._tree.used[0] <= len(self._tree.move) // 2:
            return
        clear(self._spare)
        copy_subtree(self._tree, self._root, self._spare)
        self._tree, self._spare, self._root = self._spare, self._tree, ROOT

    def _expand_root(self) -> None:
        if self._tree.first[self._root] < 0:
            expand(self._tree, self._root, self._states[0], self._manner, self._work, self._rng)

    def _search(self, stopper: Stopper, report: Reporter) -> None:
        if self._tree.num_children[self._root] == 1:
            return
        for count in slices(stopper, self._visits):
            count = min(count, MOST_VISITS - self._visits())
            made = search(self._tree, self._root, self._states[0], count, self._manner, self._work, self._rng)
            report(lambda: self._analysis(stopper))
            if made < count or count == 0:
                return

    def _visits(self) -> int:
        return int(self._tree.visits[self._root])

    def _analysis(self, stopper: Stopper) -> Analysis:
        self._expand_root()
        return replace(analysis_of(self._tree, self._root, stopper.elapsed), inherited=self._inherited)


def _manner(game: Game, textbook: bool) -> Manner:
    if textbook:
        return Manner(game.objective, True, exploration=5.0, first_play=0.0, patience=0.0)
    return Manner(game.objective, False, EXPLORATION[game.name], FIRST_PLAY, PATIENCE)
