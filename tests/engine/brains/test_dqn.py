import pytest

from extremum.engine.brains import make_brain
from extremum.engine.brains.brain import Brain
from extremum.engine.errors import EngineError
from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, transform_move, transform_position
from extremum.engine.options import Options
from tests.contracts_brain import check_brain, choose
from tests.engine.kernels.positions import random_positions

GAMES: tuple[Game, ...] = (Othello(8), Misere(Othello(8)))


def dqn() -> Brain:
    return make_brain("dqn", Options(seed=1))


def test_the_brain_keeps_the_contract() -> None:
    check_brain(dqn, thinks=False, games=GAMES)


def test_it_plays_alike_in_mirror_images() -> None:
    game = Othello(8)
    positions = [position for position in random_positions(game, 1) if position.outcome() is None]
    for position in positions[20:50:6]:
        best = choose(dqn(), position, 1).analysis.candidates
        if len(best) > 1 and best[0].value - best[1].value > 1e-4:
            for symmetry in SYMMETRIES:
                turned = choose(dqn(), transform_position(position, symmetry), 1).move
                assert turned == transform_move(game, best[0].move, symmetry)


def test_it_beats_chance() -> None:
    game, won = Othello(8), 0
    for seed in range(1, 11):
        players = (dqn(), make_brain("random", Options(seed=seed)))
        position = game.start()
        while position.outcome() is None:
            mover = (position.side_to_move + seed) % 2
            position = position.play(choose(players[mover], position, 1).move)
        outcome = position.outcome()
        assert outcome is not None
        won += outcome.winner is not None and (outcome.winner + seed) % 2 == 0
    assert won >= 8


@pytest.mark.parametrize(
    ("game", "weights", "refusal"),
    [
        (Gomoku(8), "auto", "'dqn' does not play gomoku: it knows othello only"),
        (Othello(6), "auto", "there are no dqn weights for othello 6x6: set the option weights to a file"),
        (Othello(8), "nothing.safetensors", "weights 'nothing.safetensors' are missing"),
    ],
)
def test_what_it_cannot_play_is_refused(game: Game, weights: str, refusal: str) -> None:
    with pytest.raises(EngineError) as caught:
        choose(make_brain("dqn", Options(weights=weights)), game.start(), 1)
    assert str(caught.value) == refusal
