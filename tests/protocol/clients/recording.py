"""A GTP engine that writes down what it hears: `python -m tests.protocol.clients.recording FILE COMMAND...`."""

from __future__ import annotations

import sys


def main(file: str, commands: list[str]) -> None:
    with open(file, "w", encoding="utf-8") as heard:
        for line in sys.stdin:
            number, _, rest = line.strip().partition(" ")
            print(rest, file=heard, flush=True)
            answers = {"list_commands": "\n".join(commands), "genmove black": "A1"}
            print(f"={number} {answers.get(rest, '')}\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
