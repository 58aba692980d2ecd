"""Conversations of other dialects than GTP, held again over real pipes by a patient client."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol import transcripts
from tests.protocol.engine import ENGINE, Engine

FILES = sorted(path for dialect in ("gomocup", "nboard") for path in (transcripts.FOLDER / dialect).glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_conversation_is_held_again(path: Path) -> None:
    flags = ["--brain", "random", "--seed", "1"] if "random" in path.stem else []
    with Engine([*ENGINE, path.parent.name, *flags]) as engine:
        for exchange in transcripts.load(path):
            engine.send(f"{exchange.sent}\r\n")
            transcripts.check(exchange.answer, "".join(engine.read_until("\n", 60) for _ in exchange.answer))
        assert engine.wait(10) == 0  # each conversation ends with a farewell
        assert engine.rest() == ""


def test_there_are_conversations_of_both() -> None:
    assert {path.parent.name for path in FILES} == {"gomocup", "nboard"}
