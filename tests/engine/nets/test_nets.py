import pytest
import torch  # noqa: TID253, its nets are what is tested

from extremum.engine.nets.build import load_net, make_net, take_checkpoint
from extremum.engine.nets.description import NETS, Description
from extremum.engine.nets.planes import num_planes
from extremum.engine.nets.residual import Block
from tests.engine.nets.random_nets import random_checkpoint

BATCH = 3


def inputs(game: str, size: int, planes: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 2, (BATCH, planes or num_planes(game), size, size), generator=generator).float()


@pytest.mark.parametrize("config", NETS)
@pytest.mark.parametrize(("game", "size"), [("gomoku", 15), ("othello", 8)])
def test_every_head_has_its_shape(config: str, game: str, size: int) -> None:
    description = Description(game, config, (size,))
    outputs = make_net(description)(inputs(game, size, description.num_planes))
    assert outputs.policy.shape == (BATCH, description.num_moves(size))
    assert outputs.wdl.shape == (BATCH, 3)
    if config == "classic":
        assert outputs[2:] == (None,) * 5
        return
    assert outputs.soft_policy.shape == outputs.reply.shape == outputs.policy.shape
    assert outputs.short_term.shape == (BATCH,)
    assert (outputs.score is None) == (outputs.ownership is None) == (game == "gomoku")
    if game == "othello":
        assert outputs.ownership.shape == (BATCH, size, size)
        assert outputs.score.shape == (BATCH,)


@pytest.mark.parametrize("size", [3, 6, 20])
def test_a_residual_net_fits_every_board(size: int) -> None:
    net = make_net(Description("gomoku", "b4c32", (15,)))
    assert net(inputs("gomoku", size)).policy.shape == (BATCH, size * size)


def test_a_fresh_block_adds_nothing() -> None:
    block = Block(8, 4, looks_around=True)
    assert not block(torch.rand(2, 8, 5, 5)).any()


def test_inference_gives_what_training_gives() -> None:
    net = load_net(random_checkpoint("othello", "b4c32", 8))
    outputs = net(inputs("othello", 8))
    policy, wdl = net.infer(inputs("othello", 8))
    assert torch.equal(outputs.policy, policy)
    assert torch.equal(outputs.wdl, wdl)


def test_every_weight_learns() -> None:
    net = load_net(random_checkpoint("othello", "b4c32", 8))
    sum(head.square().sum() for head in net(inputs("othello", 8))).backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in net.parameters())


def test_a_checkpoint_is_a_copy() -> None:
    description = Description("othello", "b4c32", (8,))
    net = make_net(description)
    checkpoint = take_checkpoint(net, description)
    before = checkpoint.weights["stem.weight"].copy()
    with torch.no_grad():
        net.get_parameter("stem.weight").zero_()
    assert (checkpoint.weights["stem.weight"] == before).all()
