"""Makes a pair of CURVE keys."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..protocol.transports.curve import make_keys
from .flags import BadFlagError


def main(words: Sequence[str]) -> int:
    """Write NAME.key, to give away, and NAME.key_secret, to keep."""
    parser = argparse.ArgumentParser(prog="extremum keygen", description=main.__doc__)
    parser.add_argument("name", help="whose keys they are")
    parser.add_argument("--dir", default=".", help="where they are written (default here)")
    given = parser.parse_args(words)
    if not given.name or "/" in given.name or given.name.startswith("."):
        raise BadFlagError(f"'{given.name}' is no name for a file")
    try:
        public, secret = make_keys(Path(given.dir), given.name)
    except OSError as error:
        raise BadFlagError(f"keygen: {error}") from error
    print(f"{public} is public: give it to the other side\n{secret} is secret: keep it")
    return 0
