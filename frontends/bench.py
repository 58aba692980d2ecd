"""Measures what the engine promises, on this machine, in one run."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ..engine.brains import make_brain
from ..engine.brains.brain import Brain
from ..engine.games import make_game
from ..engine.games.game import Position
from ..engine.games.misere import misere
from ..engine.options import Options
from ..engine.search.stopper import Limits, Stopper
from .bench_latency import latencies
from .engine_process import EngineProcess

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of the table."""

    what: str
    value: str
    floor: str = ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="extremum bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds for each search (default 1)")
    parser.add_argument("--nets", action="store_true", help="nets, trees and solvers instead: some minutes")
    parser.add_argument("--device", choices=("cpu", "cuda", "mps"), default="cpu", help="of the nets (default cpu)")
    parser.add_argument("--latency", action="store_true", help="how punctual moves are instead")
    parser.add_argument("--moves", type=int, default=500, help="moves of each game at each time (default 500)")
    parser.add_argument("--server", action="store_true", help="the server and many clients instead")
    parser.add_argument("--playing", type=float, default=300.0, help="seconds of games on the server (default 300)")
    parser.add_argument("--gomocup", action="store_true", help="start-up, memory, reaction and short clocks instead")
    wishes = parser.parse_args(arguments)
    if wishes.moves < 1 or not wishes.seconds > 0:
        parser.error("--moves and --seconds must be above zero")
    print(f"{'measured':<52} {'figure':>18}   floor")
    for figure in _chosen(wishes):
        print(f"{figure.what:<52} {figure.value:>18}   {figure.floor}", flush=True)


def _chosen(wishes: argparse.Namespace) -> Iterator[Figure]:
    if wishes.latency:
        return (Figure(*line) for line in latencies(wishes.moves))
    if wishes.server:
        return _server_figures(wishes.playing)
    if wishes.gomocup:
        from .bench_gomocup import figures

        return (Figure(*line) for line in figures(wishes.moves))
    return _net_figures(wishes.seconds, wishes.device) if wishes.nets else _figures(wishes.seconds)


def _figures(seconds: float) -> Iterator[Figure]:
    from .bench_search import quiet  # numba, which replies are measured without

    yield from _replies()
    yield _perft()
    for position in (_opened("gomoku", 8, 0), _opened("gomoku", 15, 8), _opened("othello", 8, 8)):
        for options in (Options(seed=1), Options(seed=1, textbook=True)):
            yield _speed("rollout", options, position, seconds, "playouts/s")
    # In a position that threats decide, a quick machine has nothing left to search.
    for position in (quiet("gomoku", 8, 8), quiet("gomoku", 15, 8), _opened("othello", 8, 8)):
        for brain in ("alphabeta", "minimax"):
            yield _speed(brain, Options(seed=1, threads=1), position, seconds, "nodes/s")
        yield _speed("alphabeta", Options(seed=1, threads=1), misere(position), seconds, "nodes/s")


def _net_figures(seconds: float, device: str) -> Iterator[Figure]:
    from . import (
        bench_nets,
        bench_search,
        bench_solvers,
        bench_threads,
    )  # torch, which the other figures need not wait for

    lines = bench_nets.figures(seconds, device)
    if device == "cpu":
        lines = chain(lines, *(part.figures(seconds) for part in (bench_search, bench_solvers, bench_threads)))
    for line in lines:
        yield Figure(*line)


def _server_figures(playing: float) -> Iterator[Figure]:
    from .bench_server import Scale, figures  # zmq

    for line in figures(Scale(playing)):
        yield Figure(*line)


def _replies() -> Iterator[Figure]:
    starts = [_first_reply() for _ in range(ROUNDS)]
    yield Figure("first reply after start, median", f"{statistics.median(starts) * 1e3:.0f} ms", "300 ms")
    with EngineProcess() as engine:
        times = sorted(_timed(engine, "name") for _ in range(2000))
        yield Figure("administrative reply over a pipe, median", f"{times[1000] * 1e6:.0f} us", "5 ms")
        yield Figure("administrative reply over a pipe, 99 %", f"{times[1980] * 1e6:.0f} us", "5 ms")
        yield from _board_commands(engine)


def _first_reply() -> float:
    started = time.perf_counter()
    with EngineProcess() as engine:
        engine.ask("name")
        return time.perf_counter() - started


def _timed(engine: EngineProcess, command: str) -> float:
    started = time.perf_counter()
    engine.ask(command)
    return time.perf_counter() - started


def _board_commands(engine: EngineProcess) -> Iterator[Figure]:
    """A GUI's traffic: whole games replayed again and again, written ahead as fast as the engine reads."""
    for game, moves in (("othello", "d3 c5 d6 e3 f5 f4"), ("gomoku", "h8 h9 g8 g9 f8 f9")):
        engine.ask(f"set_game {game}")
        replay = [f"play {'bw'[ply % 2]} {vertex}" for ply, vertex in enumerate(moves.split())]
        asked = [line for play in replay for line in (play, "gogui-rules_side_to_move")]
        asked += ["gogui-rules_board_size", "gogui-rules_board", "gogui-rules_legal_moves"]
        script = ["clear_board", *asked] * 200
        started = time.perf_counter()
        engine.ask_all(script)
        each = (time.perf_counter() - started) / len(script)
        yield Figure(f"board commands, {game}, mean of {len(script)} over a pipe", f"{each * 1e6:.1f} us", "100 us")


def _perft() -> Figure:
    from ..engine.kernels.othello import perft
    from ..engine.search.states import state_of

    state, depth = state_of(make_game("othello").start()), 10
    perft(state, 5)
    started = time.perf_counter()
    leaves = perft(state, depth)
    rate = leaves / (time.perf_counter() - started)
    return Figure(f"othello perft {depth} = {leaves}", f"{rate / 1e6:.1f} M leaves/s", "20 M leaves/s")


def _opened(name: str, size: int, stones: int) -> Position:
    """A position some quiet moves into the game, the same each time."""
    position = make_game(name, size).start()
    if name == "othello":
        for _ in range(stones):
            moves = position.legal_moves()
            position = position.play(moves[len(moves) // 2])
        return position
    middle = size * size // 2
    for move in (0, -1, size, size + 1, 1 - size, -size, 2 * size, -size - 2)[:stones]:
        position = position.play(middle + move)
    return position


def _speed(brain: str, options: Options, position: Position, seconds: float, unit: str) -> Figure:
    """The median of some searches."""
    player = make_brain(brain, options)
    player.choose(position, Stopper(Limits(seconds=0.05)))
    rate = statistics.median(_searched(player, position, seconds / ROUNDS) for _ in range(ROUNDS))
    game = position.game
    traits = ["textbook"] * options.textbook + ["misère"] * (game.objective < 0)
    stones = (position.black | position.white).bit_count()
    what = f"{' '.join([brain, *traits])}, {game.name} {game.size}x{game.size}, {stones} stones"
    floors = {"playouts/s": "20,000 (empty 8x8)", "nodes/s": "500,000"}
    return Figure(what, f"{rate:,.0f} {unit}", floors[unit])


def _searched(player: Brain, position: Position, seconds: float) -> float:
    """Visits a second."""
    return player.choose(position, Stopper(Limits(seconds=seconds))).analysis.speed
