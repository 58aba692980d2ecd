"""Game records: a session from an SGF file, and an SGF file from a session."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..engine.clock import Clock
from ..engine.errors import EngineError, IllegalMoveError
from ..engine.games.game import Color, Game, Move, points
from ..engine.games.gomoku import Gomoku
from ..engine.session import Session
from . import NAME, VERSION
from .notation import write_result, write_vertex
from .sgf import Node, read_nodes, write_nodes

KINDS = {"1": None, "2": "othello", "4": "gomoku"}  # SGF's GM; clients that only know Go write 1 for everything
NUMBERS = {"gomoku": "4", "othello": "2"}
SIZES = {None: 19, "othello": 8, "gomoku": 15}
RULES = ("freestyle", "standard", "renju")
LETTERS = "abcdefghijklmnopqrst"


@dataclass(frozen=True, slots=True)
class Record:
    """A game as a file tells it, its points still text."""

    game: str | None  # None where the file leaves it open
    size: int
    rule: str | None
    in_a_row: int | None
    black: tuple[str, ...]  # set up before the first move
    white: tuple[str, ...]
    player: Color | None
    moves: tuple[tuple[Color, str], ...]


def read_record(text: str) -> Record:
    """A record from SGF; raises EngineError where it cannot be one."""
    nodes = read_nodes(text)
    root = nodes[0]
    kind = _first(root, "GM") or "1"
    if kind not in KINDS:
        raise EngineError(f"GM[{kind}] is neither Gomoku nor Othello")
    size = _first(root, "SZ") or str(SIZES[KINDS[kind]])
    width, _, height = size.partition(":")
    if not (width.isascii() and width.isdecimal() and len(width) < 4) or height not in ("", width):
        raise EngineError(f"unacceptable size: '{size}'")
    rules = (_first(root, "RU") or "").lower().split()
    return Record(
        KINDS[kind],
        int(width),
        next((word for word in rules if word in RULES), None),
        next((int(word) for word in rules if word.isdecimal() and len(word) < 4), None),
        *_stones(nodes),
        _player(nodes),
        tuple(_moves(nodes)),
    )


def restore(record: Record, session: Session, count: int | None = None) -> None:
    """Bring a session to the position after so many moves of a record; a refusal leaves it as it was."""
    refusals: list[EngineError] = []
    # GoGui writes Othello's row 1 at the bottom, others at the top: only one of the two can be replayed.
    for upside_down in (False, True):
        trial = copy.copy(session)
        trial.clock = Clock()
        try:
            _replay(record, trial, count, upside_down=upside_down)
        except _IllegalRecordError as error:
            refusals.append(error)
            continue
        _replay(record, session, count, upside_down=upside_down)
        return
    raise refusals[0]


def write_record(session: Session) -> str:
    """A session's game as SGF."""
    game, start = session.game, session.start
    root: Node = {
        "FF": ["4"],
        "GM": [NUMBERS[game.name]],
        "SZ": [str(game.size)],
        "AP": [f"{NAME}:{VERSION}"],
        "RU": [_rules(game)],
    }
    outcome = session.outcome()
    if outcome is not None:
        root["RE"] = [write_result(outcome)]
    if start != game.start():
        for name, stones in (("AB", start.black), ("AW", start.white)):
            if stones:
                root[name] = [_write_point(move, game) for move in points(stones)]
        root["PL"] = [start.side_to_move.name[0]]
    moves: list[Node] = [{played.color.name[0]: [_write_point(played.move, game)]} for played in session.moves]
    return write_nodes([root, *moves])


class _IllegalRecordError(EngineError):
    """A record with a move that the rules do not allow."""


def _replay(record: Record, session: Session, count: int | None, *, upside_down: bool) -> None:
    _choose_game(record, session)
    read = _upside_down if upside_down and session.game.name == "othello" else _upright
    game = session.game
    if record.black or record.white:
        session.setup(*([_stone(point, game, read) for point in points] for points in (record.black, record.white)))
    if record.player is not None:
        session.setup_player(record.player)
    for number, (color, point) in enumerate(record.moves[:count], start=1):
        move = _read_point(point, game, read)
        try:
            session.play(color, move)
        except IllegalMoveError as error:
            raise _IllegalRecordError(f"move {number}: {write_vertex(move, game)} {error.reason}") from error


def _choose_game(record: Record, session: Session) -> None:
    name = record.game or session.game.name
    has_rule = name == "gomoku" and (record.rule is not None or record.in_a_row is not None)
    if has_rule or name != session.game.name:
        session.set_game(name)
    session.set_size(record.size)
    if has_rule:
        session.set_game(name, record.rule, record.in_a_row)


def _upright(row: int, size: int) -> int:
    return row


def _upside_down(row: int, size: int) -> int:
    return size - 1 - row


def _stone(text: str, game: Game, read: Callable[[int, int], int]) -> Move:
    move = _read_point(text, game, read)
    if move is None:
        raise EngineError(f"'{text}' is no point of a {game.size}x{game.size} board")
    return move


def _read_point(text: str, game: Game, read: Callable[[int, int], int]) -> Move | None:
    """A point as two letters from the top left, or as a letter and a number; None is a pass."""
    size, point = game.size, text.strip().lower()
    if point == "" or (point == "tt" and size < 20):
        return None
    column, row = LETTERS.find(point[0]), -1
    if len(point) == 2 and point[1] in LETTERS:
        row = read(LETTERS.index(point[1]), size)
    elif point[1:].isascii() and point[1:].isdecimal() and len(point) < 4:
        row = int(point[1:]) - 1 if game.name == "othello" else size - int(point[1:])
    if not (0 <= column < size and 0 <= row < size):
        raise EngineError(f"'{text}' is no point of a {size}x{size} board")
    return row * size + column


def _write_point(move: Move | None, game: Game) -> str:
    if move is None or move == game.pass_move:
        return ""
    row, column = divmod(move, game.size)
    return LETTERS[column] + LETTERS[row]


def _rules(game: Game) -> str:
    return f"{game.rule} {game.in_a_row}" if isinstance(game, Gomoku) and game.in_a_row != 5 else game.rule


def _first(node: Node, name: str) -> str | None:
    values = node.get(name)
    return values[0].strip() if values else None


def _moves(nodes: Sequence[Node]) -> list[tuple[Color, str]]:
    found = []
    for node in nodes:
        for name, color in (("B", Color.BLACK), ("W", Color.WHITE)):
            if name in node:
                found.append((color, _first(node, name) or ""))
    return found


def _opening(nodes: Sequence[Node]) -> list[Node]:
    """The nodes before the first move; stones set up later are refused."""
    begun = next((index for index, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    if any(name in node for node in nodes[begun:] for name in ("AB", "AW", "AE")):
        raise EngineError("stones are set up in the middle of the game")
    return list(nodes[:begun])


def _stones(nodes: Sequence[Node]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    placed: dict[str, str] = {}
    for node in _opening(nodes):
        for name in ("AB", "AW", "AE"):
            placed |= {point: name for text in node.get(name, []) for point in _rectangle(text)}
    black, white = (tuple(point for point in placed if placed[point] == name) for name in ("AB", "AW"))
    return black, white


def _rectangle(text: str) -> list[str]:
    """The points of a compressed list, `aa:cc`."""
    first, colon, last = text.strip().partition(":")
    if not colon:
        return [first]
    if len(first) != 2 or len(last) != 2 or any(letter not in LETTERS for letter in first + last):
        raise EngineError(f"'{text}' is no rectangle of points")
    columns, rows = (LETTERS[LETTERS.index(first[i]) : LETTERS.index(last[i]) + 1] for i in (0, 1))
    return [column + row for column in columns for row in rows]


def _player(nodes: Sequence[Node]) -> Color | None:
    names = [_first(node, "PL") for node in _opening(nodes)]
    named = [name[0].upper() for name in names if name]
    return {"B": Color.BLACK, "W": Color.WHITE}.get(named[-1]) if named else None
