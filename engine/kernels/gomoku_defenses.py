"""What is left to a side whose opponent would win by fours, were it his turn."""

import numpy as np

from .gomoku_moves import class_of
from .gomoku_play import NODE_LIMIT, NODES, STOP, WORK, Work, play, undo
from .gomoku_shapes import MAKES_FIVE, MOST_CELLS, TURN, WIDTH
from .gomoku_vcf import NONE, is_empty, is_forbidden, leaf_vcf_of, solve_board
from .jit import lean_kernel
from .layout import SIDE


@lean_kernel(f"boolean({WORK}, int64, int64)")
def _still_wins(work: Work, cell: int, max_nodes: int) -> bool:
    """True when the opponent has a win by fours also after this move of the side to move, which completes no row."""
    board, state, _, _, control = work
    play(board, state, cell)
    control[NODE_LIMIT] = control[NODES] + max_nodes
    length = solve_board(work)
    undo(board, state)
    return length > NONE


@lean_kernel(f"int64(uint64[::1], {WORK}, int64, int16[::1])")
def list_defenses(state: np.ndarray, work: Work, max_nodes: int, moves: np.ndarray) -> int:
    """Write the moves after which no win by fours is found for the opponent, and return how many.

    Every other move loses. -1 when no such win is found now; the nodes are for each of the searches.
    """
    board, copy, _, _, control = work
    if leaf_vcf_of(state, 1 - np.int64(state[SIDE]), work, max_nodes) <= NONE:
        return -1
    board[TURN], count = np.int64(state[SIDE]), 0
    for cell in range(board[WIDTH] * board[WIDTH]):
        if not is_empty(board, cell) or is_forbidden(board, copy, cell) or control[STOP]:
            continue
        completes = class_of(board, board[TURN] * MOST_CELLS + cell) == MAKES_FIVE
        if completes or not _still_wins(work, cell, max_nodes):
            moves[count] = cell
            count += 1
    return count
