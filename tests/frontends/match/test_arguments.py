"""What the words of a match stand for."""

from __future__ import annotations

import pytest

from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.arguments import MatchParser
from extremum.frontends.match.sprt import Sprt


@pytest.mark.parametrize(("text", "clock"), [("60", (60, 0)), ("60+0", (60, 0)), ("60+0.5", (60, 0.5))])
def test_a_clock_has_an_increment_or_none(text: str, clock: tuple[float, float]) -> None:
    assert MatchParser().parse_args(["--time", text]).time == clock


@pytest.mark.parametrize("text", ["0", "0+1", "60+", "60+-1", "60+nan", "60+inf", "+1"])
def test_no_clock_is_refused(text: str) -> None:
    with pytest.raises(BadFlagError, match=r"^argument --time: '.*' is no positive number$"):
        MatchParser().parse_args([f"--time={text}"])


@pytest.mark.parametrize(("text", "test"), [("-1000,1000", Sprt(-1000, 1000)), ("0,5,0.1,0.2", Sprt(0, 5, 0.1, 0.2))])
def test_a_test_has_bounds_and_risks(text: str, test: Sprt) -> None:
    assert MatchParser().parse_args([f"--sprt={text}"]).sprt == test


BAD = [
    "0,inf",
    "-inf,0",
    "0,99999",
    "-1001,0",
    "nan,50",
    "0,nan",
    "5,5",
    "0",
    "x,5",
    "0,5,0.1",
    "0,5,0.1,nan",
    "0,5,0.1,1",
]


@pytest.mark.parametrize("text", BAD)
def test_a_test_without_finite_and_sensible_bounds_is_refused(text: str) -> None:
    told = f"'{text}' is not LOW,HIGH or LOW,HIGH,ALPHA,BETA, LOW below HIGH and both from -1000 to 1000"
    with pytest.raises(BadFlagError, match=f"^argument --sprt: {told}$"):
        MatchParser().parse_args([f"--sprt={text}"])
