"""The weights of misère Gomoku's evaluation, in sixteenths of a hundredth of a logit: tables for three board sizes.

They are the work of `engine/training/misere_weights.py`: three rounds of games by one look ahead, 1,200 a round on 8x8,
800 on 10x10 and 400 on 15x15, seed 1, noise 15. In alpha-beta with equal nodes they scored 63 % on 8x8 (60 games, 3,000
nodes a move), 81 % on 10x10 (60, 2,000) and 72 % on 15x15 (60, 1,500) against the weights that the fit began with.
"""

from __future__ import annotations

import numpy as np

from .jit import lean_kernel

NUM_FEATURES = 11
STAGES = 32  # the rows of a table less one: how much of the board is empty
UNIT_BITS = 4
UNIT = 1 << UNIT_BITS

KNOTS = (0, 2, 4, 8, 16, 32)  # the stages between which weights change by straight lines
# Columns: the opponent's windows less the own ones that miss one, two, three and four stones; his points less the own
# ones where a stone completes a row, or stands in a window that then misses one, two, three; the parity of the points
# lost to nobody, the parity of the empty ones, the side to move. Rows: the knots.
_SMALL = (
    (176, 221, 96, 48, 3094, -127, -2, 0, 1737, -1585, -308),
    (131, 235, 94, 48, 2981, 108, -30, 0, 985, -1757, -386),
    (127, 268, 123, 53, 2157, 187, 16, 4, 272, -1291, -335),
    (164, 247, 141, 70, 1724, 117, 15, -5, 318, -1246, -229),
    (181, 245, 131, 75, 1721, 59, 11, 4, 210, -1087, -179),
    (160, 275, 139, 56, 1421, -19, 19, 11, -179, -674, -204),
)
_MIDDLE = (
    (137, 243, 97, 48, 3728, 173, 1, 0, 1512, -1759, -717),
    (106, 180, 106, 45, 2539, 418, 51, -2, 128, -1241, -609),
    (121, 217, 106, 36, 2352, 375, 105, -10, -281, -1010, -506),
    (93, 242, 110, 45, 1894, 226, 125, 48, -35, -981, -343),
    (110, 265, 106, 55, 995, 39, 30, 21, -110, -789, -206),
    (140, 244, 83, 56, 860, 13, -4, -6, -292, -408, -160),
)
_LARGE = (
    (85, 324, 93, 47, 3978, 916, -16, -1, 778, -449, -1454),
    (-16, 80, 81, 49, 2389, 696, 174, 6, -39, -233, -708),
    (-13, 83, 73, 42, 1749, 411, 200, 45, -87, -187, -380),
    (71, 96, 52, 54, 1133, 231, 130, 67, -255, -73, -240),
    (76, 123, 59, 23, 754, 68, 47, 25, -288, 77, -170),
    (126, 300, 37, 19, 1201, -130, -1, -6, -431, 168, -97),
)


def interpolated(
    table: tuple[tuple[float, ...], ...] | np.ndarray,
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """A row for each stage."""
    stages = np.arange(STAGES + 1)
    columns = [np.interp(stages, KNOTS, column) for column in zip(*table, strict=True)]
    return np.rint(np.stack(columns, axis=1)).astype(np.int64)


WEIGHTS = np.stack([interpolated(table) for table in (_SMALL, _MIDDLE, _LARGE)])  # [table, stage, feature]


@lean_kernel("int64(int64)")
def table_of(size: int) -> int:
    """Which table a board of this size uses."""
    return 0 if size <= 8 else 1 if size <= 11 else 2
