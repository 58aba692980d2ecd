"""The conversation with the server: login, settings, challenges, matches, small talk."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

from ...engine.session import Session
from .. import NAME, VERSION
from .messages import SERVER, Gatherer, Message, clean
from .parse import Board, read_board, read_match, read_request
from .player import Player
from .policy import Policy, refuses_kind

SETTINGS = ("vt100 -", "bell -t -tc -tg -n -nc -ng -ni -nn", "verbose -news -faq -help -ack", "notify + /os", "mso")
SERVICE = ("trust +", "rated +", "request +", "client -")
HELP = f"I am {NAME} {VERSION}, a program. I play 8, 8a, s8 and s8r14 to s8r20: tell /os ask s8r16 5:00 LOGIN"
KEEP_ALIVE = 120.0  # seconds without a word of ours
SILENCE = 300.0  # seconds without a word of the server's: it must have answered the keep-alive
QUIET = 0.3  # seconds after which a message without READY is taken for complete
TALK = 60.0  # seconds between two answers to the same name
TRIES = 2  # answers to the same board: the server refuses a move only when something is wrong


class LoginError(Exception):
    """The server does not let us in."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who we are there."""

    login: str
    password: str = field(repr=False)


class Bot:
    """Answers the server's lines; `receive` and `tick` are called by one thread, moves come from others."""

    def __init__(
        self,
        account: Account,
        send: Callable[[str], None],
        make: Callable[[], Session],
        policy: Policy | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.is_in = False  # logged in
        self.finished = 0  # matches played to their end
        self._account = account
        self._write = send
        self._make = make
        self._policy = policy or Policy()
        self._now = now
        self._gatherer = Gatherer()
        self._lock = Lock()
        self._matches: dict[str, list[str]] = {}  # ours, with their players
        self._players: dict[str, Player] = {}  # by game
        self._boards: dict[str, tuple[Board, int]] = {}  # last answered or being answered, and how often
        self._pending: str | None = None  # the request that we accepted
        self._asked_password = False
        self._told: dict[str, float] = {}
        self._heard = self._spoke = now()

    def receive(self, line: str) -> None:
        """Take a line of the server."""
        self._heard = self._now()
        text = clean(line)
        if self.is_in:
            self._take_all(self._gatherer.feed(text))
        else:
            self._log_in(text)

    def tick(self) -> None:
        """Do what is due when nothing comes: called several times a second."""
        now = self._now()
        if now > self._heard + SILENCE:
            raise ConnectionError("the server is silent")
        if self.is_in and now > self._heard + QUIET:
            self._take_all(self._gatherer.rest())
        if self.is_in and now > self._spoke + KEEP_ALIVE:
            self._say("tell /os match")

    def close(self) -> None:
        """Stop thinking about everything: the connection is gone."""
        with self._lock:
            for player in self._players.values():
                player.cancel()
            self._players.clear()
            self._matches.clear()

    def _log_in(self, text: str) -> None:
        if "Enter login" in text:
            self._say(self._account.login)
        elif "Enter your password" in text:
            self._asked_password = True
            self._say(self._account.password)
        elif self._asked_password and text == "READY":
            self.is_in = True
            for setting in SETTINGS:
                self._say(setting)
            self._set_service()
            self._say("tell /os continue")
        elif self._asked_password and text.startswith(":"):
            raise LoginError(text.lstrip(": "))

    def _set_service(self) -> None:
        for setting in SERVICE:
            self._say(f"tell /os {setting}")
        self._open()

    def _open(self) -> None:
        self._say(f"tell /os open {max(0, self._policy.most_matches - len(self._matches))}")

    def _take_all(self, messages: list[Message]) -> None:
        for message in messages:
            if message.sender == "/os":
                self._take_service(message)
            elif message.sender == SERVER:
                if message.text.startswith("+ /os"):
                    self._set_service()
            elif not message.sender.startswith(("/", ".")):
                self._talk(message.sender)

    def _take_service(self, message: Message) -> None:
        word, _, rest = message.text.partition(" ")
        match word:
            case "+" | "-" if rest.strip().startswith("match"):
                self._take_match(rest.strip(), begins=word == "+")
            case "+" | "-":
                self._take_request(rest, is_new=word == "+")
            case "join" | "update":
                self._take_board(message)
            case "end":
                self._end_game(rest.split()[0] if rest.split() else "")
            case "error" | "ERR":
                self._take_error(rest)

    def _take_request(self, text: str, *, is_new: bool) -> None:
        request = read_request(text)
        if request is None:
            return
        if not is_new:
            self._pending = None if self._pending == request.identity else self._pending
            return
        login = self._account.login
        if request.challenger == login or request.challenged not in (None, login):
            return
        if request.challenged is None and not self._policy.public:
            return
        reason = self._policy.refuses(request, len(self._matches) + (self._pending is not None))
        if reason is None:
            self._pending = request.identity
            self._say(f"tell /os accept {request.identity}")
        elif request.challenged is not None:
            self._say(f"tell /os decline {request.identity}")
            self._say(f"tell {request.challenger} sorry, {reason}")

    def _take_match(self, text: str, *, begins: bool) -> None:
        found = read_match(text)
        if found is None or (begins and self._account.login not in found[1]):
            return
        identity, names = found
        if begins:
            self._pending = None
            self._matches[identity] = names
            logging.getLogger(__name__).info("match %s", text)
        elif self._matches.pop(identity, None) is not None:
            self.finished += 1
            logging.getLogger(__name__).info("over: %s", text)
            for game in [game for game in self._players if game == identity or game.startswith(f"{identity}.")]:
                self._end_game(game)
        else:
            return
        self._open()

    def _take_board(self, message: Message) -> None:
        board = read_board(message.text, message.body)
        color = None if board is None else board.color_of(self._account.login)
        if board is None or color is None:
            return
        if reason := refuses_board(board):
            self._say(f"tell /os abort {board.game}")
            self._say(f"tell /os tell {board.game} sorry, {reason}")
            return
        if board.side_to_move is color:
            self._think(board)

    def _think(self, board: Board) -> None:
        color = board.color_of(self._account.login)
        last, tries = self._boards.get(board.game, (None, 0))
        is_same = last is not None and (last.cells, last.side_to_move) == (board.cells, board.side_to_move)
        if color is None or (is_same and board.game in self._players and tries > 0):
            return
        self._boards[board.game] = (board, 1)
        self._player(board.game).think(board, color)

    def _player(self, game: str) -> Player:
        with self._lock:
            return self._players.setdefault(game, Player(self._make, self._play))

    def _play(self, game: str, move: str) -> None:
        """Send a move, called by the thread that found it; a game that is over wants none."""
        with self._lock, suppress(OSError):  # the thread that reads will notice
            if game in self._players:
                self._say(f"tell /os play {game} {move}")

    def _take_error(self, text: str) -> None:
        """Think again about a game whose move was refused, but not for ever."""
        game = text.split()[0] if text.split() else ""
        self._pending = None
        if game not in self._boards:
            return
        board, tries = self._boards[game]
        color = board.color_of(self._account.login)
        if tries < TRIES and color is not None:
            self._boards[game] = (board, tries + 1)
            self._player(game).think(board, color)

    def _end_game(self, game: str) -> None:
        with self._lock:
            player = self._players.pop(game, None)
        self._boards.pop(game, None)
        if player is not None:
            player.cancel()

    def _talk(self, name: str) -> None:
        """Tell whoever speaks to us what we are; another program that does the same is not answered for ever."""
        now = self._now()
        if name != self._account.login and now >= self._told.get(name, -TALK) + TALK:
            self._told[name] = now
            self._say(f"tell {name} {HELP.replace('LOGIN', self._account.login)}")

    def _say(self, line: str) -> None:
        self._spoke = self._now()
        self._write(line)


def refuses_board(board: Board) -> str | None:
    """Why a game that began by itself cannot be played."""
    return refuses_kind(board.kind) if board.kind.size != 8 else None
