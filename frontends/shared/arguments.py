"""The words that every window understands."""

from __future__ import annotations

import argparse
from typing import NoReturn

from ..flags import BadFlagError
from .points import COLORS
from .setup import GAMES, LONGEST_MOVE, RULES, Seat, Setup, SetupError
from .texts import LANGUAGES, Texts, language_of


class WindowParser(argparse.ArgumentParser):
    """Reads the command line of a window; says what is wrong in one line."""

    def __init__(self, name: str, about: str | None) -> None:
        super().__init__(f"extremum {name}", description=about, allow_abbrev=False)
        self.add_argument("--engine", metavar="COMMAND", help="an engine's command line instead of our own")
        for color in COLORS:
            about = f"another engine for {color}: a command line or a ZeroMQ address"
            self.add_argument(f"--{color}-engine", metavar="COMMAND", help=about)
        self.add_argument("--connect", metavar="ADDRESS", help="a server's ZeroMQ address instead of a program")
        self.add_argument("--language", choices=tuple(LANGUAGES), default=language_of(), help="by default the locale's")
        self.add_argument("--game", choices=GAMES, default="gomoku", help="gomoku (default) or othello")
        self.add_argument("--size", type=int, metavar="N", help="the board's size")
        self.add_argument("--rules", choices=RULES, default="freestyle", help="of Gomoku")
        self.add_argument("--in-a-row", type=int, metavar="N", help="stones in a row that win")
        self.add_argument("--color", choices=("black", "white", "both", "none"), default="black", help="which you play")
        self.add_argument("--mode", choices=("strongest", "weakest"), default="strongest", help="what the engine wants")
        self.add_argument("--level", type=int, metavar="N", help="0 weakest, 50 random, 100 strongest")
        self.add_argument("--brain", default="auto", metavar="NAME", help="who chooses the engine's moves")
        self.add_argument("--movetime", type=float, metavar="SECONDS", help="of an engine's move (default 1)")

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def setup_of(given: argparse.Namespace, longest: float = LONGEST_MOVE) -> Setup:
    """The game that the command line asks for, with moves that take no longer than that."""
    movetime = given.movetime if given.movetime is not None else min(1.0, longest)
    size = given.size if given.size is not None else 8 if given.game == "othello" else 15
    level = given.level if given.level is not None else 100 if given.mode == "strongest" else 0
    try:
        black, white = (Seat(given.color not in (color, "both"), level, given.brain) for color in ("black", "white"))
        row = given.in_a_row if given.in_a_row is not None else max(3, min(5, size))
        if movetime > longest:
            raise SetupError("bad_longest", f"{longest:g}")
        return Setup(given.game, size, given.rules, row, black, white, movetime)
    except SetupError as error:
        raise BadFlagError(Texts(given.language)(str(error), *error.values)) from error
