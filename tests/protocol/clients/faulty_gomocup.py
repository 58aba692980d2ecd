"""Gomocup engines with one fault each: `python -m tests.protocol.clients.faulty_gomocup FAULT`."""

from __future__ import annotations

import select
import sys


def main(fault: str) -> None:
    if fault == "dies":
        print("no such weights", file=sys.stderr)
        sys.exit(7)
    if fault == "banner":
        print("Faulty 1.0", flush=True)
    size, taken = 15, set[str]()
    board = False
    for line in sys.stdin:
        name, *words = line.split()
        if fault == "silent":
            continue
        if board and name != "DONE":
            taken.add(name.rpartition(",")[0])
            continue
        match name:
            case "START":
                size, taken = int(words[0]), set()
                print({"refuses": "ERROR too small", "polite": "OK - everything is good"}.get(fault, "OK"), flush=True)
            case "INFO" if words[0] == "INFO":
                print("ERROR twice INFO", flush=True)
            case "BOARD":
                board = True
            case "DONE" | "BEGIN" | "TURN":
                board = False
                taken |= set(words)
                answer(fault, size, taken)
            case "END":
                return


def answer(fault: str, size: int, taken: set[str]) -> None:
    move = next(point for y in range(size) for x in range(size) if (point := f"{x},{y}") not in taken)
    lines = {
        "twice": [move, move],
        "off-board": ["99,99"],
        "occupied": [min(taken, default="0,0")],
        "error": ["ERROR no idea"],
        "babbles": ["hello"],
        "talks": ["MESSAGE depth 1", "DEBUG x", move],
    }.get(fault, [move])
    taken.add(move)
    for line in lines:
        print(line, flush=True)
    if fault == "slow-to-stop" and select.select([sys.stdin], [], [], 0.005)[0]:
        print(f"ERROR lost {sys.stdin.readline()}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
