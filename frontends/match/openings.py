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
DEFAULT = "balanced"
Opening = tuple[Move, ...]


def make_openings(kind: str, game: Game, count: int, seed: int, known: Sequence[Opening] = ()) -> list[Opening]:
    """So many openings: `none`, `random[:PLIES]`, `balanced[:PLIES]`, `book`, or those of a file as far as they go.

    The first ones may be known from an earlier run.
    """
    name, _, number = kind.partition(":")
    if name == "none":
        return [()]
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
    return int(number)


def _different(
    make: Callable[[Game, int, random.Random], Opening], game: Game, plies: int, seed: int, index: int
) -> Opening:
    return make(game, plies, random.Random(f"{seed} {index} {plies} {game.name} {game.size}"))


def _random(game: Game, plies: int, rng: random.Random) -> Opening:
    """Moves by chance, in Gomoku near the middle and each other; never to the end of the game."""
    while True:
        position, moves = game.start(), list[Move]()
        for _ in range(plies):
            moves.append(rng.choice(_near(position)))
            position = position.play(moves[-1])
            if position.outcome() is not None:
                break
        else:
            return tuple(moves)


def _near(position: Position) -> list[Move]:
    game, legal = position.game, position.legal_moves()
    if game.name != "gomoku":
        return legal
    size, stones = game.size, position.black | position.white
    middle = size // 2
    reach = max(2, size // 5) if not stones else 2
    centers = [(middle, middle)] if not stones else [divmod(m, size) for m in range(size * size) if stones >> m & 1]
    near = [
        move
        for move in legal
        if any(max(abs(move // size - row), abs(move % size - column)) <= reach for row, column in centers)
    ]
    return near or legal


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
