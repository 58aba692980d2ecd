"""Commands on the board and its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.errors import EngineError, UsageError
from ...engine.games.game import Color, Game, Move, Outcome
from ...engine.session import Session
from ..command import COMMANDS
from ..notation import (
    COLUMNS,
    Vertex,
    diagram,
    read_color,
    read_vertex,
    row_number,
    write_color,
    write_result,
    write_vertex,
)
from ..reply import Told


@COMMANDS.command("boardsize")
def boardsize(session: Session, size: int) -> None:
    """Change the size of the board and clear it."""
    session.set_size(size)


@COMMANDS.command("clear_board")
def clear_board(session: Session, *ignored: str) -> None:
    """Begin a new game with full clocks."""
    session.clear()


@COMMANDS.command("komi")
def komi(session: Session, komi: float) -> None:
    """Take note of the komi, which neither game knows."""
    session.komi = komi


@COMMANDS.command("play")
def play(session: Session, color: Color, move: Vertex) -> None:
    """Play a move of either color; a pass that Othello forces may be left out."""
    session.play(color, move)


@COMMANDS.command("gogui-play_sequence")
def play_sequence(session: Session, *moves: str) -> None:
    """Play several moves, given as colors and vertices in turn: all of them or none."""
    session.play_sequence(read_moves(moves, session.game))


@COMMANDS.command("undo")
def undo(session: Session) -> None:
    """Take back the last move."""
    session.undo()


@COMMANDS.command("gg-undo")
def gg_undo(session: Session, count: int = 1) -> None:
    """Take back several moves: all of them or none."""
    session.undo(count)


@COMMANDS.command("gogui-setup")
def setup(session: Session, *stones: str) -> None:
    """Put stones, given as colors and vertices in turn, on a cleared board, as a beginning without moves."""
    if session.moves or session.start != session.game.start():
        raise EngineError("board not empty")
    placed: dict[Color, list[Move]] = {color: [] for color in Color}
    for color, move in read_moves(stones, session.game):
        if move is None:
            raise UsageError("syntax error: a pass is no stone")
        placed[color].append(move)
    session.setup(placed[Color.BLACK], placed[Color.WHITE])


@COMMANDS.command("gogui-setup_player")
def setup_player(session: Session, color: Color) -> None:
    """Give the turn to a color."""
    session.setup_player(color)


@COMMANDS.command("showboard")
def showboard(session: Session) -> Told:
    """Show the board, X for black, O for white, and whose turn it is."""
    position, game = session.position, session.game
    columns = "   " + " ".join(COLUMNS[: game.size])
    numbers = [row_number(row, game) for row in range(game.size)]
    rows = [f"{number:2} {' '.join(cells)} {number}" for number, cells in zip(numbers, diagram(position), strict=True)]
    return Told("\n".join(["", columns, *rows, columns, situation(session)]), board_record(session))


@COMMANDS.command("final_score")
def final_score(session: Session) -> Told:
    """Tell the result of a finished game: B+ or W+ and the margin, or 0."""
    outcome = session.outcome()
    if outcome is None:
        raise EngineError("cannot score: the game is not over")
    return Told(write_result(outcome), outcome_record(outcome))


def board_record(session: Session) -> dict[str, Any]:
    """The position as data: rows from the top, and the moves that led to it."""
    game, outcome = session.game, session.outcome()
    return {
        "game": game.name,
        "rule": game.rule,
        "size": game.size,
        "rows": ["".join(cells) for cells in diagram(session.position)],
        "side_to_move": write_color(session.position.side_to_move),
        "moves": [[write_color(played.color), write_vertex(played.move, game)] for played in session.moves],
        "outcome": None if outcome is None else outcome_record(outcome),
    }


def outcome_record(outcome: Outcome) -> dict[str, Any]:
    """A result as data: a draw has no winner."""
    winner = None if outcome.winner is None else write_color(outcome.winner)
    return {"winner": winner, "margin": outcome.margin, "result": write_result(outcome)}


def verdict(session: Session) -> str:
    """The result in words, empty while the game goes on."""
    outcome = session.outcome()
    if outcome is None:
        return ""
    discs = ""
    if session.game.name == "othello":
        discs = f" ({session.position.black.bit_count()}-{session.position.white.bit_count()})"
    if outcome.winner is None:
        return f"Draw{discs}"
    by = f" by {outcome.margin}{discs}" if discs else ""
    return f"{outcome.winner.name.capitalize()} wins{by}"


def situation(session: Session) -> str:
    """Whose turn it is, or who won, and what was played last."""
    now = verdict(session) or f"{write_color(session.position.side_to_move).capitalize()} to move"
    if not session.moves:
        return now
    last = session.moves[-1]
    return f"{now}, last move {write_color(last.color)} {write_vertex(last.move, session.game)}"


def read_moves(words: Sequence[str], game: Game) -> list[tuple[Color, Move | None]]:
    """Colors and vertices in turn."""
    if len(words) % 2:
        raise UsageError(f"syntax error: no vertex after '{words[-1]}'")
    return [
        (read_color(color), read_vertex(vertex, game)) for color, vertex in zip(words[::2], words[1::2], strict=True)
    ]
