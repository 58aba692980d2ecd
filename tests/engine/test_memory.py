from __future__ import annotations

from pathlib import Path

import pytest

from extremum.engine.brains import HUNGRY, make_brain
from extremum.engine.brains.sparing import SparingBrain
from extremum.engine.errors import EngineError
from extremum.engine.games.game import Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.memory import free_megabytes, no_more_than_free, refuse_too_much
from extremum.engine.options import Options
from extremum.engine.search.analysis import Choice, Reporter, ignore
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.session import Session
from extremum.protocol.gtp import Gtp
from tests.doubles import FakeWaiting, RecordingSend, SessionWith

MEGABYTE = 1 << 20
TOO_MUCH = 2**20  # megabytes, the most that the option takes


class Insatiable:
    """Always wants more than there is."""

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        raise MemoryError


def told(session: Session, *lines: str) -> list[str]:
    send, gtp = RecordingSend(), Gtp(session)
    for line in lines:
        gtp.handle(line.encode(), send, FakeWaiting())
    return send.text.split("\n\n")[:-1]


@pytest.mark.parametrize("brain", sorted(HUNGRY))
def test_memory_that_is_not_there_is_refused_in_a_line_and_the_game_goes_on(brain: str) -> None:
    session = Session(Options(seed=1, visits=10, evaluator="patterns"))
    session.set_brain(brain)
    session.set_size(6)
    _, refused = told(session, f"set_option memory {TOO_MUCH}", "genmove b")
    _, answered = told(session, "set_option memory 1", "genmove b")
    assert refused.startswith(f"? not enough memory: the option memory is {TOO_MUCH}, but only ")
    assert refused.endswith(" MB are free")
    assert answered.startswith("= ")


def test_an_allocation_that_fails_in_a_search_is_a_refusal(caplog: pytest.LogCaptureFixture) -> None:
    session = SessionWith(SparingBrain(Insatiable()))
    assert told(session, "genmove b") == ["? out of memory: set the option memory to less"]
    assert not session.moves
    told(session, "lz-analyze b")
    assert caplog.messages == ["lz-analyze: out of memory: set the option memory to less"]


def test_who_needs_no_memory_plays_with_any() -> None:
    brain = make_brain("random", Options(memory=TOO_MUCH))
    assert brain.choose(Gomoku(6).start(), Stopper(Limits())).move in range(36)


def system(root: Path, files: dict[str, str]) -> Path:
    """A folder that tells about a system as its root does."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


MACHINE = {"proc/meminfo": f"MemTotal: 9 kB\nMemAvailable: {1000 * 1024} kB\n"}


def test_a_machine_tells_what_is_free(tmp_path: Path) -> None:
    assert free_megabytes(system(tmp_path, MACHINE)) == 1000
    assert [no_more_than_free(wish, tmp_path) for wish in (800, 2000)] == [800, 900]
    refuse_too_much(900, tmp_path)
    with pytest.raises(EngineError, match=r"^not enough memory: the option memory is 901, but only 1000 MB are free$"):
        refuse_too_much(901, tmp_path)


def test_a_container_has_what_its_group_has_left(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/\n",
        "sys/fs/cgroup/memory.max": f"{500 * MEGABYTE}\n",
        "sys/fs/cgroup/memory.current": f"{300 * MEGABYTE}\n",
        "sys/fs/cgroup/memory.stat": f"anon 1\ninactive_file {50 * MEGABYTE}\n",
    }
    assert free_megabytes(system(tmp_path, MACHINE | files)) == 250


def test_the_narrowest_of_the_groups_around_a_process_counts(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "9:pids:/\n4:cpu,memory:/outer/inner\n",
        "sys/fs/cgroup/memory/outer/memory.limit_in_bytes": f"{400 * MEGABYTE}\n",
        "sys/fs/cgroup/memory/outer/memory.usage_in_bytes": f"{300 * MEGABYTE}\n",
        "sys/fs/cgroup/memory/outer/inner/memory.limit_in_bytes": f"{2**63 - 4096}\n",
        "sys/fs/cgroup/memory/outer/inner/memory.usage_in_bytes": "0\n",
    }
    assert free_megabytes(system(tmp_path, MACHINE | files)) == 100


def test_a_group_without_a_limit_limits_nothing(tmp_path: Path) -> None:
    files = {"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}
    assert free_megabytes(system(tmp_path, MACHINE | files)) == 1000


def test_where_nothing_is_told_the_machine_has_what_it_has(tmp_path: Path) -> None:
    free = free_megabytes(tmp_path)
    assert free is None or free > 100
