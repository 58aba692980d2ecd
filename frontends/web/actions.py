"""What a page may ask of its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..shared.play import Play
from ..shared.points import COLORS, PASS, point_of
from ..shared.setup import read_seat, read_setup


class RequestError(Exception):
    """A request that is refused; its text says why."""


def act(play: Play, request: Any) -> None:
    """Do what a request says; raises RequestError, or SetupError where a setting cannot be."""
    if not isinstance(request, dict) or not isinstance(request.get("action"), str):
        raise RequestError("a request is an object with an action")
    name = request["action"]
    if name not in ACTIONS:
        raise RequestError(f"unknown action '{name[:40]}': one of {', '.join(ACTIONS)}")
    ACTIONS[name](play, request)


def _value(request: Mapping[str, Any], name: str, kind: type) -> Any:
    value = request.get(name)
    if type(value) is not kind:
        raise RequestError(f"'{name}' is to be a {kind.__name__}")
    return value


def _vertex(play: Play, request: Mapping[str, Any]) -> str:
    vertex: str = _value(request, "vertex", str)
    if vertex != PASS and point_of(vertex, play.setup.game, play.setup.size) is None:
        raise RequestError(f"'{vertex[:40]}' is no point of the board")
    return vertex


def _sit(play: Play, request: Mapping[str, Any]) -> None:
    color = _value(request, "color", str)
    if color not in COLORS:
        raise RequestError(f"'{color[:40]}' is no color")
    play.sit(color, read_seat(request.get("seat")))


ACTIONS: dict[str, Callable[[Play, Mapping[str, Any]], None]] = {
    "play": lambda play, request: play.play(_vertex(play, request)),
    "undo": lambda play, request: play.undo(),
    "redo": lambda play, request: play.redo(),
    "go_to": lambda play, request: play.go_to(_value(request, "ply", int)),
    "hint": lambda play, request: play.hint(),
    "now": lambda play, request: play.move_now(),
    "pause": lambda play, request: play.pause(on=_value(request, "on", bool)),
    "analyze": lambda play, request: play.analyze(on=_value(request, "on", bool)),
    "ponder": lambda play, request: play.ponder(on=_value(request, "on", bool)),
    "begin": lambda play, request: play.begin(read_setup(_value(request, "setup", dict))),
    "sit": _sit,
    "load": lambda play, request: play.load(_value(request, "sgf", str)),
    "restart": lambda play, request: play.restart(),
}
