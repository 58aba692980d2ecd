"""The README's pictures of the windows."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_every_picture_of_a_window_exists_and_is_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((frontends/pictures/[\w-]+\.png)\)", README)
    assert len(shown) == 3
    assert sorted(shown) == sorted(str(file.relative_to(ROOT)) for file in (ROOT / "frontends" / "pictures").iterdir())
    for name in shown:
        data = (ROOT / name).read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(data) < 60_000
