"""Measures the engine as tournament managers and GUIs feel it: start-up, memory, reaction, moves on a short clock."""

from __future__ import annotations

import random
import re
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from ..engine.games import make_game
from ..engine.games.game import Position
from .engine_process import ENGINE

ROUNDS = 5
STARTS = "START 15\nINFO timeout_turn 1000\nBOARD\n7,7,2\nDONE\n"
MEMORY = 367_001_600  # bytes, as tournaments have it
OPENED = "BOARD\n7,7,2\n8,8,1\n8,7,2\nDONE\n"
GAME = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)"

Line = tuple[str, str, str]  # what, figure, floor


def figures(moves: int) -> Iterator[Line]:
    """Every figure of the table."""
    starts = [_exec_to("START 15\n", 1) for _ in range(ROUNDS)]
    yield "gomocup: exec to OK, median", f"{statistics.median(starts) * 1e3:.0f} ms", "300 ms"
    firsts = [_exec_to(STARTS, 2) for _ in range(ROUNDS)]
    yield "gomocup: exec to first move, turn of 1 s, worst", f"{max(firsts) * 1e3:.0f} ms", "1000 ms"
    yield from _memory("START 15\nINFO rule 0\n", "mcts, 15x15")
    yield from _memory("START 20\nINFO rule 1\n", "alphabeta, 20x20")
    yield _reaction("gomocup", "START 15\nINFO timeout_turn -1\n" + OPENED, "YXSTOP\n", r"\d+,\d+")
    yield _reaction("nboard", f"nboard 2\nset game {GAME}\nhint 4\n", "ping 1\n", "pong 1")
    yield from _short_clock(moves)


class _Pipe:
    """An engine that is spoken to line by line."""

    def __init__(self, *arguments: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [*ENGINE, *arguments], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0
        )

    def __enter__(self) -> _Pipe:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def send(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())

    def line(self, pattern: str = ".+") -> str:
        """The next line of that form; others are passed over."""
        assert self._process.stdout is not None
        while line := self._process.stdout.readline().decode():
            if re.fullmatch(pattern, line.strip()):
                return line.strip()
        raise ConnectionError("the engine has stopped answering")

    def megabytes(self, what: str) -> float:
        """The memory of that kind: `Private` is the process's alone (USS), `Rss` with what it shares."""
        text = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text(encoding="ascii")
        return sum(int(kilobytes) for kilobytes in re.findall(rf"^{what}\w*: +(\d+) kB", text, re.MULTILINE)) / 1024


def _exec_to(script: str, answers: int) -> float:
    started = time.perf_counter()
    with _Pipe("gomocup") as engine:
        engine.send(script)
        for _ in range(answers):
            engine.line()
        return time.perf_counter() - started


def _memory(script: str, what: str) -> Iterator[Line]:
    """After some searches with the whole hash table in use."""
    with _Pipe("gomocup") as engine:
        engine.send(f"{script}INFO max_memory {MEMORY}\nINFO timeout_turn 5000\nINFO show_detail 2\n")
        engine.line("OK")
        searches = 0
        while searches < 2:  # what is moved before everything is loaded is no search
            engine.send(OPENED)
            while (line := engine.line()) and not re.fullmatch(r"\d+,\d+", line):
                searches += line == "INFO PV 0"
        for name, kind in (("USS", "Private_"), ("RSS", "Rss")):
            yield f"gomocup: {name}, max_memory 350 MB, {what}", f"{engine.megabytes(kind):.0f} MB", "350 MB"


def _reaction(dialect: str, script: str, stop: str, answer: str) -> Line:
    """From the word that ends a search to its answer; the search has been running for a while."""
    times = []
    with _Pipe(dialect) as engine:
        engine.send(script + stop)  # once for the loading
        engine.line(answer)
        for _ in range(2 * ROUNDS):
            engine.send(script)
            time.sleep(1.0)
            asked = time.perf_counter()
            engine.send(stop)
            engine.line(answer)
            times.append(time.perf_counter() - asked)
    return f"{dialect}: reaction to {stop.split()[0]}, worst of {len(times)}", f"{max(times) * 1e3:.0f} ms", "50 ms"


def _short_clock(moves: int) -> Iterator[Line]:
    """Moves with 100 ms a turn, against a player by chance."""
    times: list[float] = []
    rng = random.Random(1)
    with _Pipe("gomocup") as engine:
        engine.send("ABOUT\n")
        engine.line("name=.*")
        while len(times) < moves:
            times += _game(engine, rng, moves - len(times))
    late = sum(seconds > 0.1 for seconds in times)
    yield f"gomocup: of {len(times)} moves at 100 ms a turn, late", f"{late} late", "0 late"
    yield "gomocup: the longest of them", f"{max(times) * 1e3:.0f} ms", "100 ms"


def _game(engine: _Pipe, rng: random.Random, most: int) -> list[float]:
    times: list[float] = []
    engine.send("START 15\n")
    engine.line("OK")
    engine.send("INFO timeout_turn 100\n")
    position: Position = make_game("gomoku", 15).start()
    while position.outcome() is None and len(times) < most:
        move = rng.choice(position.legal_moves())
        position = position.play(move)
        if position.outcome() is not None:
            break
        asked = time.perf_counter()
        engine.send(f"TURN {move % 15},{move // 15}\n")
        column, row = map(int, engine.line(r"\d+,\d+").split(","))
        times.append(time.perf_counter() - asked)
        position = position.play(row * 15 + column)
    return times
