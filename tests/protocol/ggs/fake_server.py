"""A small Othello service on a real socket: it plays the opponent's moves by chance and may misbehave as told."""

from __future__ import annotations

import random
import socket
import threading
import time
from dataclasses import dataclass, field

from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Position
from extremum.protocol.notation import diagram, read_vertex, write_vertex

US, THEM, PASSWORD = "extremum", "alice", "secret"
SIGNS = {"X": "*", "O": "O", ".": "-"}
OTHELLO = make_game("othello")


@dataclass
class Manners:
    """What the server does differently from a plain one."""

    kind: str = "8"
    clock: str = "05:00//02:00"
    asks: bool = True  # False starts the match by itself, as a tournament does
    public: bool = False  # the challenge is to everybody
    splits: bool = False  # writes a few bytes at a time
    omits_ready: bool = False  # after boards
    babbles: bool = False  # chat, bells, escapes and garbage between everything
    refuses_first: bool = False  # says once that a legal move is illegal
    cuts_after: int | None = None  # moves of ours; then it hangs up, and goes on when we are back
    matches: int = 1


@dataclass
class Game:
    name: str
    color: Color  # ours
    start: Position
    position: Position
    moves: list[str] = field(default_factory=list)
    seconds: dict[Color, float] = field(default_factory=lambda: dict.fromkeys(Color, 300.0))
    is_over: bool = False


class FakeServer:
    """Serves one client at a time until `matches` are over; `heard` is what it was told, `faults` what was wrong."""

    def __init__(self, manners: Manners | None = None, seed: int = 1) -> None:
        self.manners = manners or Manners()
        self.heard: list[str] = []
        self.faults: list[str] = []
        self.results: list[str] = []
        self.games: dict[str, Game] = {}
        self.logins = 0
        self._rng = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._client: socket.socket | None = None
        self._stored = False
        self._has_asked = False
        self._our_moves = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listener.close()
        if self._client is not None:
            self._client.close()

    def _serve(self) -> None:
        while len(self.results) < self.manners.matches:
            try:
                self._client = self._listener.accept()[0]
                with self._client, self._client.makefile("r", encoding="utf-8", newline="\n") as lines:
                    if self._let_in(lines):
                        for line in lines:
                            self._take(line.strip())
            except OSError:
                if self._listener.fileno() < 0:
                    return

    def _let_in(self, lines) -> bool:  # type: ignore[no-untyped-def]  # a text file
        self._send("Generic Game Server\r\n: Enter login (yours, or one you'd like to use).")
        login = lines.readline().strip()
        self._send(": Enter your password.")
        if lines.readline().strip() != PASSWORD or login != US:
            self._send(": The password is not correct.")
            return False
        self.logins += 1
        self._send("READY")
        return True

    def _take(self, line: str) -> None:
        self.heard.append(line)
        if line.startswith("tell /os play "):
            self._play(*line.split()[3:5])
        elif line.startswith("tell /os accept "):
            self._begin()
        elif line.startswith("tell /os open 1"):
            self._ask()
        elif line == "tell /os continue" and self._stored:
            self._stored = False
            self._os("+ match .5 1720 alice 1720 extremum " + self.manners.kind + " U")
            for game in self.games.values():
                if not game.is_over:
                    self._board(game, "join")
                    self._answer(game)

    def _ask(self) -> None:
        if self.manners.babbles:
            self._send(f"\x07\x1b[1m{THEM}: hello there\r\nREADY\r\n.chat bob: anybody?\r\nREADY\r\n:-)\r\n|\r\nREADY")
        if self._has_asked or self._stored:
            return
        self._has_asked = True
        if not self.manners.asks:
            self._begin()
            return
        whom = "" if self.manners.public else f" 1720.0 {US}"
        request = f"  .8 1720.0 {THEM}    {self.manners.clock}       {self.manners.kind} U{whom}"
        self._os(f"+ {request}")
        self._request = request

    def _begin(self) -> None:
        kind = self.manners.kind
        self._os(f"+ match .5 1720 {THEM} 1720 {US} {kind} U")
        names = (".5.0", ".5.1") if kind.startswith("s") else (".5",)
        start = self._random_start() if "r" in kind else OTHELLO.start()
        for name, color in zip(names, (Color.WHITE, Color.BLACK), strict=False):
            self.games[name] = Game(name, color, start, start)
            self._board(self.games[name], "join")
        if self.manners.asks:
            self._os(f"- {self._request}")
        for game in self.games.values():
            self._answer(game)

    def _random_start(self) -> Position:
        discs = int(self.manners.kind.partition("r")[2].strip("abw"))
        position = OTHELLO.start()
        while (position.black | position.white).bit_count() < discs:
            position = position.play(self._rng.choice(position.legal_moves()))
        return position

    def _play(self, name: str, text: str) -> None:
        game = self.games.get(name)
        if game is None or game.is_over or game.position.side_to_move is not game.color:
            self.faults.append(f"{name} {text}: not your turn")
            self._os(f"error {name} not your turn")
            return
        if self.manners.refuses_first:
            self.manners.refuses_first = False
            self._os(f"error {name} illegal move")
            return
        point, _, seconds = text.split("/")
        move = read_vertex(point, OTHELLO)
        index = OTHELLO.pass_move if move is None else move
        if index not in game.position.legal_moves():
            self.faults.append(f"{name} {text}: illegal")
            self._os(f"error {name} illegal move")
            return
        game.seconds[game.color] -= float(seconds)
        if game.seconds[game.color] < 0:
            self.faults.append(f"{name}: time")
        self._advance(game, index, text)
        self._our_moves += 1
        if self._our_moves == self.manners.cuts_after:
            self._stored = True
            assert self._client is not None
            self._client.shutdown(socket.SHUT_RDWR)
            return
        self._answer(game)

    def _answer(self, game: Game) -> None:
        """Play the opponent's moves until it is the client's turn."""
        while not game.is_over and game.position.side_to_move is not game.color:
            move = self._rng.choice(game.position.legal_moves())
            game.seconds[game.color.opponent] -= 1.0
            self._advance(game, move, f"{_point(move)}//1.00")

    def _advance(self, game: Game, move: int | None, text: str) -> None:
        assert move is not None
        game.position = game.position.play(move)
        game.moves.append(text)
        self._board(game, "update")
        outcome = game.position.outcome()
        if outcome is None:
            return
        game.is_over = True
        if len(self.games) > 1:
            self._os(f"end {game.name} ( {THEM} vs. {US} ) {outcome.margin:+.2f}")
        if all(other.is_over for other in self.games.values()):
            self.results.append(self.manners.kind)
            self._os(f"- match .5 1720 {THEM} 1720 {US} {self.manners.kind} U +2.00")

    def _board(self, game: Game, what: str) -> None:
        lines = [f"{what} {game.name} {self.manners.kind} K?"]
        if what == "join":
            lines += [f"|{len(game.moves)} move(s)", *self._situation(game, game.start, "  0: PASS")]
        if what == "update" or game.moves:
            lines += [f"| {number:2}: {move}" for number, move in enumerate(game.moves[:-1], 1) if what == "join"]
            lines += self._situation(game, game.position, f"{len(game.moves):3}: {game.moves[-1]}")
        self._os("\r\n".join(lines), ready=not self.manners.omits_ready)

    def _situation(self, game: Game, position: Position, last: str) -> list[str]:
        letters, text = "|   A B C D E F G H", [f"|{last}"]
        for color, sign in ((Color.BLACK, "*"), (Color.WHITE, "O")):
            left = int(game.seconds[color])
            name = US if color is game.color else THEM
            text.append(f"|{name:8} (1720.0 {sign}) {left // 60:02}:{left % 60:02},0:0//02:00,0:0")
        rows = [" ".join(SIGNS[cell] for cell in row) for row in diagram(position)]
        text += ["|", letters, *(f"| {row} {cells} {row} " for row, cells in enumerate(rows, 1)), letters, "|"]
        if position.outcome() is None:
            text.append(f"|{'*' if position.side_to_move is Color.BLACK else 'O'} to move")
        return text

    def _os(self, text: str, *, ready: bool = True) -> None:
        if self.manners.babbles:
            self._send("|stray\r\n\x07ALERT\r\n/os: .5 A 1720 bob: nice | move\r\nREADY\r\n/td: who knows\r\nREADY")
        self._send(f"\r\n/os: {text}" + ("\r\nREADY" if ready else ""))

    def _send(self, text: str) -> None:
        assert self._client is not None
        data = f"{text}\r\n".encode()
        if not self.manners.splits:
            self._client.sendall(data)
            return
        while data:
            count = self._rng.randrange(1, 200)
            self._client.sendall(data[:count])
            data = data[count:]
            time.sleep(0.0002)


def _point(move: int) -> str:
    return "PA" if move == OTHELLO.pass_move else write_vertex(move, OTHELLO).lower()
