"""One client's game, clock, mode and brain."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from .bounds import Bounds
from .brains import AUTO, USUALLY_BEST, make_brain, refuse_unknown, resolve
from .brains.brain import Brain
from .brains.certificate import mirror_reply
from .brains.hasty import hasty_move
from .brains.level import LevelBrain, has_dial, limits_at, unsearched
from .clock import Clock
from .errors import EngineError
from .games import make_game
from .games.game import Color, Game, Move, Outcome, Position
from .games.misere import misere
from .history import History, Played, after, turned
from .options import Options
from .preparation import Readiness, Wish
from .search.analysis import Choice, Reporter, ignore
from .search.stopper import Limits, Stopper, never

if TYPE_CHECKING:
    from .search.opened import Evaluators

LONGEST_PONDERING = 60.0  # seconds
HASTE = 0.03  # seconds that a move without a search takes, under load
MODES = ("strongest", "weakest")
Interrupted = Callable[[], bool]


class Session:
    """Plays one game at a time; a refused call leaves it as it was."""

    def __init__(
        self,
        options: Options | None = None,
        now: Callable[[], float] = time.monotonic,
        bounds: Bounds | None = None,
        evaluators: Evaluators | None = None,
    ) -> None:
        """Its brain opens evaluators of its own unless it is given some to share."""
        self.bounds = bounds or Bounds()
        self.options = options or self.bounds.options()
        self._evaluators = evaluators
        self.clock = Clock(now)
        self.komi = 0.0
        self.level = 100
        self.brain_name = AUTO
        self._now = now
        self._rng = random.Random(self.options.seed or None)
        self.readiness = Readiness(evaluators)
        self.barred: frozenset[Move] = frozenset()  # moves that are not chosen while there are others
        self._in_a_row: int | None = None  # as the client wished; None follows the size
        self._restart(make_game("gomoku").start())

    @property
    def game(self) -> Game:
        """The rules in force."""
        return self.position.game

    @property
    def start(self) -> Position:
        """Where the game began."""
        return self._history.start

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._history.position

    @property
    def moves(self) -> Sequence[Played]:
        """The moves that led from the start to the position."""
        return self._history.moves

    @property
    def mode(self) -> str:
        """The pole that the level is nearer to."""
        return MODES[0] if self.level >= 50 else MODES[1]

    @property
    def brain_at_work(self) -> str:
        """The brain that the name stands for in this game and mode; only one of them can leave moves out."""
        name = USUALLY_BEST if self.barred else self.brain_name
        return resolve(name, self.game, self._objective, self.options.device, self.options.weights)

    def set_game(self, name: str, rule: str | None = None, in_a_row: int | None = None) -> None:
        """Change the game or its rule and clear the board; the size stays within one game."""
        size = self.game.size if name == self.game.name else None
        self._restart(make_game(name, size, rule, in_a_row).start())
        self._in_a_row = in_a_row
        self.readiness = self.readiness.renewed()

    def set_size(self, size: int) -> None:
        """Change the board's size and clear it."""
        self._restart(make_game(self.game.name, size, self.game.rule, self._in_a_row).start())

    def clear(self) -> None:
        """Begin the game anew."""
        self._restart(self.game.start())

    def set_mode(self, mode: str) -> None:
        """Go to one pole of the level."""
        if mode not in MODES:
            raise EngineError(f"unknown mode '{mode}': one of {', '.join(MODES)}")
        self.set_level(100 if mode == MODES[0] else 0)

    def set_level(self, level: int) -> None:
        """0 is weakest, 50 random, 100 strongest."""
        if not 0 <= level <= 100:
            raise EngineError(f"unacceptable level: {level} is not in 0..100")
        if (level < 50) != (self.level < 50):
            self.readiness = self.readiness.renewed()
        self.level = level

    def set_brain(self, name: str) -> None:
        """Change who chooses the moves."""
        refuse_unknown(name)
        self.brain_name = name
        self.readiness = self.readiness.renewed()

    def set_option(self, name: str, text: str) -> None:
        """Change an option."""
        self.options = self.bounds.admit(self.options.changed(name, text), self.options)
        self._rng = random.Random(self.options.seed or None)
        self.readiness = self.readiness.renewed()

    def setup(self, black: Iterable[Move], white: Iterable[Move]) -> None:
        """Begin the game with these stones and no history."""
        stones = [sum(1 << move for move in set(moves)) for moves in (black, white)]
        self._restart(self.game.setup(stones[0], stones[1], Color.BLACK))

    def setup_player(self, color: Color) -> None:
        """Give the turn to a side."""
        self._history.turn(color)

    def play(self, color: Color, move: Move | None) -> None:
        """Play a move; None is a pass, which also a finished game takes."""
        self._history.add(after(self.position, color, move), Played(color, move))

    def play_sequence(self, moves: Iterable[tuple[Color, Move | None]]) -> None:
        """Play all of the moves, or none."""
        position, added = self.position, []
        for color, move in moves:
            position = after(position, color, move)
            added.append((position, Played(color, move)))
        for position, played in added:
            self._history.add(position, played)

    def undo(self, count: int = 1) -> None:
        """Take back moves."""
        self._history.take_back(count)

    def prepare(self, interrupted: Interrupted = never) -> None:
        """Load what the next search needs if it will be timed: better now than while the clock runs."""
        if self.clock.control is not None:
            self.be_ready(None, interrupted)

    @property
    def is_ready(self) -> bool:
        """True when the next search has nothing to load."""
        return self.readiness.has(self._wish())

    def be_ready(self, seconds: float | None, interrupted: Interrupted = never) -> bool:
        """Have the brain for the next search made ready in the background; False when that is not waited for."""
        with suppress(EngineError):  # whoever asks for a move will be told
            return self._within(seconds, interrupted) is not None
        return True  # there is nothing to wait for

    def close(self) -> None:
        """End: what is still being loaded is of no use to anybody."""
        self.readiness.abandon()

    def idle(self, interrupted: Interrupted) -> None:
        """Use the opponent's time: be ready, and think about our last move's position if that is wished."""
        self.prepare(interrupted)
        is_ours = bool(self.moves) and self.moves[-1].analysis is not None
        if not (self.options.ponder and is_ours and self.level in (0, 100)) or self.outcome() is not None:
            return
        stopper = Stopper(self.bounds.limits(Limits(seconds=LONGEST_PONDERING)), interrupted, self._now)
        if self.be_ready(None, interrupted):
            self._at_work().choose(self._as_played(self.position), stopper)

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.position.outcome()

    def genmove(
        self,
        color: Color,
        interrupted: Interrupted = never,
        report: Reporter = ignore,
        asked: float | None = None,
    ) -> Move | None:
        """Choose a move and play it; None is a pass. The clock runs since the move was asked for, if that is told.

        Who is interrupted before the brain is loaded gets a hasty move.
        """
        self.clock.start(asked)
        position = turned(self.position, color)
        if position.outcome() is not None:
            self.play(color, None)
            return None
        choice = self._choose(position, self._limits(position), interrupted, report)
        played = Played(color, self._pass_is_none(choice.move), self.clock.stop(color), choice.analysis)
        self._history.add(position.play(choice.move), played)
        return played.move

    def suggest(self, color: Color, interrupted: Interrupted = never, report: Reporter = ignore) -> Move | None:
        """Choose a move without playing it: a fresh brain, a fixed seed and one thread, so that the answer repeats."""
        self.clock.start()
        position = turned(self.position, color)
        if position.outcome() is not None:
            return None
        options, limits = replace(self.options, seed=self.options.seed or 1, threads=1), self._limits(position)
        readiness, patience = Readiness(self._evaluators), self._patience(limits)
        if (brain := readiness.within(replace(self._wish(), options=options), patience, interrupted)) is None:
            readiness.abandon()
            return self._pass_is_none(hasty_move(self._as_played(position)))
        if patience is None:  # anew: that one has searched already
            brain = make_brain(self.brain_at_work, options, self._evaluators)
        choice = brain.choose(self._as_played(position), self._stopper(limits, interrupted), report)
        return self._pass_is_none(choice.move)

    def analyze(
        self, color: Color, interrupted: Interrupted, report: Reporter, limits: Limits | None = None
    ) -> Choice | None:
        """Search without a clock, once the brain is ready, until interrupted or within limits; None after the end."""
        position = turned(self.position, color)
        if position.outcome() is not None:
            return None
        limits = self.bounds.limits(limits or replace(self._limits(position), seconds=None, most=None))
        return self._at_work().choose(self._as_played(position), Stopper(limits, interrupted, self._now), report)

    @property
    def _objective(self) -> int:
        return 1 if self.level >= 50 else -1

    def _restart(self, position: Position) -> None:
        self._history = History(position)
        self.clock.reset()

    def _pass_is_none(self, move: Move) -> Move | None:
        return None if move == self.game.pass_move else move

    def _limits(self, position: Position) -> Limits:
        options = self.options
        planned = self.clock.budget(position, options.lag)
        seconds, most = (options.movetime, None) if planned is None else (planned.seconds, planned.most)
        return Limits(seconds, options.visits or None, options.depth or None, most, self.barred)

    def _as_played(self, position: Position) -> Position:
        return position if self._objective == 1 else misere(position)

    def _at_work(self) -> Brain:
        brain = self._within(None)
        assert brain is not None
        return brain

    def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain | None:
        """The brain, made ready for this game; None when it is not ready so soon, or before an interruption."""
        return self.readiness.within(self._wish(), seconds, interrupted)

    def _wish(self) -> Wish:
        return Wish(self.brain_at_work, self.options, self._as_played(self.game.start()).game)

    def _patience(self, limits: Limits) -> float | None:
        """Seconds that a brain may take to be ready, before the clock has run out; None where none runs."""
        if self.clock.control is None or limits.seconds is None:
            return None
        return max(0.0, limits.seconds - (self._now() - self.clock.started) - HASTE)

    def _choose(self, position: Position, limits: Limits, interrupted: Interrupted, report: Reporter) -> Choice:
        moves = position.legal_moves()
        if len(moves) == 1:
            return unsearched(moves[0])
        if self.level == 0 and self.options.certified and (reply := mirror_reply(position)) is not None:
            return unsearched(reply)
        brain = self._within(self._patience(limits), interrupted)
        if brain is None:
            return unsearched(hasty_move(self._as_played(position)))
        if has_dial(self.level, self.brain_at_work):
            brain = LevelBrain(self.level, brain, self._rng)
            limits = limits_at(self.level, self.brain_at_work, limits, is_timed=self.clock.control is not None)
        return brain.choose(self._as_played(position), self._stopper(limits, interrupted), report)

    def _stopper(self, limits: Limits, interrupted: Interrupted) -> Stopper:
        """On a clock the time runs since the command came, otherwise since the brain is ready."""
        if limits.seconds is None:  # shared out by visits alone; what bounds it is no part of its plan
            return Stopper(limits, self.bounds.ending(interrupted, self._now), self._now)
        start = None if self.clock.control is None else self.clock.started
        return Stopper(self.bounds.limits(limits), interrupted, self._now, start)
