"""The benchmark's lines on punctuality: whole games of an engine process against itself, each move on a clock."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

from .engine_process import EngineProcess

GAMES = (("gomoku", 15), ("othello", 8))
TIMES = (0.1, 1.0)  # seconds a move
LATE = 0.02  # seconds after its time
OPENING = 4  # random moves that begin a game

Line = tuple[str, str, str]  # what is measured, the figure, the floor


def latencies(moves: int) -> Iterator[Line]:
    """Time so many moves of each game at each time."""
    for seconds in TIMES:
        for game, size in GAMES:
            yield from _lines(game, size, seconds, moves)


def _lines(game: str, size: int, seconds: float, moves: int) -> Iterator[Line]:
    times = _move_times(game, size, seconds, moves)
    what = f"{game} {size}x{size} at {seconds:g} s a move, {moves} moves"
    late = sum(each > seconds + LATE for each in times)
    yield f"{what}, worst", f"{max(times) * 1e3:.0f} ms", f"{(seconds + LATE) * 1e3:.0f} ms"
    yield f"{what}, median", f"{statistics.median(times) * 1e3:.0f} ms", "none"
    yield f"{what}, late by {LATE * 1e3:.0f} ms", f"{late} moves", "0 moves"


def _move_times(game: str, size: int, seconds: float, moves: int) -> list[float]:
    """Seconds from each question to its whole reply."""
    rng, times = random.Random(1), list[float]()
    with EngineProcess("--game", game, "--size", str(size), "--time-settings", f"0 {seconds:g} 1") as engine:
        while len(times) < moves:
            _open(engine, rng)
            while len(times) < moves and not _is_over(engine):
                side = engine.ask("gogui-rules_side_to_move").removeprefix("= ")
                begun = time.perf_counter()
                engine.ask(f"genmove {side}")
                times.append(time.perf_counter() - begun)
    return times


def _open(engine: EngineProcess, rng: random.Random) -> None:
    """Begin a game with some random moves, so that no two are the same."""
    engine.ask("clear_board")
    for _ in range(OPENING):
        moves = engine.ask("gogui-rules_legal_moves").removeprefix("= ").split()
        side = engine.ask("gogui-rules_side_to_move").removeprefix("= ")
        engine.ask(f"play {side} {rng.choice(moves)}")


def _is_over(engine: EngineProcess) -> bool:
    return engine.ask("gogui-rules_final_result").removeprefix("= ").strip() not in ("", "=")
