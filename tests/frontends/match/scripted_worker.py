"""A worker that plays nothing: it reports game 1 as its last one while others are under way, or dies without a word."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from tests.frontends.match.test_report import forfeited

BATCH = 3


def main(manner: str) -> None:
    json.loads(sys.stdin.readline())
    waiting = list[int]()
    for line in sys.stdin:
        fixture = json.loads(line)
        if fixture is None:
            return
        waiting.append(fixture["number"])
        if 1 in waiting and manner == "dies":
            sys.exit(1)
        if 1 in waiting and len(waiting) == BATCH:
            tell(1, ended=True)
            sys.exit(1)
        if 1 not in waiting:
            tell(waiting.pop(), ended=False)


def tell(number: int, *, ended: bool) -> None:
    result = asdict(forfeited(number, "first", "second <b>", "first"))
    print(json.dumps({"result": result, "ended": ended}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
