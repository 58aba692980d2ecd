"""The Gomocup (Piskvork) protocol: what a Gomoku tournament manager sends, carried out by the same commands as GTP."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..engine.clock import TimeControl
from ..engine.errors import EngineError
from ..engine.games.game import Color, Move
from ..engine.options import Options
from ..engine.session import Session
from . import NAME, VERSION
from .command import CommandTable, Exchange, Waiting, attempt
from .commands import COMMANDS
from .connection import Send, Urgency
from .notation import read_vertex, write_color, write_vertex

RULES = {"0": "freestyle", "1": "standard", "2": "renju", "4": "renju"}  # 2 is Yixin's number for renju
UNLIMITED = 2**31 - 1  # a time_left of so many milliseconds
INTERPRETER = 320  # megabytes that the process takes without its tree or hash table
USUAL_MEMORY = 350  # megabytes, as tournaments have it
LEAST_MEMORY = 16  # megabytes for these
_POINT = re.compile(r"(\d+) *, *(\d+)(?: *, *(\d+))?")


class Gomocup:
    """Answers the lines of one manager."""

    def __init__(self, session: Session, table: CommandTable = COMMANDS) -> None:
        self.closed = False
        self._session = session
        self._table = table
        self._stones: list[str] | None = None  # lines of a BOARD that is not done
        self._complaint: str | None = None  # of an INFO, told at the next command
        self._turn, self._match = 30.0, 0.0  # seconds; 0 a match is no limit
        self._set_clock()
        if session.options.memory == Options().memory:  # nobody wished for another
            self._limit_memory(USUAL_MEMORY)

    def urgency(self, message: bytes) -> Urgency:
        """What a line means to the search under way, seen before it is that line's turn."""
        return {"END": Urgency.QUIT, "STOP": Urgency.STOP, "YXSTOP": Urgency.STOP}.get(
            _text(message).upper(), Urgency.NONE
        )

    def handle(self, message: bytes, send: Send[bytes], waiting: Waiting) -> None:
        """Answer a line."""
        line = _text(message)
        if not line:
            return
        try:
            answer = self._board_line(line, waiting) if self._stones is not None else self._command(line, waiting)
        except EngineError as error:
            answer = f"ERROR {error}"
        if answer is not None:
            send(f"{answer}\n".encode("utf-8", "replace"))

    def idle(self, waiting: Waiting) -> None:
        """Have the brain ready, then ponder until anything comes."""
        attempt(lambda: self._session.idle(waiting.has_message), self._session, "idling")

    def _command(self, line: str, waiting: Waiting) -> str | None:
        name, _, rest = line.partition(" ")
        if name.upper() == "INFO":
            self._info(rest)
            return None
        if self._complaint is not None:
            complaint, self._complaint = self._complaint, None
            raise EngineError(complaint)
        command = self._commands().get(name.upper())
        return f"UNKNOWN command {name[:40]}" if command is None else command(rest, waiting)

    def _commands(self) -> dict[str, Callable[[str, Waiting], str | None]]:
        return {
            "ABOUT": self._about,
            "START": self._start,
            "RESTART": self._restart,
            "RECTSTART": self._rectstart,
            "BEGIN": self._begin,
            "TURN": self._turn_taken,
            "PLAY": self._play,
            "BOARD": self._board,
            "TAKEBACK": self._takeback,
            "STOP": self._nothing,
            "YXSTOP": self._nothing,
            "END": self._end,
        }

    def _about(self, rest: str, waiting: Waiting) -> str:
        self._session.prepare()  # managers are patient here, and at START much less so
        return f'name="{NAME}", version="{VERSION}", author="the Extremum authors", country="-", www="-"'

    def _start(self, rest: str, waiting: Waiting) -> str:
        self._run("boardsize", rest or "?")
        self._session.prepare()
        return "OK"

    def _restart(self, rest: str, waiting: Waiting) -> str:
        self._run("clear_board")
        self._session.prepare()
        return "OK"

    def _rectstart(self, rest: str, waiting: Waiting) -> str:
        raise EngineError("the board is always a square")

    def _begin(self, rest: str, waiting: Waiting) -> str:
        if self._session.position.black | self._session.position.white:
            raise EngineError("the board is not empty")
        return self._genmove(waiting)

    def _turn_taken(self, rest: str, waiting: Waiting) -> str:
        self._place(rest)
        return self._genmove(waiting)

    def _play(self, rest: str, waiting: Waiting) -> str:
        return _coordinates(self._place(rest), self._session.game.size)

    def _takeback(self, rest: str, waiting: Waiting) -> str:
        move, _ = self._point(rest)
        if self._session.position.last_move != move:
            raise EngineError(f"{rest} is not the last move")
        self._run("undo")
        return "OK"

    def _board(self, rest: str, waiting: Waiting) -> str | None:
        self._stones = []
        answers = [self._board_line(word, waiting) for word in rest.split()]  # some managers send it all in one line
        return answers[-1] if answers else None

    def _nothing(self, rest: str, waiting: Waiting) -> None:
        """A search that has ended by itself needs no end."""

    def _end(self, rest: str, waiting: Waiting) -> None:
        self.closed = True

    def _board_line(self, line: str, waiting: Waiting) -> str | None:
        assert self._stones is not None
        if line.upper() != "DONE":
            self._stones.append(line)
            return None
        lines, self._stones = self._stones, None
        own, opponents = self._read_stones(lines)
        color = Color.BLACK if len(own) == len(opponents) else Color.WHITE
        black, white = (own, opponents) if color is Color.BLACK else (opponents, own)
        self._session.setup(black, white)
        self._session.setup_player(color)
        return self._genmove(waiting)

    def _read_stones(self, lines: list[str]) -> tuple[list[Move], list[Move]]:
        stones: dict[str, list[Move]] = {"1": [], "2": []}
        for line in lines:
            move, whose = self._point(line)
            if whose not in stones:
                raise EngineError(f"'{line}' is not a stone of either side")
            stones[whose].append(move)
        own, opponents = stones["1"], stones["2"]
        if not 0 <= len(opponents) - len(own) <= 1:
            raise EngineError(f"{len(own)} own stones and {len(opponents)} of the opponent cannot be")
        return own, opponents

    def _place(self, point: str) -> Move:
        move, _ = self._point(point)
        session = self._session
        self._run("play", write_color(session.position.side_to_move), write_vertex(move, session.game))
        return move

    def _point(self, text: str) -> tuple[Move, str | None]:
        found, size = _POINT.fullmatch(text.strip()), self._session.game.size
        if found is None or not (int(found[1]) < size and int(found[2]) < size):
            raise EngineError(f"'{text[:40]}' is not a point of the board")
        return int(found[2]) * size + int(found[1]), found[3]

    def _genmove(self, waiting: Waiting) -> str:
        if self._session.outcome() is not None:
            raise EngineError("the game is over")
        color = write_color(self._session.position.side_to_move)
        move = read_vertex(self._run("genmove", color, waiting=waiting), self._session.game)
        assert move is not None
        return _coordinates(move, self._session.game.size)

    def _info(self, rest: str) -> None:
        """Take a setting; what is not understood is passed over in silence."""
        key, _, value = rest.strip().partition(" ")
        try:
            self._set(key.lower(), value.strip())
        except (EngineError, ValueError):
            if key.lower() in ("rule", "mode"):
                self._complaint = f"{key} {value[:40]} is not played here"

    def _set(self, key: str, value: str) -> None:
        match key:
            case "rule":
                self._set_rule(value)
            case "timeout_turn":
                self._turn = int(value) / 1000
                self._set_clock()
            case "timeout_match":
                self._match = max(0, int(value)) / 1000
                self._set_clock()
            case "time_left" if int(value) < UNLIMITED and self._match > 0:
                for color in Color:
                    self._session.clock.correct(color, int(value) / 1000, 0)
            case "max_memory" if int(value) > 0:
                self._limit_memory(int(value) // 2**20)
            case "max_node" | "max_depth":
                self._run("set_option", "visits" if key == "max_node" else "depth", str(max(0, int(value))))
            case "mode":
                self._run("set_mode", value)
            case "strength":
                self._run("set_level", str(50 + int(value) // 2))

    def _limit_memory(self, megabytes: int) -> None:
        """Keep the whole process below that."""
        self._run("set_option", "memory", str(max(LEAST_MEMORY, megabytes - INTERPRETER)))

    def _set_rule(self, number: str) -> None:
        if number not in RULES:
            raise EngineError(f"unknown rule '{number}'")
        if RULES[number] != self._session.game.rule:
            self._run("set_game", "gomoku", RULES[number])

    def _set_clock(self) -> None:
        if self._turn < 0:  # some managers mean no limit by it
            control = TimeControl(main=self._match) if self._match > 0 else None
        elif self._match > 0:
            control = TimeControl(main=self._match, longest=self._turn)
        else:
            control = TimeControl(period=self._turn)
        self._session.clock.set_control(control)

    def _run(self, *words: str, waiting: Waiting | None = None) -> str:
        """Carry out a command of the table; a refusal is raised."""
        answer = self._table.answer(words, self._session, Exchange(waiting or _Nobody(), lambda text: None))
        if not answer.accepted:
            raise EngineError(answer.text)
        return answer.text


class _Nobody:
    """Nobody waits for a command that takes no time."""

    def interrupted(self) -> bool:
        return False

    def has_message(self) -> bool:
        return False


def _text(message: bytes) -> str:
    return " ".join(message.decode("utf-8", "replace").replace("\0", "").split())


def _coordinates(move: Move, size: int) -> str:
    row, column = divmod(move, size)
    return f"{column},{row}"
