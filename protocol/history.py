"""What a session was told, as far as it matters to another that is to take its place."""

from __future__ import annotations

from collections.abc import Sequence

_CLEARING = {"boardsize", "clear_board", "set_game"}
_CLOCKS = ("time_settings", "kgs-time_settings", "kata-time_settings")
_SETTINGS = {"boardsize", "set_game", "set_mode", "set_level", "set_brain", "set_option", "extremum-param", "komi"}
_CHOOSING = {"genmove", "lz-genmove_analyze", "kata-genmove_analyze"}


class History:
    """Remembers the settings and the moves of the game at hand."""

    def __init__(self) -> None:
        self._settings: dict[str, str] = {}  # by what they set, in the order of their last change
        self._left: dict[str, str] = {}  # by color: the clock as it was last corrected
        self._moves: list[str] = []

    def note(self, words: Sequence[str], text: str) -> None:
        """Take note of a command that was accepted, with the text of its answer."""
        name, arguments = words[0], words[1:]
        if name in _CLEARING:
            self._moves.clear()
            self._left.clear()
        if name in _SETTINGS or name in _CLOCKS:
            self._set(name, words)
        elif name == "time_left":
            self._left[arguments[0][:1].lower()] = " ".join(words)
        elif name in ("play", "gogui-setup", "gogui-setup_player"):
            self._moves.append(" ".join(words))
        elif name == "gogui-play_sequence":
            pairs = zip(arguments[::2], arguments[1::2], strict=True)
            self._moves += [f"play {color} {vertex}" for color, vertex in pairs]
        elif name in _CHOOSING:
            self._moves.append(f"play {_color(arguments, len(self._moves))} {text.split()[-1]}")
        elif name in ("undo", "gg-undo"):
            count = int(arguments[0]) if arguments else 1
            del self._moves[len(self._moves) - count :]

    def lines(self) -> list[str]:
        """The commands that bring a new session to where this one was."""
        return [*self._settings.values(), "clear_board", *self._moves, *self._left.values()]

    def _set(self, name: str, words: Sequence[str]) -> None:
        key = f"{name} {words[1]}" if name in ("set_option", "extremum-param") and len(words) > 1 else name
        key = _CLOCKS[0] if name in _CLOCKS else "set_level" if name == "set_mode" else key
        self._settings.pop(key, None)
        if len(words) > 2 or name != "extremum-param":  # alone it only shows
            self._settings[key] = " ".join(words)


def _color(arguments: Sequence[str], ply: int) -> str:
    """The color that a move was asked for: the analyzing commands may leave it out."""
    if arguments and arguments[0].lower() in ("b", "w", "black", "white"):
        return arguments[0]
    return "white" if ply % 2 else "black"
