from __future__ import annotations

from collections.abc import Callable

import pytest

from extremum.protocol.command import Waiting
from extremum.protocol.connection import FAREWELL, PARTING, PATIENCE, QUIT_PATIENCE, Connection, Send, Urgency
from tests.doubles import FakeTime

Event = Callable[[Connection[str]], object]
URGENCIES = {"interrupt": Urgency.INTERRUPT, "stop": Urgency.STOP, "quit": Urgency.QUIT, "aside": Urgency.ASIDE}


class Searcher:
    """A dialect whose `search` goes through the events of a test and notes whether it is interrupted after each."""

    def __init__(self) -> None:
        self.closed = False
        self.events: list[Event] = []
        self.interrupted: list[bool] = []
        self.has_message: list[bool] = []
        self.idled_behind: list[str] = []
        self._last = ""
        self.connection: Connection[str] | None = None

    def urgency(self, message: str) -> Urgency:
        return URGENCIES.get(message, Urgency.NONE)

    def handle(self, message: str, send: Send[str], waiting: Waiting) -> None:
        self.tell = send
        send(message)
        self._last = message
        self.closed = message == "quit"
        for event in [lambda connection: None, *self.events] if message == "search" else []:
            assert self.connection is not None
            event(self.connection)
            self.interrupted.append(waiting.interrupted())
            self.has_message.append(waiting.has_message())

    def idle(self, waiting: Waiting) -> None:
        self.idled_behind.append(self._last)
        assert self.connection is not None
        self.connection.receive("quit")
        assert waiting.has_message()


class Scene:
    def __init__(self, *events: Event) -> None:
        self.now = FakeTime()
        self.sent: list[str] = []
        self.finished = 0
        self.dialect = Searcher()
        self.dialect.events = list(events)
        self.connection: Connection[str] = Connection(self.dialect, self.sent.append, self.finish, now=self.now)
        self.dialect.connection = self.connection

    def finish(self) -> None:
        self.finished += 1

    def run(self, *messages: str) -> None:
        for message in messages:
            self.connection.receive(message)
        self.connection.run()


def receive(message: str) -> Event:
    return lambda connection: connection.receive(message)


def end(connection: Connection[str]) -> None:
    connection.end()


def test_messages_are_answered_in_order_until_the_input_ends() -> None:
    scene = Scene()
    scene.connection.receive("one")
    scene.connection.receive("two")
    scene.connection.end()
    scene.connection.run()
    assert scene.sent == ["one", "two"]
    assert scene.finished == 1


def test_nothing_is_answered_after_quit() -> None:
    scene = Scene()
    scene.run("one", "quit", "two")
    assert scene.sent == ["one", "quit"]
    assert scene.finished == 1


class Pooled(Scene):
    """Answers when a test calls `work`, as the thread of a pool would."""

    def __init__(self, *events: Event) -> None:
        super().__init__(*events)
        self.connection = Connection(self.dialect, self.sent.append, self.finish, start=lambda work: None)
        self.dialect.connection = self.connection

    def run(self, *messages: str) -> None:
        for message in messages:
            self.connection.receive(message)
        self.connection.work()


def test_what_comes_right_behind_a_farewell_is_left_for_another_session() -> None:
    scene = Pooled()
    scene.run("one", "quit", "two", "aside", "three")
    assert scene.sent == ["one", "quit"]
    assert not scene.connection.receive("four")
    assert scene.connection.left_behind() == ["two", "aside", "three"]
    assert scene.connection.left_behind() == []
    assert scene.finished == 1


def test_nothing_is_left_for_another_session_by_who_has_hung_up() -> None:
    scene = Pooled(lambda connection: connection.hang_up())
    scene.run("search", "quit", "two")
    assert scene.connection.left_behind() == []


def test_an_interrupt_ends_the_search_under_way() -> None:
    scene = Scene(receive("other"), receive("interrupt"), end)
    scene.run("search", "quit")
    assert scene.dialect.interrupted == [False, False, True, True]


def test_an_interrupt_ends_a_search_that_was_asked_for_but_not_begun() -> None:
    scene = Scene()
    scene.run("search", "interrupt", "search", "quit")
    assert scene.dialect.interrupted == [True, False]


def test_stop_ends_the_search_that_it_comes_next_to() -> None:
    scene = Scene()
    scene.run("search", "stop", "search", "other", "stop", "quit")
    assert scene.dialect.interrupted == [True, False]


def test_any_message_and_the_end_are_seen_while_they_last() -> None:
    scene = Scene(receive(""), end)
    scene.run("search")
    assert scene.dialect.has_message == [False, True, True]


@pytest.mark.parametrize(("leave", "patience"), [(receive("quit"), QUIT_PATIENCE), (end, PATIENCE)])
def test_who_leaves_at_once_gets_a_full_search(leave: Event, patience: float) -> None:
    scene = Scene()
    scene.dialect.events = [lambda connection: scene.now.advance(patience), leave]
    scene.dialect.events.append(lambda connection: scene.now.advance(100))
    scene.run("search")
    assert scene.dialect.interrupted == [False, False, False, False]
    assert scene.connection.patience() is None


@pytest.mark.parametrize(("leave", "patience"), [(receive("quit"), QUIT_PATIENCE), (end, PATIENCE)])
def test_who_leaves_in_the_middle_ends_this_search_and_those_that_wait(leave: Event, patience: float) -> None:
    scene = Scene()
    scene.dialect.events = [lambda connection: scene.now.advance(patience + 0.1), leave]
    scene.run("search", "search", "quit")
    assert scene.dialect.interrupted == [False, False, True, True, True, True]
    assert scene.connection.patience() == pytest.approx(FAREWELL - patience - 0.1)
    assert scene.sent == ["search", "search", "quit"]


def test_who_leaves_while_nothing_goes_on_is_not_hurried() -> None:
    scene = Scene()
    scene.now.advance(100)
    scene.run("search", "quit")
    assert scene.dialect.interrupted == [False]


def test_nobody_is_answered_after_hanging_up() -> None:
    scene = Scene(lambda connection: connection.hang_up())
    scene.run("search", "one", "two")
    assert scene.dialect.interrupted == [False, True]
    assert scene.sent == ["search"]
    assert scene.finished == 1


def test_a_search_that_is_left_does_not_answer_late() -> None:
    scene = Scene(lambda connection: connection.hang_up(), lambda connection: scene.dialect.tell("late"))
    scene.run("search")
    assert scene.sent == ["search"]


def test_what_is_handled_is_logged_before_its_answer() -> None:
    said: list[str] = []
    dialect = Searcher()
    connection: Connection[str] = Connection(dialect, lambda text: said.append(f"= {text}"), log=said.append)
    connection.receive("one")
    connection.receive("two")
    connection.end()
    connection.run()
    assert said == ["one", "= one", "two", "= two"]


def test_what_has_nothing_to_do_with_a_search_does_not_wait_for_it() -> None:
    scene = Scene(lambda connection: connection.receive("next"), lambda connection: connection.receive("aside"))
    scene.run("search")
    assert scene.sent[:3] == ["search", "aside", "next"]
    assert scene.dialect.interrupted == [False] * 3
    assert not scene.connection.receive("aside")  # it is over


def test_at_the_end_of_the_process_a_search_answers_and_what_waits_is_refused() -> None:
    scene = Scene(lambda connection: connection.finish(lambda message: f"{message} refused"))
    for message in ("search", "one", "stop", "quit"):
        scene.connection.receive(message)
    scene.connection.run()
    assert scene.sent == ["search", "one refused", "stop refused", "quit refused"]
    assert scene.dialect.interrupted == [False, True]
    assert scene.connection.patience() == PARTING
    assert scene.finished == 1


def test_time_is_used_only_while_nothing_waits() -> None:
    scene = Scene()
    scene.run("name", "other")
    assert scene.dialect.idled_behind == ["other"]
    assert scene.sent == ["name", "other", "quit"]


def test_nothing_is_begun_after_the_end_of_input() -> None:
    scene = Scene()
    scene.connection.receive("name")
    scene.connection.end()
    scene.connection.run()
    assert scene.dialect.idled_behind == []
