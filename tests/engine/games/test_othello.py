import pytest

from extremum.engine.errors import EngineError, IllegalMoveError, UnacceptableSizeError
from extremum.engine.games.game import Color, Outcome, Position
from extremum.engine.games.othello import Othello
from tests.diagrams import read

FORCED_PASS = """
    . X O O O O O O
    O O O O O O O O
    O O O O O O O O
    O O O O O O O O
    O O O O O O O O
    O O O O O O O O
    O O O O O O O O
    O O O O O O O O
"""


def perft(position: Position, depth: int) -> int:
    """The leaves at a depth; a pass is a ply, and a finished game stays one leaf."""
    if depth == 0 or position.outcome() is not None:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())


def test_the_start_is_the_usual_one() -> None:
    start = Othello().start()
    assert start.black == 1 << 28 | 1 << 35
    assert start.white == 1 << 27 | 1 << 36
    assert start.legal_moves() == [19, 26, 37, 44]  # d3, c4, f5, e6


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate([4, 12, 56, 244, 1396, 8200, 55092], start=1)))
def test_perft(depth: int, leaves: int) -> None:
    assert perft(Othello().start(), depth) == leaves


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "leaves"), [(8, 390216)])
def test_deep_perft(depth: int, leaves: int) -> None:
    assert perft(Othello().start(), depth) == leaves


def test_a_disc_turns_what_it_encloses_in_all_directions() -> None:
    before = read(
        """
        X . . X . . X .
        . O . O . O . .
        . . O O O . . .
        X O O . O O O X
        . . O O O . . .
        . O . O . O . .
        X . . O . . X .
        . . . X . . . .
        """
    )
    position = Othello().setup(before.black, before.white, Color.BLACK).play(27)
    assert position.white == 0
    assert position.black == before.black | before.white | 1 << 27


def test_a_row_does_not_turn_over_the_edge() -> None:
    position = Othello().setup(1 << 9, 1 << 8 | 1 << 7, Color.BLACK)
    assert position.legal_moves() == [64]


def test_a_pass_is_legal_exactly_when_nothing_else_is() -> None:
    diagram = read(FORCED_PASS)
    position = Othello().setup(diagram.black, diagram.white, Color.WHITE)
    assert position.legal_moves() == [0]
    with pytest.raises(IllegalMoveError, match="is not allowed while there is a move"):
        position.play(64)
    forced = position.turned(Color.BLACK)
    assert forced.legal_moves() == [64]
    passed = forced.play(64)
    assert (passed.side_to_move, passed.ply, passed.last_move) == (Color.WHITE, 1, 64)
    assert (passed.black, passed.white) == (diagram.black, diagram.white)


def test_the_game_ends_when_nobody_can_move_and_discs_are_counted() -> None:
    diagram = read(FORCED_PASS)
    finished = Othello().setup(diagram.black, diagram.white, Color.WHITE).play(0)
    assert finished.outcome() == Outcome(Color.WHITE, 64)


def test_empty_points_count_for_nobody() -> None:
    finished = Othello().setup(0b110, 1 << 63, Color.WHITE)
    assert finished.outcome() == Outcome(Color.BLACK, 1)
    assert finished.legal_moves() == []
    for move in (0, 64):
        with pytest.raises(IllegalMoveError, match="comes after the end of the game"):
            finished.play(move)


def test_equal_discs_are_a_draw() -> None:
    assert Othello().setup((1 << 32) - 1, ((1 << 32) - 1) << 32, Color.BLACK).outcome() == Outcome(None, 0)


def test_six_by_six_starts_in_its_middle() -> None:
    start = Othello(6).start()
    assert start.legal_moves() == [8, 13, 22, 27]
    assert [perft(start, depth) for depth in range(1, 5)] == [4, 12, 56, 244]


@pytest.mark.parametrize(
    ("move", "reason"),
    [(27, "is occupied"), (0, "flips nothing"), (65, "is off the board"), (-1, "is off the board")],
)
def test_illegal_moves_are_refused_with_their_reason(move: int, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as refusal:
        Othello().start().play(move)
    assert (refusal.value.move, refusal.value.reason) == (move, reason)


@pytest.mark.parametrize("size", [4, 7, 10])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(UnacceptableSizeError, match=f"^unacceptable size: {size} is not one of 6, 8$"):
        Othello(size)


@pytest.mark.parametrize(
    ("black", "white", "text"),
    [(1, 1, "a point cannot hold two discs"), (0, 1 << 64, "a disc is off the board")],
)
def test_discs_that_cannot_stand_are_refused(black: int, white: int, text: str) -> None:
    with pytest.raises(EngineError, match=f"^{text}$"):
        Othello().setup(black, white, Color.BLACK)
