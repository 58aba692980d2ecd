"""Lines of a program's own client, carried to a server and its answers back, over lost connections too."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .command import Answer, refusal
from .connection import Send
from .gtp import framed, read
from .history import History
from .stream import LONGEST
from .transports.dealer import Dealer, News, receive_all

PATIENCE = 5.0  # seconds that commands wait for a connection before they are refused
ENDED = b" session ended: "  # how a server refuses the first command after it has ended a session


@dataclass(slots=True)
class _Asked:
    """A command that the server has not answered to its end."""

    line: bytes
    is_silent: bool  # ours, not the client's
    told: bytearray = field(default_factory=bytearray)


class Bridge:
    """Carries lines; what the client has been told is never told again, and what it asked is always answered."""

    def __init__(
        self,
        dealer: Dealer,
        write: Send[bytes],
        tell: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.is_over = False
        self._dealer = dealer
        self._write = write
        self._tell = tell
        self._now = now
        self._held: deque[bytes] = deque()  # not sent yet
        self._asked: deque[_Asked] = deque()
        self._history = History()
        self._was_connected = False
        self._since = now()  # when the connection was lost

    @property
    def is_idle(self) -> bool:
        """True when everything is answered."""
        return not self._held and not self._asked

    def take(self, line: bytes) -> None:
        """Carry a line to the server, now or when there is one."""
        if not _words(line) and len(line) <= LONGEST:
            if self._dealer.is_connected:
                self._dealer.send(line)  # nobody answers a remark, but it may end a search
            return
        self._held.append(line)

    def attend(self) -> None:
        """Do what there is to do: called when something has come, and about every second."""
        for message in receive_all(self._dealer):
            self._hear(message)
        for news in self._dealer.news():
            self._follow(news)
        if self._dealer.is_connected:
            while self._held:
                self._ask(self._held.popleft(), is_silent=False)
        elif self._now() > self._since + PATIENCE:
            self._refuse_held()

    def _follow(self, news: News) -> None:
        address = self._dealer.address
        if news is News.CONNECTED:
            if self._was_connected:
                self._tell(f"connected to {address} again")
                self._replay()
            self._was_connected = True
        elif news is News.REFUSED:
            self._tell(f"{address} refuses the keys, or wants some")
        else:
            self._tell(f"lost {address}, trying again")
            self._since = self._now()
            for asked in self._asked:
                self._give_up(asked)
            self._asked.clear()

    def _ask(self, line: bytes, *, is_silent: bool) -> None:
        self._asked.append(_Asked(line, is_silent))
        self._dealer.send(line)

    def _hear(self, message: bytes) -> None:
        if not self._asked:
            return
        asked = self._asked[0]
        if message.startswith(b"?") and ENDED in message and not asked.is_silent:
            self._begin_again()
            return
        asked.told += message
        if not asked.is_silent:
            self._write(message)
        if asked.told.endswith(b"\n\n"):
            self._asked.popleft()
            self._note(asked)

    def _note(self, asked: _Asked) -> None:
        """Remember what an answered command has changed."""
        words = _words(asked.line)
        if asked.is_silent or not asked.told.startswith(b"=") or not words:
            return
        self._history.note(words, asked.told.decode("utf-8", "replace"))
        self.is_over = self.is_over or words[0] == "quit"

    def _begin_again(self) -> None:
        """Bring a new session to where the old one was, and ask again what that did not answer."""
        unanswered = [asked.line for asked in self._asked if not asked.is_silent]
        self._asked.popleft()
        for asked in self._asked:
            asked.is_silent = True
        self._tell(f"{self._dealer.address} had ended the session, began another")
        self._replay()
        for line in unanswered:
            self._ask(line, is_silent=False)

    def _replay(self) -> None:
        for line in self._history.lines():
            self._ask(line.encode("utf-8", "surrogateescape"), is_silent=True)

    def _give_up(self, asked: _Asked) -> None:
        """Answer a command whose answer was lost, or end an answer that had begun."""
        if asked.is_silent:
            return
        if asked.told:
            self._write(b"\n" if asked.told.endswith(b"\n") else b"\n\n")
        else:
            self._answer(asked.line, refusal(f"lost {self._dealer.address}"))

    def _refuse_held(self) -> None:
        while self._held:
            line = self._held.popleft()
            is_quit = _words(line)[:1] == ["quit"]
            answer = Answer(True, None) if is_quit else refusal(f"not connected to {self._dealer.address}")
            self._answer(line, answer)
            self.is_over = self.is_over or is_quit

    def _answer(self, line: bytes, answer: Answer) -> None:
        self._write(framed(read(line)[0], answer))


def _words(line: bytes) -> Sequence[str]:
    return read(line)[1]
