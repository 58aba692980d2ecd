from __future__ import annotations

from pathlib import Path

import pytest

from extremum.engine.brains.alphabeta import AlphaBetaBrain
from extremum.engine.errors import EngineError
from extremum.engine.evaluators.pattern_tables import PatternTables, save_tables
from extremum.engine.games.game import Game
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from tests.contracts_brain import choose
from tests.engine.kernels.pattern_weights import NO_ERRORS, random_weights
from tests.engine.kernels.positions import random_positions

LEARNED, HANDMADE = Options(seed=1, memory=1), Options(seed=1, memory=1).changed("evaluation", "handmade")


@pytest.mark.parametrize("game", [Othello(), Misere(Othello())], ids=str)
def test_learned_tables_see_further_than_counts(game: Game) -> None:
    position = game.start().play(19).play(18)
    learned, counted = (AlphaBetaBrain(options) for options in (LEARNED, HANDMADE))
    assert choose(learned, position, 100_000).analysis.depth > choose(counted, position, 100_000).analysis.depth


def test_the_small_board_is_played_without_tables() -> None:
    position = Othello(6).start()
    chosen = [choose(AlphaBetaBrain(options), position, 2000) for options in (LEARNED, HANDMADE)]
    assert chosen[0].move == chosen[1].move


@pytest.mark.parametrize("objective", [1, -1])
def test_both_evaluations_prove_the_same(objective: int) -> None:
    game: Game = Othello() if objective > 0 else Misere(Othello())
    late = [it for it in random_positions(game, 6, seed=3) if (it.black | it.white).bit_count() == 53][:4]
    for position in late:
        proven = [
            choose(AlphaBetaBrain(options), position, 10**6).analysis.best.proven for options in (LEARNED, HANDMADE)
        ]
        assert proven[0] == proven[1] is not None


def test_tables_of_a_file_are_played_by(tmp_path: Path) -> None:
    path, position = tmp_path / "own.patterns.safetensors", Othello().start()
    save_tables(PatternTables(random_weights(), NO_ERRORS, 1), path)
    own, shipped, named = (
        choose(AlphaBetaBrain(LEARNED.changed("weights", name)), position, 2000).analysis.best.value
        for name in (str(path), "auto", "othello.patterns.safetensors")
    )
    assert own != shipped == named


@pytest.mark.parametrize("weights", ["none.safetensors", "othello-misere.patterns.safetensors", "othello.safetensors"])
def test_tables_that_do_not_serve_are_refused(weights: str) -> None:
    with pytest.raises(EngineError, match=r"are (missing|for the misere game|no othello-patterns)"):
        choose(AlphaBetaBrain(LEARNED.changed("weights", weights)), Othello().start(), 2000)
