"""The lines of the protocol: each is a function; some are followed by points and a DONE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..connection import Urgency
from .desk import Call, Desk

Function: TypeAlias = Callable[[Desk, str, Call], str | None]
BodyFunction: TypeAlias = Callable[[Desk, Sequence[str], Call], str | None]


@dataclass(frozen=True, slots=True)
class Line:
    """A command, and how it is heard."""

    function: Function
    has_body: bool = False
    num_lines: int | None = None  # of the body; None is up to DONE
    urgency: Urgency = Urgency.NONE
    hears_complaints: bool = True  # of an INFO before it


LINES: dict[str, Line] = {}


def line(*names: str, urgency: Urgency = Urgency.NONE, hears_complaints: bool = True) -> Callable[[Function], Function]:
    """Make a function a command: it takes the rest of its line."""

    def add(function: Function) -> Function:
        for name in names:
            LINES[name] = Line(function, urgency=urgency, hears_complaints=hears_complaints)
        return function

    return add


def file(*names: str) -> Callable[[Function], Function]:
    """Make a function a command that takes the name of a file, in the same line or in the next."""

    def add(function: Function) -> Function:
        for name in names:
            LINES[name] = Line(function, has_body=True, num_lines=1)
        return function

    return add


def body(*names: str) -> Callable[[BodyFunction], BodyFunction]:
    """Make a function a command that takes lines up to DONE, or as many words in one line."""

    def add(function: BodyFunction) -> BodyFunction:
        for name in names:
            LINES[name] = Line(lambda desk, rest, call: function(desk, rest.split("\n") if rest else [], call), True)
        return function

    return add
