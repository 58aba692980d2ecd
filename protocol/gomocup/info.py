"""INFO: settings, which are never answered."""

from __future__ import annotations

from collections.abc import Callable

from ...engine.brains import AUTO, HUNGRY
from ...engine.errors import EngineError
from ...engine.options import option_names
from .desk import UNLIMITED, Desk

RULES = {"0": "freestyle", "1": "standard", "2": "renju", "4": "renju"}  # 2 is Yixin's number for renju
DEEPEST = 64  # plies: analysis boards send so many, or more, where they mean no limit
TRIAL = 3.0  # seconds at most for a brain to show that it plays the game
COMPLAINTS = ("rule", "mode", "brain", "level", "strength")  # who sets these wants to know that it failed


def take(desk: Desk, rest: str) -> None:
    """Take a setting; what is not understood is passed over in silence, or told at the next command."""
    key, _, value = rest.strip().partition(" ")
    name = key.lower()
    try:
        if name in KEYS:
            KEYS[name](desk, value.strip())
        elif name in option_names():
            desk.set_option(name, value.strip())
    except (EngineError, ValueError, OverflowError):
        if name in COMPLAINTS:
            desk.complaint = f"{name} {value[:40]} is not played here"


def _rule(desk: Desk, value: str) -> None:
    if value not in RULES:
        raise EngineError(f"unknown rule '{value}'")
    if RULES[value] != desk.session.game.rule:
        desk.run("set_game", "gomoku", RULES[value])
        desk.fit_memory()


def _timeout_turn(desk: Desk, value: str) -> None:
    desk.turn = int(value) / 1000
    desk.set_clock()


def _timeout_match(desk: Desk, value: str) -> None:
    desk.match = max(0, int(value)) / 1000
    desk.set_clock()


def _time_increment(desk: Desk, value: str) -> None:
    desk.increment = max(0, int(value)) / 1000
    desk.set_clock()


def _time_left(desk: Desk, value: str) -> None:
    """Wait for the next move with it: only then it is clear whose time it is."""
    desk.left = None if int(value) >= UNLIMITED else max(0, int(value)) / 1000
    if desk.match <= 0 and desk.left is not None:
        desk.set_clock()


def _max_memory(desk: Desk, value: str) -> None:
    if int(value) > 0:
        desk.limit_memory(int(value) // 2**20)


def _hash_size(desk: Desk, value: str) -> None:
    """Kilobytes for the hash table alone."""
    if int(value) > 0:
        desk.wish_memory(max(1, int(value) // 1024))


def _strength(desk: Desk, value: str) -> None:
    desk.run("set_level", str(50 + int(value) // 2 if 0 <= int(value) <= 100 else -1))


def _brain(desk: Desk, value: str) -> None:
    before = desk.session.brain_name
    if value == before:
        return
    desk.run("set_brain", value)
    if not _may_play(desk):
        desk.run("set_brain", before)
        raise EngineError(f"'{value}' does not play")
    desk.fit_memory()


def _may_play(desk: Desk) -> bool:
    """False for a brain that has refused the game: those that load little are tried at once."""
    session = desk.session
    # One that is ready at once, and yet not at work, has raised.
    return session.brain_name in (AUTO, *HUNGRY) or not session.be_ready(TRIAL) or session.is_ready


def _level(desk: Desk, value: str) -> None:
    desk.run("set_level", value)


def _mode(desk: Desk, value: str) -> None:
    desk.run("set_mode", value)
    desk.fit_memory()


def _detail(desk: Desk, value: str) -> None:
    desk.detail = int(value) & 3


def _max_depth(desk: Desk, value: str) -> None:
    depth = int(value)
    desk.set_option("depth", str(depth if 0 < depth < DEEPEST else 0))


def _limit(option: str) -> Callable[[Desk, str], None]:
    """A number as an option; less than 0 stands for no limit."""
    return lambda desk, value: desk.set_option(option, str(max(0, int(value))))


KEYS: dict[str, Callable[[Desk, str], None]] = {
    "rule": _rule,
    "timeout_turn": _timeout_turn,
    "timeout_match": _timeout_match,
    "time_increment": _time_increment,
    "time_left": _time_left,
    "max_memory": _max_memory,
    "hash_size": _hash_size,
    "max_node": _limit("visits"),
    "max_depth": _max_depth,
    "thread_num": _limit("threads"),
    "pondering": _limit("ponder"),
    "strength": _strength,
    "level": _level,
    "brain": _brain,
    "mode": _mode,
    "show_detail": _detail,
}
