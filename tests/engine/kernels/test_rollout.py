from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest

from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.layout import BLACK_WON, DRAWN, WHITE_WON
from extremum.engine.kernels.rng import below, make_rng
from extremum.engine.kernels.rollout import rollout
from extremum.engine.kernels.tree import ROOT, make_tree
from extremum.engine.kernels.uct import Manner, expand, make_workspace, search, terminal_value
from extremum.engine.search.states import state_of

GAMES = [
    Gomoku(4, 3),
    Gomoku(6, 5),
    Gomoku(6, 4, "standard"),
    Gomoku(7, 5, "renju"),
    Gomoku(15),
    Othello(6),
    Othello(8),
]


def results(position: Position, count: int, *, decisive: bool, objective: int = 1) -> Counter[int]:
    """How often rollouts end in each way."""
    work, rng, state = make_workspace(), make_rng(7), state_of(position)
    found: Counter[int] = Counter()
    for _ in range(count):
        result, plies = rollout(state.copy(), objective, decisive, work.cells, work.threats, rng)
        assert result in (BLACK_WON, WHITE_WON, DRAWN)
        assert 1 <= plies <= 401
        found[result] += 1
    return found


def plain_results(position: Position, count: int) -> Counter[int]:
    """The same by the plain game and another generator."""
    rng, found = random.Random(1), Counter[int]()
    for _ in range(count):
        reached = position
        while (outcome := reached.outcome()) is None:
            reached = reached.play(rng.choice(reached.legal_moves()))
        found[DRAWN if outcome.winner is None else BLACK_WON + outcome.winner] += 1
    return found


def shares(found: Counter[int]) -> list[float]:
    return [found[result] / found.total() for result in (BLACK_WON, WHITE_WON, DRAWN)]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_uniform_rollouts_end_as_plain_random_games_do(game: Game) -> None:
    count = 400 if game.size == 15 or game.rule == "renju" else 1500
    plain, fast = plain_results(game.start(), count), results(game.start(), 6000, decisive=False)
    assert shares(fast) == pytest.approx(shares(plain), abs=4 * 0.5 / count**0.5)


def test_a_rollout_follows_the_rules_to_the_end() -> None:
    """White wins on one of the two empty points; on the other it leaves the win to black."""
    position = Gomoku(3, 3).setup(0b000_010_101, 0b110_001_010, Color.WHITE)
    assert position.legal_moves() == [5, 6]
    found = results(position, 400, decisive=False)
    assert found[DRAWN] == 0
    assert 150 < found[WHITE_WON] < 250
    assert results(position.play(5), 10, decisive=False) == {BLACK_WON: 10}


def row(size: int, at: int, columns: tuple[int, ...]) -> int:
    return sum(1 << (at * size + column) for column in columns)


def test_a_decisive_rollout_wins_at_once() -> None:
    position = Gomoku(9).setup(row(9, 4, (2, 3, 4, 5)), row(9, 6, (0, 3, 5, 8)), Color.BLACK)
    assert results(position, 50, decisive=True) == {BLACK_WON: 50}


def test_a_decisive_rollout_stops_a_win_if_it_can() -> None:
    game = Gomoku(9)
    double = game.setup(row(9, 4, (2, 3, 4, 5)), row(9, 6, (0, 3, 5, 8)), Color.WHITE)
    assert results(double, 50, decisive=True) == {BLACK_WON: 50}
    single = game.setup(row(9, 4, (2, 3, 4, 5)), row(9, 6, (0, 5, 8)) | row(9, 4, (1,)), Color.WHITE)
    assert results(single, 200, decisive=True)[WHITE_WON] > 20


def test_an_overline_is_no_threat_in_standard_gomoku() -> None:
    stones = row(9, 4, (1, 2, 3, 5, 6, 7)), row(9, 6, (0, 3, 5, 8))
    freestyle, standard = (Gomoku(9, 5, rule).setup(*stones, Color.BLACK) for rule in ("freestyle", "standard"))
    assert results(freestyle, 50, decisive=True) == {BLACK_WON: 50}
    assert results(standard, 200, decisive=True)[WHITE_WON] > 10


def test_black_does_not_block_where_renju_forbids_it() -> None:
    """Only the point that makes an overline of black would stop white's five."""
    black = row(15, 4, (1, 2, 3, 5, 6, 7)) | 1 << (15 * 9 + 4)
    white = sum(1 << (15 * at + 4) for at in (5, 6, 7, 8))
    position = Gomoku(15, 5, "renju").setup(black, white, Color.BLACK)
    assert 15 * 4 + 4 not in position.legal_moves()
    assert results(position, 50, decisive=True) == {WHITE_WON: 50}


def test_misere_rollouts_complete_no_row_that_can_be_helped() -> None:
    """Both may fill the board without a row, and only a careless side completes one."""
    position = Gomoku(6).setup(row(6, 0, (0, 1, 2, 3)), row(6, 2, (0, 1, 2, 3)), Color.BLACK)
    careless, careful = (results(position, 300, decisive=decisive, objective=-1) for decisive in (False, True))
    assert careless[DRAWN] < careful[DRAWN]
    assert results(Gomoku(3, 3).setup(0b110, 0b110_000, Color.BLACK), 50, decisive=True, objective=-1)[BLACK_WON] < 50


def test_terminal_values() -> None:
    assert [terminal_value(BLACK_WON, side, 1) for side in (0, 1)] == [1, -1]
    assert [terminal_value(WHITE_WON, side, -1) for side in (0, 1)] == [1, -1]
    assert [terminal_value(DRAWN, side, -1) for side in (0, 1)] == [0, 0]


def test_the_generator_is_uniform_and_repeats() -> None:
    rng, twin = make_rng(5), make_rng(5)
    numbers = [below(rng, 10) for _ in range(20000)]
    assert numbers[:100] == [below(twin, 10) for _ in range(100)]
    assert all(1800 < count < 2200 for count in Counter(numbers).values())
    assert [below(make_rng(6), 1000) for _ in range(3)] != numbers[:3]


class PlainNode:
    """The textbook's node: an object with a table of children."""

    def __init__(self, prior: float) -> None:
        self.prior = float(np.float32(prior))
        self.children: dict[int, PlainNode] = {}
        self.visits = 0
        self.value = 0.0  # for the side to move here

    def score(self, parent_visits: int, exploration: float) -> float:
        value = -self.value if self.visits > 0 else 0.0
        return value + exploration * math.sqrt(parent_visits) * self.prior / (1 + self.visits)

    def update(self, value: float) -> None:
        self.visits += 1
        self.value = float(np.float32(self.value + (value - self.value) * (1.0 / self.visits)))


def plain_search(position: Position, playouts: int) -> dict[int, int]:
    """Pure Monte Carlo tree search as every tutorial has it, with the kernel's rollouts; visits by move."""
    root, work, rng = PlainNode(1.0), make_workspace(), make_rng(3)
    for _ in range(playouts):
        node, reached, path = root, position, [root]
        while node.children:
            parent = node
            move = max(parent.children, key=lambda move: parent.children[move].score(parent.visits, 5.0))
            node, reached = parent.children[move], reached.play(move)
            path.append(node)
        outcome = reached.outcome()
        if outcome is None:
            moves = reached.legal_moves()
            node.children = {move: PlainNode(1.0 / len(moves)) for move in moves}
            result, _ = rollout(state_of(reached), 1, False, work.cells, work.threats, rng)
            value = terminal_value(result, int(reached.side_to_move), position.game.objective)
        else:
            value = outcome.value(reached.side_to_move)
        for node in reversed(path):
            node.update(float(value))
            value = -value
    return {move: child.visits for move, child in root.children.items()}


@pytest.mark.parametrize(
    "game", [Gomoku(4, 3), Misere(Gomoku(4, 3)), Gomoku(8), Othello(6), Misere(Othello(8))], ids=str
)
def test_the_textbook_search_is_the_textbooks(game: Game) -> None:
    tree, work, state = make_tree(1 << 20), make_workspace(), state_of(game.start())
    manner = Manner(game.objective, True, 5.0, 0.0, 0.0)
    search(tree, ROOT, state, 500, manner, work, make_rng(3))
    first, count = int(tree.first[ROOT]), int(tree.num_children[ROOT])
    found = {int(tree.move[child]): int(tree.visits[child]) for child in range(first, first + count)}
    assert found == plain_search(game.start(), 500)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_same_seed_gives_the_same_search_in_slices_of_any_length(game: Game) -> None:
    grown = []
    for part in (1000, 100):
        tree, work, rng, state = make_tree(1 << 18), make_workspace(), make_rng(3), state_of(game.start())
        manner = Manner(1, False, 0.4, 1.0, 0.03)
        expand(tree, ROOT, state, manner, work, rng)
        for _ in range(1000 // part):
            search(tree, ROOT, state, part, manner, work, rng)
        grown.append(tree.visits[: tree.used[0]].tolist())
    assert grown[0] == grown[1]
