"""What a person may type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..shared.play import Play
from ..shared.points import COLORS, PASS, point_of
from ..shared.score import write_atomically
from ..shared.setup import SetupError
from ..shared.texts import Texts

LARGEST = 10_000_000  # bytes of a game record

Say = Callable[[str], None]


class Words:
    """Does what a line says."""

    def __init__(self, play: Play, texts: Texts, say: Say, show: Callable[[], None]) -> None:
        self._play, self._texts, self._say, self._show = play, texts, say, show
        self.leaving = False
        self._words: dict[str, Callable[[str], None]] = {
            "pass": lambda rest: play.play(PASS),
            "undo": lambda rest: play.undo(),
            "redo": lambda rest: play.redo(),
            "hint": lambda rest: play.hint(),
            "now": lambda rest: play.move_now(),
            "new": self._new,
            "level": self._level,
            "mode": self._mode,
            "brain": self._brain,
            "save": self._save,
            "load": self._load,
            "show": lambda rest: show(),
            "restart": lambda rest: play.restart(),
            "help": lambda rest: say(texts("terminal_help", self._example())),
            "quit": lambda rest: self._quit(),
        }

    def do(self, line: str) -> None:
        """Carry out a line; whatever is wrong with it is told."""
        word, _, rest = line.strip().partition(" ")
        setup = self._play.setup
        if not word:
            return
        if word.lower() in self._words:
            try:
                self._words[word.lower()](rest.strip())
            except SetupError as error:
                self._say(self._texts(str(error), *error.values))
        elif point_of(word, setup.game, setup.size) is not None and not rest:
            self._play.play(word.upper())
        else:
            self._say(self._texts("unknown_word", line.strip()[:60]))

    def _quit(self) -> None:
        self.leaving = True

    def _example(self) -> str:
        return "D3" if self._play.setup.game == "othello" else "C3"

    def _new(self, rest: str) -> None:
        """The same game again, or another: GAME [SIZE] [RULE]."""
        game, size, rule, *more = [*rest.lower().split(), *[""] * 3]
        if any(more):
            return self._say(self._texts("usage", "new [gomoku|othello] [SIZE] [RULE]"))
        setup = self._play.setup
        game = game or setup.game
        default = setup.size if game == setup.game else 8 if game == "othello" else 15
        number = int(size) if size.isascii() and size.isdecimal() and len(size) < 4 else 0 if size else default
        row = setup.in_a_row if setup.in_a_row <= number and game == setup.game == "gomoku" else max(3, min(5, number))
        row = 5 if game == "othello" else row
        kept = setup.rule if game == "gomoku" else "freestyle"
        return self._play.begin(replace(setup, game=game, size=number, rule=rule or kept, in_a_row=row))

    def _level(self, rest: str) -> None:
        self._seat(level=int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 4 else -1)

    def _mode(self, rest: str) -> None:
        levels = {"strongest": 100, "weakest": 0}
        if rest not in levels:
            return self._say(self._texts("usage", "mode strongest|weakest"))
        return self._seat(level=levels[rest])

    def _brain(self, rest: str) -> None:
        if rest not in self._play.driver.brains:
            return self._say(self._texts("usage", f"brain {'|'.join(self._play.driver.brains)}"))
        return self._seat(brain=rest)

    def _seat(self, **changes: object) -> None:
        """Change every engine at the board."""
        for color in COLORS:
            seat = self._play.setup.seat(color)
            if seat.is_engine:
                self._play.sit(color, replace(seat, **changes))  # type: ignore[arg-type]  # names with their own types
        self._show()

    def _save(self, rest: str) -> None:
        if not rest:
            return self._say(self._texts("usage", "save FILE"))
        file = Path(rest)

        def write(text: str) -> None:
            try:
                write_atomically(file, text)
            except OSError as error:
                return self._say(self._texts("no_file", rest, error.strerror))
            return self._say(self._texts("saved", rest))

        return self._play.record(write)

    def _load(self, rest: str) -> None:
        if not rest:
            return self._say(self._texts("usage", "load FILE"))
        try:
            with open(rest, "rb") as stream:
                text = stream.read(LARGEST).decode("utf-8", "replace")
        except OSError as error:
            return self._say(self._texts("no_file", rest, error.strerror))
        return self._play.load(text)
