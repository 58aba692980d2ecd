from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Game
from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.engines import Engine, read_engine, read_engines, refuse_unable

GOMOKU, OTHELLO = make_game("gomoku", 8), make_game("othello")


def test_a_command_is_split_and_named_after_its_program() -> None:
    engine = read_engine("gtp:/usr/games/gtp-rhino -l 1 'a b'")
    assert (engine.name, engine.protocol) == ("gtp-rhino -l 1 a b", "gtp")
    assert engine.command == ("/usr/games/gtp-rhino", "-l", "1", "a b")
    assert read_engine("rhino=gtp:x").name == "rhino"
    assert read_engine("gomocup:wine pbrain-x.exe").protocol == "gomocup"


def test_our_own_engine_is_a_brain_and_its_settings() -> None:
    engine = read_engine("rollout  visits=100 textbook=true name=book")
    assert engine == Engine("book", brain="rollout", options=(("visits", "100"), ("textbook", "true")))
    assert read_engine("mode=weakest").level == 0
    assert read_engine("level=30").level == 30
    assert read_engine("level=30").brain == "auto"
    assert read_engine("alphabeta depth=3").name == "alphabeta depth=3"


def test_equal_names_are_numbered() -> None:
    assert [engine.name for engine in read_engines(["random", "minimax", "random"])] == [
        "random #1",
        "minimax",
        "random #2",
    ]


def test_a_number_makes_no_name_that_another_engine_has() -> None:
    engines = read_engines(["random #2=gtp:x", "random", "random"])
    assert [engine.name for engine in engines] == ["random #2", "random #1", "random #3"]
    engines = read_engines(["a=gtp:x", "a=gtp:y", "a #1=gtp:x", "a #1=gtp:y"])
    assert len({engine.name for engine in engines}) == 4


def test_an_engine_survives_json() -> None:
    for text in ("gtp:a b", "rollout visits=100"):
        engine = read_engine(text)
        assert Engine.from_json(engine.to_json()) == engine


def test_a_file_names_engines(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(
        """
        [rhino]
        command = "gtp-rhino -l 1"
        setup = ["komi 0"]
        lenient = true
        [other]
        command = "pbrain-x"
        protocol = "gomocup"
        [weak]
        brain = "alphabeta"
        mode = "weakest"
        options = { depth = 2, memory = 16 }
        [third]
        level = 30
        [net]
        brain = "mcts"
        weights = "gomoku-8"
        options = { visits = 4 }
        """
    )
    rhino, other, weak, third, net = read_engines([], str(file))
    assert rhino == Engine("rhino", "gtp", ("gtp-rhino", "-l", "1"), ("komi 0",), lenient=True)
    assert (other.protocol, other.command) == ("gomocup", ("pbrain-x",))
    assert weak == Engine("weak", brain="alphabeta", level=0, options=(("depth", "2"), ("memory", "16")))
    assert third == Engine("third", level=30)
    assert net == Engine("net", brain="mcts", options=(("visits", "4"), ("weights", "gomoku-8")))
    assert [engine.name for engine in read_engines(["weak", "random"], str(file))] == ["weak", "random"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "[a]\ncommand = 'x'\nprotocol = 'uci'",
            "engine 'a': unknown protocol 'uci': one of gtp, gomocup, nboard, zmq",
        ),
        ("[a]\ncommand = 'x'\nspeed = 1", "engine 'a': unknown key 'speed'"),
        ("a = 1", "every engine is a table, as [name]"),
        ("[a", "engines.toml: "),
        ("[a]\nbrain = 'x'", "unknown engine 'x'"),
        ("[a]\noptions = 'x'", "engine 'a': options is a table, as { visits = 100 }"),
        ("[a]\noptions = ['x']", "engine 'a': options is a table, as { visits = 100 }"),
        ("[a]\ncommand = 'x'\nsetup = 5", "engine 'a': setup is a list of lines"),
        ("[a]\ncommand = 'x'\nsetup = 'komi 0'", "engine 'a': setup is a list of lines"),
        ("[a]\ncommand = 'x'\nsetup = [5]", "engine 'a': setup is a list of lines"),
        ("[a]\ncommand = ['python3', 'x']", "engine 'a': command is a text, as in a shell"),
        ("[a]\ncommand = 'x'\nlenient = 'false'", "engine 'a': lenient is true or false"),
        ("[a]\nlevel = 30.5", "engine 'a': unacceptable level: '30.5' is no whole number in 0..100"),
    ],
)
def test_a_bad_file_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(text)
    with pytest.raises(BadFlagError, match=re.escape(complaint)):
        read_engines([], str(file))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_bytes(b"[a]\nbrain = '\xff'")
    with pytest.raises(BadFlagError, match=re.escape("engines.toml: it is no text in UTF-8")):
        read_engines([], str(file))


@pytest.mark.parametrize(
    ("text", "game", "complaint"),
    [
        ("gtp:/nonexistent", GOMOKU, "engine 'nonexistent': there is no program '/nonexistent'"),
        ("x=gomocup:no-such-program -l", GOMOKU, "engine 'x': there is no program 'no-such-program'"),
        ("zmq:bogus", GOMOKU, "engine 'bogus': 'bogus' is no address, as tcp://HOST:PORT"),
        ("nboard:python3", GOMOKU, "engine 'python3': the NBoard protocol has no gomoku 8x8"),
        ("dqn", GOMOKU, "engine 'dqn': 'dqn' does not play gomoku: it knows othello only"),
        ("evolved", GOMOKU, "engine 'evolved': 'evolved' does not play gomoku: it knows othello only"),
        ("mcts weights=/nonexistent visits=4", GOMOKU, "weights '/nonexistent' are missing"),
        ("mcts weights=othello", GOMOKU, "othello.safetensors' are for othello, not gomoku"),
        ("mcts mode=weakest weights=nonesuch", GOMOKU, "unknown weights 'nonesuch': a file, or one of "),
        ("alphabeta weights=/nonexistent", OTHELLO, "weights '/nonexistent' are missing"),
    ],
)
def test_an_engine_that_cannot_play_is_refused(text: str, game: Game, complaint: str) -> None:
    with pytest.raises(BadFlagError, match=re.escape(complaint)) as caught:
        refuse_unable(read_engines([text, "random"]), game)
    assert "\n" not in str(caught.value)


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadFlagError, match=r"there is no device '(cuda|mps)' here"):
        refuse_unable(read_engines(["mcts device=cuda", "rollout device=mps"]), GOMOKU)


def test_engines_that_can_play_are_let_in() -> None:
    words = ["mcts weights=gomoku-8 visits=4", "mcts mode=weakest", "level=30", "strong", "random"]
    refuse_unable(read_engines([*words, f"gtp:{sys.executable} x", "gtp:python3", "zmq:tcp://[::1]:5571"]), GOMOKU)
    refuse_unable(read_engines(["dqn", "evolved", "alphabeta evaluation=handmade", "zmq:ipc:///tmp/x"]), OTHELLO)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("random level=x", "unacceptable level: 'x' is no whole number in 0..100"),
        ("random level=30.5", "unacceptable level: '30.5' is no whole number in 0..100"),
        ("random fast", "'fast' is no setting of an engine: KEY=VALUE"),
        ("random mode=best", "unknown mode 'best'"),
        ("gtp:'x", "No closing quotation"),
        ("gtp: ", "an engine's command is empty"),
    ],
)
def test_a_bad_engine_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadFlagError, match=re.escape(complaint)):
        read_engine(text)
