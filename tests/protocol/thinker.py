"""The engine with a brain that thinks until it is stopped."""

from __future__ import annotations

from extremum.frontends.cli import main
from tests.doubles import SessionWith, ThinkingBrain

if __name__ == "__main__":
    main(lambda: SessionWith(ThinkingBrain()))
