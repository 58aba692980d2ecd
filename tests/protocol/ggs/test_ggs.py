from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from extremum.engine.session import Session
from extremum.frontends.ggs import main
from extremum.protocol.ggs.bot import SILENCE, TALK, Account, Bot, LoginError
from extremum.protocol.ggs.messages import Gatherer, Message
from extremum.protocol.ggs.parse import Kind, read_board, read_kind, read_match, read_request
from extremum.protocol.ggs.player import set_up, usable
from tests.doubles import FakeTime
from tests.protocol.engine import ENGINE
from tests.protocol.ggs.fake_server import PASSWORD, THEM, US, FakeServer, Manners

LOG = Path(__file__).parent.parent.parent / "transcripts" / "ggs" / "session.txt"


@pytest.fixture
def password(tmp_path: Path) -> str:
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n")
    return str(file)


@pytest.fixture
def servers() -> Iterator[list[FakeServer]]:
    servers: list[FakeServer] = []
    yield servers
    for server in servers:
        server.close()


def play(servers: list[FakeServer], password: str, manners: Manners, *words: str) -> FakeServer:
    """A whole match with the real client over a real socket."""
    server = FakeServer(manners)
    servers.append(server)
    where = ["--host", "127.0.0.1", "--port", str(server.port), "--login", US, "--password-file", password]
    statuses: list[int] = []
    wanted = [*where, "--count", "1", *(words or ("--brain", "random"))]
    client = Thread(target=lambda: statuses.append(main(wanted)), daemon=True)
    client.start()
    client.join(60)
    assert statuses == [0], f"{server.heard[-5:]} {server.faults}"
    assert server.results == [manners.kind]
    assert server.faults == []
    assert all(game.is_over for game in server.games.values())
    return server


@pytest.mark.parametrize("kind", ["8", "8a", "s8", "s8r14", "s8r20"])
def test_a_match_is_accepted_and_played_to_its_end(servers: list[FakeServer], password: str, kind: str) -> None:
    server = play(servers, password, Manners(kind=kind))
    assert len(server.games) == (2 if kind.startswith("s") else 1)
    assert "tell /os accept .8" in server.heard
    assert server.heard[:5] == [
        "vt100 -",
        "bell -t -tc -tg -n -nc -ng -ni -nn",
        "verbose -news -faq -help -ack",
        "notify + /os",
        "mso",
    ]
    settings = ["trust +", "rated +", "request +", "client -", "open 1", "continue"]
    assert server.heard[5:11] == [f"tell /os {setting}" for setting in settings]
    assert "tell /os open 0" in server.heard


def test_both_games_of_a_synchro_match_are_played_at_once(servers: list[FakeServer], password: str) -> None:
    server = play(servers, password, Manners(kind="s8r16"))
    plays = [line.split()[3] for line in server.heard if line.startswith("tell /os play")]
    assert plays[:6].count(".5.0") in range(1, 6)


@pytest.mark.slow
def test_a_real_brain_plays_a_real_match(servers: list[FakeServer], password: str) -> None:
    play(servers, password, Manners(clock="00:40//02:00"), "--brain", "alphabeta", "--option", "depth=3")


@pytest.mark.slow
@pytest.mark.parametrize(
    "manners",
    [
        Manners(kind="s8r14", splits=True, babbles=True),
        Manners(omits_ready=True),
        Manners(kind="s8r18", asks=False),
        Manners(public=True),
        Manners(refuses_first=True),
    ],
    ids=["split and babbling", "without READY", "by itself", "to everybody", "refusing once"],
)
def test_a_server_may_have_bad_manners(servers: list[FakeServer], password: str, manners: Manners) -> None:
    server = play(servers, password, manners)
    if manners.babbles:
        told = [line for line in server.heard if line.startswith(f"tell {THEM} ")]
        assert len(told) == 1
        assert f"ask s8r16 5:00 {US}" in told[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["8", "s8r16"])
def test_a_match_that_was_cut_off_is_resumed_in_the_middle(servers: list[FakeServer], password: str, kind: str) -> None:
    server = play(servers, password, Manners(kind=kind, cuts_after=5))
    assert server.logins == 2


def test_a_wrong_password_ends_it(servers: list[FakeServer], tmp_path: Path) -> None:
    server = FakeServer()
    servers.append(server)
    file = tmp_path / "password"
    file.write_text("wrong\n")
    where = ["--host", "127.0.0.1", "--port", str(server.port), "--login", US, "--password-file", str(file)]
    done = subprocess.run([*ENGINE, "ggs", *where], capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert done.stderr.startswith(f"extremum: the server refuses '{US}': The password")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--login", US], "there is no password: give --password-file, or set GGS_PASSWORD"),
        (["--login", US, "--password-file", "missing"], "--password-file missing: No such file or directory"),
    ],
)
def test_a_missing_password_is_told(words: list[str], complaint: str) -> None:
    done = subprocess.run([*ENGINE, "ggs", *words], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (2, f"extremum: {complaint}\n")


class Talk:
    """A bot that is logged in, and what it says."""

    def __init__(self) -> None:
        self.now = FakeTime()
        self.said: list[str] = []
        self.bot = Bot(Account(US, PASSWORD), self.said.append, Session, now=self.now)
        for line in (": Enter login (yours).", ": Enter your password.", "READY"):
            self.bot.receive(line)
        assert self.said[:2] == [US, PASSWORD]
        self.said.clear()

    def hear(self, *lines: str) -> list[str]:
        self.said.clear()
        for line in (*lines, "READY"):
            self.bot.receive(line)
        return list(self.said)


@pytest.mark.parametrize(
    ("request_", "answers"),
    [
        (".8 1720.0 alice 01:00//02:00 8b U 1720.0 extremum", ["tell /os accept .8"]),
        (".8 1720.0 alice 15:00//02:00 s8r16 R 1720.0 extremum", ["tell /os accept .8"]),
        (".8 1720.0 alice 15:00//02:00 S8R20 R 1720.0 extremum", ["tell /os accept .8"]),
        (".8 1720.0 alice 05:00//02:00 8 S 1720.0 extremum .s1", ["tell /os accept .8"]),
        (".8 1720.0 alice 05:00//02:00 8 U", ["tell /os accept .8"]),
        (".8 1720.0 alice 05:00//02:00 8 U 1700.0 bob", []),
        (".8 1720.0 extremum 05:00//02:00 8 U 1700.0 bob", []),
        (".8 1720.0 alice 05:00//02:00 10 U", []),
        (".8 1720.0 alice 05:00//02:00 10 U 1720.0 extremum", ["I play on 8x8 only"]),
        (".8 1720.0 alice 05:00//02:00 8k U 1720.0 extremum", ["I play without komi"]),
        (".8 1720.0 alice 05:00//02:00 s8r30 U 1720.0 extremum", ["random starts from s8r14 to s8r20 only"]),
        (".8 1720.0 alice 00:10//02:00 8 U 1720.0 extremum", ["I need 30 seconds a game"]),
        (".8 1720.0 alice 05:00//02:00 8 U 1720.0 extremum 00:05//02:00", ["I need 30 seconds a game"]),
        (".8 1720.0 alice 2:00:00//02:00 8 U 1720.0 extremum", ["no more than 60 minutes a game, please"]),
        ("nonsense", []),
        (".8", []),
    ],
)
def test_challenges_are_taken_by_rule(request_: str, answers: list[str]) -> None:
    expected = answers
    if answers and not answers[0].startswith("tell"):
        expected = ["tell /os decline .8", f"tell alice sorry, {answers[0]}"]
    assert Talk().hear(f"/os: +   {request_}") == expected


def test_who_has_accepted_waits_for_the_match() -> None:
    talk = Talk()
    request = "1720.0 alice 05:00//02:00 8 U 1720.0 extremum"
    assert talk.hear(f"/os: + .8 {request}") == ["tell /os accept .8"]
    assert talk.hear(f"/os: + .9 {request}")[0] == "tell /os decline .9"
    assert talk.hear(f"/os: - .8 {request}") == []
    assert talk.hear(f"/os: + .10 {request}") == ["tell /os accept .10"]


def test_a_tell_is_answered_but_not_for_ever() -> None:
    talk = Talk()
    assert "s8r14 to s8r20" in talk.hear("bob: hello")[0]
    assert talk.hear("bob: and?") == []
    assert talk.hear(".chat bob: all of you", f"{US}: myself", "/td: tournament") == []
    talk.now.advance(TALK)
    assert len(talk.hear("bob: again")) == 1


def test_silence_keeps_the_connection_alive_and_ends_it_at_last() -> None:
    talk = Talk()
    talk.said.clear()
    talk.now.advance(121)
    talk.bot.tick()
    assert talk.said == ["tell /os match"]
    talk.now.advance(SILENCE)
    with pytest.raises(ConnectionError):
        talk.bot.tick()


def test_a_refused_login_is_an_error() -> None:
    bot = Bot(Account(US, "x"), lambda line: None, Session)
    bot.receive(": Enter your password.")
    with pytest.raises(LoginError, match="no such user"):
        bot.receive(": no such user")


def test_the_service_that_comes_back_is_told_the_settings_again() -> None:
    assert Talk().hear(": + /os 1")[:2] == ["tell /os trust +", "tell /os rated +"]


def messages() -> list[Message]:
    gatherer = Gatherer()
    found = [message for line in LOG.read_text().split("\n") for message in gatherer.feed(line)]
    return found + gatherer.rest()


def test_a_session_of_the_real_server_is_read() -> None:
    service = [message for message in messages() if message.sender == "/os"]
    request = read_request(service[0].text.removeprefix("+"))
    assert request is not None
    assert (request.identity, request.challenger, request.challenged) == (".8", "alice", "bob")
    assert (request.clock, request.kind) == ((60.0, 0.0, 120.0), Kind(8))
    assert read_match(service[1].text.removeprefix("+ ")) == (".5", ["alice", "bob"])
    join = read_board(service[2].text, service[2].body)
    assert join is not None
    assert (join.color_of("alice"), join.color_of("bob"), join.color_of("x")) == (0, 1, None)
    assert (join.clocks[join.side_to_move or 0].main, sum(cell is not None for cell in join.cells)) == (59.0, 4)  # type: ignore[index]  # black is 0
    updates = [read_board(message.text, message.body) for message in service if message.text.startswith("update")]
    assert [sum(cell is not None for cell in board.cells) for board in updates if board] == [5, 6]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("8", Kind(8)),
        ("8b", Kind(8)),
        ("8a", Kind(8, is_anti=True)),
        ("s8r16", Kind(8, is_synchro=True, random_discs=16)),
        ("s8r14a", Kind(8, is_synchro=True, random_discs=14, is_anti=True)),
        ("10k", Kind(10, has_komi=True)),
        ("x8", None),
        ("", None),
    ],
)
def test_types_of_matches_are_read(text: str, kind: Kind | None) -> None:
    assert read_kind(text) == kind


def test_anti_is_our_weakest_mode_and_the_clock_is_the_servers() -> None:
    session = Session()
    text = "\n".join(messages_of_join().split("\n")[1:])
    for kind, mode in (("8a", "weakest"), ("8", "strongest")):
        board = read_board(f"join .5 {kind} K?", tuple(text.split("\n")))
        assert board is not None
        assert board.side_to_move is not None
        set_up(session, board, board.side_to_move)
        assert session.mode == mode
        assert session.position == session.game.start()
        assert session.clock.control is not None
        assert session.clock.control.main == 57.0


def messages_of_join() -> str:
    join = next(message for message in messages() if message.text.startswith("join"))
    return "\n".join([join.text, *join.body])


@pytest.mark.parametrize(
    ("main", "extension", "seconds"),
    [(300, 120, 290), (30, 120, 28), (5, 120, 4.5), (0, 120, 30), (-60, 120, 15), (-130, 120, 0)],
)
def test_time_is_kept_back_and_the_extension_is_for_ending(main: float, extension: float, seconds: float) -> None:
    assert usable(main, extension) == seconds
