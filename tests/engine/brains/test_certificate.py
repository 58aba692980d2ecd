import random

import pytest

from extremum.engine.brains.certificate import mirror_reply
from extremum.engine.errors import EngineError
from extremum.engine.games.game import Color, Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.session import Session


@pytest.mark.parametrize("game", [Gomoku(6, 4), Gomoku(8), Gomoku(8, 5, "standard")], ids=str)
def test_whoever_mirrors_as_second_never_completes_a_row(game: Game) -> None:
    for seed in range(60):
        rng, position = random.Random(seed), game.start()
        while (outcome := position.outcome()) is None:
            reply = mirror_reply(position) if position.side_to_move is Color.WHITE else None
            assert position.side_to_move is Color.BLACK or reply is not None
            position = position.play(rng.choice(position.legal_moves()) if reply is None else reply)
        assert outcome.winner is not Color.WHITE


def test_the_certificate_is_lost_with_the_symmetry() -> None:
    position = Gomoku(8).start().play(0).play(1).play(2)
    assert mirror_reply(position) is None


@pytest.mark.parametrize("game", [Gomoku(9), Gomoku(8, 5, "renju"), Othello(8)], ids=str)
def test_there_is_no_certificate_elsewhere(game: Game) -> None:
    position = game.start()
    assert mirror_reply(position) is None
    assert mirror_reply(position.play(position.legal_moves()[0])) is None


def test_a_certified_session_mirrors_in_weakest_mode_only() -> None:
    session = Session(Options(seed=1, visits=1))
    session.set_size(8)
    session.set_option("certified", "true")
    for mode, is_mirrored in (("weakest", True), ("strongest", False)):
        session.clear()
        session.set_mode(mode)
        session.play(Color.BLACK, 9)
        assert (session.genmove(Color.WHITE) == 54) is is_mirrored
    with pytest.raises(EngineError):
        session.set_option("certified", "perhaps")
