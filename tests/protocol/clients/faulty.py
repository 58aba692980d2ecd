"""Engines with one fault each, in a process of their own: `python -m tests.protocol.clients.faulty FAULT [MARK]`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from extremum.engine.session import Session
from extremum.protocol.notation import read_color, read_vertex, write_result, write_vertex

COMMANDS = "list_commands\nset_game\nboardsize\nclear_board\nplay\ngenmove\nfinal_score\nquit"


class Faulty:
    """Plays at random over GTP, but for its fault."""

    def __init__(self, fault: str, mark: str) -> None:
        self.fault = fault
        self.mark = Path(mark)  # a file by which a second process knows that there was a first
        self.session = Session()
        self.session.set_brain("random")
        self.session.set_option("seed", "1")

    def answer(self, name: str, words: list[str]) -> str:
        session = self.session
        match name:
            case "list_commands":
                return COMMANDS
            case "set_game":
                session.set_game(words[0].lower())
            case "boardsize":
                session.set_size(int(words[0]))
            case "clear_board":
                session.clear()
            case "play":
                session.play(read_color(words[0]), read_vertex(words[1], session.game))
            case "genmove":
                return self.genmove(words[0])
            case "final_score":
                return self.score()
        return ""

    def genmove(self, color: str) -> str:
        match self.fault:
            case "hangs":
                time.sleep(60)
            case "crashes":
                print("out of luck", file=sys.stderr)
                sys.exit(3)
            case "off-board":
                return "Z99"
            case "occupied":
                taken = self.session.position.last_move
                return write_vertex(0 if taken is None else taken, self.session.game)
            case "passes":
                return "pass"
            case "resigns":
                return "resign"
            case "once" if not self.mark.exists():
                self.mark.touch()
                sys.exit(3)
            case "paints":
                return "\x1b[31mred\x07"
            case "floods":
                flood()
            case "slow":
                time.sleep(0.6)
            case "steady":
                time.sleep(0.03)
        return write_vertex(self.session.genmove(read_color(color)), self.session.game)

    def score(self) -> str:
        outcome = self.session.outcome()
        if outcome is None:
            return "?"
        truth = write_result(outcome)
        if self.fault != "claims":
            return truth
        return {"B": "W+64", "W": "B+64", "0": "B+1"}[truth[0]]


def flood() -> None:
    """Answer, line after line, without an end."""
    print("= A1")
    while True:
        print("and so on" * 100)


def main(fault: str, mark: str = "") -> None:
    if fault == "dies":
        print("no such weights", file=sys.stderr)
        sys.exit(7)
    if fault == "banner":
        print("Welcome to Faulty 1.0!", flush=True)
    faulty = Faulty(fault, mark)
    for line in sys.stdin:
        number, name, *words = line.split()
        if fault == "silent":
            continue
        if name == "quit":
            print(f"={number}\n", flush=True)
            return
        text = f"={number} {faulty.answer(name, words)}\n\n"
        if fault == "refuses" and name == "play":
            text = f"?{number} I do not like it\n\n"
        if fault == "babbles" and name == "genmove":
            text = "thinking...\n" + text
        print(text * (2 if fault == "answers-twice" and name == "genmove" else 1), end="", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
