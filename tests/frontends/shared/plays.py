"""Games over real engines, for the tests of the windows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from extremum.frontends.shared.dial import dial
from extremum.frontends.shared.link import Dials
from extremum.frontends.shared.play import Play
from extremum.frontends.shared.score import Score
from extremum.frontends.shared.setup import Seat, Setup
from tests.protocol.engine import ENGINE, THINKER

PERSON = Seat()
RANDOM = Seat(is_engine=True, brain="random")
TWO_PEOPLE = Setup(size=9, black=PERSON, white=PERSON)
AGAINST_RANDOM = Setup(size=9, black=PERSON, white=RANDOM)
QUICK = " ".join(ENGINE)
SLOW = " ".join(THINKER)  # thinks for three seconds, whatever it is asked


@contextmanager
def playing(
    folder: Path, setup: Setup, engine: str = QUICK, now: Callable[[], float] = time.monotonic, **players: str
) -> Iterator[Play]:
    """A game that has begun, with other engines for some colors; they are gone at the end."""
    dials = Dials(dial(engine), {color: dial(command) for color, command in players.items()})
    play = Play(dials, setup, Score(folder / "score.json"), now)
    try:
        yield play
    finally:
        play.close()
        play.driver.join()


def pump(play: Play, condition: Callable[[], bool], timeout: float = 60.0) -> None:
    """Let the game go on until something is so."""
    deadline = time.monotonic() + timeout
    while not condition():
        play.pump()
        assert time.monotonic() < deadline, f"{play.board}, {play.driver.dead}, {play.notices()}"
        time.sleep(0.002)


def settle(play: Play) -> None:
    """Let the game go on until it is a person's turn, or over."""
    pump(play, lambda: play.board is not None and not play.driver.busy)


def told(play: Play) -> list[str]:
    """The keys of what there is to tell."""
    return [notice.key for notice in play.notices()]
