from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.games.misere import Misere
from extremum.engine.kernels.layout import OBJECTIVE
from extremum.engine.training.shards import HELD_OUT, VERSION, list_shards, pack, read_shard, unpack, write_shard
from tests.engine.full_disk import full_disk
from tests.engine.training.random_play import random_game

GOMOKU, OTHELLO = make_game("gomoku", 6), make_game("othello", 6)


def write_some(folder: Path, number: int = 1) -> None:
    games = [random_game(GOMOKU, seed) for seed in range(3)]
    write_shard(folder, number, pack(games, first=0))


def refusal_of(folder: Path) -> str:
    (shard,) = list_shards(folder)
    with pytest.raises(EngineError) as caught:
        read_shard(shard)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(shard.path), "FILE")


def test_games_written_and_read_come_back(tmp_path: Path) -> None:
    games = [random_game(game, seed) for seed, game in enumerate([GOMOKU, OTHELLO, GOMOKU])]
    written = write_shard(tmp_path, 7, pack(games, first=40))
    assert list_shards(tmp_path) == [written]
    assert (written.number, written.num_games, written.num_rows) == (7, 3, sum(map(len, games)))
    gomoku, othello = read_shard(written)
    assert gomoku.games.tolist() == [40] * len(games[0]) + [42] * len(games[2])
    assert np.array_equal(othello.samples.policy, games[1].policy)
    assert np.array_equal(othello.samples.ownership, games[1].ownership)
    assert np.array_equal(unpack(othello.samples.states), games[1].states)


def test_each_kind_has_its_part() -> None:
    ordinary, misere = random_game(GOMOKU, 1), random_game(Misere(GOMOKU), 2)
    parts = pack([ordinary, misere, ordinary], first=0)
    assert [len(part.games) for part in parts] == [2 * len(ordinary), len(misere)]
    assert parts[1].samples.states[:, OBJECTIVE].all()


def test_one_game_in_twenty_is_held_out() -> None:
    (part,) = pack([random_game(GOMOKU, seed) for seed in range(HELD_OUT)], first=0)
    learned, held_out = part.split()
    assert len(held_out) == len(random_game(GOMOKU, HELD_OUT - 1))
    assert len(learned) + len(held_out) == len(part.games)


@pytest.mark.parametrize("length", [0, 10, 1000, -1])
def test_a_truncated_shard_is_refused(tmp_path: Path, length: int) -> None:
    write_some(tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:length])
    assert refusal_of(tmp_path) == "replay shard 'FILE' is damaged; move it away to go on without it"


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    write_some(tmp_path)
    (path,) = tmp_path.iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)
    assert refusal_of(tmp_path) == "replay shard 'FILE' is damaged; move it away to go on without it"


def test_a_flag_that_says_it_is_encrypted_is_damage(tmp_path: Path) -> None:
    write_some(tmp_path)
    (path,) = tmp_path.iterdir()
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # in the directory at the end of the file
    path.write_bytes(data)
    assert refusal_of(tmp_path) == "replay shard 'FILE' is damaged; move it away to go on without it"


def test_a_shard_from_a_version_to_come_is_refused_and_stays(tmp_path: Path) -> None:
    write_some(tmp_path)
    (path,) = tmp_path.iterdir()
    with np.load(path) as stored:
        arrays = dict(stored) | {"version": np.array(VERSION + 1)}
    np.savez_compressed(path, allow_pickle=False, **arrays)
    before = path.read_bytes()
    assert refusal_of(tmp_path) == f"replay shard 'FILE' has version {VERSION + 1}, this is {VERSION}"
    assert path.read_bytes() == before


def test_a_renamed_shard_is_refused(tmp_path: Path) -> None:
    write_some(tmp_path)
    (path,) = tmp_path.iterdir()
    path.rename(tmp_path / "000001-3-5.npz")
    assert refusal_of(tmp_path) == "replay shard 'FILE' does not hold what its name says"


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    with full_disk(2000), pytest.raises(EngineError, match=r"^cannot write '.*/000001-3-\d+.npz': File too large$"):
        write_some(tmp_path)
    assert not list(tmp_path.iterdir())
