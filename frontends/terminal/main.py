"""Plays in the terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from queue import Empty, SimpleQueue

from ..flags import BadFlagError
from ..shared.arguments import WindowParser, setup_of
from ..shared.dial import dials_of
from ..shared.play import Play
from ..shared.score import Score, score_file
from ..shared.texts import Texts
from .picture import picture
from .words import Words

PULSE = 0.1  # seconds between two looks at the clocks
END = "\x04"  # stands for the end of input


def main(arguments: Sequence[str] = ()) -> int:
    """Play until the person leaves; a script's last move is still answered."""
    given = WindowParser("play", __doc__).parse_args(list(arguments))
    if given.color == "none":
        raise BadFlagError("--color none: nobody would play; 'extremum match' lets engines play each other")
    play = None
    heard: SimpleQueue[str | None] = SimpleQueue()  # lines of the person, and None when the engine spoke
    try:
        play = Play(dials_of(given), setup_of(given), Score(score_file()), arrived=lambda: heard.put(None))
        Terminal(play, Texts(given.language), heard).run()
    finally:
        if play is not None:
            play.close()
            play.driver.join()
    return 0


class Terminal:
    """Brings the person's lines and the engine's answers together, in one thread."""

    def __init__(self, play: Play, texts: Texts, heard: SimpleQueue[str | None]) -> None:
        self._play, self._texts, self._heard = play, texts, heard
        self._shown: tuple[object, ...] | None = None
        self._ended = False
        self._waiting: list[str] = []  # lines that came while the engine thought
        self._words = Words(play, texts, self._say, self._show)

    def run(self) -> None:
        """Play until the person leaves, or input ends and nothing is left to answer."""
        threading.Thread(target=self._read, name="input", daemon=True).start()
        self._say(self._texts("terminal_help", "C3"))
        while not self._words.leaving and not (self._ended and self._is_still() and not self._waiting):
            self._step()

    def _step(self) -> None:
        try:
            line = self._heard.get(timeout=PULSE)
        except Empty:
            line = None
        if line == END:
            self._ended = True
        elif line is not None:
            self._waiting.append(line)
        self._play.pump()
        self._tell()
        self._show_if_new()
        if self._waiting and (self._is_still() or self._waiting[0].strip() in ("now", "quit")):
            self._words.do(self._waiting.pop(0))
            self._tell()

    def _tell(self) -> None:
        for notice in self._play.notices():
            self._say(self._texts.notice(notice))

    def _read(self) -> None:
        for line in sys.stdin:
            self._heard.put(line.rstrip("\n"))
        self._heard.put(END)

    def _is_still(self) -> bool:
        """True while nothing is under way: it is the person's turn."""
        driver = self._play.driver
        is_settled = self._play.board is not None and not driver.busy and not driver.engine.busy
        return driver.dead is not None or is_settled

    def _show_if_new(self) -> None:
        """Show each position once, when it is the person's turn or the game is over."""
        now = (self._play.board, self._play.line.ply, self._play.driver.dead)
        if now != self._shown and self._is_still():
            self._shown = now
            self._show()

    def _show(self) -> None:
        dead = self._play.driver.dead
        for line in () if dead is None else dead.last_words:
            self._say(f"  {line}")
        self._say("\n" + picture(self._play, self._texts, colored=sys.stdout.isatty()))

    def _say(self, text: str) -> None:
        print(text, flush=True)
