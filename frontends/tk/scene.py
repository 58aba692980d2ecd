"""What is to be seen on the board, gathered from the game."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..shared.play import Play
from ..shared.points import PASS, Point, other, point_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A candidate on its point."""

    point: Point
    winrate: float
    visits: int
    share: float  # of the visits, beside the best
    is_best: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture of the board."""

    game: str
    size: int
    stones: dict[Point, str] = field(default_factory=dict)
    last: Point | None = None
    flipped: tuple[Point, ...] = ()
    numbers: dict[Point, int] = field(default_factory=dict)
    legal: tuple[Point, ...] = ()
    forbidden: tuple[Point, ...] = ()
    marks: tuple[Mark, ...] = ()
    hint: Point | None = None
    side: str = "black"
    ply: int = 0


@dataclass(slots=True)
class Shown:
    """What the person wants to see."""

    numbers: bool = False
    legal: bool = True
    forbidden: bool = True
    candidates: bool = True


def scene_of(play: Play, shown: Shown) -> Scene:
    """The picture of a game as it stands."""
    board, setup = play.board, play.setup
    if board is None:
        return Scene(setup.game, setup.size)

    def at(vertex: str) -> Point | None:
        return point_of(vertex, board.game, board.size)

    points = [at(vertex) for _, vertex in play.line.whole[: board.ply]]
    waits = not play.is_over and not play.driver.thinking and (play.paused or not setup.seat(board.side).is_engine)
    return Scene(
        board.game,
        board.size,
        board.stones(),
        points[-1] if points else None,
        tuple(play.driver.flipped()),
        {point: number for number, point in enumerate(points, 1) if point is not None} if shown.numbers else {},
        tuple(board.legal_points()) if shown.legal and waits and board.game == "othello" else (),
        tuple(board.forbidden_points()) if shown.forbidden else (),
        _marks(play) if shown.candidates else (),
        at(play.study.hint) if play.study.hint else None,
        board.side,
        board.ply,
    )


def variation(play: Play, vertex: str) -> list[tuple[Point, str, int]]:
    """The line of play that begins with a candidate: points, colors and numbers."""
    thought, board = play.driver.thought, play.board
    found = None if thought is None else next((each for each in thought.candidates if each.vertex == vertex), None)
    if found is None or thought is None or board is None:
        return []
    line, color = list(found.line), thought.color
    if thought.ply == play.line.ply - 1 and play.line.moves[-1:] == ((color, vertex),):
        line, color = line[1:], other(color)  # it was played: what is expected now
    elif thought.ply != play.line.ply:
        return []
    shown = []
    for number, name in enumerate(line, 1):
        point = None if name == PASS else point_of(name, board.game, board.size)
        if point is not None:
            shown.append((point, color, number))
        color = other(color)
    return shown


def _marks(play: Play) -> tuple[Mark, ...]:
    thought, board = play.driver.thought, play.board
    if thought is None or board is None or thought.ply != play.line.ply:
        return ()
    most = max(each.visits for each in thought.candidates)
    marks = []
    for number, each in enumerate(thought.candidates):
        point = point_of(each.vertex, board.game, board.size)
        if point is not None and each.visits:
            marks.append(Mark(point, each.winrate, each.visits, each.visits / most, number == 0))
    return tuple(marks)
