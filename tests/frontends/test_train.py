import io
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from extremum.engine.training.run import read_log
from extremum.frontends.train import Teller
from tests.engine.full_disk import limit_files
from tests.protocol.engine import ENGINE

TINY = ["--size=5", "--cycle=4", "--lockstep=4", "--sims=2x4", "--batch=16", "--checkpoint=0", "--yardstick=0"]


def command(run: Path, *words: str) -> list[str]:
    return [*ENGINE, "train", "--run", str(run), "--device", "cpu", *words]


def ended(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with subprocess.Popen(command(run, *TINY, "--games", "10000"), stderr=subprocess.PIPE) as process:
        wait_for(lambda: len(list(run.glob("replay/*-*.npz"))) >= 3, process)
        process.send_signal(signal.SIGKILL)
    shards = {path.name: path.read_bytes() for path in run.glob("replay/*-*.npz")}
    steps = read_log(run)[-1]["steps"]
    games = sum(int(name.split("-")[1]) for name in shards) + 8
    done = ended(command(run, "--games", str(games)))
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("extremum: the planned run is over\n")
    assert all((run / "replay" / name).read_bytes() == data for name, data in shards.items())
    last = read_log(run)[-1]
    assert last["games"] >= games
    assert last["steps"] > steps


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["--method", "dqn", "--size", "6"], ["--method", "evolve"], ["--method", "exploit", "--depth", "2"]]
)
def test_a_small_run_that_was_killed_goes_on(tmp_path: Path, words: list[str]) -> None:
    run, method = tmp_path / "run", words[:2]
    stopped = [*ENGINE, "train", "--run", str(run), *words]
    with subprocess.Popen(stopped, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "so far" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
    assert process.returncode == 0, told
    assert told.endswith("extremum: stopped; the same command goes on\n")
    state = (run / "state.safetensors").read_bytes()
    with subprocess.Popen(stopped, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "so far" in process.stderr.readline()
        process.send_signal(signal.SIGKILL)
    assert (run / "state.safetensors").read_bytes() == state
    other = "patterns" if "exploit" in method else "exploit"
    refused = ended([*ENGINE, "train", "--run", str(run), "--method", other])
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    done = ended([*stopped, "--games", "60"])
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("extremum: the planned run is over\n")
    assert (run / "state.safetensors").read_bytes() != state


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_leaves_the_last_checkpoint(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert ended(command(run, *TINY, "--games", "4")).returncode == 0
    before = (run / "checkpoint.safetensors").read_bytes()
    for most, file in ((100_000, "net.safetensors"), (600_000, "checkpoint.safetensors")):
        words = command(run, "--games", "8")
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, preexec_fn=partial(limit_files, most))
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith(f"extremum: cannot write '{run / file}': ")
        assert "Traceback" not in done.stderr
        assert (run / "checkpoint.safetensors").read_bytes() == before
        assert not list(run.glob("*.partial*"))


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 300
    while not happened():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ([], "train: say where the run is kept, --run DIR"),
        (["--run", "DIR", "--mix", "gomoku:8:1", "--size", "8"], "train: --mix says the games; leave out --game, "),
        (["--run", "DIR", "--game", "go"], "unknown game 'go': one of gomoku, othello"),
        (["--run", "DIR", "--net", "b1"], "unknown net 'b1': one of b4c32, b6c64, b10c128, classic"),
        (["--run", "/proc/1/nowhere"], "run directory '/proc/1/nowhere' cannot be made: "),
        (["--run", "DIR", "--init", "nothing.safetensors"], "train: weights 'nothing.safetensors' are missing"),
        (["--run", "DIR", "--threads", "0"], "train: unacceptable threads: 0 is less than 1"),
        (["--run", "DIR", "--size", "0"], "unacceptable size: 0 is not in 3..20"),
        (["--run", "DIR", "--method", "dqn", "--size", "0"], "unacceptable size: 0 is not one of 8, 6"),
        (["--plot", "DIR"], "'DIR' has no log to draw yet"),
        (["--ship", "DIR", "name"], "'DIR' is no run directory"),
        (["--hours", "x"], "train: argument --hours: invalid float value: 'x'"),
        (["--run", "DIR", "--method", "dqn", "--sims", "4x8"], "the method 'dqn' does not take --sims"),
        (["--run", "DIR", "--method", "dqn", "--game", "gomoku"], "this method is for othello, not 'gomoku'"),
        (["--run", "DIR", "--method", "evolve", "--genome", "x"], "unknown genome 'x': one of network, coefficients"),
        (["--run", "DIR", "--method", "magic"], "train: argument --method: invalid choice: 'magic' (choose from "),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(tmp_path: Path, words: list[str], refusal: str) -> None:
    folder = str(tmp_path / "run")
    done = ended([*ENGINE, "train", *[word.replace("DIR", folder) for word in words]])
    assert done.returncode == 2
    assert done.stderr.startswith(f"extremum: {refusal}".replace("'DIR'", f"'{folder}'"))
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_device_that_is_not_there_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    device = "cuda" if sys.platform == "darwin" else "mps"  # these never are
    done = ended([*ENGINE, "train", "--run", str(tmp_path / "run"), "--size", "5", "--device", device])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"extremum: there is no device '{device}' here")
    assert not (tmp_path / "run").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_what_goes_on_is_one_line_that_is_replaced() -> None:
    stream = Terminal()
    teller = Teller(stream)
    teller.show("3 games")
    teller.show("5 games" + "." * 1000)
    teller.say("over")
    teller.end()
    first, second, last = stream.getvalue().split("\r\x1b[K")[1:]
    assert first == "extremum: 3 games"
    assert second.startswith("extremum: 5 games.")
    assert len(second) < 500
    assert last == "extremum: over\n"


def test_elsewhere_what_goes_on_is_a_line_when_nothing_was_told_for_a_while() -> None:
    stream, seconds = io.StringIO(), iter([0.0, 19.0, 20.0, 20.0, 39.0, 39.0, 45.0, 59.0, 59.0])
    teller = Teller(stream, lambda: next(seconds))
    for text in ("at 19", "at 20", "at 39"):
        teller.show(text)
    teller.say("a match")
    for text in ("at 45", "at 59"):
        teller.show(text)
    assert stream.getvalue() == "extremum: at 20\nextremum: a match\nextremum: at 59\n"


def test_the_help_names_every_setting() -> None:
    done = ended([sys.executable, "-m", "extremum.frontends.cli", "train", "--help"])
    assert done.returncode == 0
    assert all(flag in done.stdout for flag in ("--hours", "--mix", "--init", "--sims", "--no-adaptive", "--ship"))
