from __future__ import annotations

import random

import pytest

from extremum.engine.brains import REFERENCES, brain_names, make_brain
from extremum.engine.brains.reference_gomoku import PLAYERS as GOMOKU_PLAYERS
from extremum.engine.brains.reference_othello import PLAYERS as OTHELLO_PLAYERS
from extremum.engine.errors import EngineError
from extremum.engine.games.game import Color, Game, Move, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.lines import axes
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper
from tests.contracts_brain import SMALL_GAMES, check_brain
from tests.engine.kernels.positions import random_positions

PLAYERS = {"gomoku": GOMOKU_PLAYERS, "othello": OTHELLO_PLAYERS}
LOSERS = ("careful-loser", "help", "mirror", "naive-loser", "never-five", "argmin")


def move_of(name: str, position: Position, seed: int = 1, depth: int = 0) -> Move:
    brain = make_brain(name, Options(seed=seed, depth=depth))
    return brain.choose(position, Stopper(Limits())).move


def completing(position: Position, color: Color) -> set[Move]:
    turned = position.turned(color)
    return {move for move in turned.legal_moves() if (end := turned.play(move).outcome()) and end.winner is color}


def own_potential(position: Position, move: Move) -> float:
    """The weight of the lines through a point that are free of enemy stones, by the definition."""
    game, side = position.game, position.side_to_move
    own, other = (position.black, position.white) if side is Color.BLACK else (position.white, position.black)
    total = 0.0
    for forward, backward in axes(game.size, move):
        line = [*reversed(list(backward)), 1 << move, *forward]
        for begin in range(len(line) - 4):
            window = sum(line[begin : begin + 5])
            if window >> move & 1 and not window & other:
                total += 2.0 ** -(5 - (window & own).bit_count())
    return total


@pytest.mark.parametrize("name", REFERENCES)
def test_reference_players_keep_the_contract(name: str) -> None:
    games = [game for game in SMALL_GAMES if name in PLAYERS[game.name]]
    assert games
    check_brain(
        lambda: make_brain(name, Options(seed=1)), thinks=False, games=[*games, *(Misere(game) for game in games)]
    )


def test_every_reference_player_has_a_name_for_set_brain() -> None:
    assert set(REFERENCES) == set(GOMOKU_PLAYERS) | set(OTHELLO_PLAYERS)
    assert set(REFERENCES) < set(brain_names())


def test_a_player_refuses_the_game_that_it_does_not_know() -> None:
    with pytest.raises(EngineError, match="'mirror' does not play othello: one of argmin, argmin-q, greedy"):
        move_of("mirror", Othello().start())


@pytest.mark.parametrize("name", LOSERS)
@pytest.mark.parametrize("game", [Gomoku(7), Gomoku(7, 5, "standard"), Gomoku(7, 5, "renju")], ids=str)
def test_a_loser_completes_no_row_while_it_can_help_it(name: str, game: Game) -> None:
    for position in random_positions(game, 6):
        rows = completing(position, position.side_to_move)
        assert move_of(name, position) not in rows or set(position.legal_moves()) <= rows


@pytest.mark.parametrize("name", ["beginner", "strong"])
def test_a_winner_completes_its_row_or_blocks(name: str) -> None:
    for position in random_positions(Gomoku(8), 12):
        mine, his = (completing(position, color) for color in (position.side_to_move, position.side_to_move.opponent))
        wanted = mine or his
        assert not wanted or move_of(name, position) in wanted


def test_the_beginner_plays_beside_its_own_stones() -> None:
    position = Gomoku(15).start().play(112).play(0)
    for seed in range(1, 9):
        row, column = divmod(move_of("beginner", position, seed), 15)
        assert max(abs(row - 7), abs(column - 7)) == 1


def test_the_careful_loser_takes_the_least_of_its_potential() -> None:
    for position in random_positions(Gomoku(8), 2)[::5]:
        rows = completing(position, position.side_to_move)
        harmless = [move for move in position.legal_moves() if move not in rows] or position.legal_moves()
        least = min(own_potential(position, move) for move in harmless)
        assert own_potential(position, move_of("careful-loser", position)) == pytest.approx(least)


def test_the_mirror_is_the_exact_reflection_as_second_on_even_boards() -> None:
    for seed in range(1, 6):
        rng, position = random.Random(seed), Gomoku(8).start()
        while position.outcome() is None:
            last = rng.choice(position.legal_moves())
            position = position.play(last)
            if position.outcome() is None:
                assert move_of("mirror", position, seed) == 63 - last
                position = position.play(63 - last)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is not Color.WHITE  # the second never completes a row first


def test_the_mirror_begins_in_the_center_of_an_odd_board() -> None:
    assert move_of("mirror", Gomoku(9).start()) == 40


def test_never_five_does_not_block() -> None:
    for position in random_positions(Gomoku(8), 8):
        mine, his = (completing(position, color) for color in (position.side_to_move, position.side_to_move.opponent))
        others = set(position.legal_moves()) - mine - his
        assert not others or move_of("never-five", position) in others


def test_help_leaves_the_opponents_four_open() -> None:
    game = Gomoku(9)
    position = game.setup(sum(1 << move for move in (38, 39, 40, 41)), 1 | 1 << 8 | 1 << 72, Color.WHITE)
    assert move_of("help", position) not in (37, 42)


def test_argmin_q_leaves_the_best_reply() -> None:
    game = Gomoku(9)
    position = game.setup(sum(1 << move for move in (38, 39, 40, 41)), 1 | 1 << 8 | 1 << 72, Color.WHITE)
    assert move_of("argmin-q", position) not in (37, 42)


def discs_after(position: Position, move: Move) -> int:
    after = position.play(move)
    return (after.black if position.side_to_move is Color.BLACK else after.white).bit_count()


@pytest.mark.parametrize(("name", "place"), [("greedy", -1), ("greedy-loser", 0)])
def test_the_greedy_count_discs(name: str, place: int) -> None:
    for position in random_positions(Othello(8), 2):
        counts = sorted(discs_after(position, move) for move in position.legal_moves())
        assert discs_after(position, move_of(name, position)) == counts[place]


@pytest.mark.parametrize("name", ["strong", "argmin-q", "sign-flip", "textbook-loser"])
def test_the_end_of_othello_is_searched_exactly(name: str) -> None:
    """The strong player and argmin-q know the ordinary values, the losers the misère's."""
    objective = -1 if name in ("sign-flip", "textbook-loser") else 1
    for position in random_positions(Othello(6), 3, seed=5):
        stones = (position.black | position.white).bit_count()
        if not 29 <= stones <= 33:
            continue
        values = {move: -brute(position.play(move), objective) for move in position.legal_moves()}
        wanted = min(values.values()) if name == "argmin-q" else max(values.values())
        assert values[move_of(name, position)] == wanted


def brute(position: Position, objective: int) -> int:
    """The margin for the side to move, in the terms of the objective."""
    outcome = position.outcome()
    if outcome is not None:
        return objective * outcome.value(position.side_to_move) * outcome.margin
    return max(-brute(position.play(move), objective) for move in position.legal_moves())


QUARTER = ((100, -20, 10, 5), (-20, -50, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1))


def textbook(stones: int) -> int:
    return sum(QUARTER[min(row, 7 - row)][min(column, 7 - column)] for row, column in places(stones))


def places(stones: int) -> list[tuple[int, int]]:
    return [divmod(move, 8) for move in range(64) if stones >> move & 1]


def test_the_textbook_loser_reverses_the_table_of_squares() -> None:
    for position in random_positions(Othello(8), 3):
        side = position.side_to_move
        after = {move: position.play(move) for move in position.legal_moves()}
        going_on = {move: child for move, child in after.items() if child.outcome() is None}
        if len(after) > 1 and going_on == after and all(child.side_to_move is not side for child in after.values()):
            stones = {move: (child.black, child.white) for move, child in after.items()}
            worth = {move: textbook(pair[side]) - textbook(pair[1 - side]) for move, pair in stones.items()}
            assert worth[move_of("textbook-loser", position, depth=1)] == min(worth.values())
