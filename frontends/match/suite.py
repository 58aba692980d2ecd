"""Writes opening suites: near-even or random openings of a game, a line each."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from ...engine.errors import EngineError
from ...engine.games import make_game
from ...engine.games.misere import Misere
from ..flags import BadFlagError
from .arguments import add_rules, whole
from .opening_files import write_opening
from .openings import DEFAULT, make_openings


class SuiteParser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self) -> None:
        super().__init__("extremum openings", description=__doc__, allow_abbrev=False)
        self.add_argument(
            "--kind", default=DEFAULT, help="random[:PLIES], balanced[:PLIES] (the default), swap2, renju or xot"
        )
        self.add_argument("--count", type=whole, default=50, help="how many (default 50)")
        self.add_argument("--seed", type=int, default=1, help="of everything random (default 1)")
        self.add_argument("--misere", action="store_true", help="near even where the loser has the point")
        add_rules(self)

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the openings."""
    given = SuiteParser().parse_args(arguments)
    try:
        game = make_game(given.game, given.size, given.rules, given.in_a_row)
    except EngineError as error:
        raise BadFlagError(str(error)) from error
    rule = f"{game.rule}, misère" if given.misere else game.rule
    openings = make_openings(given.kind, Misere(game) if given.misere else game, given.count, given.seed)
    print(f"# {game.name} {game.size}x{game.size} {rule}: {given.kind}, seed {given.seed}, by extremum openings")
    for opening in openings:
        print(write_opening(opening, game))
    return 0
