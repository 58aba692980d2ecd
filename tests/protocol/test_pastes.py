from __future__ import annotations

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.games.game import Color
from extremum.engine.session import Session
from extremum.protocol.notation import diagram
from extremum.protocol.pastes import LONGEST, place, read_paste

START = "---------------------------OX------XO---------------------------"
SHOWN = """
  a b c d e f g h
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - - - - - - 3
4 - - - O * - - - 4
5 - - - * O - - - 5
6 - - - - - - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h
* to move
"""
BOXED = """
 +-----------------+
8| . . . . . . . . |8
7| . . . . . . . . |7
6| . . . . . . . . |6
5| . . . W B . . . |5
4| . . . B W . . . |4
3| . . . . . . . . |3
2| . . . . . . . . |2
1| . . . . . . . . |1
 +-----------------+
   A B C D E F G H
black to play
"""


@pytest.mark.parametrize(
    "text",
    [
        START,
        f"{START}X",
        f"{START} B",
        START.replace("X", "*").replace("-", "."),
        START.replace("X", "●").replace("O", "○") + "●",
        START.lower() + " black",
        "/".join(START[row : row + 8] for row in range(0, 64, 8)),
        START.replace("-", "0").replace("X", "1").replace("O", "2"),
        SHOWN,
        BOXED,
    ],
)
def test_a_board_is_read_in_the_usual_spellings(text: str) -> None:
    session = Session()
    session.set_game("othello")
    place(read_paste(text), session)
    assert session.position.black == session.game.start().black
    assert session.position.white == session.game.start().white
    assert session.position.side_to_move is Color.BLACK


def test_what_showboard_shows_can_be_pasted() -> None:
    session = Session()
    session.set_size(9)
    rows = ["." * 9] * 7 + ["..XO.....", "...X....."]
    place(read_paste("\n".join(rows)), session)
    assert ["".join(row) for row in diagram(session.position)] == rows
    assert session.position.side_to_move is Color.WHITE  # black has a stone more


def test_the_board_may_have_another_size() -> None:
    session = Session()
    place(read_paste("." * 225 + " w"), session)
    assert (session.game.size, session.position.side_to_move) == (15, Color.WHITE)


@pytest.mark.parametrize("text", ["", "x", "...", START[1:], START + "-", START.replace("X", "?"), "." * 441])
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(EngineError):
        read_paste(text)


def test_a_board_that_the_game_has_not_changes_nothing() -> None:
    session = Session()
    session.set_game("othello")
    before = session.position
    with pytest.raises(EngineError, match="unacceptable size: 9"):
        place(read_paste("." * 81), session)
    assert session.position is before


@pytest.mark.parametrize("turn", ["b", "B", "X", "black", "\nX to move", "\nblack to play"])
def test_whose_turn_it_is_counts_more_than_the_stones(turn: str) -> None:
    session = Session()
    place(read_paste(f"XX....... {turn}"), session)
    assert session.position.side_to_move is Color.BLACK


@pytest.mark.parametrize("text", ["-" * 100_000, "\n" * 20_000 + "x", "a b c " * 20_000, "1" + " " * 100_000 + "x"])
def test_a_text_too_long_for_a_board_is_refused_at_once(text: str) -> None:
    with pytest.raises(EngineError, match=f"^no board: a text of more than {LONGEST} characters$"):
        read_paste(text)


def test_the_largest_board_fits_with_all_that_is_drawn_around_it() -> None:
    letters = "   | " + " | ".join("abcdefghijklmnopqrst") + " |"
    ruler = "   +" + "---+" * 20
    rows = [f"{number:2} | " + " | ".join("-" * 20) + f" | {number}\n{ruler}" for number in range(1, 21)]
    paste = read_paste("\n".join([letters, ruler, *rows, letters, "white to move"]))
    assert (paste.size, set(paste.cells), paste.player) == (20, {None}, Color.WHITE)


def test_a_ruler_and_the_letters_take_no_row_of_points_with_them() -> None:
    assert read_paste("a b c\nx x x\n+---+\n- - -\n- - -\n").size == 3
