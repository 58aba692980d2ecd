"""What a finished game says of each of its positions."""

import numpy as np
from numba import types

from .bits import square_bit
from .board import copy, legal_moves, play
from .jit import lean_kernel
from .layout import BLACK_DISCS, GOING_ON, OBJECTIVE, RESULT, SIDE, SIZE, WHITE_DISCS
from .leaf import LEAF_WORK, UNKNOWN, LeafWork
from .othello import playable_squares, square_of
from .othello_endgame import INFINITE_MARGIN, solve
from .othello_work import CHECK_AT, HALTED, NODES, PLAYABLE, REPORTED
from .othello_work import OBJECTIVE as DESK_OBJECTIVE
from .selfplay import GAMES, Games
from .uct import terminal_value


@lean_kernel(types.void(GAMES, types.int64, types.uint64[:, ::1]))
def replay(games: Games, game: int, states: np.ndarray) -> None:
    """Write the positions of a game, the one after the last recorded move included."""
    copy(games.starts[game], states[0])
    for ply in range(games.plies[game]):
        copy(states[ply], states[ply + 1])
        play(states[ply + 1], np.int64(games.moves[game, ply]))


@lean_kernel(types.void(types.uint64[::1], LEAF_WORK))
def _set_desk(state: np.ndarray, work: LeafWork) -> None:
    desk = work.desk
    desk[NODES] = desk[HALTED] = desk[CHECK_AT] = desk[REPORTED] = 0
    desk[DESK_OBJECTIVE] = 1 - 2 * np.int64(state[OBJECTIVE])
    desk[PLAYABLE] = np.int64(playable_squares(np.int64(state[SIZE])))
    work.control[:] = 0


@lean_kernel(types.void(types.uint64[::1], LEAF_WORK, types.uint64[::1], types.int16[::1]))
def play_out(state: np.ndarray, work: LeafWork, scratch: np.ndarray, moves: np.ndarray) -> None:
    """Play an Othello game to its end with the best moves of both sides; few squares should be empty."""
    _set_desk(state, work)
    while np.int64(state[RESULT]) == GOING_ON:
        count, best, chosen = legal_moves(state, moves), -2 * INFINITE_MARGIN, 0
        for index in range(count if count > 1 else 0):
            copy(state, scratch)
            play(scratch, np.int64(moves[index]))
            mover = np.int64(scratch[SIDE])
            own, opp = scratch[BLACK_DISCS + mover], scratch[WHITE_DISCS - mover]
            floor = max(best, -INFINITE_MARGIN)
            score = -solve(own, opp, -INFINITE_MARGIN, -floor, (work.discs, work.desk, work.control))
            if score > best:
                best, chosen = score, index
        play(state, np.int64(moves[chosen]))


@lean_kernel(types.void(types.uint64[::1], types.int64, types.int8[::1]))
def owners(state: np.ndarray, side: int, out: np.ndarray) -> None:
    """Write +1 for each Othello square with a disc of this side, -1 for the other's, 0 for an empty one."""
    size = np.int64(state[SIZE])
    for move in range(size * size):
        bit = square_bit(square_of(move, size))
        mine, yours = state[BLACK_DISCS + side] & bit, state[WHITE_DISCS - side] & bit
        out[move] = 1 if mine else -1 if yours else 0


@lean_kernel(types.int64(GAMES, types.int64, types.uint64[::1], types.int64))
def last_outcome(games: Games, game: int, end: np.ndarray, side: int) -> int:
    """The outcome for the side to move where the game was left: by the rules at its end, or by what was proven."""
    plies, result = np.int64(games.plies[game]), np.int64(end[RESULT])
    if result != GOING_ON:
        return terminal_value(result, side, 1 - 2 * np.int64(end[OBJECTIVE]))
    if games.proofs[game, plies] != UNKNOWN:
        return int(games.proofs[game, plies])
    return -int(games.proofs[game, plies - 1])


@lean_kernel(types.void(GAMES, types.int64, types.int64, types.float64, types.int8[::1], types.float32[::1]))
def look_back(games: Games, game: int, outcome: int, horizon: float, outcomes: np.ndarray, values: np.ndarray) -> None:
    """Write each recorded ply's outcome and the average of the values after it, which fade over the horizon.

    The outcome given is for the side to move where the game was left. What was proven on the way counts more.
    """
    average, keep = np.float64(outcome), 1.0 - 1.0 / horizon
    for ply in range(np.int64(games.plies[game]) - 1, -1, -1):
        proof = int(games.proofs[game, ply])
        outcome = -outcome if proof == UNKNOWN else proof
        outcomes[ply], values[ply] = outcome, -average
        root = np.float64(games.values[game, ply]) if proof == UNKNOWN else np.float64(proof)
        average = (1.0 - keep) * root - keep * average
