from collections import Counter

from extremum.engine.brains.random import RandomBrain
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.options import Options
from tests.contracts_brain import check_brain, choose


def test_random_brain_keeps_the_contract() -> None:
    check_brain(lambda: RandomBrain(Options(seed=1)), thinks=False)


def test_every_legal_move_is_as_likely_as_any_other() -> None:
    brain, position = RandomBrain(Options(seed=1)), Gomoku(3, 3).start().play(4)
    counts = Counter(choose(brain, position, 1).move for _ in range(1600))
    assert sorted(counts) == position.legal_moves()
    assert all(130 < count < 270 for count in counts.values())


def test_seed_zero_is_new_each_time() -> None:
    moves = {choose(RandomBrain(Options()), Gomoku(20).start(), 1).move for _ in range(10)}
    assert len(moves) > 1
