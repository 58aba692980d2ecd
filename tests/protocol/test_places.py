from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.search.stopper import never
from extremum.protocol.places import Places

SECONDS = 20.0


class Scene:
    """Two places, and searches that last until they are let go."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.places = Places(2)
        self.gates = [Event() for _ in range(5)]
        self.began: list[int] = []
        self._pool = pool

    def search(self, number: int) -> Future[None]:
        """Begin, and return when it has a place or waits for one."""
        before = self.places.num_taken + self.places.num_waiting
        future = self._pool.submit(self._run, number)
        while self.places.num_taken + self.places.num_waiting == before:
            assert not future.done()
        return future

    def _run(self, number: int) -> None:
        with self.places.taken(never):
            self.began.append(number)
            assert self.gates[number].wait(SECONDS)


def test_who_comes_first_has_the_next_place() -> None:
    with ThreadPoolExecutor(5) as pool:
        scene = Scene(pool)
        searches = [scene.search(number) for number in range(5)]
        assert (scene.places.num_taken, scene.places.num_waiting) == (2, 3)
        for number in (1, 0, 2, 3, 4):
            scene.gates[number].set()
            searches[number].result(SECONDS)
        assert sorted(scene.began[:2]) == [0, 1]
        assert scene.began[2:] == [2, 3, 4]
        assert (scene.places.num_taken, scene.places.num_waiting) == (0, 0)


def test_who_is_interrupted_needs_no_place() -> None:
    places = Places(1)
    with places.taken(never), places.taken(lambda: True):
        assert (places.num_taken, places.num_waiting) == (1, 0)
    assert places.num_taken == 0


def test_who_waits_at_the_end_is_refused() -> None:
    with ThreadPoolExecutor(5) as pool:
        scene = Scene(pool)
        first, second, third = (scene.search(number) for number in range(3))
        scene.places.close()
        with pytest.raises(EngineError, match="the server is stopping"):
            third.result(SECONDS)
        for gate in scene.gates:
            gate.set()
        first.result(SECONDS)
        second.result(SECONDS)
