from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.kernels.misere_weights import KNOTS, NUM_FEATURES, UNIT
from extremum.engine.training.misere_weights import FIRST, Records, Tuning, compare, fit, play_round, table_text, tune

SMALL = Tuning(6, games=8)
WEIGHTS = np.tile(FIRST, (len(KNOTS), 1))


def test_a_round_is_the_same_for_the_same_seed() -> None:
    first, second = (play_round(SMALL, 1, WEIGHTS) for _ in range(2))
    assert np.array_equal(first.features, second.features)
    assert np.array_equal(first.results, second.results)
    assert not np.array_equal(first.features, play_round(SMALL, 2, WEIGHTS).features)


def test_a_run_goes_on_after_its_last_whole_round(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    told: list[int] = []
    wanted = tune(whole, SMALL, lambda number, text: None, after_rounds(2))
    tune(broken, SMALL, lambda number, text: told.append(number), after_rounds(1))
    (broken / "misere-6-002.npz.partial").write_bytes(b"a round that was not finished")
    found = tune(broken, SMALL, lambda number, text: told.append(number), after_rounds(1))
    assert np.array_equal(found, wanted)
    assert told == [1, 1, 2]


def after_rounds(rounds: int) -> Callable[[], bool]:
    """Somebody who stops a run after so many more rounds."""
    answers = iter([False] * rounds)
    return lambda: next(answers, True)


def test_a_damaged_round_is_refused_and_stays(tmp_path: Path) -> None:
    tune(tmp_path, SMALL, lambda number, text: None, after_rounds(1))
    path = tmp_path / "misere-6-001.npz"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(EngineError, match=r"^'.*/misere-6-001.npz' is damaged: "):
        tune(tmp_path, SMALL, lambda number, text: None, after_rounds(1))
    assert path.stat().st_size == 100


def test_the_fit_finds_what_decides() -> None:
    """Where the opponent's lost points alone decide, their weight grows and the others stay near the belief."""
    rng = np.random.default_rng(1)
    features = rng.integers(-3, 4, (4000, NUM_FEATURES))
    results = np.where(features[:, 4] + rng.normal(size=4000) / 4 > 0, 1, -1)
    found = fit([Records(features, np.full(4000, KNOTS[3]), results)])
    assert found[3, 4] > FIRST[4]
    assert found[0] == pytest.approx(FIRST)


def test_rare_features_keep_their_belief() -> None:
    nothing = Records(np.zeros((10, NUM_FEATURES), np.int64), np.zeros(10, np.int64), np.ones(10, np.int64))
    assert fit([nothing]) == pytest.approx(WEIGHTS)


@pytest.mark.slow
def test_sensible_weights_beat_their_opposite() -> None:
    won, _, lost = compare(7, WEIGHTS, -WEIGHTS, games=20)
    assert won >= 18
    assert lost == 0


def test_a_table_is_printed_as_the_kernels_have_it() -> None:
    rows = table_text(WEIGHTS).splitlines()
    assert len(rows) == len(KNOTS)
    assert rows[0].startswith(f"({round(UNIT * FIRST[0])}, {round(UNIT * FIRST[1])}, ")
