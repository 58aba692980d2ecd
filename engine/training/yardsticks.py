"""Matches with opponents that do not change: how strong a run has become, with error bars. Nothing depends on them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ..brains import make_brain
from ..evaluators.evaluator import Evaluator
from ..games.game import Color, Game, Position
from ..options import Options
from ..search.stopper import Limits, Stopper
from .checkpoint import Counters
from .opponents import MEMORY, VISITS, Player, fixed_opponents, kept_player, net_player
from .progress import Beat, no_beat
from .results import Result
from .run import Run

BEATEN = 0.9  # the score from which the rollouts are doubled
OPENING_PLIES = {"gomoku": 4, "othello": 6}
NEAR = 2  # how far a stone of a Gomoku opening is from another
EVEN = 0.35  # the value that an opening may have at most, as alpha-beta sees it
JUDGE_DEPTH, TRIES = 4, 50


def play_match(
    one: Player, other: Player, openings: list[Position], should_stop: Callable[[], bool], beat: Beat = no_beat
) -> Result | None:
    """Each opening twice, with colors changed; None when it was stopped before the first pair was over."""
    values: list[int] = []

    def tell() -> None:
        beat(lambda: f"{one.name} against {other.name}: {len(values)} of {2 * len(openings)} games")

    for opening in openings:
        if should_stop():
            break
        values.append(_play(opening, one, other, tell))
        values.append(-_play(opening, other, one, tell))
    if not values:
        return None
    return Result(values.count(1), values.count(0), values.count(-1))


def make_openings(game: Game, count: int, seed: int, beat: Beat = no_beat) -> list[Position]:
    """Random openings that alpha-beta finds about even, the same for the same seed."""
    rng = random.Random(seed)
    options = Options(seed=max(1, seed), memory=MEMORY)
    judge = Player("judge", make_brain("alphabeta", options), Limits(depth=JUDGE_DEPTH))
    openings: list[Position] = []
    while len(openings) < count:
        beat(lambda: f"openings of matches: {len(openings)} of {count}")
        openings.append(_opening(game, rng, judge))
    return openings


class Yardsticks:
    """The matches of a run, always with the same openings."""

    def __init__(self, run: Run, game: Game, device: str = "cpu", threads: int = 1) -> None:
        self._run = run
        self._game = game
        self._device, self._threads = device, threads
        self._openings: list[Position] = []

    def measure(
        self, evaluator: Evaluator, counters: Counters, stop: Callable[[], bool], beat: Beat = no_beat
    ) -> Iterator[dict[str, object]]:
        """Play all matches and tell of each; the rollouts grow once they are beaten nine times in ten."""
        seed = self._run.settings.seed
        if not self._openings:
            self._openings = make_openings(self._game, self._run.settings.yardgames // 2, seed, beat)
        net, harder = net_player("net", evaluator, seed), counters.rollouts
        for player in self._opponents(counters.rollouts, seed):
            result = play_match(net, player, self._openings, stop, beat)
            if result is None:
                return
            if player.name == f"rollout {counters.rollouts}" and result.score >= BEATEN:
                harder = 2 * counters.rollouts
            yield {"visits": VISITS} | result.line(player.name)
        counters.rollouts = harder

    def _opponents(self, rollouts: int, seed: int) -> Iterator[Player]:
        yield from fixed_opponents(self._game, rollouts, seed)
        earlier = sorted(self._run.kept.glob("*.safetensors"))
        if len(earlier) > 1:
            yield kept_player(earlier[-2], self._game.name, seed, self._device, self._threads)


def _play(position: Position, black: Player, white: Player, tell: Callable[[], None]) -> int:
    """+1, 0 or -1 for the one who is called black here, whoever moves first."""
    players = {Color.BLACK: black, Color.WHITE: white}
    while (outcome := position.outcome()) is None:
        tell()
        position = position.play(players[position.side_to_move].choose(position))
    return outcome.value(Color.BLACK)


def _opening(game: Game, rng: random.Random, judge: Player) -> Position:
    """An even opening; the last one tried where evenness is rare."""
    position = game.start()
    for _ in range(TRIES):
        position = game.start()
        for _ in range(OPENING_PLIES[game.name]):
            position = position.play(rng.choice(_near_moves(position)))
        if position.outcome() is None and abs(_value(judge, position)) <= EVEN:
            break
    return position


def _value(judge: Player, position: Position) -> float:
    return judge.brain.choose(position, Stopper(judge.limits)).analysis.best.value


def _near_moves(position: Position) -> list[int]:
    size, moves = position.game.size, position.legal_moves()
    if position.game.name != "gomoku":
        return moves
    last = position.last_move
    row, column = divmod(last, size) if last is not None else (size // 2, size // 2)
    near = [move for move in moves if max(abs(move // size - row), abs(move % size - column)) <= NEAR]
    return near or moves
