"""Figures checked by hand, by closed forms, and against what others have published."""

from __future__ import annotations

import math

import pytest

from extremum.frontends.match.binomial import clopper_pearson
from extremum.frontends.match.elo import rate
from extremum.frontends.match.score import ELO, Score, elo_interval, elo_of, rate_of, superiority, total
from extremum.frontends.match.sprt import MOST_ELO, Sprt, pentanomial, trinomial

# Agresti, Categorical Data Analysis (2nd edition), 10.6: wins of the row over the column, American League East 1987.
BASEBALL = {
    "Milwaukee": (0, 7, 9, 7, 7, 9, 11),
    "Detroit": (6, 0, 7, 5, 11, 9, 9),
    "Toronto": (4, 6, 0, 7, 7, 8, 12),
    "New York": (6, 8, 6, 0, 6, 7, 10),
    "Boston": (6, 2, 6, 7, 0, 7, 12),
    "Cleveland": (4, 4, 5, 6, 6, 0, 6),
    "Baltimore": (2, 4, 1, 3, 1, 7, 0),
}


def test_bradley_terry_agrees_with_the_published_baseball_example() -> None:
    rows = list(BASEBALL.values())
    table = {(i, j): Score(rows[i][j], 0, rows[j][i]) for i in range(7) for j in range(i)}
    ratings = rate(7, table)
    abilities = [(elo - ratings.elo[6]) / ELO for elo in ratings.elo]
    assert [round(ability, 2) for ability in abilities] == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]
    errors = [ratings.difference(index, 6)[1] / 1.959964 / ELO for index in range(6)]
    assert [round(error, 1) for error in errors] == [0.3] * 6  # "about 0.3", says the book


def test_two_players_are_rated_as_their_score_says() -> None:
    for score in (Score(70, 0, 30), Score(60, 20, 20), Score(5, 90, 5)):
        elo, error = rate(2, {(0, 1): score}).difference(0, 1)
        assert elo == pytest.approx(elo_of(score.rate), abs=1e-6)
        assert error == pytest.approx(1.959964 * ELO * score.deviation / (score.rate * (1 - score.rate)), rel=0.1)


def test_draws_count_as_half_a_win_and_half_a_loss_and_narrow_the_error() -> None:
    decided, drawn = rate(2, {(0, 1): Score(60, 0, 40)}), rate(2, {(0, 1): Score(30, 60, 10)})
    assert decided.elo == pytest.approx(drawn.elo)
    assert drawn.error[0] < decided.error[0]


def test_errors_of_three_players_with_draws_are_those_of_the_information_by_hand() -> None:
    # Points as expected at odds of 3, 3 and 9: the ratings are ln 3 apart, whatever the draws.
    table = {(0, 1): Score(25, 10, 5), (1, 2): Score(25, 10, 5), (0, 2): Score(34, 4, 2)}
    ratings = rate(3, table)
    assert ratings.difference(0, 1)[0] == pytest.approx(ELO * math.log(3))
    assert ratings.difference(0, 2)[0] == pytest.approx(ELO * math.log(9))
    # Fisher's information with the third at zero: 40 games of variance 3/16, 3/16 and 9/100 between the pairs, thus
    # (11.1, -7.5; -7.5, 15), of determinant 110.25. What the points really vary by has a quarter of the rate of draws
    # less in each game, d / (n + 1): (7.68537, -5.06098; -5.06098, 10.12195). Inverse times this times inverse:
    a, b = 15 / 110.25, 7.5 / 110.25
    variance = a * a * 7.68537 - 2 * a * b * 5.06098 + b * b * 10.12195
    assert ratings.difference(0, 2)[1] == pytest.approx(1.959964 * ELO * math.sqrt(variance), rel=1e-4)
    assert ratings.difference(0, 2)[1] == pytest.approx(105.17, abs=0.05)


def test_errors_of_a_chain_add_up_by_hand() -> None:
    ratings = rate(3, {(0, 1): Score(60, 20, 20), (1, 2): Score(30, 40, 10)})
    # 100 games at 0.7: 21 of information, 16.0495 of variance; 80 at 0.625: 18.75 and 8.8735.
    variance = 16.0495 / 21**2 + 8.8735 / 18.75**2
    assert ratings.difference(0, 2)[1] == pytest.approx(1.959964 * ELO * math.sqrt(variance), rel=1e-4)
    assert ratings.difference(0, 2)[1] == pytest.approx(84.53, abs=0.05)


def test_who_wins_everything_keeps_a_finite_rating_that_says_so() -> None:
    ratings = rate(3, {(0, 1): Score(10, 0, 0), (1, 2): Score(5, 2, 3)})
    assert ratings.bounded
    assert ratings.elo[0] > ratings.elo[1] > ratings.elo[2]
    assert all(math.isfinite(number) for number in (*ratings.elo, *ratings.error))


def test_who_has_not_played_has_no_rating() -> None:
    ratings = rate(3, {(0, 1): Score(3, 1, 2)})
    assert not ratings.bounded
    assert ratings.error[2] == math.inf
    assert ratings.difference(0, 2)[1] == math.inf
    assert ratings.superiority(0, 2) == 0.5
    two = rate(2, {(0, 1): Score(3, 1, 2)})
    assert ratings.difference(0, 1) == pytest.approx(two.difference(0, 1))
    assert ratings.elo[:2] == pytest.approx(two.elo)


def test_groups_that_have_not_met_are_not_compared() -> None:
    ratings = rate(4, {(0, 1): Score(9, 0, 1), (2, 3): Score(6, 0, 4)})
    assert not ratings.bounded
    assert ratings.difference(0, 1)[0] == pytest.approx(elo_of(0.9))
    assert ratings.difference(2, 3)[0] == pytest.approx(elo_of(0.6))
    assert ratings.difference(0, 3)[1] == math.inf
    assert ratings.superiority(0, 2) == 0.5
    assert rate(4, {(0, 1): Score(9, 0, 0), (2, 3): Score(6, 0, 4)}).bounded


def test_a_chain_of_neighbors_adds_up() -> None:
    ratings = rate(3, {(0, 1): Score(75, 0, 25), (1, 2): Score(75, 0, 25)})
    assert ratings.difference(0, 2)[0] == pytest.approx(2 * elo_of(0.75))
    assert not ratings.bounded


# fastchess, app/tests/elo_test.cpp: wins, losses, draws; Elo, half its interval, likelihood of superiority.
def test_elo_of_a_match_agrees_with_fastchess() -> None:
    low, elo, high = elo_interval(Score(wins=136, draws=111, losses=96))
    assert elo == pytest.approx(40.70, rel=0.01)
    assert (high - low) / 2 == pytest.approx(30.43, rel=0.01)


@pytest.mark.parametrize(("score", "sure"), [(Score(76, 123, 89), 0.1553), (Score(136, 111, 96), 0.9960)])
def test_superiority_agrees_with_fastchess(score: Score, sure: float) -> None:
    assert superiority(score) == pytest.approx(sure, abs=0.003)


def test_elo_has_its_textbook_values() -> None:
    assert rate_of(400) == pytest.approx(10 / 11)
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf
    assert superiority(Score(0, 5, 0)) == 0.5


def test_a_clean_score_has_a_finite_bound() -> None:
    low, elo, high = elo_interval(Score(10, 0, 0))
    assert low == pytest.approx(elo_of(0.025 ** (1 / 10)))
    assert (elo, high) == (math.inf, math.inf)
    assert elo_interval(Score(0, 0, 10))[:2] == (-math.inf, -math.inf)
    assert elo_interval(Score(0, 0, 10))[2] == pytest.approx(-low)
    low, elo, high = elo_interval(Score(0, 10, 0))
    assert elo == 0.0
    assert low == pytest.approx(-high)
    assert math.isfinite(high)


def test_a_score_adds_up() -> None:
    score = total([1.0, 0.5, 0.0, 1.0]) + Score(1, 0, 0)
    assert (score.games, score.points, score.rate, score.text()) == (5, 3.5, 0.7, "+3 =1 -1")
    # By hand: deviations 0.3, -0.2, -0.7, 0.3, 0.3; squares sum to 0.8; its root over 5.
    assert score.deviation == pytest.approx(math.sqrt(0.8) / 5)


# fastchess, app/tests/sprt_test.cpp, logistic model.
@pytest.mark.parametrize(
    ("wins", "losses", "draws", "bounds", "expected"),
    [(21404, 21184, 40708, (0.5, 2.5), -1.57), (57433, 57030, 106593, (0.0, 2.0), -2.59)],
)
def test_the_likelihood_ratio_of_games_agrees_with_fastchess(
    wins: int, losses: int, draws: int, bounds: tuple[float, float], expected: float
) -> None:
    assert Sprt(*bounds).ratio([losses, draws, wins]) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "bounds", "expected"),
    [
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.07),
        ((871, 26175, 55983, 26678, 821), (0.0, 2.0), -4.98),
    ],
)
def test_the_likelihood_ratio_of_pairs_agrees_with_fastchess(
    counts: tuple[int, ...], bounds: tuple[float, float], expected: float
) -> None:
    assert Sprt(*bounds).ratio(counts) == pytest.approx(expected, rel=0.01)


def test_the_bounds_are_walds() -> None:
    lower, upper = Sprt(0, 5, 0.05, 0.1).bounds
    assert (round(lower, 3), round(upper, 3)) == (-2.251, 2.89)
    assert Sprt(0, 5).verdict(-3.0) == "low"
    assert Sprt(0, 5).verdict(3.0) == "high"
    assert Sprt(0, 5).verdict(0.0) is None


@pytest.mark.parametrize("bounds", [(-MOST_ELO, MOST_ELO), (0, MOST_ELO), (-MOST_ELO, 0), (MOST_ELO - 1, MOST_ELO)])
@pytest.mark.parametrize("kinds", [3, 5])
def test_the_likelihood_ratio_is_finite_between_any_bounds(bounds: tuple[int, int], kinds: int) -> None:
    for kind in range(kinds):
        for number in (1, 10**9):
            counts = [number if index == kind else 0 for index in range(kinds)]
            assert math.isfinite(Sprt(*bounds).ratio(counts))


def test_nothing_played_says_nothing() -> None:
    assert Sprt(0, 5).ratio([0, 0, 0]) == 0.0
    assert superiority(Score()) == 0.5
    assert elo_interval(Score()) == (-math.inf, 0.0, math.inf)


def test_results_are_counted() -> None:
    assert trinomial([0.0, 0.5, 1.0, 1.0]) == [1, 1, 2]
    assert pentanomial([0.0, 0.5, 1.0, 1.5, 2.0, 2.0]) == [1, 1, 1, 1, 2]


def test_exact_intervals_have_their_known_values() -> None:
    low, high = clopper_pearson(10, 20)  # in every table of binomial intervals
    assert (round(low, 4), round(high, 4)) == (0.2720, 0.7280)
    assert clopper_pearson(0, 20)[1] == pytest.approx(1 - 0.025 ** (1 / 20))
    assert clopper_pearson(20, 20) == pytest.approx((0.025 ** (1 / 20), 1.0))
    assert clopper_pearson(0, 10_000)[1] == pytest.approx(0.000369, abs=1e-6)


def test_exact_intervals_cover_by_the_sum_of_binomials() -> None:
    successes, trials = 3, 17
    low, high = clopper_pearson(successes, trials)

    def chance(k: int, p: float) -> float:
        return math.comb(trials, k) * p**k * (1 - p) ** (trials - k)

    assert sum(chance(k, low) for k in range(successes, trials + 1)) == pytest.approx(0.025)
    assert sum(chance(k, high) for k in range(successes + 1)) == pytest.approx(0.025)
