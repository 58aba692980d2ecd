"""A screen of our own, on which real windows are drawn and clicked."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frontends.tk.screen import Screen


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """An X server without a monitor; a missing Xvfb is a failure."""
    with Screen(tmp_path_factory.mktemp("screen")) as screen:
        yield screen


@pytest.fixture
def screen(server: Screen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Screen]:
    """The screen that windows of this test appear on; the score of whoever runs the tests is left alone."""
    monkeypatch.setenv("DISPLAY", server.display)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield server
    gc.collect()  # what Tk made must be let go in the thread that made it
