from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from extremum.engine.session import Session
from extremum.frontends.flags import BadFlagError, Parser, carry_out
from extremum.protocol import VERSION
from tests.protocol.engine import ENGINE, HOME


def started(*words: str) -> Session:
    session = Session()
    assert carry_out(Parser().parse_args(words), session) is None
    return session


def run(*words: str, script: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*ENGINE, *words], input=script, capture_output=True, timeout=30, cwd=HOME)


def test_every_setting_has_its_flag() -> None:
    words = "--game gomoku --rules renju --size 9 --level 20 --brain random --seed 3 --visits 5 --depth 4 --movetime 2"
    session = started(*words.split(), "--lag", "0.1", "--memory", "7", "--textbook", "--komi", "-6.5")
    assert (session.game.name, session.game.rule, session.game.size) == ("gomoku", "renju", 9)
    assert (session.level, session.brain_name, session.komi) == (20, "random", -6.5)
    values = [
        session.options.text(name) for name in ("seed", "visits", "depth", "movetime", "lag", "memory", "textbook")
    ]
    assert values == ["3", "5", "4", "2.0", "0.1", "7", "true"]


def test_the_game_may_be_one_flag_or_three() -> None:
    assert started("--game", "gomoku standard 6").game == started("--rules", "standard", "--in-a-row", "6").game
    assert started("--in-a-row", "4", "--size", "6").game.size == 6
    assert started("--game", "Othello").game.name == "othello"


def test_flags_are_carried_out_in_a_sensible_order() -> None:
    assert started("--size", "6", "--game", "othello").game.size == 6


def test_options_and_commands_may_be_repeated() -> None:
    session = started("--option", "seed=4", "--option", "visits=9", "--command", "play b A1", "--command", "play w B1")
    assert (session.options.text("seed"), session.options.text("visits")) == ("4", "9")
    assert len(session.moves) == 2


def test_the_clock_may_be_set_at_the_start() -> None:
    for words in (("--time-settings", "300 0 0"), ("--kata-time-settings", "fischer 300 5")):
        control = started(*words).clock.control
        assert control is not None
        assert control.main == 300


def test_a_game_may_be_loaded_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "a game.sgf"
    file.write_text("(;GM[4]SZ[9];B[aa])")
    assert len(started("--load", str(file)).moves) == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--size", "21"], "--size 21: unacceptable size: 21 is not in 3..20"),
        (["--size"], "argument --size: expected one argument"),
        (["--xyzzy"], "unrecognized arguments: --xyzzy"),
        (["xyzzy"], "unrecognized arguments: xyzzy"),
        (["--game", "chess"], "--game chess: unknown game 'chess': one of gomoku, othello"),
        (["--option", "seed"], "--option seed: usage: set_option KEY VALUE"),
        (["--option", "xyzzy=1"], "--option xyzzy=1: unknown option 'xyzzy': one of "),
        (["--komi", "x"], "--komi x: syntax error: 'x' is not a number"),
        (["--load", "missing.sgf"], "--load missing.sgf: cannot load file: No such file or directory: 'missing.sgf'"),
        (["--command", "play b"], "--command play b: usage: play COLOR MOVE"),
        (["--command", "xyzzy"], "--command xyzzy: unknown command"),
        (["--log", "/no/such/folder/log"], "--log /no/such/folder/log: No such file or directory"),
        (["warm", "now"], "warm takes no arguments, here is 'now'"),
    ],
)
def test_a_bad_flag_is_one_line_on_stderr(words: list[str], complaint: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().startswith(f"extremum: {complaint}")
    assert done.stderr.count(b"\n") == 1


def test_a_bad_flag_is_refused_before_the_next_is_carried_out() -> None:
    with pytest.raises(BadFlagError, match="--mode best: unknown mode"):
        started("--mode", "best")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--version"], f"Extremum {VERSION}\n"),
        (["--list-games"], "Gomoku\nOthello\n"),
        (["--seed", "5", "--get-option", "seed"], "5\n"),
        (["--help-command", "undo"], "undo\nTake back the last move.\n"),
    ],
)
def test_what_is_only_asked_for_is_shown_instead_of_playing(words: list[str], shown: str) -> None:
    done = run(*words, script=b"name\n")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, shown, b"")


def test_a_reader_who_has_seen_enough_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run([*ENGINE, "--list-games"], stdout=gone, stderr=subprocess.PIPE, timeout=30, cwd=HOME)
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_the_system_refuses_is_one_line_on_stderr() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*ENGINE, "--list-games"], stdout=full, stderr=subprocess.PIPE, timeout=30, cwd=HOME)
    assert (done.returncode, done.stderr) == (2, b"extremum: No space left on device\n")


def test_a_command_at_the_start_says_nothing_to_the_client() -> None:
    done = run("--command", "play b h8", script=b"undo\nundo\n")
    assert done.stdout == b"= \n\n? cannot undo\n\n"


def test_quit_at_the_start_ends_it() -> None:
    done = run("--command", "quit", script=b"name\n")
    assert (done.returncode, done.stdout) == (0, b"")


def test_the_version_is_the_packages() -> None:
    configuration = tomllib.loads((HOME / "pyproject.toml").read_text())
    assert configuration["project"]["version"] == VERSION
