"""The page's server in a process of its own, and a real browser before it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.clients.libraries import CLIENTS, install
from tests.protocol.engine import ENGINE, HOME


@contextmanager
def serving(state: Path, *words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a running server; it and its engines are gone at the end."""
    environment = os.environ | {"XDG_STATE_HOME": str(state)}
    command = [*ENGINE, "web", "--port", "0", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=HOME) as server:
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            yield line.split(" at ")[1].strip(), server
        finally:
            server.terminate()
            assert server.wait(10) == 130


def browse(
    url: str, *scenarios: str, said: Callable[[str], None] = lambda line: None, **details: str
) -> dict[str, Any]:
    """What a person saw in Chromium, by scenario; lines other than the last are handed over as they come."""
    install()
    task = json.dumps({"scenarios": scenarios, "url": url, **details})
    with subprocess.Popen(["node", "page.mjs", task], cwd=CLIENTS, stdout=subprocess.PIPE, text=True) as browser:
        assert browser.stdout is not None
        last = ""
        for last in browser.stdout:
            said(last.strip())
        assert browser.wait(30) == 0
    seen: dict[str, Any] = json.loads(last)
    return seen
