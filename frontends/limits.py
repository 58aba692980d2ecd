"""What clients may use up, as a command line sets it: the same words for the server and for the page."""

from __future__ import annotations

import argparse

from ..protocol.server import ServerLimits
from .flags import count, seconds

USUAL = ServerLimits()


def add_limits(parser: argparse.ArgumentParser, usual: ServerLimits = USUAL) -> None:
    """The limits of many clients; those of a single search the parser has already."""
    parser.add_argument("--sessions", type=count, default=usual.sessions, metavar="N", help="most sessions")
    parser.add_argument("--message", type=count, default=usual.message, metavar="BYTES", help="longest message")
    parser.add_argument("--idle", type=seconds, default=usual.idle, metavar="SECONDS", help="most without a message")
    parser.set_defaults(search_time=usual.seconds, search_memory=usual.memory)
