"""NBoard engines with one fault each: `python -m tests.protocol.clients.faulty_nboard FAULT`."""

from __future__ import annotations

import re
import sys

from extremum.engine.games import make_game
from extremum.protocol.ggf import read_games, read_moves
from extremum.protocol.notation import read_vertex, write_vertex


def main(fault: str) -> None:
    print("Faulty 1.0 is here", flush=True)  # a banner is allowed
    game = make_game("othello")
    position, clock = game.start(), ""
    for line in sys.stdin:
        name, _, rest = line.strip().partition(" ")
        if fault == "silent":
            continue
        match name:
            case "ping":
                print(f"status thinking\npong {rest}", flush=True)
            case "set" if rest.startswith("game"):
                position, clock = game.start(), re.sub(r"\W", "_", read_games(rest)[0].tags["TI"])
                for vertex in read_moves(rest)[0]:
                    move = read_vertex(vertex, game)
                    assert game.pass_move is not None
                    position = position.play(game.pass_move if move is None else move)
            case "go":
                vertex = write_vertex(position.legal_moves()[0], game)
                texts = {"illegal": "=== A1", "nonsense": "=== xyzzy", "spaces": f"=== {vertex.lower()} 0.00 0.1"}
                texts["tells-clock"] = f"=== {clock}"
                answer = texts.get(fault, f"=== {vertex}/1.5/0.01")
                print("\n".join([answer] * (2 if fault == "twice" else 1)), flush=True)
            case "quit":
                return


if __name__ == "__main__":
    main(sys.argv[1])
