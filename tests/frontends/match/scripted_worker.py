"""A worker that plays nothing.

It reports game 1 as its last one while others are under way, dies without a word, or is killed beside an engine.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
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
        if manner == "killed":
            leave_engine(waiting.pop())
        if 1 in waiting and manner == "dies":
            sys.exit(1)
        if 1 in waiting and len(waiting) == BATCH:
            tell(1, ended=True)
            sys.exit(1)
        if 1 not in waiting:
            tell(waiting.pop(), ended=False)


def leave_engine(number: int) -> None:
    """Start an engine and report it together with a game, whose text is the engine's process."""
    engine = subprocess.Popen(["sleep", "60"], start_new_session=True).pid
    result = asdict(forfeited(number, "first", "second <b>", "first")) | {"text": str(engine)}
    print(json.dumps({"engines": [engine]}) + "\n" + json.dumps({"result": result}), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def tell(number: int, *, ended: bool) -> None:
    result = asdict(forfeited(number, "first", "second <b>", "first"))
    print(json.dumps({"result": result, "ended": ended}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
