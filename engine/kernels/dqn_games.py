"""Othello games in lockstep for a learner of action values, what it remembers of them, and the planes it sees.

A position is the discs of the side to move and of the other one; a pass is played at once, so that there is always a
move to choose. Moves are the squares of the bitboards.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount, square_bit
from .jit import kernel, lean_kernel
from .othello import flips, mobility, playable_squares
from .othello_greedy import greedy_move
from .othello_learning import nth_square
from .rng import below

MOST_PLIES = 60
BY_CHANCE, BY_DISCS = 0, 1  # how an opponent to measure by chooses
OPENINGS = 4, 10  # plies by chance, at least and at most

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_FINE = 1 << 20
_RESULT_SHARE = 0.8  # of a reward; the rest is the margin

# The games under way: discs [game, 2]; +1 black or -1 white to move, the rival's color or 0, plies so far, plies by
# chance [game, 4]; their records: discs [game, ply, 2]; moves, sides, 1 for a move off the policy [game, ply, 3].
Games: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_GAMES = "Tuple((uint64[:, ::1], int64[:, ::1], uint64[:, :, ::1], int8[:, :, ::1]))"
SIDE, RIVAL, PLIES, OPENING = 0, 1, 2, 3
NUM_NOTES = 4

# What is remembered: discs before and later [size, 4]; move and sign [size, 2]; reward [size]; place and count [2].
Replay: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_REPLAY = "Tuple((uint64[:, ::1], int8[:, ::1], float32[::1], int64[::1]))"


@lean_kernel("UniTuple(uint64, 2)(int64)")
def beginning(size: int) -> tuple[np.uint64, np.uint64]:
    """The first position's discs, black's first."""
    low, high = size // 2 - 1, size // 2
    black = square_bit(8 * low + high) | square_bit(8 * high + low)
    return black, square_bit(8 * low + low) | square_bit(8 * high + high)


@lean_kernel("Tuple((uint64, uint64, int64))(uint64, uint64, int64, uint64)")
def after(own: np.uint64, opp: np.uint64, square: int, playable: np.uint64) -> tuple[np.uint64, np.uint64, int]:
    """The next position with a choice, and whether it is the opponent's, -1, the mover's again, 1, or the end, 0."""
    flipped = flips(own, opp, square)
    mine, yours = own | flipped | square_bit(square), opp ^ flipped
    if mobility(yours, mine, playable) != _ZERO:
        return yours, mine, -1
    return mine, yours, 0 if mobility(mine, yours, playable) == _ZERO else 1


@lean_kernel("int64(uint64, float32[::1], int64)")
def _best(moves: np.uint64, values: np.ndarray, size: int) -> int:
    best, chosen = np.float32(-np.inf), first(moves)
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        value = values[square // 8 * size + square % 8]
        if value > best:
            best, chosen = value, square
    return chosen


@lean_kernel(f"void(int64, int64, {_GAMES}, uint64[::1])")
def _begin(game: int, size: int, games: Games, rng: np.ndarray) -> None:
    discs, notes, _, _ = games
    discs[game, 0], discs[game, 1] = beginning(size)
    notes[game, SIDE], notes[game, PLIES] = 1, 0
    notes[game, OPENING] = OPENINGS[0] + below(rng, OPENINGS[1] - OPENINGS[0] + 1)
    if notes[game, RIVAL]:
        notes[game, RIVAL] = 2 * below(rng, 2) - 1


@kernel(f"void(int64, {_GAMES}, uint64[::1])")
def begin_all(size: int, games: Games, rng: np.ndarray) -> None:
    """Begin every game anew."""
    for game in range(len(games[0])):
        _begin(game, size, games, rng)


@lean_kernel(f"void(int64, float64, float64, {_GAMES}, {_REPLAY}, uint64[::1])")
def _remember(game: int, result: float, patience: float, games: Games, replay: Replay, rng: np.ndarray) -> None:
    """Remember each move of a finished game with a later position, or with its result for black.

    How much later is by chance, on average as temporal differences with lambda weigh it, and never beyond a move that
    was not the policy's own.
    """
    _, notes, record, moves = games
    kept, signs, rewards, place = replay
    plies = notes[game, PLIES]
    for ply in range(plies):
        later = ply + 1
        while later < plies and moves[game, later, 2] == 0 and below(rng, _FINE) < patience * _FINE:
            later += 1
        at = place[0]
        kept[at, 0], kept[at, 1] = record[game, ply, 0], record[game, ply, 1]
        signs[at, 0] = moves[game, ply, 0]
        if later == plies:
            signs[at, 1], rewards[at] = 0, moves[game, ply, 1] * result
        else:
            kept[at, 2], kept[at, 3] = record[game, later, 0], record[game, later, 1]
            signs[at, 1], rewards[at] = moves[game, ply, 1] * moves[game, later, 1], 0.0
        place[0] = (at + 1) % len(kept)
        place[1] = min(place[1] + 1, len(kept))


@lean_kernel("float64(uint64, uint64, int64)")
def _reward(black: np.uint64, white: np.uint64, objective: int) -> float:
    """What the end of a game is worth to black."""
    margin = objective * (popcount(black) - popcount(white))
    return _RESULT_SHARE * np.sign(margin) + (1 - _RESULT_SHARE) * margin / 64


@lean_kernel(f"int64(int64, int64, float32[:, ::1], float64, {_GAMES}, uint64[::1])")
def _play(game: int, size: int, values: np.ndarray, chance: float, games: Games, rng: np.ndarray) -> int:
    """Play a ply of a game and record it; returns what `after` says of the next position."""
    discs, notes, record, moves = games
    own, opp, side, ply = discs[game, 0], discs[game, 1], notes[game, SIDE], notes[game, PLIES]
    playable = playable_squares(size)
    legal = mobility(own, opp, playable)
    is_off = ply < notes[game, OPENING] or below(rng, _FINE) < chance * _FINE
    square = nth_square(legal, below(rng, popcount(legal))) if is_off else _best(legal, values[game], size)
    record[game, ply, 0], record[game, ply, 1] = own, opp
    moves[game, ply, 0], moves[game, ply, 1] = square, side
    moves[game, ply, 2] = 1 if is_off or notes[game, RIVAL] == side else 0
    notes[game, PLIES] += 1
    discs[game, 0], discs[game, 1], turn = after(own, opp, square, playable)
    notes[game, SIDE] = side * turn
    return turn


@kernel(f"int64(int64, int64, float32[:, ::1], float64, float64, {_GAMES}, {_REPLAY}, uint64[::1])")
def advance(
    size: int,
    objective: int,
    values: np.ndarray,
    chance: float,
    patience: float,
    games: Games,
    replay: Replay,
    rng: np.ndarray,
) -> int:
    """Play a ply of each game by the values of its moves, some by chance; finished games are remembered, and counted.

    `patience` is the lambda of the temporal differences. Moves of a rival are remembered as moves off the policy.
    """
    discs, notes, finished = games[0], games[1], 0
    for game in range(len(discs)):
        side = notes[game, SIDE]
        if _play(game, size, values, chance, games, rng) == 0:
            black, white = (discs[game, 0], discs[game, 1]) if side > 0 else (discs[game, 1], discs[game, 0])
            _remember(game, _reward(black, white, objective), patience, games, replay, rng)
            _begin(game, size, games, rng)
            finished += 1
    return finished


@lean_kernel("int64(uint64, uint64, uint64, int64, int64, uint64[::1])")
def _measuring_move(
    own: np.uint64, opp: np.uint64, moves: np.uint64, manner: int, objective: int, rng: np.ndarray
) -> int:
    """A move by chance, or one of those that turn the most discs, in the misère the fewest."""
    if manner == BY_CHANCE:
        return nth_square(moves, below(rng, popcount(moves)))
    return greedy_move(own, opp, moves, objective, rng)


@kernel("int64(int64[::1], float32[:, ::1], uint64[:, ::1], int64[:, ::1], uint64[::1])")
def measure(rules: np.ndarray, values: np.ndarray, discs: np.ndarray, notes: np.ndarray, rng: np.ndarray) -> int:
    """Play a ply of games against an opponent to measure by; returns how many go on.

    The rules are size, objective, and how the opponent chooses. Notes are: +1 black or -1 white to move, or 0 after the
    end; the color of the one who plays by the values, and after the end how it went for that one; the plies so far,
    and those by chance.
    """
    size, objective, going = rules[0], rules[1], 0
    playable = playable_squares(size)
    for game in range(len(discs)):
        side = notes[game, SIDE]
        if side == 0:
            continue
        own, opp, is_opening = discs[game, 0], discs[game, 1], notes[game, PLIES] < notes[game, OPENING]
        moves = mobility(own, opp, playable)
        if side == notes[game, RIVAL] and not is_opening:
            square = _best(moves, values[game], size)
        else:
            square = _measuring_move(own, opp, moves, BY_CHANCE if is_opening else rules[2], objective, rng)
        notes[game, PLIES] += 1
        discs[game, 0], discs[game, 1], turn = after(own, opp, square, playable)
        notes[game, SIDE] = side * turn
        going += abs(turn)
        if turn == 0:  # the last mover's discs are first
            notes[game, RIVAL] *= side * np.sign(objective * (popcount(discs[game, 0]) - popcount(discs[game, 1])))
    return going


@kernel("void(uint64[:, :], int64[::1], int64[:, ::1], float32[:, :, ::1])")
def draw_discs(discs: np.ndarray, turns: np.ndarray, permutations: np.ndarray, planes: np.ndarray) -> None:
    """Draw positions as planes, [position, plane, point], each under its own one of the eight symmetries."""
    size = 8 if planes.shape[2] == 64 else 6
    playable = playable_squares(size)
    planes[:] = 0.0
    for row in range(len(discs)):
        own, opp, goal = discs[row, 0], discs[row, 1], permutations[turns[row]]
        moves, replies = mobility(own, opp, playable), mobility(opp, own, playable)
        for plane, squares in enumerate((own, opp, moves, replies)):
            left = squares
            while left:
                square = first(left)
                left &= left - _ONE
                planes[row, plane, goal[square // 8 * size + square % 8]] = 1.0
