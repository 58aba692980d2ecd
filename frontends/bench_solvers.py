"""The benchmark's lines on the solvers: wins by fours, and Othello's endgames."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from ..engine.brains import make_brain
from ..engine.games import make_game
from ..engine.games.game import Color, Position
from ..engine.options import Options
from ..engine.search.analysis import Analysis
from ..engine.search.stopper import Limits, Stopper
from ..engine.search.threats import find_vcf, new_table
from .bench_search import Line, quiet

FOURS_FLOOR, DISCS_FLOOR = "1 M", "15 M"

# The first positions of the second half of the FFO endgame suite: the board row by row, and who is to move.
FFO = {
    40: "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    41: "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X",
    42: "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X",
    43: "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O",
    44: "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O",
}


def figures(seconds: float) -> Iterator[Line]:
    """Measure for so many seconds each; the suite's positions take what they take."""
    yield _fours(seconds)
    yield _discs(seconds)
    for number in FFO:
        yield from ffo(number)


def ffo(number: int) -> Iterator[Line]:
    """Time and nodes for the whole solution of a position: the best move and its margin."""
    analysis = solved(ffo_position(number))
    empties = FFO[number].count("-")
    yield f"othello solved, FFO {number}, {empties} empty", f"{analysis.seconds:.1f} s", "none"
    yield "the same, nodes", f"{analysis.visits:,} nodes", "none"


def ffo_position(number: int) -> Position:
    """A position of the suite."""
    board, side = FFO[number].split()
    black, white = (sum(1 << place for place, disc in enumerate(board) if disc == color) for color in "XO")
    return make_game("othello").setup(black, white, Color.BLACK if side == "X" else Color.WHITE)


def solved(position: Position) -> Analysis:
    """What alpha-beta knows when nothing stops it."""
    brain = make_brain("alphabeta", Options(seed=1))
    brain.choose(position, Stopper(Limits(visits=1, depth=1)))
    return brain.choose(position, Stopper(Limits())).analysis


def _fours(seconds: float) -> Line:
    """Wins by fours are looked for in vain, where many fours can be made."""
    position, nodes, spent = _crowded(), 0, 0.0
    while spent < seconds:
        table, begun = new_table(), time.perf_counter()
        nodes += find_vcf(position, table=table).nodes
        spent += time.perf_counter() - begun
    return "wins by fours, gomoku 15x15, crowded", f"{nodes / spent:,.0f} nodes/s", FOURS_FLOOR


def _discs(seconds: float) -> Line:
    """Othello is solved from 18 empty squares on."""
    position = quiet("othello", 8, 42)
    brain = make_brain("alphabeta", Options(seed=1))
    brain.choose(position, Stopper(Limits(visits=1, depth=1)))
    analysis = brain.choose(position, Stopper(Limits(seconds=max(1.0, seconds)))).analysis
    return "othello solved, 18 empty", f"{analysis.visits / analysis.seconds:,.0f} nodes/s", DISCS_FLOOR


def _crowded() -> Position:
    """Stones by chance on every third point: with thousands of fours and no win among them."""
    rng, game = random.Random(0), make_game("gomoku", 15)
    while True:
        points = rng.sample(range(game.num_moves), 76)
        position = game.setup(
            sum(1 << move for move in points[::2]), sum(1 << move for move in points[1::2]), Color.BLACK
        )
        found = find_vcf(position, max_nodes=200_000)
        if position.outcome() is None and found.wins is not True and found.nodes > 20_000:
            return position
