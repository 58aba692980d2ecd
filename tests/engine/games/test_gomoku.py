import pytest

from extremum.engine.errors import EngineError, IllegalMoveError, UnacceptableSizeError
from extremum.engine.games.game import Color, Outcome
from extremum.engine.games.gomoku import Gomoku, GomokuPosition
from tests.diagrams import read

ROW_OF_SIX = """
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . X X X a X X .
    . . . . . . . .
    . O O . O O . .
    . . . . . . O .
    . . . . . . . .
"""


def played(game: Gomoku, *moves: int) -> GomokuPosition:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(
    ("rule", "outcome"), [("freestyle", Outcome(Color.BLACK, 1)), ("standard", None)], ids=["freestyle", "standard"]
)
def test_overline_wins_in_freestyle_and_is_no_win_in_standard_gomoku(rule: str, outcome: Outcome | None) -> None:
    diagram = read(ROW_OF_SIX)
    position = Gomoku(8, rule=rule).setup(diagram.black, diagram.white, Color.BLACK)
    assert position.play(diagram.point("a")).outcome() == outcome


@pytest.mark.parametrize("step", [1, 15, 16, 14], ids=["row", "column", "diagonal", "antidiagonal"])
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_five_wins_on_every_line(step: int, rule: str) -> None:
    first = 112 - 2 * step
    row = [first + distance * step for distance in (0, 1, 3, 4, 2)]
    away = [0, 2, 4, 6]
    moves = [move for pair in zip(row, [*away, -1], strict=True) for move in pair][:-1]
    position = played(Gomoku(rule=rule), *moves)
    assert position.outcome() == Outcome(Color.BLACK, 1)
    assert position.legal_moves() == []


def test_a_row_does_not_go_on_over_the_edge() -> None:
    position = played(Gomoku(5, in_a_row=3), 3, 20, 4, 22, 5)
    assert position.outcome() is None


def test_three_in_a_row_on_three_by_three() -> None:
    assert played(Gomoku(3, in_a_row=3), 4, 0, 2, 1, 6).outcome() == Outcome(Color.BLACK, 1)


def test_four_in_a_row_on_six_by_six() -> None:
    assert played(Gomoku(6, in_a_row=4), 0, 7, 5, 14, 30, 21, 35, 28).outcome() == Outcome(Color.WHITE, 1)


def test_a_full_board_is_a_draw() -> None:
    position = played(Gomoku(3, in_a_row=3), 4, 0, 2, 6, 3, 5, 1, 7, 8)
    assert position.outcome() == Outcome(None, 0)
    assert position.legal_moves() == []


def test_the_last_point_can_win() -> None:
    position = played(Gomoku(3, in_a_row=3), 0, 1, 2, 3, 4, 6, 5, 7, 8)
    assert position.outcome() == Outcome(Color.BLACK, 1)


@pytest.mark.parametrize(
    ("move", "reason"),
    [(112, "is occupied"), (225, "is off the board"), (-1, "is off the board")],
)
def test_illegal_moves_are_refused_with_their_reason(move: int, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as refusal:
        played(Gomoku(), 112).play(move)
    assert (refusal.value.move, refusal.value.reason) == (move, reason)


def test_nothing_can_be_played_after_the_end() -> None:
    with pytest.raises(IllegalMoveError, match="comes after the end of the game"):
        played(Gomoku(3, in_a_row=3), 0, 3, 1, 4, 2).play(8)


@pytest.mark.parametrize("size", [2, 21, 0, -5])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(UnacceptableSizeError, match=f"^unacceptable size: {size} is not in 3..20$"):
        Gomoku(size)


def test_renju_needs_room_for_five() -> None:
    with pytest.raises(UnacceptableSizeError, match=r"^unacceptable size: 4 is not in 5..20$"):
        Gomoku(4, 5, "renju")


@pytest.mark.parametrize(
    ("size", "in_a_row", "rule", "text"),
    [
        (15, 5, "swap", "unknown rule 'swap': one of freestyle, renju, standard"),
        (15, 4, "renju", "unacceptable number in a row: 4 is not 5 in renju"),
        (15, 2, "freestyle", "unacceptable number in a row: 2 is not in 3..15"),
        (4, 5, "freestyle", "unacceptable number in a row: 5 is not in 3..4"),
    ],
)
def test_other_rules_are_refused(size: int, in_a_row: int, rule: str, text: str) -> None:
    with pytest.raises(EngineError) as refusal:
        Gomoku(size, in_a_row, rule)
    assert str(refusal.value) == text


@pytest.mark.parametrize(
    ("black", "white", "text"),
    [(0b11, 0b10, "a point cannot hold two stones"), (1 << 225, 0, "a stone is off the board")],
)
def test_stones_that_cannot_stand_are_refused(black: int, white: int, text: str) -> None:
    with pytest.raises(EngineError, match=f"^{text}$"):
        Gomoku().setup(black, white, Color.BLACK)


@pytest.mark.parametrize("side", list(Color))
def test_a_set_up_row_has_won(side: Color) -> None:
    assert Gomoku().setup(0b11111, 0, side).outcome() == Outcome(Color.BLACK, 1)
    assert Gomoku().setup(0, 0b11111, side).outcome() == Outcome(Color.WHITE, 1)


def test_the_side_that_moved_last_has_won_when_both_have_a_row() -> None:
    black, white = 0b11111, 0b11111 << 15
    assert Gomoku().setup(black, white, Color.BLACK).outcome() == Outcome(Color.WHITE, 1)
    assert Gomoku().setup(black, white, Color.WHITE).outcome() == Outcome(Color.BLACK, 1)


def test_turning_changes_the_side_and_nothing_else() -> None:
    position = played(Gomoku(), 112, 113)
    turned = position.turned(Color.WHITE)
    assert (turned.black, turned.white, turned.ply, turned.last_move) == (1 << 112, 1 << 113, 2, 113)
    assert turned.play(0).white == 1 << 113 | 1
    assert turned.turned(Color.BLACK) == position
