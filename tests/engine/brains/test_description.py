import pytest

from extremum.engine.brains import BRAINS
from extremum.engine.brains.description import Description, describe
from extremum.engine.evaluators.wishes import QUICKEST
from extremum.engine.games import make_game
from extremum.engine.games.game import Game
from extremum.engine.games.misere import Misere
from extremum.engine.options import Options
from extremum.engine.session import Session
from extremum.protocol.commands.admin import brain_record

GOMOKU, OTHELLO = make_game("gomoku"), make_game("othello")


@pytest.mark.parametrize(
    ("brain", "options", "game", "described"),
    [
        ("mcts", Options(), GOMOKU, Description(f"{QUICKEST}, device cpu", "gomoku.safetensors")),
        ("mcts", Options(evaluator="int8"), OTHELLO, Description("onnx, device cpu", "othello.int8.onnx")),
        ("mcts", Options(device="cuda"), OTHELLO, Description("torch, device cuda", "othello.safetensors")),
        ("mcts", Options(evaluator="rollout"), OTHELLO, Description("rollout, device cpu", "none")),
        ("alphabeta", Options(), OTHELLO, Description("kernels", "othello.patterns.safetensors")),
        ("alphabeta", Options(), Misere(OTHELLO), Description("kernels", "othello-misere.patterns.safetensors")),
        ("alphabeta", Options(evaluation="handmade"), OTHELLO, Description("kernels", "none")),
        ("alphabeta", Options(), GOMOKU, Description("kernels", "none")),
        ("dqn", Options(), OTHELLO, Description("kernels", "othello.dqn.safetensors")),
        (
            "evolved",
            Options(weights="othello-network"),
            OTHELLO,
            Description("kernels", "othello-network.evolved.safetensors"),
        ),
    ],
)
def test_the_parts_of_a_brain_are_told(brain: str, options: Options, game: Game, described: Description) -> None:
    assert describe(brain, options, game) == described


def test_weights_that_are_missing_are_told_in_words() -> None:
    four = make_game("gomoku", 8, None, 4)
    assert describe("mcts", Options(), four).weights.startswith(
        "none, there are no weights for gomoku 8x8 with another"
    )


@pytest.mark.parametrize("brain", BRAINS)
def test_every_brain_can_be_described(brain: str) -> None:
    assert describe(brain, Options(), OTHELLO).weights


def test_a_record_has_the_match_that_auto_goes_by() -> None:
    session = Session()
    record = brain_record(session)
    assert record["brain"] == "auto, here mcts"
    assert "extremum match" in record["measured"]
    session.set_mode("weakest")
    assert brain_record(session) == {"brain": "auto, here alphabeta", "runtime": "kernels", "weights_file": "none"}
    session.set_brain("rollout")
    assert brain_record(session)["brain"] == "rollout"
