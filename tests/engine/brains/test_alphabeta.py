import pytest

from extremum.engine.brains import make_brain
from extremum.engine.brains.alphabeta import AlphaBetaBrain
from extremum.engine.brains.brain import Brain
from extremum.engine.brains.minimax import MinimaxBrain
from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.analysis import Analysis
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.threats import defenses
from tests.contracts_brain import check_brain, choose
from tests.diagrams import Diagram, read_file

OPTIONS = Options(seed=1, memory=1)


@pytest.mark.slow
def test_alphabeta_keeps_the_contract() -> None:
    check_brain(lambda: AlphaBetaBrain(OPTIONS))


@pytest.mark.slow
def test_minimax_keeps_the_contract() -> None:
    check_brain(lambda: MinimaxBrain(OPTIONS))


@pytest.mark.parametrize("size", [3, 8, 15, 20])
def test_the_first_stone_goes_to_the_center(size: int) -> None:
    assert choose(AlphaBetaBrain(OPTIONS), Gomoku(size, min(size, 5)).start(), 100).move == size // 2 * (size + 1)


def test_the_misere_does_not_begin_in_the_center() -> None:
    assert choose(AlphaBetaBrain(OPTIONS), Misere(Gomoku(15)).start(), 2000).move != 112


def test_the_seed_chooses_among_equals() -> None:
    """All four first moves of Othello are alike."""
    chosen = {choose(AlphaBetaBrain(Options(seed=seed, memory=1)), Othello().start(), 1).move for seed in range(1, 20)}
    assert len(chosen) > 1


def test_the_table_is_kept_from_move_to_move() -> None:
    brain, fresh = AlphaBetaBrain(OPTIONS), AlphaBetaBrain(OPTIONS)
    position = Gomoku(9).start().play(40).play(30)
    for move in _to_depth(brain, position, 6).best.line[:2]:
        position = position.play(move)
    assert _to_depth(brain, position, 4).visits < _to_depth(fresh, position, 4).visits


def test_a_brain_may_be_asked_about_another_game() -> None:
    brain = AlphaBetaBrain(OPTIONS)
    for game in (Gomoku(9), Othello(6), Misere(Gomoku(9)), Misere(Othello())):
        assert choose(brain, game.start(), 500).move in game.start().legal_moves()


@pytest.mark.slow
@pytest.mark.parametrize("diagram", read_file("ffo.txt"), ids=lambda diagram: f"FFO {diagram.title[:2]}")
def test_the_positions_40_to_44_of_the_ffo_suite_are_solved(diagram: Diagram) -> None:
    _, side, score, *moves = diagram.title.split()
    position = Othello().setup(diagram.black, diagram.white, Color.BLACK if side == "X" else Color.WHITE)
    best = make_brain("alphabeta", Options(seed=1)).choose(position, Stopper(Limits())).analysis.best
    assert best.discs == int(score)
    assert f"{'abcdefgh'[best.move % 8]}{best.move // 8 + 1}" in moves


def test_pruning_saves_nodes_and_changes_no_score() -> None:
    position = Gomoku(5, 4).start().play(12).play(7).play(11).play(13)
    pruned, plain = (_to_depth(kind(OPTIONS), position, 3) for kind in (AlphaBetaBrain, MinimaxBrain))
    assert pruned.best.value == plain.best.value
    assert pruned.visits < plain.visits


@pytest.mark.slow
@pytest.mark.parametrize("game", [Gomoku(9), Gomoku(15, 5, "renju"), Othello()], ids=str)
def test_alphabeta_beats_chance(game: Game) -> None:
    assert _winners(game, "alphabeta", "random", games=4) == ["alphabeta"] * 4


@pytest.mark.slow
@pytest.mark.parametrize("game", [Misere(Gomoku(9)), Misere(Othello())], ids=str)
def test_alphabeta_loses_to_chance_when_it_means_to(game: Game) -> None:
    assert _winners(game, "alphabeta", "random", games=4) == ["alphabeta"] * 4


def _to_depth(brain: Brain, position: Position, depth: int) -> Analysis:
    return brain.choose(position, Stopper(Limits(depth=depth))).analysis


def _winners(game: Game, *names: str, games: int) -> list[str | None]:
    """Who reached the game's aim, the seats changing from game to game."""
    winners: list[str | None] = []
    for number in range(games):
        seats = names[number % 2 :] + names[: number % 2]
        brains = [make_brain(name, Options(seed=number + 1, memory=1)) for name in seats]
        position = game.start()
        while (outcome := position.outcome()) is None:
            position = position.play(choose(brains[position.side_to_move], position, 3000).move)
        winners.append(None if outcome.winner is None else seats[outcome.winner])
    return winners


def test_a_lost_position_is_defended_to_the_last() -> None:
    game = Gomoku(9)
    four = sum(1 << move for move in (38, 39, 40, 41))  # with both ends open
    position = game.setup(four, 1 << 20 | 1 << 22 | 1 << 60, Color.WHITE)
    for seed in range(1, 6):
        choice = AlphaBetaBrain(Options(seed=seed, memory=1)).choose(position, Stopper(Limits(seconds=0.1)))
        assert choice.move in (37, 42)


def test_a_win_by_threats_is_announced_with_its_length() -> None:
    threes = sum(1 << move for move in (5 * 12 + 3, 5 * 12 + 4, 3 * 12 + 5, 4 * 12 + 5))
    position = Gomoku(12).setup(threes, 0b100010001 << 9 * 12, Color.BLACK)
    analysis = choose(AlphaBetaBrain(OPTIONS), position, 100_000).analysis
    assert (analysis.best.proven, analysis.best.distance) == (1, 5)
    assert len(analysis.best.line) == 5


def test_only_defenses_are_looked_at_when_fours_threaten() -> None:
    attack = sum(1 << move for move in (62, 63, 64, 29, 41))
    position = Gomoku(12).setup(attack, 1 << 61, Color.WHITE)
    kept = defenses(position)
    assert kept is not None
    analysis = choose(AlphaBetaBrain(OPTIONS), position, 20_000).analysis
    assert {candidate.move for candidate in analysis.candidates} <= set(kept)
    assert len(kept) < 20
