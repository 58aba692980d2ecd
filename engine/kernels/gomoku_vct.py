"""Victory by continuous threats: every move of the attacker makes a four or an open three.

The search is a proof-number search, depth-first with a hash table: the position that takes least to show is looked at
next. The attacker tries his fours and open threes, the defender every reply that plays a part in what is threatened.
A win is a proof, whatever the defender plays; that none is found says nothing.
"""

import numpy as np

from .gomoku_fours import NOTES_WORDS
from .gomoku_moves import class_of
from .gomoku_play import NODES, STOP, play, undo
from .gomoku_shapes import (
    BOARD_WORDS,
    FIVES,
    FREE,
    KEY,
    KEYS,
    MAKES_THREE,
    MOST_CELLS,
    NUM_CLASSES,
    TURN,
    WIDTH,
    scramble,
    set_up,
)
from .gomoku_vcf import NONE, UNKNOWN, futile_reply, is_empty, is_forbidden, num_fives
from .gomoku_vct_replies import (
    ATTACKER,
    FRAME_HEAD,
    FRAMES,
    SALTS,
    VCT_WORK,
    VctWork,
    list_replies,
    vcf_of,
)
from .gomoku_vct_table import (
    INFINITE,
    NO_CELL,
    cell_of,
    delta_of,
    entry_of,
    find_entry,
    length_of,
    phi_of,
    store_entry,
)
from .jit import kernel, lean_kernel
from .layout import GOING_ON, RESULT

TOTAL_LIMIT, CONTROL_WORDS = 3, 4  # of the control array: the most nodes of the whole search
LISTS_WORDS = 1 << 15
_DECIDED = -1
# What it takes at first to show that a threat wins, by the class of its point.
_FIRST_DELTA = np.array([3, 3, 1, 2, 1, 1, 1, 1])
assert len(_FIRST_DELTA) == NUM_CLASSES


@lean_kernel("int64(int64[::1], int64[::1])")
def _key(board: np.ndarray, lists: np.ndarray) -> int:
    return board[KEY] ^ lists[SALTS + board[TURN]]


@lean_kernel("int64(int64[::1], int64[::1], int64)")
def _key_after(board: np.ndarray, lists: np.ndarray, cell: int) -> int:
    turn = board[TURN]
    return board[KEY] ^ board[KEYS + turn * MOST_CELLS + cell] ^ lists[SALTS + 1 - turn]


@lean_kernel(f"int64({VCT_WORK}, boolean, int64, int64)")
def _decide(vct: VctWork, succeeds: bool, cell: int, length: int) -> int:
    """Keep that the side to move succeeds or fails; what was found in haste is forgotten."""
    work, table, lists = vct
    phi, delta = (0, INFINITE) if succeeds else (INFINITE, 0)
    if not work[4][STOP]:
        store_entry(table, _key(work[0], lists), entry_of(phi, delta, cell, length))
    return _DECIDED


@lean_kernel(f"int64({VCT_WORK}, int64)")
def _list_threats(vct: VctWork, top: int) -> int:
    """List the fours and open threes of the attacker, or the one point that he must take; returns how many."""
    work, _, lists = vct
    board, attacker, end = work[0], lists[ATTACKER], top + FRAME_HEAD
    must_take = num_fives(board, 1 - attacker) > 0
    for cell in range(board[WIDTH] * board[WIDTH]):
        makes = class_of(board, attacker * MOST_CELLS + cell)
        is_listed = cell == board[FIVES + 1 - attacker] if must_take else makes >= MAKES_THREE
        if is_listed and not is_forbidden(board, work[1], cell):
            lists[end] = cell
            end += 1
    return end - top - FRAME_HEAD


@lean_kernel(f"int64({VCT_WORK}, int64)")
def _expand_attack(vct: VctWork, top: int) -> int:
    """List the attacker's moves, unless it is known what comes of them."""
    work = vct[0]
    attacker = vct[2][ATTACKER]
    length = vcf_of(work, attacker)
    if length > NONE:
        return _decide(vct, True, work[2][0], length)
    if num_fives(work[0], 1 - attacker) > 1:
        return _decide(vct, False, NO_CELL, 0)
    count = _list_threats(vct, top)
    return count if count else _decide(vct, False, NO_CELL, 0)


@lean_kernel(f"int64({VCT_WORK}, int64)")
def _expand_defense(vct: VctWork, top: int) -> int:
    """List the replies of the defender, who completes no row, unless it is known what comes of them."""
    work, _, lists = vct
    board, state, attacker = work[0], work[1], lists[ATTACKER]
    fives, point = num_fives(board, attacker), board[FIVES + attacker]
    if fives > 1 or (fives == 1 and is_forbidden(board, state, point)):
        reply = futile_reply(board, state)
        return _decide(vct, reply < 0, NO_CELL if reply < 0 else reply, 2)
    if fives == 1:
        lists[top], lists[top + FRAME_HEAD] = 0, point
        return 1
    if vcf_of(work, 1 - attacker) > NONE:
        return _decide(vct, True, NO_CELL, 0)
    count = list_replies(vct, top)
    if count < 0:
        return _decide(vct, True, NO_CELL, 0)
    return count if count else _decide(vct, False, NO_CELL, 1 + lists[top])


@lean_kernel(f"int64({VCT_WORK}, int64)")
def _expand(vct: VctWork, top: int) -> int:
    """List the moves of the side to move and return how many; _DECIDED when it is known what comes of them."""
    board, lists = vct[0][0], vct[2]
    if board[FREE] == 0 or top + FRAME_HEAD + MOST_CELLS > len(lists):
        return _decide(vct, board[TURN] != lists[ATTACKER], NO_CELL, 0)
    return _expand_attack(vct, top) if board[TURN] == lists[ATTACKER] else _expand_defense(vct, top)


@lean_kernel(f"int64({VCT_WORK}, int64)")
def _entry_after(vct: VctWork, cell: int) -> int:
    """What is known of the position after a move, or what is thought of it at first."""
    work, table, lists = vct
    board = work[0]
    entry = find_entry(table, _key_after(board, lists, cell))
    if entry:
        return entry
    attacker = lists[ATTACKER]
    delta = _FIRST_DELTA[class_of(board, attacker * MOST_CELLS + cell)] if board[TURN] == attacker else 1
    return entry_of(1, delta, NO_CELL, 0)


@lean_kernel(f"UniTuple(int64, 5)({VCT_WORK}, int64, int64)")
def _survey(vct: VctWork, top: int, count: int) -> tuple[int, int, int, int, int]:
    """Phi and delta of the position, its most promising move, how many are open, and the second-best's delta."""
    lists = vct[2]
    least, second, most, num_open, best = INFINITE, INFINITE, 0, 0, NO_CELL
    for place in range(top + FRAME_HEAD, top + FRAME_HEAD + count):
        entry = _entry_after(vct, lists[place])
        phi, delta = phi_of(entry), delta_of(entry)
        num_open += phi > 0
        most = max(most, phi)
        if delta < least or best == NO_CELL:
            least, second, best = delta, least, lists[place]
        elif delta < second:
            second = delta
    delta = min(INFINITE, most + num_open - 1) if num_open else 0
    return least, delta, best, num_open, second


@lean_kernel(f"void({VCT_WORK}, int64, int64, int64, int64, int64)")
def _keep(vct: VctWork, top: int, count: int, phi: int, delta: int, best: int) -> None:
    """Keep what is known of the position; of a loss the move that resists longest."""
    work, table, lists = vct
    board = work[0]
    cell, length = best, 0
    if phi == 0:
        length = 1 + length_of(_entry_after(vct, best))
    elif delta == 0 and board[TURN] != lists[ATTACKER]:
        cell, length = NO_CELL, 1 + lists[top]
        for place in range(top + FRAME_HEAD, top + FRAME_HEAD + count):
            after = 1 + length_of(_entry_after(vct, lists[place]))
            if after >= length:
                cell, length = lists[place], after
    store_entry(table, _key(board, lists), entry_of(phi, delta, cell, min(length, 1000)))


@lean_kernel(f"void({VCT_WORK}, int64, int64, int64)")
def _prove(vct: VctWork, most_phi: int, most_delta: int, top: int) -> None:
    """Look into a position until its phi or delta reaches the most."""
    work = vct[0]
    board, state, control = work[0], work[1], work[4]
    count = _expand(vct, top)
    while count > 0:
        phi, delta, best, num_open, second = _survey(vct, top, count)
        is_spent = control[STOP] != 0 or 0 < control[TOTAL_LIMIT] <= control[NODES]
        if phi >= most_phi or delta >= most_delta or phi == 0 or delta == 0 or is_spent:
            _keep(vct, top, count, phi, delta, best)
            return
        control[NODES] += 1
        play(board, state, best)
        deeper_delta = min(most_phi, second + 1 + second // 4)
        _prove(vct, most_delta - num_open + 1, deeper_delta, top + FRAME_HEAD + count)
        undo(board, state)


@lean_kernel(f"int64({VCT_WORK})")
def _idle_reply(vct: VctWork) -> int:
    """A legal point that plays no part in what the attacker threatens; -1 when there is none."""
    work, _, lists = vct
    board, count = work[0], list_replies(vct, FRAMES)
    for cell in range(board[WIDTH] * board[WIDTH]):
        listed = not is_empty(board, cell) or is_forbidden(board, work[1], cell)
        for place in range(FRAMES + FRAME_HEAD, FRAMES + FRAME_HEAD + count):
            listed |= lists[place] == cell
        if not listed:
            return cell
    return -1


@lean_kernel(f"int64({VCT_WORK})")
def _next_of_line(vct: VctWork) -> int:
    """The move of a proof in a position without a win by fours; -1 when the hash table has lost it."""
    work, table, lists = vct
    board, attacker = work[0], lists[ATTACKER]
    entry = find_entry(table, _key(board, lists))
    if entry == 0 or (phi_of(entry) if board[TURN] == attacker else delta_of(entry)) != 0:
        return -1
    cell = cell_of(entry)
    if cell == NO_CELL and board[TURN] != attacker:
        return _idle_reply(vct)
    return -1 if cell == NO_CELL else cell


@lean_kernel(f"int64({VCT_WORK}, int16[::1])")
def _tell_line(vct: VctWork, line: np.ndarray) -> int:
    """Write the whole win and return its length; UNKNOWN when a part of it is lost."""
    work, _, lists = vct
    board, state, notes = work[0], work[1], work[2]
    ply, length = 0, UNKNOWN
    while length == UNKNOWN and ply < len(line):
        ahead = vcf_of(work, board[TURN]) if board[TURN] == lists[ATTACKER] else NONE
        if ahead > NONE:
            length = min(ply + ahead, len(line))
            for place in range(ply, length):
                line[place] = notes[place - ply]
            break
        cell = _next_of_line(vct)
        if cell < 0:
            _prove(vct, INFINITE, INFINITE, FRAMES)
            cell = _next_of_line(vct)
        if cell < 0:
            break
        line[ply] = cell
        ply += 1
        play(board, state, cell)
    for _ in range(min(ply, len(line))):
        undo(board, state)
    return length


@kernel("int64(uint64[::1], uint64[:,::1], uint64[:,::1], int16[::1], int64[::1])")
def prove(state: np.ndarray, fours: np.ndarray, table: np.ndarray, line: np.ndarray, control: np.ndarray) -> int:
    """The plies of a win of the side to move by threats, told in the line; 0 when there is none, -1 when stopped.

    The tables are of wins by fours and by threats; both are zeros at first, may be kept from one position and color to
    the next, and have a power of two for their lengths.
    """
    line[:] = -1
    if state[RESULT] != np.uint64(GOING_ON):
        return NONE
    board, notes, lists = (
        np.empty(BOARD_WORDS, np.int64),
        np.empty(NOTES_WORDS, np.int64),
        np.empty(LISTS_WORDS, np.int64),
    )
    set_up(board, state, 1)
    lists[ATTACKER] = board[TURN]
    for side in range(2):
        lists[SALTS + side] = scramble(3000 + 2 * board[TURN] + side)
    vct = ((board, state.copy(), notes, fours, control), table, lists)
    _prove(vct, INFINITE, INFINITE, FRAMES)
    entry = find_entry(table, _key(board, lists))
    if phi_of(entry) == 0:
        return _tell_line(vct, line)
    return NONE if delta_of(entry) == 0 else UNKNOWN
