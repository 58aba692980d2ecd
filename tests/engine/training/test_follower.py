from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluator
from extremum.engine.games import make_game
from extremum.engine.games.game import Game
from extremum.engine.training.follower import Follower
from extremum.engine.training.loop import Training
from extremum.engine.training.replay import Replay
from extremum.engine.training.run import open_run, read_settings
from extremum.engine.training.samples import Samples
from tests.engine.training.random_play import RandomPlayer, random_game

SMALL = {"cycle": 4, "lockstep": 4, "batch": 32, "games": 8, "uses": 1.0, "sims": "2x2", "yardstick": 0.0}
GOMOKU, OTHELLO = make_game("gomoku", 6), make_game("othello", 6)
OWN = random_game(GOMOKU, 99)


class Playing:
    """Plays the same game again and again, and notes what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def use(self, evaluator_of: object) -> None:
        self.told.append(evaluator_of)

    def set_budget(self, budget: tuple[int, int]) -> None:
        self.told.append(budget)

    def step(self) -> list[Samples]:
        return [OWN]


def games(game: Game, count: int, seed: int) -> list[Samples]:
    return [random_game(game, seed + number) for number in range(count)]


def trained(folder: Path, **given: object) -> Training:
    run = open_run(folder, SMALL | given)
    training = Training(run, lambda line: None, lambda: False, device="cpu")
    training.work()
    run.close()
    return training


@pytest.mark.parametrize("game", [GOMOKU, OTHELLO])
def test_games_come_out_as_they_were_put_in(tmp_path: Path, game: Game) -> None:
    given = games(game, 3, seed=1)
    Replay(tmp_path, game.name).add(given)
    found = Follower(tmp_path, 0, Playing).step()
    folders = [tmp_path / "given", tmp_path / "found"]
    for folder in folders:
        folder.mkdir()
    replays = [Replay(folder, game.name) for folder in folders]
    for replay, block in zip(replays, (given, found), strict=True):
        replay.add(block)
    one, other = (replay.draw(64, np.random.default_rng(1)) for replay in replays)
    for field in one.__slots__:
        assert np.array_equal(getattr(one, field), getattr(other, field)), field


def lengths(blocks: Sequence[Samples]) -> list[int]:
    return sorted(len(block) for block in blocks)


def test_who_has_no_more_games_to_follow_plays_on(tmp_path: Path) -> None:
    replay, blocks = Replay(tmp_path, "gomoku"), [games(GOMOKU, 2, seed=1), games(GOMOKU, 3, seed=10)]
    replay.add(blocks[0])
    follower = Follower(tmp_path, 0, Playing)
    assert lengths(follower.step()) == lengths(blocks[0])
    replay.add(blocks[1])  # the other run goes on meanwhile
    assert lengths(follower.step()) == lengths(blocks[1])
    assert follower.step() == [OWN]
    replay.add(blocks[0])
    assert follower.step() == [OWN]
    assert lengths(Follower(tmp_path, 2, Playing).step()) == lengths(blocks[1])


def test_own_play_begins_with_the_last_net_and_budget(tmp_path: Path) -> None:
    player = Playing()
    follower = Follower(tmp_path, 0, lambda: player)

    def nets(game: Game) -> Evaluator:
        raise AssertionError(game)

    follower.use(lambda game: nets(game))
    follower.use(nets)
    follower.set_budget((4, 8))
    assert player.told == []
    follower.step()
    follower.set_budget((8, 24))
    assert player.told == [nets, (4, 8), (8, 24)]


@pytest.mark.slow
def test_a_run_learns_from_the_games_of_another_and_then_from_its_own(tmp_path: Path) -> None:
    first = open_run(tmp_path / "first", SMALL | {"mix": "gomoku:6:1"})
    Training(first, lambda line: None, lambda: False, make_player=RandomPlayer, device="cpu").work()
    first.close()
    follow = {"mix": "gomoku:6:1", "net": "b4c32", "follow": str(tmp_path / "first")}
    second = trained(tmp_path / "second", **follow, seed=2)
    rows = [[shard.num_rows for shard in run._shards] for run in (Replay(first.replay, "gomoku"), second.replay)]
    assert rows[0] == rows[1]
    assert second.learner.steps > 0
    third = trained(tmp_path / "second", **follow, seed=2, games=12)
    assert third.replay.num_games >= 12
    assert [shard.num_rows for shard in third.replay._shards][:2] == rows[0]


@pytest.mark.parametrize(
    ("mix", "refusal"),
    [
        ("othello:6:1", "run directory 'FIRST' is of gomoku, ordinary, not othello, ordinary"),
        ("gomoku:6:misere:1", "run directory 'FIRST' is of gomoku, ordinary, not gomoku, misere"),
    ],
)
def test_a_run_of_something_else_is_not_followed(tmp_path: Path, mix: str, refusal: str) -> None:
    open_run(tmp_path / "first", {"mix": "gomoku:6:1"}).close()
    with pytest.raises(EngineError) as refused:
        open_run(tmp_path / "second", {"mix": mix, "follow": str(tmp_path / "first")})
    assert str(refused.value).replace(str(tmp_path / "first"), "FIRST") == refusal
    assert not (tmp_path / "second").exists()


def test_what_is_no_run_is_not_followed(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="'nowhere' is no run directory"):
        open_run(tmp_path / "second", {"mix": "gomoku:6:1", "follow": "nowhere"})


def test_a_run_does_not_change_whom_it_follows(tmp_path: Path) -> None:
    open_run(tmp_path / "first", {"mix": "gomoku:6:1"}).close()
    open_run(tmp_path / "second", {"mix": "gomoku:6:1", "follow": str(tmp_path / "first")}).close()
    with pytest.raises(EngineError, match=r"has follow '.*first', not ''"):
        open_run(tmp_path / "second", {"follow": ""})
    assert read_settings(tmp_path / "second").follow == str(tmp_path / "first")
