"""Points as Gomocup writes them: column and row, counted from 0 at the top left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...engine.errors import EngineError
from ...engine.games.game import Move

_POINT = re.compile(r"(\d{1,3}) *, *(\d{1,3})(?: *, *(\d{1,3}))?")


def read_field(text: str, size: int) -> tuple[Move, str | None]:
    """A point and the field behind it, if there is one."""
    found = _POINT.fullmatch(text.strip())
    if found is None or not (int(found[1]) < size and int(found[2]) < size):
        raise EngineError(f"'{text[:40]}' is not a point of the board")
    return int(found[2]) * size + int(found[1]), found[3]


def read_point(text: str, size: int) -> Move:
    """A point; whatever follows it is not looked at."""
    return read_field(text, size)[0]


def write_point(move: Move, size: int) -> str:
    """`column,row`, without a blank: some managers read no other form."""
    row, column = divmod(move, size)
    return f"{column},{row}"


def write_points(moves: Iterable[Move], size: int) -> str:
    """Points separated by blanks."""
    return " ".join(write_point(move, size) for move in moves)


def read_sides(lines: Sequence[str], size: int) -> tuple[list[Move], list[Move]]:
    """The own stones and the opponent's of a BOARD, in their order."""
    stones: dict[str | None, list[Move]] = {"1": [], "2": []}
    for line in lines:
        move, whose = read_field(line, size)
        if whose not in stones:
            raise EngineError(f"'{line[:40]}' is not a stone of either side")
        if move in stones["1"] or move in stones["2"]:
            raise EngineError(f"'{line[:40]}' is a stone on a stone")
        stones[whose].append(move)
    return stones["1"], stones["2"]
