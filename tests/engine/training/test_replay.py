from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.games.game import Game
from extremum.engine.games.misere import Misere
from extremum.engine.games.symmetry import SYMMETRIES, permutation
from extremum.engine.kernels.encode import encode
from extremum.engine.training import replay as replays
from extremum.engine.training.replay import Replay, window
from extremum.engine.training.samples import Samples
from tests.engine.training.random_play import random_game

GOMOKU, OTHELLO = make_game("gomoku", 6), make_game("othello", 6)


def games(game: Game, count: int, seed: int = 0) -> list[Samples]:
    return [random_game(game, seed + number) for number in range(count)]


def test_the_window_grows_slower_than_the_data() -> None:
    assert window(0) == window(10_000) == 10_000
    sizes = [window(rows) for rows in (20_000, 100_000, 1_000_000)]
    assert sizes == sorted(sizes)
    assert sizes[1] == 31_334
    assert sizes[2] / 1_000_000 < sizes[0] / 20_000


def test_a_replay_goes_on_where_it_was_left(tmp_path: Path) -> None:
    first = Replay(tmp_path, "gomoku")
    first.add(games(GOMOKU, 3))
    first.add(games(GOMOKU, 2, seed=50))
    again = Replay(tmp_path, "gomoku")
    assert (again.num_games, again.num_rows, again.last_shard) == (5, first.num_rows, 2)
    assert again.rows_after(1) == sum(len(game) for game in games(GOMOKU, 2, seed=50))
    one, other = (replay.draw(16, np.random.default_rng(1)) for replay in (first, again))
    assert np.array_equal(one.planes, other.planes)
    assert np.array_equal(one.policy, other.policy)


def test_only_the_window_is_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = Replay(tmp_path, "gomoku")
    rows = len(random_game(GOMOKU, 1))
    monkeypatch.setattr(replays, "window", lambda _: 2 * rows)
    for _ in range(5):
        replay.add([random_game(GOMOKU, 1)])
    assert replay.num_rows == 5 * rows
    assert sum(len(states) for states in replay.states(10**4, np.random.default_rng(1))) > 0
    assert len(Replay(tmp_path, "gomoku")._recent) == len(replay._recent) == 2


def test_a_batch_is_of_one_kind_and_kinds_come_by_their_share(tmp_path: Path) -> None:
    replay = Replay(tmp_path, "gomoku")
    small, large = make_game("gomoku", 5), Misere(make_game("gomoku", 7))
    replay.add([*games(small, 3), *games(large, 3, seed=20)])
    rng = np.random.default_rng(1)
    sizes = [replay.draw(4, rng).planes.shape[-1] for _ in range(200)]
    shares = {
        size: sum(len(game) for game in games(kind, 3, seed)) for size, kind, seed in ((5, small, 0), (7, large, 20))
    }
    expected = shares[7] / (shares[5] + shares[7])
    assert sizes.count(7) / 200 == pytest.approx(expected, abs=0.12)


@pytest.mark.parametrize("game", [GOMOKU, OTHELLO], ids=["gomoku", "othello"])
def test_all_that_belongs_to_a_point_is_turned_alike(tmp_path: Path, game: Game) -> None:
    replay, (one,) = Replay(tmp_path, game.name), games(game, 1, seed=3)
    replay.add([one])
    batch = replay.draw(64, np.random.default_rng(1))
    seen = set()
    for row in range(64):
        matches = []
        for number in range(len(one)):
            for symmetry in SYMMETRIES:
                policy = one.policy[number].astype(np.float32)
                turned = policy.copy()
                turned[list(permutation(game.size, symmetry))] = policy[: game.size**2]
                if np.array_equal(turned, batch.policy[row]):
                    matches.append((number, symmetry))
        assert matches
        assert any(fits(one, batch, row, *match) for match in matches)
        seen |= {symmetry for _, symmetry in matches}
    assert seen == set(SYMMETRIES)


def fits(one: Samples, batch: replays.Batch, row: int, number: int, symmetry: int) -> bool:
    """True when planes, reply and ownership are those of this row through this symmetry."""
    size = batch.planes.shape[-1]
    goals = list(permutation(size, symmetry))
    states = one.states[number : number + 1].copy()
    plain = np.empty((1, *batch.planes.shape[1:]), np.float32)
    encode(states, plain)
    planes = np.empty_like(plain).reshape(-1, size * size)
    planes[:, goals] = plain.reshape(-1, size * size)
    reply = int(one.reply[number])
    expected = goals[reply] if 0 <= reply < size * size else reply
    owned = np.zeros(size * size, np.float32)
    if one.ownership.shape[1]:
        owned[goals] = one.ownership[number]
    return (
        np.array_equal(planes.reshape(batch.planes.shape[1:]), batch.planes[row])
        and batch.reply[row] == expected
        and (not one.ownership.shape[1] or np.array_equal(owned.reshape(size, size), batch.ownership[row]))
    )


def test_surprising_and_weighty_rows_come_more_often(tmp_path: Path) -> None:
    game = random_game(GOMOKU, 1)
    rows = len(game)
    surprise = np.zeros(rows, np.float32)
    surprise[0] = 1.0
    game.surprise[:] = surprise
    game.weight[1] = 0.0
    replay = Replay(tmp_path, "gomoku")
    replay.add([game])
    pool = next(iter(replay._learned.values()))
    chosen = np.bincount(pool.choose(20_000, np.random.default_rng(1)), minlength=rows) / 20_000
    total = 0.5 * (rows - 1) + 0.5 * rows
    assert chosen[0] == pytest.approx((0.5 + 0.5 * rows) / total, abs=0.02)
    assert chosen[1] == 0
    assert chosen[2] == pytest.approx(0.5 / total, abs=0.01)


def test_held_out_games_are_not_learned_from(tmp_path: Path) -> None:
    replay = Replay(tmp_path, "gomoku")
    assert replay.draw_held_out(1, np.random.default_rng(1)) is None
    replay.add(games(GOMOKU, 20))
    held_out = replay.draw_held_out(8, np.random.default_rng(1))
    assert held_out is not None
    assert len(held_out) == 8


def test_a_replay_of_another_game_is_refused(tmp_path: Path) -> None:
    Replay(tmp_path, "othello").add(games(OTHELLO, 1))
    with pytest.raises(EngineError, match=r"^replay shard '.*' is of othello, not gomoku$"):
        Replay(tmp_path, "gomoku")
