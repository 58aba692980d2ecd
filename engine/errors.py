"""Refusals: every one is raised, and its text is written for the client."""


class EngineError(Exception):
    """A refusal that leaves everything as it was."""


class IllegalMoveError(EngineError):
    """A move the rules do not allow; `reason` completes the sentence "<vertex> …"."""

    def __init__(self, move: int, reason: str) -> None:
        super().__init__(f"illegal move: {reason}")
        self.move = move
        self.reason = reason


class UsageError(EngineError):
    """Arguments that cannot be read."""


class UnacceptableSizeError(EngineError):
    """A board size the game is not played on."""
