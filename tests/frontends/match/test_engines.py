from __future__ import annotations

import re
from pathlib import Path

import pytest

from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.engines import Engine, read_engine, read_engines


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
    ],
)
def test_a_bad_file_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(text)
    with pytest.raises(BadFlagError, match=re.escape(complaint)):
        read_engines([], str(file))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("random level=x", "invalid literal"),
        ("random fast", "'fast' is no setting of an engine: KEY=VALUE"),
        ("random mode=best", "unknown mode 'best'"),
        ("gtp:'x", "No closing quotation"),
        ("gtp: ", "an engine's command is empty"),
    ],
)
def test_a_bad_engine_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadFlagError, match=re.escape(complaint)):
        read_engine(text)
