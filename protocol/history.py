"""What a session was told, as far as it matters to another that is to take its place."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.games.game import Color
from ..engine.session import Session
from .command import Exchange, Nobody
from .commands import COMMANDS
from .notation import COLORS, read_color, write_color

_CLOCKS = ("time_settings", "kgs-time_settings", "kata-time_settings")
_SETTINGS = {"set_mode", "set_level", "set_brain", "set_option", "extremum-param", "komi", *_CLOCKS}
_BEGINNINGS = {"boardsize", "set_game", "clear_board", "setboard", "transcript", "gogui-setup"}
_CHOOSING = {"genmove", "lz-genmove_analyze", "kata-genmove_analyze"}

ENOUGH = 4  # commands that choose a game or a size


class History:
    """Remembers the settings and the moves of the game at hand."""

    def __init__(self) -> None:
        self._settings: dict[str, str] = {}  # by what they set, in the order of their last change
        self._left: dict[str, str] = {}  # by color: the clock as it was last corrected
        self._board = _Board()
        self._beginning: list[str] = []  # what came before the moves that can be taken back here
        self._moves: list[list[str]] = []  # each with the turns that were given after it

    def note(self, words: Sequence[str], text: str) -> None:
        """Take note of a command that was accepted, with the text of its answer."""
        name, arguments = words[0], words[1:]
        if name in _BEGINNINGS:
            self._begin(words)
        elif name in _SETTINGS:
            self._set(name, words)
        elif name == "time_left":
            self._left[arguments[0][:1].lower()] = " ".join(words)
        elif name == "gogui-setup_player":
            (self._moves[-1] if self._moves else self._beginning).append(" ".join(words))
        elif name == "play":
            self._play(arguments[0], arguments[1])
        elif name == "gogui-play_sequence":
            for color, vertex in zip(arguments[::2], arguments[1::2], strict=True):
                self._play(color, vertex)
        elif name in _CHOOSING:
            # The analyzing commands may leave the color out.
            is_told = bool(arguments) and arguments[0].lower() in COLORS
            self._play(arguments[0] if is_told else write_color(self._side_to_move()), text.split()[-1])
        elif name in ("undo", "gg-undo"):
            self._take_back(int(arguments[0]) if arguments else 1)

    def lines(self) -> list[str]:
        """The commands that bring a new session to where this one was."""
        return [*self._board.lines, *self._settings.values(), "clear_board", *self._game(), *self._left.values()]

    def _begin(self, words: Sequence[str]) -> None:
        name, line = words[0], " ".join(words)
        if name == "transcript" and len(words) == 1:  # alone it only tells
            return
        if name in ("boardsize", "set_game", "setboard"):
            self._board.note(words)
        self._beginning = [line] if name in ("setboard", "transcript", "gogui-setup") else []
        self._moves.clear()
        self._left.clear()

    def _set(self, name: str, words: Sequence[str]) -> None:
        key = f"{name} {words[1]}" if name in ("set_option", "extremum-param") and len(words) > 1 else name
        key = _CLOCKS[0] if name in _CLOCKS else "set_level" if name == "set_mode" else key
        if name in _CLOCKS:
            self._left.clear()
        self._settings.pop(key, None)
        if len(words) > 2 or name != "extremum-param":  # alone it only shows
            self._settings[key] = " ".join(words)

    def _play(self, color: str, vertex: str) -> None:
        self._moves.append([f"play {color} {vertex}"])

    def _take_back(self, count: int) -> None:
        """Forget moves; those of a transcript are taken back each time that it is told."""
        kept = max(0, len(self._moves) - count)
        beyond = count - (len(self._moves) - kept)
        del self._moves[kept:]
        if beyond:
            self._beginning.append(f"gg-undo {beyond}")

    def _game(self) -> list[str]:
        return [*self._beginning, *(line for move in self._moves for line in move)]

    def _side_to_move(self) -> Color:
        last = self._moves[-1][-1].split() if self._moves else []
        if not last:
            return _side_after([*self._board.lines, "clear_board", *self._beginning])
        color = read_color(last[1])
        return color.opponent if last[0] == "play" else color


class _Board:
    """The commands that made the game and its size what they are.

    The last of a kind will do, and a few of them in all: another game has a size of its own, the same one keeps it.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, words: Sequence[str]) -> None:
        """Take note of a game, a size, or a board, which has one."""
        if self.lines and _kind(self.lines[-1].split()) == _kind(words):
            self.lines.pop()
        self.lines = [*self.lines, " ".join(words)][-ENOUGH:]


def _kind(words: Sequence[str]) -> str:
    return words[1].lower() if words[0] == "set_game" else "size"


def _side_after(lines: Sequence[str]) -> Color:
    """Whose turn it is after these commands, as a session of our own finds."""
    session = Session()
    for line in lines:
        COMMANDS.answer(line.split(), session, Exchange(Nobody(), lambda told: None))
    return session.position.side_to_move
