"""What every brain must do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from extremum.engine.brains.brain import Brain
from extremum.engine.games.game import Color, Game, Move, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.search.analysis import Analysis, Candidate, Choice
from extremum.engine.search.stopper import Limits, Stopper
from tests.doubles import FakeTime

MakeBrain = Callable[[], Brain]  # each time the same, with the same seed

SMALL_GAMES: tuple[Game, ...] = (Gomoku(7, 5), Gomoku(6, 4, "standard"), Gomoku(7, 5, "renju"), Othello(6))
ALL_GAMES: tuple[Game, ...] = (*SMALL_GAMES, *(Misere(game) for game in SMALL_GAMES))


def check_brain(make: MakeBrain, *, thinks: bool = True, games: Sequence[Game] = ALL_GAMES) -> None:
    """Hold a brain to its promises; one that does not think is not asked for good moves."""
    for game in games:
        check_plays_on_to_the_end(make(), game)
        check_repeats(make, game.start())
    check_visits_limit(make(), games[0].start())
    check_interruption(make(), games[0].start())
    check_seconds_limit(make(), games[0].start())
    if thinks:
        check_wins_in_one(make)
        check_stops_a_win(make)
        check_avoids_winning_in_misere(make)


def check_plays_on_to_the_end(brain: Brain, game: Game, visits: int = 60) -> None:
    position = game.start()
    while position.outcome() is None:
        choice = choose(brain, position, visits)
        _check_choice(position, choice)
        position = position.play(choice.move)


def check_repeats(make: MakeBrain, position: Position) -> None:
    first, second = (choose(make(), position, 200) for _ in range(2))
    assert [_without_time(choice.analysis) for choice in (first, second)] == [_without_time(first.analysis)] * 2


def check_visits_limit(brain: Brain, position: Position) -> None:
    """A node may be finished that was begun."""
    for visits in (1, 100, 2000):
        assert choose(brain, position, visits).analysis.visits <= visits + 1024


def check_interruption(brain: Brain, position: Position) -> None:
    asked = 0

    def interrupted() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    assert choose_within(brain, position, Stopper(Limits(), interrupted)).move in position.legal_moves()


def check_seconds_limit(brain: Brain, position: Position) -> None:
    """The stopper's time counts, and nothing but the stopper's."""
    stopper = Stopper(Limits(seconds=1.0), now=FakeTime(step=0.01))
    assert choose_within(brain, position, stopper).move in position.legal_moves()
    assert stopper.elapsed < 3.0


def check_wins_in_one(make: MakeBrain) -> None:
    game = Gomoku(9)
    position = game.setup(_row(game, 4, range(2, 6)), _row(game, 6, (0, 3, 5, 8)), Color.BLACK)
    assert choose(make(), position, 2000).move in (_point(game, 4, 1), _point(game, 4, 6))


def check_stops_a_win(make: MakeBrain) -> None:
    game = Gomoku(9)
    black = _row(game, 4, range(2, 6))
    white = _row(game, 6, (0, 3, 8)) | 1 << _point(game, 4, 1)
    assert choose(make(), game.setup(black, white, Color.WHITE), 2000).move == _point(game, 4, 6)


def check_avoids_winning_in_misere(make: MakeBrain) -> None:
    """Five black stones would lose; every other point is better than the two that complete them."""
    game = Misere(Gomoku(6))
    position = game.setup(_row(game, 2, range(1, 5)), _row(game, 4, (0, 2, 3, 5)), Color.BLACK)
    assert choose(make(), position, 2000).move not in (_point(game, 2, 0), _point(game, 2, 5))


def choose(brain: Brain, position: Position, visits: int) -> Choice:
    return choose_within(brain, position, Stopper(Limits(visits=visits)))


def choose_within(brain: Brain, position: Position, stopper: Stopper) -> Choice:
    reports: list[Analysis] = []
    choice = brain.choose(position, stopper, lambda make: reports.append(make()))
    for analysis in reports:
        _check_analysis(position, analysis)
    return choice


def _check_choice(position: Position, choice: Choice) -> None:
    assert choice.move in position.legal_moves()
    assert choice.move == choice.analysis.best.move
    _check_analysis(position, choice.analysis)


def _check_analysis(position: Position, analysis: Analysis) -> None:
    legal = position.legal_moves()
    moves = [candidate.move for candidate in analysis.candidates]
    assert len(set(moves)) == len(moves)
    assert analysis.speed >= 0.0
    for candidate in analysis.candidates:
        assert candidate.move in legal
        assert candidate.line[0] == candidate.move
        assert -1.0 <= candidate.lcb <= candidate.value <= 1.0
        assert 0.0 <= candidate.prior <= 1.0
        assert candidate.distance is None or candidate.proven is not None
        assert candidate.proven is None or candidate.distance is not None or _is_uncounted(position.game, candidate)
        _check_line(position, candidate.line)


def _is_uncounted(game: Game, candidate: Candidate) -> bool:
    """True for a win whose plies nobody counts: the solver of misère Gomoku's end has a proof without them."""
    return candidate.proven == 1 and (game.name, game.objective, game.rule) == ("gomoku", -1, "freestyle")


def _check_line(position: Position, line: tuple[Move, ...]) -> None:
    for move in line:
        position = position.play(move)


def _without_time(analysis: Analysis) -> tuple[object, ...]:
    return analysis.candidates, analysis.visits, analysis.depth


def _point(game: Game, row: int, column: int) -> Move:
    return row * game.size + column


def _row(game: Game, row: int, columns: range | tuple[int, ...]) -> int:
    return sum(1 << _point(game, row, column) for column in columns)
