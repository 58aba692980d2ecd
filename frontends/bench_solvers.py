"""The benchmark's lines on the solvers: wins by fours, Othello's endgames and those of misère Gomoku."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median

from ..engine.brains import make_brain
from ..engine.games import make_game
from ..engine.games.game import Color, Position
from ..engine.games.misere import Misere
from ..engine.options import Options
from ..engine.search.analysis import Analysis
from ..engine.search.stopper import Limits, Stopper
from ..engine.search.threats import find_vcf, nodes_a_second
from .bench_search import ROUNDS, Line

FOURS_FLOOR, DISCS_FLOOR = "1 M", "15 M"
THREATS_NODES = 2_000_000  # of each search for a win, for a second

# The first positions of the second half of the FFO endgame suite: the board row by row, and who is to move.
FFO = {
    40: "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    41: "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X",
    42: "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X",
    43: "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O",
    44: "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O",
}

# White forces black to complete a row: 10x10, row by row, of a game against the careful loser.
ENDING = "XOXXXOOOXOOOXOXOXO-XXXOO--X-XOOXOX-----OXXOX--O-XXXOO--X-XOOOXX---O-XXOO-XX-XOXOXXOOOOXOOXXOXOXXOXOO"


def figures(seconds: float) -> Iterator[Line]:
    """Measure for so many seconds each; the suite's positions take what they take."""
    yield from _wins(seconds)
    yield from ending()
    yield _discs()
    for number in FFO:
        yield from ffo(number)


def ending() -> Iterator[Line]:
    """Time and speed of the proof that a side of misère Gomoku must complete a row."""
    black, white = _stones(ENDING)
    analysis = solved(Misere(make_game("gomoku", 10)).setup(black, white, Color.WHITE))
    assert analysis.best.proven == 1
    yield f"misere gomoku 10x10 proven, {ENDING.count('-')} empty", f"{analysis.seconds:.2f} s", "none"
    yield "the same, the solver", f"{analysis.speed:,.0f} nodes/s", "none"


def ffo(number: int) -> Iterator[Line]:
    """Time and nodes for the whole solution of a position: the best move and its margin."""
    analysis = solved(ffo_position(number))
    empties, best = FFO[number].count("-"), analysis.best
    answer = f"{'abcdefgh'[best.move % 8]}{best.move // 8 + 1} {best.discs:+.0f}"
    yield f"othello solved, FFO {number}, {empties} empty: {answer}", f"{analysis.seconds:.1f} s", "none"
    yield "the same, nodes", f"{analysis.visits:,} nodes", "none"


def ffo_position(number: int) -> Position:
    """A position of the suite."""
    board, side = FFO[number].split()
    black, white = _stones(board)
    return make_game("othello").setup(black, white, Color.BLACK if side == "X" else Color.WHITE)


def _stones(board: str) -> tuple[int, int]:
    """Black's and white's, as bits."""
    black, white = (sum(1 << place for place, stone in enumerate(board) if stone == color) for color in "XO")
    return black, white


def solved(position: Position, limits: Limits | None = None, threads: int = 1) -> Analysis:
    """What alpha-beta knows when nothing stops it, or these limits."""
    brain = make_brain("alphabeta", Options(seed=1, threads=threads))
    brain.choose(position, Stopper(Limits(visits=1, depth=1)))
    return brain.choose(position, Stopper(limits or Limits())).analysis


def _wins(seconds: float) -> Iterator[Line]:
    """Wins by fours and by threats are looked for where many fours can be made; medians."""
    positions, most = [_crowded()], max(1000, int(THREATS_NODES * seconds / ROUNDS))
    rows = [nodes_a_second(positions, most) for _ in range(ROUNDS)]
    fours, threats = (median(column) for column in zip(*rows, strict=True))
    yield "wins by fours, gomoku 15x15, crowded", f"{fours:,.0f} nodes/s", FOURS_FLOOR
    yield "wins by threats, gomoku 15x15, crowded", f"{threats:,.0f} nodes/s", "none"


def _discs() -> Line:
    """Othello is solved from 20 empty squares on; what the estimates before it took is left out. The median."""
    position, rates = ffo_position(40), []
    for _ in range(ROUNDS):
        estimated = solved(position, Limits(depth=FFO[40].count("-")))
        whole = solved(position)
        rates.append((whole.visits - estimated.visits) / (whole.seconds - estimated.seconds))
    return "othello solved, FFO 40, the solver alone", f"{median(rates):,.0f} nodes/s", DISCS_FLOOR


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
