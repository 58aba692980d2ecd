import subprocess
import sys

import pytest

from extremum.engine.errors import EngineError, UnacceptableSizeError
from extremum.engine.games import GAMES, make_game
from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from tests.contracts import check_game

CASES: dict[str, list[Game]] = {
    "gomoku": [
        Gomoku(3, in_a_row=3),
        Gomoku(6, in_a_row=4, rule="standard"),
        Gomoku(9, rule="renju"),
        Gomoku(10),
    ],
    "othello": [Othello(6), Othello(8)],
}


def test_every_game_of_the_table_has_its_contract_test() -> None:
    assert CASES.keys() == GAMES.keys()
    assert all(game.name == name for name, games in CASES.items() for game in games)


@pytest.mark.parametrize("game", [game for games in CASES.values() for game in games], ids=str)
def test_contract(game: Game) -> None:
    check_game(game)


@pytest.mark.parametrize("game", [Gomoku(5, in_a_row=4), Gomoku(7, rule="renju"), Othello(6)], ids=str)
def test_contract_of_the_misere(game: Game) -> None:
    check_game(Misere(game))


def test_games_are_made_by_name() -> None:
    assert make_game("gomoku") == Gomoku(15, 5, "freestyle")
    assert make_game("gomoku", 6, "standard", 4) == Gomoku(6, 4, "standard")
    assert make_game("othello") == Othello(8)
    assert make_game("othello", 6, "standard") == Othello(6)


def test_a_small_board_takes_its_whole_side_in_a_row() -> None:
    assert make_game("gomoku", 3) == Gomoku(3, in_a_row=3)
    assert make_game("gomoku", 4) == Gomoku(4, in_a_row=4)


def test_a_wrong_size_is_the_refusal_whatever_the_row() -> None:
    with pytest.raises(UnacceptableSizeError, match=r"^unacceptable size: 2 is not in 3\.\.20$"):
        make_game("gomoku", 2)


@pytest.mark.parametrize(
    ("name", "rule", "in_a_row", "text"),
    [
        ("chess", None, None, "unknown game 'chess': one of gomoku, othello"),
        ("gomoku", "swap2", None, "unknown rule 'swap2': one of freestyle, renju, standard"),
        ("othello", "renju", None, "unknown rule 'renju': one of standard"),
        ("othello", None, 5, "othello has no number in a row"),
    ],
)
def test_unknown_games_and_rules_are_refused(name: str, rule: str | None, in_a_row: int | None, text: str) -> None:
    with pytest.raises(EngineError) as refusal:
        make_game(name, rule=rule, in_a_row=in_a_row)
    assert str(refusal.value) == text


def test_games_import_nothing_heavy() -> None:
    script = (
        "import sys; from extremum.engine.games import make_game; make_game('gomoku', rule='renju').start().play(0);"
        "make_game('othello'); import extremum.engine.games.misere; import extremum.engine.games.symmetry;"
        "sys.exit(', '.join({'numpy', 'numba'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
