from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch  # noqa: TID253, it is what learns

from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.kernels.encode import encode
from extremum.engine.nets.checkpoint import Checkpoint
from extremum.engine.nets.description import Description
from extremum.engine.nets.planes import num_planes
from extremum.engine.training.learner import FLOOR, PEAK, VALUE_HEAD, WARM_UP, Learner, has_halves, moved
from extremum.engine.training.losses import losses_of, softened, targets_of, wdl_of
from extremum.engine.training.replay import Replay
from extremum.engine.training.samples import Samples
from tests.engine.nets.random_nets import random_checkpoint
from tests.engine.training.random_play import random_game


def replay_of(folder: Path, name: str, size: int, games: int, planes: int = 0) -> Replay:
    replay = Replay(folder, name, planes)
    replay.add([random_game(make_game(name, size), seed) for seed in range(games)])
    return replay


def test_the_target_of_a_value_is_what_happened_mixed_with_what_was_thought() -> None:
    targets = wdl_of(torch.tensor([1.0, 0.0, -1.0, 1.0]), torch.tensor([0.5, 0.0, 1.0, -0.2]))
    assert torch.allclose(targets.sum(dim=1), torch.ones(4))
    assert (targets >= 0).all()
    values = targets[:, 0] - targets[:, 2]
    assert torch.allclose(values, torch.tensor([0.85, 0.0, -0.4, 0.64]))


def test_a_soft_policy_is_flatter_and_forbids_the_same() -> None:
    policy = torch.tensor([[0.0, 0.9, 0.1]])
    soft = softened(policy)
    assert soft[0, 0] == 0
    assert 0.1 < soft[0, 2] < soft[0, 1] < 0.9


@pytest.mark.parametrize(
    ("name", "config", "heads"),
    [
        ("gomoku", "classic", {"policy", "wdl"}),
        ("gomoku", "b4c32", {"policy", "wdl", "soft_policy", "reply", "short_term"}),
        ("othello", "b4c32", {"policy", "wdl", "soft_policy", "reply", "short_term", "ownership", "score"}),
    ],
)
def test_every_head_has_its_loss(tmp_path: Path, name: str, config: str, heads: set[str]) -> None:
    description = Description(name, config, (6,))
    replay = replay_of(tmp_path, name, 6, 2, description.num_planes)
    learner = Learner(description, "cpu")
    batch = replay.draw(8, np.random.default_rng(1))
    targets = targets_of(batch, learner.device)
    losses = losses_of(learner.net(targets.planes), targets)
    assert losses.keys() == heads
    assert all(torch.isfinite(loss) for loss in losses.values())
    assert learner.learn(batch, 0.0).losses.keys() == heads
    assert learner.measure(batch).keys() == heads


def test_the_rate_warms_up_and_falls() -> None:
    learner = Learner(Description("gomoku", "b4c32", (6,)), "cpu")
    assert learner.rate(0.0) == pytest.approx(PEAK / WARM_UP)
    learner.steps = WARM_UP
    assert learner.rate(0.0) == pytest.approx(PEAK)
    assert learner.rate(0.5) == pytest.approx(PEAK * (1 + FLOOR) / 2)
    assert learner.rate(1.0) == learner.rate(1.7) == pytest.approx(PEAK * FLOOR)


def test_the_divergence_steers_the_rate_when_it_is_asked_to() -> None:
    learner = Learner(Description("gomoku", "b4c32", (6,)), "cpu")
    for kl, factor in ((0.05, 1 / 1.5), (0.02, 1 / 1.5), (0.001, 1.0), (0.001, 1.5)):
        learner.steer(kl)
        assert learner.factor == pytest.approx(factor)


def test_biases_do_not_decay() -> None:
    learner = Learner(Description("gomoku", "b4c32", (6,)), "cpu")
    weights, biases = learner.optimizer.param_groups
    assert weights["weight_decay"] > biases["weight_decay"] == 0
    assert all(weight.ndim == 1 for weight in biases["params"])


def test_the_average_follows_the_net_closely_at_first(tmp_path: Path) -> None:
    replay = replay_of(tmp_path, "gomoku", 6, 2)
    learner, rng = Learner(Description("gomoku", "b4c32", (6,)), "cpu"), np.random.default_rng(1)
    before = learner.net.get_parameter("stem.weight").detach().clone()
    for _ in range(20):
        learner.learn(replay.draw(16, rng), 0.0)
    now, average = (net.get_parameter("stem.weight").detach() for net in (learner.net, learner.average))
    assert (average - now).norm() < (before - now).norm() / 2
    assert (average - now).norm() > 0


@pytest.mark.parametrize("features", [(), ("sse2", "avx2")])
def test_a_net_learns_in_halves_and_in_whole_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, features: tuple[str, ...]
) -> None:
    """The learner takes halves where the processor has one of the features; any x86 computes both ways."""
    monkeypatch.setattr("extremum.engine.training.learner.HALVES", features)
    learner, replay = Learner(Description("gomoku", "b4c32", (6,)), "cpu"), replay_of(tmp_path, "gomoku", 6, 2)
    assert has_halves(learner.device) == bool(features)
    batch = replay.draw(32, np.random.default_rng(1))
    before = learner.measure(batch)
    losses = [learner.learn(batch, 0.0).losses for _ in range(40)]
    after = learner.measure(batch)
    assert losses[0]["wdl"] == pytest.approx(before["wdl"], rel=0.02)
    assert after["policy"] < before["policy"] - 0.2
    assert all(weight.dtype == torch.float32 for weight in learner.net.parameters())


def test_policies_that_stay_have_not_moved() -> None:
    logits = torch.randn(3, 9)
    assert moved(logits, logits + 1) == pytest.approx(0, abs=1e-6)
    assert moved(logits, -logits) > 0.1


def test_weights_to_begin_with_must_be_of_the_same_net() -> None:
    learner = Learner(Description("gomoku", "b4c32", (6,)), "cpu")
    learner.start_from(random_checkpoint("gomoku", "b4c32", 15))
    with pytest.raises(EngineError, match=r"^the weights are of othello b4c32, not gomoku b4c32$"):
        learner.start_from(random_checkpoint("othello", "b4c32", 6))
    with pytest.raises(EngineError, match=r"^the weights do not fit a net of shape 'classic'$"):
        Learner(Description("gomoku", "classic", (6,)), "cpu").start_from(random_checkpoint("gomoku", "classic", 7))


@pytest.mark.parametrize(("name", "config"), [("gomoku", "b4c32"), ("othello", "b4c32"), ("othello", "classic")])
@pytest.mark.parametrize("objective", ["ordinary", "misere", "both"])
def test_a_misere_net_takes_over_all_but_an_ordinary_value_head(name: str, config: str, objective: str) -> None:
    random, mine = random_checkpoint(name, config, 6), Description(name, config, (6,), "misere")
    given = Checkpoint(replace(random.description, objective=objective), random.weights)
    learner, untouched = Learner(mine, "cpu"), Learner(mine, "cpu").net.state_dict()
    learner.start_from(given)
    for part, weight in learner.averaged().weights.items():
        is_fresh = objective == "ordinary" and part.split(".")[0] in VALUE_HEAD
        assert np.array_equal(weight, untouched[part].numpy() if is_fresh else given.weights[part])
    assert {"hidden.weight", "wdl.weight"} <= given.weights.keys()


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(EngineError, match=r"^unknown device 'tpu'"):
        Learner(Description("gomoku", "b4c32", (6,)), "tpu")


@pytest.mark.slow
def test_a_net_learns_a_thousand_positions_by_heart(tmp_path: Path) -> None:
    replay = Replay(tmp_path, "gomoku")
    replay.add([with_plain_rules(random_game(make_game("gomoku", 6), seed)) for seed in range(40)])
    assert replay.num_rows > 800
    learner, rng = Learner(Description("gomoku", "b4c32", (6,)), "cpu"), np.random.default_rng(1)
    steps = [learner.learn(replay.draw(48, rng), 0.0) for _ in range(120)]
    first, last = steps[0].losses, steps[-1].losses
    assert last["wdl"] < 0.5 < first["wdl"]
    assert last["policy"] < steps[-1].entropy + 0.2 < first["policy"]


def with_plain_rules(samples: Samples) -> Samples:
    """The empty points on the edge are the good moves, and as long as half the board is empty the position is won."""
    planes = np.empty((len(samples), num_planes("gomoku"), 6, 6), np.float32)
    encode(samples.states, planes)
    edge = np.pad(np.zeros((4, 4), np.float32), 1, constant_values=1)
    stones = (planes[:, 0] + planes[:, 1]).sum(axis=(1, 2))
    policy = ((1 - planes[:, 0] - planes[:, 1]) * (edge + 1e-3)).reshape(len(samples), -1)
    outcome = np.where(stones < 18, 1, -1).astype(np.int8)
    policy /= policy.sum(axis=1, keepdims=True)
    return replace(samples, policy=policy.astype(np.float16), outcome=outcome, value=outcome.astype(np.float32))
