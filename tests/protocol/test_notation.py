from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extremum.engine.errors import UsageError
from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Game
from extremum.protocol.notation import diagram, read_color, read_vertex, row_number, write_vertex

GAMES = [make_game("gomoku", size) for size in range(3, 21)] + [make_game("othello", size) for size in (6, 8)]


@given(st.sampled_from(GAMES), st.data())
def test_a_vertex_written_and_read_comes_back(game: Game, data: st.DataObject) -> None:
    move = data.draw(st.integers(0, game.size**2 - 1))
    vertex = write_vertex(move, game)
    assert vertex == vertex.upper()
    assert read_vertex(vertex, game) == move
    assert read_vertex(vertex.lower(), game) == move


def test_gomoku_begins_at_the_bottom_left_and_skips_the_letter_i() -> None:
    game = make_game("gomoku", 20)
    assert write_vertex(19 * 20, game) == "A1"
    assert write_vertex(0, game) == "A20"
    assert write_vertex(19, game) == "U20"
    assert write_vertex(8, game) == "J20"


def test_othello_begins_at_the_top_left() -> None:
    game = make_game("othello")
    assert write_vertex(0, game) == "A1"
    assert read_vertex("d3", game) == 2 * 8 + 3
    assert [row_number(row, game) for row in (0, 7)] == [1, 8]


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass", "pa", "PS"])
@pytest.mark.parametrize("game", [make_game("gomoku"), make_game("othello")])
def test_a_pass_has_several_spellings(text: str, game: Game) -> None:
    assert read_vertex(text, game) is None
    assert write_vertex(None, game) == "pass"
    assert write_vertex(game.size**2, game) == "pass"


@pytest.mark.parametrize("text", ["", "A", "1", "A0", "A16", "A01", "Q1", "AA1", "H-8", "H8x", "٣", "A１", "resign"])
def test_what_is_no_vertex_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"invalid vertex '.*': the board is A1 to P15"):
        read_vertex(text, make_game("gomoku"))


def test_the_column_i_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="invalid vertex 'i5': columns are named without I"):
        read_vertex("i5", make_game("gomoku"))


@pytest.mark.parametrize("text", ["b", "B", "black", "BLACK", "Black"])
def test_a_color_has_any_case(text: str) -> None:
    assert read_color(text) is Color.BLACK


@pytest.mark.parametrize("text", ["", "c", "bl", "blackk", "1"])
def test_another_color_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"invalid color '{text}'"):
        read_color(text)


def test_a_diagram_begins_at_the_top_left() -> None:
    position = make_game("gomoku", 3).start().play(0).play(5)
    assert diagram(position) == [["X", ".", "."], [".", ".", "O"], [".", ".", "."]]
