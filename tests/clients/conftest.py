"""Other people's clients, at their pinned versions."""

from __future__ import annotations

import pytest

from tests.clients.libraries import install


@pytest.fixture(scope="package", autouse=True)
def libraries() -> None:
    """The pinned libraries are installed."""
    install()
