"""Where games begin: random openings, near-even ones by a search of ours, or lines of a file."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from ...engine.brains import make_brain
from ...engine.brains.brain import Brain
from ...engine.errors import EngineError
from ...engine.games.game import Game, Move, Position
from ...engine.options import Options
from ...engine.search.stopper import Limits, Stopper
from ..flags import BadFlagError
from .opening_files import read_openings

PLIES = {"gomoku": 5, "othello": 8}
NODES = 30_000
EVEN = {"gomoku": 0.15, "othello": 0.12}  # the most that the value of a near-even position is away from zero
TRIES = 60
DRAWS = 200  # of a random opening, before it is taken for impossible
DEFAULT = "balanced"
KINDS = "none, random[:PLIES], balanced[:PLIES], swap2, renju, xot, book, or a file"
# Starts as other people have them, by game: Othello's XOT are eight random plies that came out near even, the three
# stones of swap2 are put so that either color will do.
ALIASES = {("gomoku", "swap2"): "balanced:3", ("othello", "xot"): "balanced:8"}
RENJU = "renju"
NAMED = ("swap2", "xot", RENJU)
Opening = tuple[Move, ...]


def make_openings(kind: str, game: Game, count: int, seed: int, known: Sequence[Opening] = ()) -> list[Opening]:
    """So many openings of a kind, a book's or a file's as far as they go.

    Near even ones are so in the game that is given, which may be a misère. The first ones may be known from an earlier
    run.
    """
    kind = ALIASES.get((game.name, kind), kind)
    name, _, number = kind.partition(":")
    if name == "none":
        return [()]
    if kind in NAMED:
        return _renju(kind, game, seed)[:count]
    if name in ("random", "balanced"):
        return [*known[:count], *_made(name, game, _plies(number, game), seed, range(len(known), count))]
    found = read_openings(shipped(game) if kind == "book" else Path(kind), game)
    return found[:count]


def shipped(game: Game) -> Path:
    """The file of openings that comes with the program."""
    file = Path(str(files(__package__).joinpath("suites", f"{game.name}-{game.size}-{game.rule}.txt")))
    if not file.exists():
        raise BadFlagError(f"no book of openings is shipped for {game.rule} {game.name} {game.size}x{game.size}")
    return file


def _renju(kind: str, game: Game, seed: int) -> list[Opening]:
    """The 26 openings of renju in an order by chance: the middle, a neighbor, and a stone of the 25 around the middle.

    Half of them are direct, with the second stone straight beside the first; mirror images are left out.
    """
    if kind != RENJU or game.name != "gomoku" or game.size < 5:
        raise BadFlagError(f"there are no openings '{kind}' for {game.name} {game.size}x{game.size}")
    around = [(row, column) for row in range(-2, 3) for column in range(-2, 3)]
    direct = [(row, column) for row, column in around if column >= 0]
    indirect = [(row, column) for row, column in around if row + column >= 0]
    found = list[Opening]()
    for second, thirds in (((-1, 0), direct), ((-1, 1), indirect)):
        found += [_placed(game, [(0, 0), second, third]) for third in thirds if third not in ((0, 0), second)]
    random.Random(seed).shuffle(found)
    return found


def _placed(game: Game, stones: Sequence[tuple[int, int]]) -> Opening:
    """Stones by their distance from the middle, down and to the right."""
    middle = game.size // 2
    return tuple((middle + row) * game.size + middle + column for row, column in stones)


def _made(name: str, game: Game, plies: int, seed: int, indices: Sequence[int]) -> list[Opening]:
    try:
        make = _random if name == "random" or not indices else Balancer().make
        return [_different(make, game, plies, seed, index) for index in indices]
    except EngineError as error:
        raise BadFlagError(f"openings cannot be balanced: {error}") from error


def _plies(number: str, game: Game) -> int:
    if not number:
        return min(PLIES[game.name], game.size * game.size // 8)
    if not number.isdecimal():
        raise BadFlagError(f"'{number}' is no number of plies")
    if int(number) >= game.size * game.size:
        raise BadFlagError(f"openings of {number} plies do not fit on {game.name} {game.size}x{game.size}")
    return int(number)


def _different(
    make: Callable[[Game, int, random.Random], Opening], game: Game, plies: int, seed: int, index: int
) -> Opening:
    return make(game, plies, random.Random(f"{seed} {index} {plies} {game.name} {game.size}"))


def _random(game: Game, plies: int, rng: random.Random) -> Opening:
    """Moves by chance, in Gomoku near the middle and each other; never to the end of the game."""
    for _ in range(DRAWS):
        position, moves = game.start(), list[Move]()
        for _ in range(plies):
            moves.append(rng.choice(_near(position)))
            position = position.play(moves[-1])
            if position.outcome() is not None:
                break
        else:
            return tuple(moves)
    board = f"{game.name} {game.size}x{game.size}"
    raise BadFlagError(f"there are no openings of {plies} plies for {board}: {DRAWS} games by chance ended before")


def _near(position: Position) -> list[Move]:
    game, legal = position.game, position.legal_moves()
    if game.name != "gomoku":
        return legal
    size, stones = game.size, position.black | position.white
    middle = size // 2
    reach = max(2, size // 5) if not stones else 2
    centers = [(middle, middle)] if not stones else [divmod(m, size) for m in range(size * size) if stones >> m & 1]
    within = {
        (row + down, column + right)
        for row, column in centers
        for down in range(-reach, reach + 1)
        for right in range(-reach, reach + 1)
    }
    return [move for move in legal if divmod(move, size) in within] or legal


class Balancer:
    """Draws random openings until one is near even."""

    def __init__(self) -> None:
        self._brain: Brain = make_brain("alphabeta", Options(seed=1, memory=16))

    def make(self, game: Game, plies: int, rng: random.Random) -> Opening:
        """The first that is near even, or the one that is nearest."""
        tried = []
        for _ in range(TRIES):
            opening = _random(game, plies, rng)
            value = abs(self.value(game, opening))
            if value <= EVEN[game.name]:
                return opening
            tried.append((value, opening))
        return min(tried)[1]

    def value(self, game: Game, opening: Opening) -> float:
        """What a short search makes of the position, for the side to move."""
        position = game.start()
        for move in opening:
            position = position.play(move)
        best = self._brain.choose(position, Stopper(Limits(visits=NODES))).analysis.best
        return best.value if best.proven is None else float(best.proven)
