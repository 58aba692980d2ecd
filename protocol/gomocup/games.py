"""Commands that begin a game, place stones and ask for moves."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.errors import EngineError
from ...engine.games.game import Color, Move
from ...engine.games.gomoku import SIZES
from ...engine.session import Session
from .. import NAME, VERSION
from ..command import read_integer
from ..connection import Urgency
from ..notation import write_color, write_vertex
from .desk import Call, Desk
from .points import read_point, read_sides, write_point
from .table import body, line
from .thinking import genmove

SMALLEST, LARGEST = 5, SIZES[-1]  # five in a row need five
PATIENT = 30.0  # seconds for a brain to be ready when a manager asks who we are: it waits without limit
LATER = 2.0  # seconds at a START that is not the first: tournaments allow three
POLL = 0.01  # seconds between two looks at what waits
EARLY = 1.0  # seconds after the start of the process in which nobody should wait for OK


@line("ABOUT", hears_complaints=False)
def about(desk: Desk, rest: str, call: Call) -> str:
    """Tell who we are; before a game there is time to get ready, for a match begins with this question."""
    if not desk.has_started:
        _get_ready(desk, call, PATIENT)
    return f'name="{NAME}", version="{VERSION}", author="the Extremum authors", country="-", www="-", email="-"'


@line("START")
def start(desk: Desk, rest: str, call: Call) -> str:
    """Begin a game on a board of that size."""
    size = read_integer(rest)
    if not SMALLEST <= size <= LARGEST:
        raise EngineError(f"unacceptable size: {size} is not in {SMALLEST}..{LARGEST}")
    desk.run("boardsize", str(size))
    return _begun(desk, call)


@line("RESTART")
def restart(desk: Desk, rest: str, call: Call) -> str:
    """Begin a game on the same board."""
    desk.run("clear_board")
    return _begun(desk, call)


def _begun(desk: Desk, call: Call) -> str:
    """The first game is answered at once, for start-up may be timed; the next ones when the brain is ready."""
    desk.session.barred = frozenset()
    desk.left = None
    desk.set_clock()
    desk.fit_memory()
    if desk.has_started or desk.now() - desk.created > EARLY:
        _get_ready(desk, call, LATER)
    desk.has_started = True
    return "OK"


def _get_ready(desk: Desk, call: Call, seconds: float) -> None:
    """Wait for the brain, at most so long and while nobody has more to say."""
    end = desk.now() + seconds
    while not desk.session.be_ready(POLL) and not call.waiting.has_message() and desk.now() < end:
        pass


@line("RECTSTART")
def rectstart(desk: Desk, rest: str, call: Call) -> str:
    """Refuse: there is no board that is no square."""
    raise EngineError("the board is always a square")


@line("BEGIN")
def begin(desk: Desk, rest: str, call: Call) -> str:
    """Make the first move."""
    if desk.session.position.black | desk.session.position.white:
        raise EngineError("the board is not empty")
    return genmove(desk, call)


@line("TURN")
def turn(desk: Desk, rest: str, call: Call) -> str:
    """Take the opponent's move and answer it."""
    _place(desk, rest)
    if desk.session.outcome() is not None:
        raise EngineError(f"the game is over after {rest}")
    return genmove(desk, call)


@line("PLAY")
def play(desk: Desk, rest: str, call: Call) -> str:
    """Make a move that somebody else chose."""
    return write_point(_place(desk, rest), desk.session.game.size)


@line("TAKEBACK")
def takeback(desk: Desk, rest: str, call: Call) -> str:
    """Take the last move back."""
    move = read_point(rest, desk.session.game.size)
    if desk.session.position.last_move != move:
        raise EngineError(f"{rest[:40]} is not the last move")
    desk.run("undo")
    return "OK"


@body("BOARD")
def board(desk: Desk, lines: Sequence[str], call: Call) -> str:
    """Set a position up and move in it."""
    own, opponents = read_sides(lines, desk.session.game.size)
    if not 0 <= len(opponents) - len(own) <= 1:
        raise EngineError(f"{len(own)} own stones and {len(opponents)} of the opponent cannot be")
    is_first = len(own) == len(opponents)
    black, white = (own, opponents) if is_first else (opponents, own)
    game = desk.session.game
    bits = [sum(1 << move for move in moves) for moves in (black, white)]
    side = Color.BLACK if is_first else Color.WHITE
    if game.setup(bits[0], bits[1], side).outcome() is not None:
        raise EngineError("the game is over")
    place_all(desk.session, black, white)
    return genmove(desk, call)


@line("STOP", "YXSTOP", urgency=Urgency.INTERRUPT, hears_complaints=False)
def stop(desk: Desk, rest: str, call: Call) -> None:
    """A search that has ended by itself needs no end."""


@line("END", urgency=Urgency.QUIT, hears_complaints=False)
def end(desk: Desk, rest: str, call: Call) -> None:
    """Leave."""
    desk.closed = True


def place_all(session: Session, black: Sequence[Move], white: Sequence[Move]) -> None:
    """Play the stones in turn, so that they can be taken back; where that cannot be, set them up."""
    order: list[tuple[Color, Move | None]] = []
    for number in range(max(len(black), len(white))):
        order += [(Color.BLACK, move) for move in black[number : number + 1]]
        order += [(Color.WHITE, move) for move in white[number : number + 1]]
    session.setup([], [])
    try:
        session.play_sequence(order)
    except EngineError:  # the order was another one
        session.setup(black, white)
        session.setup_player(Color.BLACK if len(black) == len(white) else Color.WHITE)


def _place(desk: Desk, point: str) -> Move:
    session = desk.session
    move = read_point(point, session.game.size)
    desk.run("play", write_color(session.position.side_to_move), write_vertex(move, session.game))
    return move
