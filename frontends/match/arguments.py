"""The words of `extremum match`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import NoReturn

from ...engine.errors import EngineError
from ...engine.games import GAMES, make_game
from ...engine.games.gomoku import Gomoku
from ..flags import BadFlagError
from .openings import DEFAULT, KINDS
from .settings import FORMATS, Settings
from .sprt import MOST_ELO, Sprt

USAGE = """extremum match [OPTION...] ENGINE ENGINE [ENGINE...]

An engine is [NAME=]PROTOCOL:COMMAND with gtp, gomocup or nboard, [NAME=]zmq:'ADDRESS [KEY SERVER_KEY]' on a server,
a table of the file given with --engines, or one of our brains with settings: 'alphabeta depth=4',
'rollout visits=1000 textbook=true', 'auto mode=weakest', 'level=30'.
"""


class MatchParser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self) -> None:
        super().__init__("extremum match", USAGE, __doc__, allow_abbrev=False)
        add = self.add_argument
        add("engine", nargs="*", help="who plays")
        add("--engines", metavar="FILE", help="a TOML file of engines; without other words all of them play")
        add("--format", choices=FORMATS, default=FORMATS[0], help="everybody, the first against all, or neighbors")
        add("--games", type=whole, default=100, help="games of each pairing, two for each opening (default 100)")
        add("--openings", default=DEFAULT, help=KINDS)
        add("--misere", action="store_true", help="the point goes to whoever loses on the board")
        add(
            "--sprt",
            type=_sprt,
            metavar="LOW,HIGH[,ALPHA,BETA]",
            help="stop once one of two Elo differences is refuted",
        )
        add_rules(self)
        add_pace(self)
        add_run(self)

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The flags that choose the game."""
    parser.add_argument("--game", choices=tuple(GAMES), default="gomoku", help="gomoku (default) or othello")
    parser.add_argument("--size", type=whole, help="the board's size")
    parser.add_argument("--rules", metavar="RULE", help="freestyle, standard or renju")
    parser.add_argument("--in-a-row", type=whole, metavar="N", help="stones in a row that win")


def add_pace(parser: argparse.ArgumentParser) -> None:
    """The flags about time."""
    add = parser.add_argument
    add("--movetime", type=positive, default=0.0, metavar="SECONDS", help="seconds a move, measured by the runner")
    add("--time", type=_time, default=(0.0, 0.0), metavar="MAIN[+INCREMENT]", help="seconds a game and side")
    add("--margin", type=positive, default=0.2, metavar="SECONDS", help="forgiven over a limit (default 0.2)")
    add("--patience", type=positive, default=60.0, metavar="SECONDS", help="for any other answer (default 60)")


def add_run(parser: argparse.ArgumentParser) -> None:
    """The flags about this run."""
    parser.add_argument("--out", metavar="FOLDER", help="where the match lives; an unfinished one is continued")
    parser.add_argument("--mixed", action="store_true", help="go on with what another program or test has begun")
    parser.add_argument("--seed", type=int, default=1, help="of openings and engines (default 1)")
    parser.add_argument("-j", type=whole, default=1, metavar="N", help="processes at once (default 1)")
    parser.add_argument("--pin", action="store_true", help=f"give each of them a processor ({os.cpu_count()} here)")
    parser.add_argument(
        "--together",
        type=whole,
        metavar="N",
        help="games at once in each process (default 1, but 16 where all engines are ours, count visits and use a net)",
    )


def read_settings(given: argparse.Namespace) -> Settings:
    """The settings that the words describe, but for the engines and the openings themselves."""
    try:
        game = make_game(given.game, given.size, given.rules, given.in_a_row)
    except EngineError as error:
        raise BadFlagError(str(error)) from error
    return Settings(
        engines=(),
        game=game.name,
        size=game.size,
        rule=game.rule,
        in_a_row=game.in_a_row if isinstance(game, Gomoku) else 0,
        format=given.format,
        rounds=-(-given.games // 2),
        source=given.openings,
        openings=(),
        seed=given.seed,
        move=given.movetime,
        main=given.time[0],
        increment=given.time[1],
        margin=given.margin,
        patience=given.patience,
        misere=given.misere,
        sprt=given.sprt,
    )


def _number(read: Callable[[str], float], text: str, *, may_be_zero: bool = False) -> float:
    try:
        value = read(text)
    except ValueError:
        value = -1
    if not (0 < value < 1e9 or (may_be_zero and value == 0)):
        raise argparse.ArgumentTypeError(f"'{text}' is no positive number")
    return value


def whole(text: str) -> int:
    """A positive whole number."""
    return int(_number(int, text))


def positive(text: str) -> float:
    """A positive number."""
    return _number(float, text)


def _time(text: str) -> tuple[float, float]:
    main, plus, increment = text.partition("+")
    return positive(main), _number(float, increment, may_be_zero=True) if plus else 0.0


def _sprt(text: str) -> Sprt:
    try:
        numbers = [float(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    is_range = len(numbers) in (2, 4) and -MOST_ELO <= numbers[0] < numbers[1] <= MOST_ELO
    if not is_range or not all(0 < risk < 0.5 for risk in numbers[2:]):
        bounds = f"LOW below HIGH and both from -{MOST_ELO} to {MOST_ELO}"
        raise argparse.ArgumentTypeError(f"'{text}' is not LOW,HIGH or LOW,HIGH,ALPHA,BETA, {bounds}")
    return Sprt(*numbers)
