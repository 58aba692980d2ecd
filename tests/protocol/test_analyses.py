from __future__ import annotations

import threading
from typing import Any

import pytest

from extremum.engine.errors import EngineError, UsageError
from extremum.engine.games.game import Position
from extremum.engine.search.analysis import Choice, Reporter, ignore
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.session import Session
from extremum.protocol.analyses import Analyses
from extremum.protocol.command import Answer
from extremum.protocol.query import Query, read_query
from tests.doubles import SessionWith, analysis_of

SECONDS = 20.0


class GatedBrain:
    """Waits until it is let go, or stopped."""

    def __init__(self, gate: threading.Event, entrance: threading.Event) -> None:
        self._gate = gate
        self._entrance = entrance

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        self._entrance.set()
        while not self._gate.wait(0.001) and not stopper.should_stop(0):
            pass
        return Choice(position.legal_moves()[0], analysis_of(position, position.legal_moves()[0], 1))


class Scene:
    """Analyses by one thread, whose answers are kept in the order they come."""

    def __init__(self, most: int = 100) -> None:
        self.gate = threading.Event()
        self.entrance = threading.Event()
        self.entered = 0
        self.answers: list[tuple[str, Answer]] = []
        self._changed = threading.Condition()
        self.analyses = Analyses(self._begin, workers=1, most=most, enter=self._enter)

    def ask(self, client: str, key: Any = None, query: Query | None = None) -> None:
        name = f"{client}{key}"
        self.analyses.ask(
            client, key, query or Query(limits=Limits(seconds=SECONDS)), lambda told: self._keep(name, told)
        )

    def wait(self, count: int) -> list[str]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.answers) >= count, SECONDS)
            return [name for name, _ in self.answers]

    def _begin(self) -> Session:
        return SessionWith(GatedBrain(self.gate, self.entrance))

    def _enter(self) -> None:
        self.entered += 1

    def _keep(self, name: str, answer: Answer) -> None:
        with self._changed:
            self.answers.append((name, answer))
            self._changed.notify_all()


def test_clients_take_turns_however_much_each_asks_for() -> None:
    scene = Scene()
    for key in range(4):
        scene.ask("a", key)
    scene.ask("b", 0)
    scene.ask("c", 0)
    scene.gate.set()
    names = scene.wait(6)
    assert names.index("b0") <= 2
    assert names.index("c0") <= 3
    assert [name for name in names if name[0] == "a"] == ["a0", "a1", "a2", "a3"]
    assert scene.entered == 1


def test_what_is_cancelled_is_refused_waiting_or_under_way() -> None:
    scene = Scene()
    scene.ask("a", 1)
    scene.ask("a", 2)
    scene.analyses.cancel("a", 2)
    assert scene.wait(1) == ["a2"]
    scene.analyses.cancel("a", 1)
    assert [name for name, _ in scene.answers] == ["a2", "a1"]  # not when the search has ended
    assert {answer for _, answer in scene.answers} == {Answer(False, "cancelled")}
    with pytest.raises(EngineError, match="unknown id 1"):
        scene.analyses.cancel("a", 1)


def test_an_id_is_free_again_when_it_was_cancelled_under_way() -> None:
    scene = Scene()
    scene.ask("a", 1)
    assert scene.entrance.wait(SECONDS)
    scene.analyses.cancel("a", 1)
    scene.ask("a", 1)
    scene.gate.set()
    scene.wait(2)
    assert [answer.accepted for _, answer in scene.answers] == [False, True]


def test_everything_is_refused_when_the_process_ends() -> None:
    scene = Scene()
    for client in "ab":
        for key in range(3):
            scene.ask(client, key)
    scene.analyses.close()
    assert len(scene.answers) == 6
    assert {answer for _, answer in scene.answers} == {Answer(False, "the server is stopping")}
    assert scene.analyses.is_idle


def test_an_id_is_used_once_at_a_time_and_there_is_a_most() -> None:
    scene = Scene(most=2)
    scene.ask("a", 1)
    with pytest.raises(EngineError, match="the id 1 is in use"):
        scene.ask("a", 1)
    scene.ask("a", 2)
    with pytest.raises(EngineError, match="too many analyses: at most 2 at a time"):
        scene.ask("a", 3)
    scene.ask("b", 1)
    scene.gate.set()
    scene.wait(3)
    scene.ask("a", 1)
    scene.wait(4)


def test_a_client_who_is_gone_gets_nothing_and_holds_nobody_up() -> None:
    scene = Scene()
    scene.ask("a", 1)
    scene.ask("a", 2)
    scene.ask("b", 1)
    scene.analyses.drop("a")
    scene.gate.set()
    assert scene.wait(1) == ["b1"]
    assert scene.analyses.num_waiting == 0


def test_a_refused_query_leaves_nothing_for_the_next() -> None:
    scene = Scene()
    scene.gate.set()
    scene.ask("a", 1, Query(size=99))
    scene.ask("a", 2, Query(size=9, moves=((None, "Z9"),)))
    scene.ask("a", 3, Query(size=9, moves=((None, "A9"), ("b", "B9"))))
    scene.wait(3)
    refused, invalid, (_, answer) = scene.answers
    assert refused[1].text.startswith("unacceptable size: 99")
    assert invalid[1].text.startswith("invalid vertex 'Z9'")
    assert answer.value["side_to_move"] == "white"
    assert answer.value["move"] == "C9"


def test_a_search_ends_at_its_limits() -> None:
    scene = Scene()
    scene.ask("a", 1, Query(limits=Limits(seconds=0.01)))
    scene.wait(1)
    assert scene.answers[0][1].accepted


def test_a_query_is_read_from_a_map() -> None:
    query = read_query({"game": "Gomoku renju", "size": 15, "moves": ["H8", ["w", "J9"]], "limits": {"visits": 9}})
    assert query == Query(("gomoku", "renju"), 15, None, None, ((None, "H8"), ("w", "J9")), Limits(visits=9))


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        ({"game": 5}, "syntax error: game is a text"),
        ({"game": ""}, "syntax error: '' is no game"),
        ({"game": "gomoku renju five"}, "syntax error: 'gomoku renju five' is no game"),
        ({"game": "gomoku freestyle " + "9" * 5000}, "syntax error: 'gomoku freestyle 9+' is no game"),
        ({"size": "15"}, "syntax error: size is a number from 1"),
        ({"size": True}, "syntax error: size is a number from 1"),
        ({"moves": [5]}, "syntax error: a move is a vertex, or a list of color and vertex"),
        ({"moves": [["b"]]}, "syntax error: a move is a vertex"),
        ({"limits": {}}, "syntax error: limits are a map with seconds, visits, depth"),
        ({"limits": {"seconds": 0}}, "syntax error: seconds are more than 0"),
        ({"limits": {"seconds": float("nan")}}, "syntax error: seconds are more than 0"),
        ({"limits": {"depth": 1.5}}, "syntax error: depth is a number from 1"),
        ({"limits": {"depth": 401}}, "syntax error: depth is a number from 1 to 400"),
        ({"limits": {"visits": 2**64 - 1}}, "syntax error: visits is a number from 1 to 1000000000000"),
        ({5: 1}, "unknown key '5'"),
    ],
)
def test_a_query_that_cannot_be_read_is_refused(found: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read_query(found)
