from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from extremum.engine.session import Session
from extremum.protocol.commands import COMMANDS
from extremum.protocol.gtp import Gtp, read
from tests.doubles import FakeWaiting, RecordingSend
from tests.protocol import transcripts
from tests.protocol.engine import ENGINE, HOME


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HOME)  # files are named from there


@pytest.mark.parametrize("path", transcripts.FILES, ids=lambda path: path.stem)
def test_transcript_holds_in_process(path: Path) -> None:
    gtp = Gtp(Session())
    for exchange in transcripts.load(path):
        send = RecordingSend()
        gtp.handle(os.fsencode(exchange.sent), send, FakeWaiting(message=True))
        transcripts.check(exchange.answer, send.text)


@pytest.mark.parametrize("path", transcripts.FILES, ids=lambda path: path.stem)
def test_transcript_holds_over_pipes(path: Path) -> None:
    exchanges = transcripts.load(path)
    script = b"".join(os.fsencode(exchange.sent) + b"\n" for exchange in exchanges)
    told = subprocess.run(ENGINE, input=script, capture_output=True, timeout=60, check=True).stdout.decode()
    transcripts.check([line for exchange in exchanges for line in exchange.answer], told)


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_has_help_and_a_transcript(name: str) -> None:
    assert COMMANDS[name].help.endswith(".")
    exchanges = [exchange for path in transcripts.FILES for exchange in transcripts.load(path)]
    assert any(read(os.fsencode(exchange.sent))[1][:1] == [name] for exchange in exchanges)


def test_a_traffic_log_is_a_transcript(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = b"name\n\n3 play b h8\nplay w h8\nshowboard\nquit\n"
    told = subprocess.run([*ENGINE, "--log", str(log)], input=script, capture_output=True, check=True).stdout.decode()
    exchanges = transcripts.load(log)
    assert [exchange.sent for exchange in exchanges] == script.decode().split("\n")[:-1]
    transcripts.check([line for exchange in exchanges for line in exchange.answer], told)
