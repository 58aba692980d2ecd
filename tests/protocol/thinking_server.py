"""The server with a brain that thinks until it is stopped, and loads nothing."""

from __future__ import annotations

import sys
from typing import Any

from extremum.engine.brains.brain import Brain
from extremum.engine.search.stopper import never
from extremum.engine.session import Interrupted, Session
from extremum.frontends.cli import leave
from extremum.frontends.serve import main
from tests.doubles import ThinkingBrain


class ThinkingSession(Session):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._given = ThinkingBrain()

    def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain:
        return self._given


if __name__ == "__main__":
    leave(main(sys.argv[2:], ThinkingSession))
