"""Finished games as files: SGF, and GGF for Othello."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ...engine.games.game import Move, Position
from ...protocol import NAME
from ...protocol.ggf import write_ggf
from ...protocol.sgf import Node, write_nodes
from .results import Result, write_whole
from .settings import Settings

LETTERS = "abcdefghijklmnopqrst"


def write_game(folder: Path, settings: Settings, result: Result) -> None:
    """Write a game into the folder of its match, each file wholly or not at all."""
    for file, write in _files(folder, settings, result).items():
        file.parent.mkdir(exist_ok=True)
        write_whole(file, write(settings, result) + "\n")


def write_missing(folder: Path, settings: Settings, results: Iterable[Result]) -> None:
    """Write the games whose files a sudden end has prevented."""
    for result in results:
        if not all(file.exists() for file in _files(folder, settings, result)):
            write_game(folder, settings, result)


def _files(folder: Path, settings: Settings, result: Result) -> dict[Path, Callable[[Settings, Result], str]]:
    name = folder / "games" / f"{result.number:06}"
    files: dict[Path, Callable[[Settings, Result], str]] = {name.with_suffix(".sgf"): to_sgf}
    if settings.game == "othello":
        files[name.with_suffix(".ggf")] = to_ggf
    return files


def to_sgf(settings: Settings, result: Result) -> str:
    """A game as SGF."""
    root: Node = {
        "FF": ["4"],
        "GM": ["4" if settings.game == "gomoku" else "2"],
        "SZ": [str(settings.size)],
        "AP": [NAME],
        "RU": [settings.rule if settings.in_a_row in (0, 5) else f"{settings.rule} {settings.in_a_row}"],
        "PB": [result.black],
        "PW": [result.white],
        "DT": [result.date[:10]],
        "RE": [result.result],
        "RO": [str(result.number)],
    }
    if result.remarks:
        root["C"] = ["\n".join(result.remarks)]
    return write_nodes([root, *_nodes(settings, result)])


def to_ggf(settings: Settings, result: Result) -> str:
    """A game of Othello as GGF."""
    tags = {
        "PC": NAME,
        "DT": result.date,
        "PB": result.black,
        "PW": result.white,
        "RE": _margin(result),
        "TI": f"{int(settings.main) // 60:02}:{int(settings.main) % 60:02}",
    }
    return write_ggf(settings.make_game(), list(zip(result.moves, result.seconds, strict=True)), tags)


def _played(settings: Settings, result: Result) -> list[tuple[Position, Move, float | None]]:
    position, played = settings.make_game().start(), []
    for move, seconds in zip(result.moves, result.seconds, strict=True):
        played.append((position, move, seconds))
        position = position.play(move)
    return played


def _nodes(settings: Settings, result: Result) -> list[Node]:
    nodes: list[Node] = []
    for position, move, seconds in _played(settings, result):
        row, column = divmod(move, settings.size)
        point = "" if move == position.game.pass_move else LETTERS[column] + LETTERS[row]
        node: Node = {position.side_to_move.name[0]: [point]}
        if seconds is not None:
            node["C"] = [f"{seconds:.3f} s"]
        nodes.append(node)
    return nodes


def _margin(result: Result) -> str:
    """The result for black, with `r` and `t` for games that were resigned or lost on time."""
    if result.result == "0":
        return "0"
    winner, _, margin = result.result.partition("+")
    sign = "+" if winner == "B" else "-"
    if margin.isdecimal():
        return f"{sign}{margin}.00"
    return f"{sign}64.00" + {"R": ":r", "T": ":t"}.get(margin, "")
