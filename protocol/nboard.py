"""The NBoard protocol, version 2: what Othello's GUI of that name sends."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import atanh

from ..engine.clock import TimeControl
from ..engine.errors import EngineError
from ..engine.games.game import Color, Game, Move
from ..engine.search.analysis import Analysis, Candidate
from ..engine.session import Session
from . import NAME
from .command import CommandTable, Exchange, Nobody, Waiting, attempt, read_integer
from .commands import COMMANDS
from .connection import Send, Urgency
from .ggf import PASS, GgfGame, read_clock, read_games
from .lines import Found, best_lines
from .notation import read_vertex, write_vertex
from .records import restore
from .summary import summarize

DISCS = 15.0  # what a value of tanh 1 is worth, where a search does not count discs
MOST_DISCS = 64.0
DRAW = "100.00,-100.00"  # what a draw is worth to the side to move if draws are its wins, and if they are its losses
POLL = 0.01  # seconds between two looks at what waits
INTERVAL = 0.1  # seconds between two reports of a search for a move
URGENCIES = {"ping": Urgency.INTERRUPT, "quit": Urgency.QUIT}


@dataclass(frozen=True, slots=True)
class Call:
    """One line under way."""

    waiting: Waiting
    tell: Callable[[str], None]


@dataclass(slots=True)
class Clocks:
    """What the game's record tells of each side's time; None is no clock."""

    left: dict[Color, float | None] = field(default_factory=lambda: dict.fromkeys(Color))
    increment: float = 0.0


class NBoard:
    """Answers the lines of one GUI; what it does not know it passes over, what it refuses it tells as a status."""

    def __init__(self, session: Session, table: CommandTable = COMMANDS) -> None:
        self.closed = False
        self._session = session
        self._table = table
        self._clocks = Clocks()
        self._contempt = (
            0.0  # discs that a draw is worth to black; the protocol means draws of a book, and there is none
        )
        self._has_begun = False

    def urgency(self, message: bytes) -> Urgency:
        """What a line means to the search under way: a ping ends all that was asked for before it."""
        words = message[:40].decode("utf-8", "replace").split()
        return URGENCIES.get(words[0], Urgency.NONE) if words else Urgency.NONE

    def handle(self, message: bytes, send: Send[bytes], waiting: Waiting) -> None:
        """Answer a line."""
        if not self._has_begun:
            self._has_begun = True
            self._begin()

        def tell(text: str) -> None:
            send(f"{text}\n".encode("utf-8", "replace"))

        name, _, rest = message.decode("utf-8", "replace").replace("\0", "").strip().partition(" ")
        command = LINES.get(name)
        if command is None:
            return
        call = Call(waiting, tell)
        answer = attempt(lambda: command(self, rest.strip(), call), self._session, name)
        if not answer.accepted:
            tell(f"status {answer.text}")

    def idle(self, waiting: Waiting) -> None:
        """Have the brain made ready until anything comes."""
        if self._has_begun:
            while not waiting.has_message() and not self._session.be_ready(POLL):
                pass

    def hello(self, rest: str, call: Call) -> None:
        """Tell the name; the game is Othello."""
        call.tell(f"set myname {NAME}")

    def set(self, rest: str, call: Call) -> None:
        """Change the depth, the game, the contempt, or any setting of ours."""
        name, _, value = rest.partition(" ")
        match name:
            case "depth":
                self._run("set_option", "depth", str(max(0, read_integer(value))))
            case "game":
                self._set_game(value)
            case "contempt":
                self._contempt = float(max(-100, min(100, read_integer(value))))
            case "mode" | "level" | "brain":
                self._run(f"set_{name}", value)
            case "option":
                self._run("set_option", *value.split(None, 1))

    def move(self, rest: str, call: Call) -> None:
        """Append a move to the game, with the time that it took."""
        point, _, notes = rest.partition("/")
        session, color = self._session, self._session.position.side_to_move
        move = read_vertex(point.strip(), session.game)
        session.play(color, move)
        left = self._clocks.left[color]
        if left is not None:
            # An evaluation may come alone: NBoard leaves out a time of nothing.
            self._clocks.left[color] = left + self._clocks.increment - _seconds(notes.partition("/")[2])

    def hint(self, rest: str, call: Call) -> None:
        """Tell about the best moves, again and again, as deep as was set or until something comes."""
        count = max(1, read_integer(rest))
        if self._session.outcome() is not None:
            raise EngineError("the game is over")
        call.tell(f"status {NAME} is thinking")
        is_bounded = self._session.options.depth > 0 or self._session.options.visits > 0
        waiting = call.waiting
        if not self._session.be_ready(None, waiting.interrupted):
            return
        for lines in best_lines(
            self._session, count, lambda: waiting.interrupted() or (not is_bounded and waiting.has_message())
        ):
            if waiting.interrupted():
                return  # whatever is told now would be taken for the next position's
            for depth, analysis, candidate in by_depth(lines):
                call.tell(self._search_line(depth, analysis, candidate))
            call.tell(f"nodestats {lines[0][0].visits} {lines[0][0].seconds:.2f}")
        call.tell("status")

    def go(self, rest: str, call: Call) -> None:
        """Choose a move without playing it; a ping that comes before the answer takes its place."""
        session, color = self._session, self._session.position.side_to_move
        if session.outcome() is not None:
            raise EngineError("the game is over")
        self._set_clock(color)
        call.tell(f"status {NAME} is thinking")
        reports = _Reports(lambda analysis: call.tell(self._search_line(*by_depth([(analysis, analysis.best)])[0])))
        session.genmove(color, call.waiting.interrupted, reports)
        summarize(session)
        played = session.moves[-1]
        session.undo()
        if call.waiting.interrupted():
            return
        evaluation = ""
        if played.analysis is not None and played.analysis.depth:
            evaluation = f"{self._discs(played.analysis.best):.2f}"
            call.tell(f"nodestats {played.analysis.visits} {played.analysis.seconds:.2f}")
        call.tell(f"=== {_point(played.move, session.game)}/{evaluation}/{played.seconds:.2f}")
        call.tell("status")

    def ping(self, rest: str, call: Call) -> None:
        """Tell that everything before is done with."""
        call.tell(f"pong {rest}")

    def learn(self, rest: str, call: Call) -> None:
        """Take note: there is no book to learn it into."""
        call.tell("learned")

    def analyze(self, rest: str, call: Call) -> None:
        """Tell what each position of the game is worth, from the last one backwards; a ping ends it."""
        session, moves = self._session, [(played.color, played.move) for played in self._session.moves]
        call.tell(f"status {NAME} is analyzing")
        try:
            for made in range(len(moves), -1, -1):
                value = self._value(call.waiting)
                if value is None:
                    return
                call.tell(f"analysis {made} {value:.2f}")
                if made:
                    session.undo()
        finally:
            session.play_sequence(moves[len(session.moves) :])
        call.tell("status")

    def quit(self, rest: str, call: Call) -> None:
        """Leave."""
        self.closed = True

    def _begin(self) -> None:
        if (self._session.game.name, self._session.game.size) != ("othello", 8):
            self._session.set_game("othello")

    def _set_game(self, text: str) -> None:
        games: list[GgfGame] = read_games(text)
        if not games:
            raise EngineError("it is not a game in GGF")
        clock = read_clock(games[0].tags.get("TI", ""))
        clocks = Clocks({color: games[0].seconds_left(color) for color in Color}, clock[1] if clock else 0.0)
        restore(games[0].record(), self._session)
        self._clocks = clocks

    def _set_clock(self, color: Color) -> None:
        left = self._clocks.left[color]
        main = None if left is None else TimeControl(main=max(0.0, left), increment=self._clocks.increment)
        self._session.clock.set_control(main)

    def _value(self, waiting: Waiting) -> float | None:
        """What the position is worth to its side to move, in discs; None when there is no time to find out."""
        session, outcome = self._session, self._session.outcome()
        side, begun = session.position.side_to_move, list[float]()
        if outcome is not None:
            return float(outcome.value(side) * outcome.margin)

        def ended() -> bool:
            if not begun:
                begun.append(time.monotonic())
            return waiting.interrupted() or time.monotonic() > begun[0] + session.options.movetime

        if not session.be_ready(None, waiting.interrupted):
            return None
        choice = session.analyze(side, ended, lambda make: None)
        return None if choice is None or waiting.interrupted() else self._discs(choice.analysis.best)

    def _search_line(self, depth: str, analysis: Analysis, candidate: Candidate) -> str:
        line = "".join(_point(move, self._session.game) for move in candidate.line or (candidate.move,))
        evaluation = DRAW if candidate.proven == 0 else f"{self._discs(candidate):.2f}"
        return f"search {line} {evaluation} 0 {depth} {analysis.visits} nodes"

    def _discs(self, candidate: Candidate) -> float:
        """The margin for the side to move; a proven draw is worth what the contempt says."""
        if candidate.proven == 0:
            return self._contempt if self._session.position.side_to_move is Color.BLACK else 0.0 - self._contempt
        discs = candidate.discs
        if discs is None:
            discs = DISCS * atanh(min(0.9999, max(-0.9999, candidate.value)))
        return max(-MOST_DISCS, min(MOST_DISCS, discs))

    def _run(self, *words: str) -> None:
        answer = self._table.answer(words, self._session, Exchange(Nobody(), lambda text: None))
        if not answer.accepted:
            raise EngineError(answer.text)


class _Reports:
    """Tells of a search whenever the interval has passed."""

    def __init__(self, tell: Callable[[Analysis], None]) -> None:
        self._tell = tell
        self._next = time.monotonic() + INTERVAL

    def __call__(self, make: Callable[[], Analysis]) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + INTERVAL
            self._tell(make())


def by_depth(lines: Sequence[Found]) -> list[tuple[str, Analysis, Candidate]]:
    """The lines with a depth each: one for all that are proven, then one for the others, or the other way round.

    A hint of a new depth has NBoard forget all hints but those of the depth before it.
    """
    least = min((analysis.depth for analysis, each in lines if each.proven is None), default=0)
    is_exact = all(_is_exact(each) for _, each in lines if each.proven is not None)
    depths = [str(least) if each.proven is None else "100%" if is_exact else "100%W" for _, each in lines]
    told = [(depth, *line) for depth, line in zip(depths, lines, strict=True)]
    return sorted(told, key=lambda line: line[0] != depths[0])


def _is_exact(candidate: Candidate) -> bool:
    """True when the margin is known: one disc stands for a win by any."""
    return candidate.proven == 0 or abs(candidate.discs or 1.0) > 1


def _point(move: Move | None, game: Game) -> str:
    return PASS if move is None or move == game.pass_move else write_vertex(move, game)


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


LINES: dict[str, Callable[[NBoard, str, Call], None]] = {
    "nboard": NBoard.hello,
    "set": NBoard.set,
    "move": NBoard.move,
    "hint": NBoard.hint,
    "go": NBoard.go,
    "ping": NBoard.ping,
    "learn": NBoard.learn,
    "analyze": NBoard.analyze,
    "quit": NBoard.quit,
}
