"""What the README shows is what the engine does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import extremum.protocol.gtp  # noqa: F401, registers the commands
from extremum.protocol.command import COMMANDS
from tests.protocol.servers import ServerProcess

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
SESSIONS = re.findall(r"```console\n\$ (.*?)\n((?:= |~ ).*?)```", README, re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "answers"), SESSIONS)
def test_a_pasted_session_answers_as_shown(command: str, answers: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    expected = "\n".join(line[2:] if line.startswith("~ ") else re.escape(line) for line in answers.splitlines())
    assert re.fullmatch(expected, done.stdout.rstrip("\n") + "\n")


def test_the_readme_shows_sessions() -> None:
    assert len(SESSIONS) == 2


def test_the_command_table_is_the_code() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", README.split("## Commands")[1].split("\n## ")[0], re.MULTILINE)
    shown = {usage.replace("\\|", "|"): text.replace("\\|", "|") for usage, text in rows}
    assert shown == {command.usage: command.help for command in COMMANDS}


def test_the_example_of_a_new_command_works() -> None:
    example = re.search(r"```python\n(@COMMANDS.*?)```", README, re.DOTALL)
    assert example is not None
    script = (
        "from extremum.protocol.command import COMMANDS\nfrom extremum.engine.session import Session\n"
        "from extremum.engine.games.game import Color\n"
        f"{example[1]}\nsession = Session()\nsession.play(Color.BLACK, 112)\n"
        "print(count_stones(session, Color.BLACK), COMMANDS['count_stones'].usage)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1 count_stones COLOR\n"


@pytest.mark.slow
def test_the_example_of_a_client_plays_a_game() -> None:
    example = re.search(r"```python\n(from extremum.protocol.client.*?)```", README, re.DOTALL)
    assert example is not None
    with ServerProcess("--brain", "random") as server:
        script = example[1].replace("tcp://127.0.0.1:5571", server.address)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    *moves, result, move = done.stdout.splitlines()
    assert len(moves) >= 9
    assert moves[0].split()[1] in ("D3", "C4", "F5", "E6")
    assert re.fullmatch(r"[BW]\+\d+|0", result)
    assert re.fullmatch(r"[A-HJ-P]\d+", move)


def test_every_link_of_the_map_exists() -> None:
    folders = re.findall(r"^\| `([a-z/]+/)` \|", README.split("## The house")[1], re.MULTILINE)
    assert folders
    assert all((ROOT / folder).is_dir() for folder in folders)
