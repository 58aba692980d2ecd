"""Lines out of a stream of bytes."""

from __future__ import annotations

LONGEST = 65536  # bytes of a line; what follows is dropped unread, and one byte more shows that it was


class LineSplitter:
    """Cuts chunks of bytes into lines without ever holding more than one line's worth of them."""

    def __init__(self) -> None:
        self._begun = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes, without their line feeds."""
        first, *others = chunk.split(b"\n")
        self._begun = (self._begun + first[: LONGEST + 1])[: LONGEST + 1]
        if not others:
            return []
        lines = [self._begun, *others[:-1]]
        self._begun = others[-1][: LONGEST + 1]
        return [line[: LONGEST + 1] for line in lines]

    def rest(self) -> list[bytes]:
        """The last line, if the stream ended without a line feed."""
        return [self._begun] if self._begun else []
