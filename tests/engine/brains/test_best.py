from pathlib import Path

import pytest
import torch  # noqa: TID253, it knows what devices there are

from extremum.engine.brains import BRAINS, best_measured, make_brain, resolve
from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.nets.manifest import SHIPPED, read_best, read_manifest
from extremum.engine.options import Options
from extremum.engine.session import Session


def test_auto_is_the_best_measured_brain_and_a_name_is_itself() -> None:
    assert resolve("auto", make_game("gomoku", 8), 1) == "mcts"
    assert resolve("auto", make_game("gomoku", 8), -1) == "alphabeta"
    assert resolve("auto", make_game("gomoku", 12), 1) == "mcts"
    assert resolve("auto", make_game("gomoku", 15), 1) == "mcts"
    assert resolve("auto", make_game("gomoku", 15, "renju"), 1) == "mcts"
    assert resolve("auto", make_game("gomoku", 15, "renju"), -1) == "alphabeta"
    assert resolve("auto", make_game("gomoku", 11, "standard"), 1) == "mcts"
    assert resolve("auto", make_game("gomoku", 20), 1) == "mcts"
    assert resolve("auto", make_game("gomoku", 8, "renju"), 1) == "alphabeta"
    assert resolve("rollout", make_game("gomoku", 8), 1) == "rollout"


def test_what_was_measured_on_a_device_goes_before_what_was_measured_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    common = 'game = "othello"\nrule = "standard"\nsizes = [8]\nobjective = "ordinary"\n'
    entries = ('brain = "rollout"\nmeasured = "a"\n', 'brain = "mcts"\nmeasured = "b"\ndevice = "cuda"\n')
    path.write_text("".join(f"[[best]]\n{common}{entry}" for entry in entries))
    for device, measured in (("auto", "a"), ("cpu", "a"), ("cuda", "b"), ("mps", "a")):
        best = best_measured(make_game("othello"), 1, device, path)
        assert best is not None
        assert best.measured == measured
    assert best_measured(make_game("othello"), -1, "cuda", path) is None


def test_what_was_measured_with_five_in_a_row_does_not_hold_for_four() -> None:
    assert resolve("auto", make_game("gomoku", 8, None, 4), 1) == "alphabeta"


def test_weights_that_are_named_are_played_by_the_brain_that_they_are_for() -> None:
    renju, othello = make_game("gomoku", 8, "renju"), make_game("othello")
    for weights in ("gomoku-rules", "runs/mine/net.safetensors", "mine.int8.onnx", "no-such-weights"):
        assert resolve("auto", renju, 1, weights=weights) == "mcts"
        assert resolve("auto", renju, -1, weights=weights) == "alphabeta"
        assert resolve("alphabeta", renju, 1, weights=weights) == "alphabeta"
    takers = {
        "auto": "alphabeta",
        "othello": "alphabeta",  # its net and its tables have one name, and the tables play better
        "othello.safetensors": "mcts",
        "mine.patterns.safetensors": "alphabeta",
        "othello.dqn.safetensors": "dqn",
        "othello-network": "evolved",
    }
    for weights, taker in takers.items():
        assert resolve("auto", othello, 1, weights=weights) == taker


def test_every_best_brain_exists_and_a_net_has_its_weights() -> None:
    for best in read_best(SHIPPED):
        assert best.brain in BRAINS
        objective = 1 if best.objective == "ordinary" else -1
        shipped = read_manifest(SHIPPED)
        entries = [one for one in shipped if one.serves(best.game, best.sizes[0], objective, best.rule)]
        assert entries or best.brain != "mcts"


def test_the_brain_follows_the_board() -> None:
    session = Session()
    session.set_size(8)
    assert session.brain_at_work == "mcts"
    session.set_size(7)
    assert session.brain_at_work == "alphabeta"
    session.set_option("weights", "gomoku")
    assert session.brain_at_work == "mcts"


@pytest.mark.parametrize("brain", ["alphabeta", "mcts", "random"])
def test_a_device_that_is_not_there_is_refused_also_by_a_brain_that_would_not_use_it(brain: str) -> None:
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    for device in [name for name, is_present in present.items() if not is_present]:
        with pytest.raises(EngineError, match=rf"^there is no device '{device}' here: one of .*cpu$"):
            make_brain(brain, Options(device=device, memory=1))
