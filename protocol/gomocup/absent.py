"""What analysis boards ask for and we do not have: files of hash tables, databases of positions, an opening."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.errors import EngineError
from .desk import Call, Desk
from .table import body, file, line

HASH = "the hash table is not kept in files"
DATABASE = "there is no database of positions"


@file("YXHASHDUMP", "YXHASHLOAD")
def hash_file(desk: Desk, rest: str, call: Call) -> str:
    """Tell that there is no such file."""
    return f"MESSAGE {HASH}"


@body("YXQUERYDATABASEALL", "YXQUERYDATABASEONE", "YXQUERYDATABASETEXT", "YXQUERYDATABASEALLT")
def query(desk: Desk, lines: Sequence[str], call: Call) -> None:
    """Say nothing, as an engine without a database does: Yixin-Board asks after each move."""


@body(
    "YXEDITTVDDATABASE",
    "YXEDITTEXTDATABASE",
    "YXEDITLABELDATABASE",
    "YXDELETEDATABASEONE",
    "YXDELETEDATABASEALL",
    "YXSETBESTMOVEDATABASE",
    "YXCLEARBESTMOVEDATABASE",
)
def edit(desk: Desk, lines: Sequence[str], call: Call) -> str:
    """Tell that nothing was kept."""
    raise EngineError(DATABASE)


@file("YXSETDATABASE", "YXDBTOPOS", "YXDBTOTXT", "YXDBTOTXTALL", "YXTXTTODB", "YXLIBTODB", "YXDBTOLIB")
@file("YXDBMERGE", "YXDBSPLIT")
def database_file(desk: Desk, rest: str, call: Call) -> str:
    """Tell that nothing was read or written."""
    raise EngineError(DATABASE)


@line("YXSAVEDATABASE", "YXDBCHECK", "YXDBFIX")
def save(desk: Desk, rest: str, call: Call) -> str:
    """Tell that there is nothing to save."""
    raise EngineError(DATABASE)


@body("YXBLOCKPATH", "YXBLOCKPATHUNDO")
def block_path(desk: Desk, lines: Sequence[str], call: Call) -> str:
    """Tell that only moves of the position at hand can be left out, by YXBLOCK."""
    raise EngineError("lines of play cannot be left out, points can: YXBLOCK")


@line("YXSOOSORVSTEP1")
@body(*(f"YXSOOSORVSTEP{step}" for step in range(2, 7)))
def soosorv(desk: Desk, lines: Sequence[str], call: Call) -> str:
    """Tell that Yixin-Board's other opening of renju cannot be had."""
    raise EngineError("the opening of Soosorv is not played here, Swap2 is")


@line("YXBLOCKPATHRESET", "RELOADCONFIG")
def nothing(desk: Desk, rest: str, call: Call) -> None:
    """Say nothing: there is nothing to forget, nor a file to read settings from."""
