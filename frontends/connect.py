"""Is the engine of a server elsewhere: standard input goes there, its answers come back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..protocol.bridge import Bridge
from ..protocol.stream import LineSplitter
from ..protocol.transports.curve import ClientKeys, read_keys
from ..protocol.transports.dealer import Dealer
from ..protocol.transports.stdio import STDIN, claim_output, read, write
from .flags import BadFlagError

ATTENTION = 1.0  # seconds


def main(words: Sequence[str]) -> int:
    """Carry lines until quit or the end of input."""
    parser = argparse.ArgumentParser(prog="extremum connect", description=__doc__)
    parser.add_argument("address", help="of the server, as tcp://HOST:5571")
    parser.add_argument("--key", metavar="FILE", help="your secret key (see extremum keygen)")
    parser.add_argument("--server-key", metavar="FILE", help="the server's public key")
    given = parser.parse_args(words)
    try:
        dealer = Dealer(given.address, keys_of(given.key, given.server_key))
    except ValueError as error:
        raise BadFlagError(f"connect: {error}") from error
    output = claim_output()
    bridge = Bridge(dealer, lambda message: write(output, message), tell)
    with suppress(BrokenPipeError):  # nobody reads the answers
        carry(dealer, bridge)
    dealer.close()
    return 0


def carry(dealer: Dealer, bridge: Bridge) -> None:
    """Carry lines and answers until both sides are done."""
    splitter = LineSplitter()
    sources = [STDIN]
    while not bridge.is_over and (sources or not bridge.is_idle):
        if dealer.wait(ATTENTION, *sources):
            chunk = read()
            for line in splitter.feed(chunk) if chunk else splitter.rest():
                bridge.take(line)
            if chunk == b"":
                sources.clear()
        bridge.attend()


def keys_of(own: str | None, server: str | None) -> ClientKeys | None:
    """The keys that two files hold; both are needed, or none."""
    if own is None and server is None:
        return None
    if own is None or server is None:
        raise BadFlagError("--key and --server-key belong together")
    try:
        return ClientKeys(read_keys(Path(own), with_secret=True), read_keys(Path(server), with_secret=False))
    except (OSError, ValueError) as error:
        raise BadFlagError(f"keys: {error}") from error


def tell(text: str) -> None:
    """Tell whoever looks after the bridge."""
    print(f"extremum connect: {text}", file=sys.stderr, flush=True)
