"""The Generic Game Format of Othello: games as GGS and NBoard write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..engine.games.game import Color, Game, Move
from .notation import diagram, write_vertex

PASS = "PA"
SIGNS = {"X": "*", "O": "O", ".": "-"}
_GAME = re.compile(r"\(;.*?;\)", re.DOTALL)
_MOVE = re.compile(r"([BW])\[ *([A-Ta-t]\d{1,2}|[Pp][Aa](?:[Ss][Ss])?)[^\]]*\]")


def write_ggf(game: Game, moves: Sequence[tuple[Move, float | None]], tags: Mapping[str, str]) -> str:
    """A game from its start: moves with the seconds they took, if known; tags come before the board."""
    size = game.size
    board = " ".join("".join(SIGNS[cell] for cell in row) for row in diagram(game.start()))
    head = "".join(f"{name}[{_plain(value)}]" for name, value in tags.items())
    return f"(;GM[Othello]{head}TY[{size}]BO[{size} {board} *]{''.join(_moves(game, moves))};)"


def read_moves(text: str) -> list[list[str]]:
    """The moves of each game in a text, as vertices; passes may be missing."""
    return [[vertex for _, vertex in _MOVE.findall(game)] for game in _GAME.findall(text)]


def _moves(game: Game, moves: Sequence[tuple[Move, float | None]]) -> list[str]:
    texts, color = [], Color.BLACK
    for move, seconds in moves:
        point = PASS if move == game.pass_move else write_vertex(move, game)
        texts.append(f"{color.name[0]}[{point}{'' if seconds is None else f'//{seconds:.2f}'}]")
        color = color.opponent
    return texts


def _plain(value: str) -> str:
    return value.replace("[", "(").replace("]", ")").replace("\\", "/").replace(";", ",")
