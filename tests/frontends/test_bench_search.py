import re
import subprocess

import pytest

from extremum.frontends.bench_latency import _lines
from extremum.frontends.bench_nets import _neural, _runtimes, net_lines, random_net
from extremum.frontends.bench_search import _growth, _overhead, quiet
from extremum.frontends.bench_solvers import FFO, ending, ffo_position, solved
from extremum.frontends.bench_threads import sooner
from tests.diagrams import read_file
from tests.protocol.engine import ENGINE

FIGURE = re.compile(r"[\d,.]+ (positions/s|playouts/s|nodes/s|%|us|times|bytes|MB)")


@pytest.mark.slow
def test_nets_and_trees_are_measured() -> None:
    lines = [*net_lines("gomoku", "b4c32", 8, 0.02), _overhead(quiet("othello", 8, 8), 0.02)]
    for game, size in (("gomoku", 15), ("othello", 8)):
        lines += _growth(quiet(game, size, 8), 500, 4000)
    shares = [what for what, _, _ in lines if "share" in what]
    assert len(shares) == 3
    assert len(lines) == 12 + 2 * len(shares) + 1 + 2 * 6
    for what, figure, floor in lines:
        assert what
        assert floor
        assert FIGURE.fullmatch(figure), figure


@pytest.mark.slow
def test_what_threads_bring_is_measured() -> None:
    assert sooner([quiet("othello", 8, 20)], depth=8, threads=2) > 0.0


@pytest.mark.slow
def test_a_device_is_measured_by_torch() -> None:
    runtimes = _runtimes(random_net("gomoku", "b4c32", 8), quiet("gomoku", 8, 8), "auto")
    assert list(runtimes) == ["torch"]
    what, playouts, *_ = _neural("torch b4c32 8x8", runtimes["torch"], quiet("gomoku", 8, 8), 0.02, "cpu")
    assert what[0].startswith("mcts torch b4c32 8x8, batch ")
    assert FIGURE.fullmatch(playouts[1])


def test_the_end_of_the_misere_is_measured() -> None:
    (what, seconds, _), (_, speed, _) = ending()
    assert what == "misere gomoku 10x10 proven, 21 empty"
    assert float(seconds.removesuffix(" s")) > 0.0
    assert FIGURE.fullmatch(speed)


def test_the_positions_of_the_ffo_suite_are_those_of_the_tests() -> None:
    for number, diagram in zip(FFO, read_file("ffo.txt"), strict=True):
        position = ffo_position(number)
        assert diagram.title.split()[:2] == [str(number), "XO"[position.side_to_move]]
        assert (position.black, position.white) == (diagram.black, diagram.white)


def test_a_search_without_limits_solves() -> None:
    assert solved(quiet("othello", 8, 50)).best.proven is not None


@pytest.mark.slow
def test_moves_on_a_clock_are_timed() -> None:
    worst, median, late = _lines("othello", 8, 0.1, 3)
    assert worst[0] == "othello 8x8 at 0.1 s a move, 3 moves, worst"
    assert 0 < float(median[1].split()[0]) <= float(worst[1].split()[0])
    assert re.fullmatch(r"[0-3] moves", late[1])


@pytest.mark.parametrize("wish", [["--moves", "0"], ["--seconds", "0"], ["--seconds", "nan"]])
def test_a_benchmark_of_nothing_is_refused(wish: list[str]) -> None:
    done = subprocess.run([*ENGINE, "bench", *wish], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "extremum bench: error: --moves and --seconds must be above zero"
