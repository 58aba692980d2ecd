"""Commands that stream what a search knows while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...engine.errors import UsageError
from ...engine.games.game import Color, Game
from ...engine.search.analysis import Analysis, Candidate, Choice
from ...engine.session import Session
from ..choosing import chosen
from ..command import COMMANDS, Exchange, Waiting, read_integer, read_number
from ..notation import COLORS, write_line, write_vertex
from ..reply import Told
from ..summary import PROOFS, analysis_record, summarize

INTERVAL = 50.0  # centiseconds between two reports when the client does not say
POLL = 0.005  # seconds between two looks at what waits, when the search has come to its end
SHORTEST = 0.05  # seconds of an analysis whose end waits already: it should tell something

Fields = Callable[[Candidate], str]


@dataclass(frozen=True, slots=True)
class Request:
    """What a client wants to be told."""

    color: Color
    centiseconds: float = INTERVAL
    least: int = 1  # moves of a report, even if not visited
    most: int | None = None


@COMMANDS.command("lz-analyze")
def lz_analyze(session: Session, exchange: Exchange, *arguments: str) -> Told:
    """Report on the position until any line comes: [COLOR] [CENTISECONDS] [interval N] [minmoves N] [maxmoves N]."""
    return analyze(session, exchange, read_request(arguments, session), lz_fields)


@COMMANDS.command("kata-analyze")
def kata_analyze(session: Session, exchange: Exchange, *arguments: str) -> Told:
    """Report as lz-analyze does, with numbers from 0 to 1."""
    return analyze(session, exchange, read_request(arguments, session), kata_fields)


@COMMANDS.command("lz-genmove_analyze")
def lz_genmove_analyze(session: Session, exchange: Exchange, *arguments: str) -> Told:
    """Choose and play a move, reporting meanwhile; arguments as for lz-analyze."""
    return genmove_analyze(session, exchange, read_request(arguments, session), lz_fields)


@COMMANDS.command("kata-genmove_analyze")
def kata_genmove_analyze(session: Session, exchange: Exchange, *arguments: str) -> Told:
    """Choose and play a move, reporting meanwhile as kata-analyze does."""
    return genmove_analyze(session, exchange, read_request(arguments, session), kata_fields)


def analyze(session: Session, exchange: Exchange, request: Request, fields: Fields) -> Told:
    """Stream reports until anything waits, also when nothing is left to search; there is always one report."""
    exchange.open()
    waiting = exchange.waiting
    reports = Reports(session.game, exchange, request, fields)

    def search() -> Choice | None:
        # A line that waits does not keep an analysis from its first report, an end that cannot wait does.
        is_ready = session.be_ready(None, waiting.interrupted)
        return session.analyze(request.color, until_message(waiting), reports) if is_ready else None

    choice = exchange.host.aside(search, waiting.has_message)
    if choice is not None and not (reports.last and waiting.has_message()):
        reports.tell(choice.analysis)
    while not waiting.has_message():
        time.sleep(POLL)
    return Told("", reports.last)


def until_message(waiting: Waiting) -> Callable[[], bool]:
    """Says when an analysis has to end; its shortest time begins when it is first asked, after all that is loaded."""
    begun: list[float] = []

    def ended() -> bool:
        if not begun:
            begun.append(time.monotonic())
        return waiting.interrupted() or (waiting.has_message() and time.monotonic() > begun[0] + SHORTEST)

    return ended


def genmove_analyze(session: Session, exchange: Exchange, request: Request, fields: Fields) -> Told:
    """Stream reports of the search for a move; the answer ends with the move."""
    exchange.open()
    reports = Reports(session.game, exchange, request, fields)
    move = chosen(session, exchange, request.color, reports)
    analysis = session.moves[-1].analysis
    if analysis is not None and reports.last is None:
        reports.tell(analysis)
    summarize(session)
    vertex = write_vertex(move, session.game)
    return Told(f"play {vertex}", vertex)


class Reports:
    """Sends a line each time the interval has passed."""

    def __init__(self, game: Game, exchange: Exchange, request: Request, fields: Fields) -> None:
        self.last: dict[str, Any] | None = None  # as data
        self._game = game
        self._exchange = exchange
        self._request = request
        self._fields = fields
        self._next = time.monotonic() + request.centiseconds / 100

    def __call__(self, make: Callable[[], Analysis]) -> None:
        """Have an analysis made and tell it, if it is time."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._request.centiseconds / 100
            self.tell(make())

    def tell(self, analysis: Analysis) -> None:
        """Send one line with the candidates that were visited, best first."""
        least, most = self._request.least, self._request.most
        told = [each for order, each in enumerate(analysis.candidates) if each.visits or order < least][:most]
        line = " ".join([self._info(order, each, analysis.speed) for order, each in enumerate(told)])
        self.last = analysis_record(analysis, self._game, told)
        self._exchange.stream(Told(f"{line}\n", self.last))

    def _info(self, order: int, candidate: Candidate, speed: float) -> str:
        line = write_line(candidate.line or (candidate.move,), self._game)
        move = write_vertex(candidate.move, self._game)
        # Clients skip the keys that they do not know, a word and its value; Sabaki drops an entry whose pv is empty or
        # not at the end.
        words = [
            f"info move {move} visits {candidate.visits} {self._fields(candidate)} nps {speed:.0f}",
            *proof(candidate),
            f"order {order} pv {line}",
        ]
        return " ".join(words)


def proof(candidate: Candidate) -> list[str]:
    """What is certain of a move, for the aim of its side, and in how many plies if they were counted."""
    if candidate.proven is None:
        return []
    length = [] if candidate.distance is None else [f"distance {candidate.distance}"]
    return [f"proven {PROOFS[candidate.proven]}", *length]


def lz_fields(candidate: Candidate) -> str:
    """Leela Zero's numbers: whole ones from 0 to 10000."""
    winrate, prior, lcb = (round(10000 * part) for part in shares(candidate))
    return f"winrate {winrate} prior {prior} lcb {lcb}"


def kata_fields(candidate: Candidate) -> str:
    """KataGo's numbers, of which we have those without a score."""
    winrate, prior, lcb = shares(candidate)
    utility = f"utility {2 * winrate - 1:.6f} utilityLcb {2 * lcb - 1:.6f}"
    return f"{utility} winrate {winrate:.6f} prior {prior:.6f} lcb {lcb:.6f}"


def shares(candidate: Candidate) -> tuple[float, float, float]:
    """Winrate, prior and lower bound of the winrate, from 0 to 1."""
    winrate, lcb = (1 + candidate.value) / 2, (1 + candidate.lcb) / 2
    return min(1.0, max(0.0, winrate)), min(1.0, max(0.0, candidate.prior)), min(1.0, max(0.0, lcb))


def read_request(arguments: Sequence[str], session: Session) -> Request:
    """The color and the interval by their place, the rest by its keys."""
    words = list(arguments)
    color = session.position.side_to_move
    if words and words[0].lower() in COLORS:
        color = COLORS[words.pop(0).lower()]
    values = {"interval": INTERVAL, "minmoves": 1}
    if words and words[0][:1].isdigit():
        values["interval"] = read_number(words.pop(0))
    if len(words) % 2:
        raise UsageError(f"syntax error: '{words[-1]}' has no value")
    for key, text in zip(words[::2], words[1::2], strict=True):
        if key not in READERS:
            raise UsageError(f"unknown key '{key}': one of {', '.join(READERS)}")
        values[key] = READERS[key](text)
    most = max(1, int(values["maxmoves"])) if "maxmoves" in values else None
    return Request(color, max(1.0, values["interval"]), max(1, int(values["minmoves"])), most)


READERS: dict[str, Callable[[str], float]] = {
    "interval": read_number,
    "minmoves": read_integer,
    "maxmoves": read_integer,
}
