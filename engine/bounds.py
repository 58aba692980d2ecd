"""What a session may use of the machine it runs on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .errors import EngineError
from .nets.manifest import SHIPPED, SUFFIXES, read_manifest
from .options import Options
from .search.stopper import Limits


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that a client may ask for; None is no limit."""

    seconds: float | None = None  # of a search
    memory: int | None = None  # megabytes for the hash table or the tree
    is_guest: bool = False  # no files of this machine, no more threads than it was given, and no pondering
    may_ponder: bool = False  # a guest with a process of its own may, as long as a search may take

    def options(self) -> Options:
        """What a session begins with."""
        return self.within(Options())

    def within(self, options: Options) -> Options:
        """The same options, with no more than is allowed."""
        memory = options.memory if self.memory is None else min(options.memory, self.memory)
        movetime = options.movetime if self.seconds is None else min(options.movetime, self.seconds)
        return replace(options, memory=memory, movetime=movetime, threads=self._threads(options, 1))

    def admit(self, options: Options, before: Options) -> Options:
        """The same options; EngineError when a change from those before is too much."""
        options = replace(options, threads=self._threads(options, before.threads))
        if self.is_guest and options.threads > before.threads == 0:
            raise EngineError("threads cannot be set on this server")
        threads = before.threads if self.is_guest else None
        for name, most in (("memory", self.memory), ("movetime", self.seconds), ("threads", threads)):
            value = getattr(options, name)
            if most is not None and value > most:
                raise EngineError(f"unacceptable {name}: {value:g} is more than {most:g}, the most on this server")
        if self.is_guest and not self.may_ponder and options.ponder and not before.ponder:
            raise EngineError("pondering is off on this server")
        if self.is_guest and options.weights != before.weights and options.weights not in _shipped():
            raise EngineError(f"unknown weights '{options.weights}': one of {', '.join(sorted(_shipped()))}")
        return options

    def _threads(self, options: Options, given: int) -> int:
        """A guest who leaves it to the engine has what it was given."""
        return given if self.is_guest and options.threads == 0 else options.threads

    def refuse_files(self) -> None:
        """EngineError for guests."""
        if self.is_guest:
            raise EngineError("files are off for clients of a server")

    def ending(self, interrupted: Callable[[], bool], now: Callable[[], float]) -> Callable[[], bool]:
        """As `interrupted`, and true once a search that begins now has taken all the time that it may."""
        if self.seconds is None:
            return interrupted
        end = now() + self.seconds
        return lambda: interrupted() or now() >= end

    def limits(self, limits: Limits) -> Limits:
        """No more time than is allowed."""
        if self.seconds is None:
            return limits
        seconds = self.seconds if limits.seconds is None else min(limits.seconds, self.seconds)
        return replace(limits, seconds=seconds, most=limits.most and min(limits.most, self.seconds))


def _shipped() -> set[str]:
    """The names of the weights that came with the engine."""
    names = {"auto"}
    for entry in read_manifest(SHIPPED) if SHIPPED.exists() else []:
        names |= {entry.path.name, entry.path.name.removesuffix(SUFFIXES[entry.kind])}
    return names
