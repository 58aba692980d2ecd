"""The flat state that every kernel takes: a header, then the stones as bits.

A state is a uint64 array of STATE_WORDS for both games. Gomoku keeps four bit rows through every cell and color: bit
`GUARD + column` of its row, bit `GUARD + row` of its column, bit `GUARD + column` of its two diagonals. Othello keeps
two bitboards with eight squares a row on every size.

The lines through a cell are ROWS + row, COLUMNS + column, DIAGONALS + 19 + row - column, ANTIDIAGONALS + row + column.
"""

import numpy as np

KIND = 0  # GOMOKU or OTHELLO
SIZE = 1
SIDE = 2  # 0 black, 1 white
RESULT = 3  # GOING_ON, BLACK_WON, WHITE_WON or DRAWN
EMPTIES = 4
IN_A_ROW = 5  # Gomoku
RULE = 6  # Gomoku: FREESTYLE, STANDARD or RENJU
PASSED = 7  # Othello: 1 when the last move was a pass
OBJECTIVE = 8  # 0 in the ordinary game, 1 in its misère: only evaluators ask
STONES = 9  # where the stones begin

GOMOKU, OTHELLO = 0, 1
GOING_ON, BLACK_WON, WHITE_WON, DRAWN = 0, 1, 2, 3
FREESTYLE, STANDARD, RENJU = 0, 1, 2

GUARD = 6  # empty bits below the first cell of a line, so that windows may reach over the edge
ROWS, COLUMNS, DIAGONALS, ANTIDIAGONALS = 0, 20, 40, 79  # first line of each direction
NUM_LINES = 118  # of one color; black's begin at STONES, white's at STONES + NUM_LINES

BLACK_DISCS, WHITE_DISCS = STONES, STONES + 1  # Othello's bitboards

STATE_WORDS = STONES + 2 * NUM_LINES
STATE = np.uint64
