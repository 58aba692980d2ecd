from __future__ import annotations

from pathlib import Path

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Game
from extremum.engine.games.misere import Misere
from extremum.engine.games.symmetry import SYMMETRIES, permutation
from extremum.frontends.flags import BadFlagError
from extremum.frontends.match.opening_files import read_openings, write_opening
from extremum.frontends.match.openings import Balancer, make_openings, shipped
from extremum.frontends.match.suite import main

GOMOKU, OTHELLO = make_game("gomoku"), make_game("othello")


def read(tmp_path: Path, text: str, game: Game = GOMOKU) -> list[tuple[int, ...]]:
    file = tmp_path / "openings.txt"
    file.write_text(text)
    return read_openings(file, game)


def test_transcripts_are_read_with_or_without_blanks(tmp_path: Path) -> None:
    found = read(tmp_path, "# a comment\nf5d6c3\nF5 f6  # and one more\n\n", OTHELLO)
    assert found == [(37, 43, 18), (37, 45)]


def test_gomoku_points_count_from_the_top_and_have_an_i(tmp_path: Path) -> None:
    assert read(tmp_path, "h8i9") == [(7 * 15 + 7, 8 * 15 + 8)]


def test_gomocup_offsets_count_from_the_middle(tmp_path: Path) -> None:
    assert read(tmp_path, "0,0, 1,1\n-1,0\n") == [(112, 8 * 15 + 8), (111,)]


def test_sgf_games_are_read_one_after_the_other(tmp_path: Path) -> None:
    text = "(;GM[4]SZ[15];B[hh]C[a \\] and ( )];W[hi])(;GM[4]SZ[15];B[aa](;W[bb])(;W[cc]))"
    assert read(tmp_path, text) == [(112, 127), (0, 16)]


ROWS = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"


def ggf(board: str, moves: str = "B[F5/1.2/3.4]W[d6//0.5]") -> str:
    return f"(;GM[Othello]PB[a]PW[b]TY[8]BO[{board}]{moves};)"


def test_ggf_games_are_read_one_after_the_other(tmp_path: Path) -> None:
    game = ggf(f"8 {ROWS} *")
    assert read(tmp_path, game + "\n" + game, OTHELLO) == [(37, 43)] * 2


@pytest.mark.parametrize("told", ["PA", "pass", ""])
def test_ggf_games_are_read_with_their_passes_left_out_or_not(told: str, tmp_path: Path) -> None:
    moves = _until_after_a_pass()
    points = [told if move == OTHELLO.pass_move else write_opening((move,), OTHELLO) for move in moves]
    tags = [f"{'BW'[ply % 2]}[{point}]" for ply, point in enumerate(points) if point]
    assert read(tmp_path, ggf(f"8 {ROWS} *", "".join(tags)), OTHELLO) == [tuple(moves)]


@pytest.mark.parametrize(
    ("board", "game", "complaint"),
    [
        ("8 x *", OTHELLO, "it has no board that can be read"),
        (f"8 {ROWS} O", OTHELLO, "it begins with stones that nobody played"),
        (f"8 {ROWS.replace('---O*---', '--*O*---')} *", OTHELLO, "it begins with stones that nobody played"),
        ("6 ------ ------ --O*-- --*O-- ------ ------ *", OTHELLO, "it is of size 6, not 8"),
        (f"8 {ROWS} *", GOMOKU, "it is a game of othello, not of gomoku"),
    ],
)
def test_ggf_games_on_other_boards_are_refused(board: str, game: Game, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(BadFlagError, match=f"openings.txt: opening 1: {complaint}$"):
        read(tmp_path, ggf(board, ""), game)


def test_a_pass_that_a_transcript_leaves_out_is_found(tmp_path: Path) -> None:
    moves = _until_after_a_pass()
    text = write_opening(tuple(moves), OTHELLO)
    assert "pass" not in text
    assert read(tmp_path, text, OTHELLO) == [tuple(moves)]


def _until_after_a_pass() -> list[int]:
    position, moves = OTHELLO.start(), list[int]()
    while OTHELLO.pass_move not in moves or moves[-1] == OTHELLO.pass_move:
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no opening in it"),
        ("h8h8", "opening 1: illegal move: h8 is occupied"),
        ("h8\n0,0, 1,1, 0,0", "opening 2: illegal move: h8 is occupied"),
        ("h8\nxyzzy", "opening 2: 'xyzzy' is no list of moves"),
        ("t19", "opening 1: t19 is off the board"),
        ("0,9", "opening 1: 0,9 is off the board"),
        ("a1o15b1o14c1o13d1o12e1", "opening 1: the game is over at its end"),
        ("(;GM[4]SZ[9];B[aa])", "opening 1: it is of size 9, not 15"),
        ("(;GM[4]SZ[15]AB[aa];W[bb])", "opening 1: it begins with stones that nobody played"),
        ("(;GM[4]SZ[15];W[cc];B[dd])", "opening 1: move 1 is white's, and black is to move"),
        ("(;GM[4]SZ[15];B[cc];B[dd];W[ee])", "opening 1: move 2 is black's, and white is to move"),
    ],
)
def test_what_cannot_be_played_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(BadFlagError, match=f"openings.txt: {complaint}$"):
        read(tmp_path, text)


def test_an_illegal_move_of_othello_is_named(tmp_path: Path) -> None:
    for text, point in (("f5a1", "a1"), ("f5pass", "pass")):
        with pytest.raises(BadFlagError, match=f"opening 1: illegal move: {point} "):
            read(tmp_path, text, OTHELLO)


def test_ggf_games_with_moves_out_of_turn_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFlagError, match=r"opening 1: move 2 is black's, and white is to move$"):
        read(tmp_path, ggf(f"8 {ROWS} *", "B[f5]B[d6]"), OTHELLO)


@pytest.mark.parametrize("text", ["(;GM[4]SZ[15];B[hh];W[hi])", "h8h9"])
def test_a_byte_order_mark_is_passed_over(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, f"\ufeff{text}") == [(112, 127)]


def test_random_openings_are_legal_different_and_the_same_for_a_seed() -> None:
    for game in (GOMOKU, make_game("gomoku", 5), OTHELLO, make_game("gomoku", 15, "renju")):
        found = make_openings("random:4", game, 8, seed=3)
        assert found == make_openings("random:4", game, 8, seed=3)
        assert len(set(found)) > 4
        for opening in found:
            position = game.start()
            for move in opening:
                position = position.play(move)
            assert position.outcome() is None


@pytest.mark.parametrize("kind", ["random", "balanced"])
def test_openings_that_are_longer_than_the_board_are_refused(kind: str) -> None:
    with pytest.raises(BadFlagError, match=r"openings of 16 plies do not fit on gomoku 4x4$"):
        make_openings(f"{kind}:16", make_game("gomoku", 4), 2, seed=1)


@pytest.mark.parametrize("kind", ["random", "balanced"])
@pytest.mark.parametrize(("game", "plies"), [(make_game("gomoku", 5, in_a_row=3), 24), (OTHELLO, 63)])
def test_openings_that_no_game_by_chance_reaches_are_refused(kind: str, game: Game, plies: int) -> None:
    with pytest.raises(BadFlagError, match=f"^there are no openings of {plies} plies for {game.name} "):
        make_openings(f"{kind}:{plies}", game, 1, seed=1)


def test_a_suite_that_is_refused_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadFlagError):
        main(["--kind", "renju", "--size", "4"])
    assert capsys.readouterr().out == ""
    assert main(["--kind", "random:2", "--size", "5", "--count", "2"]) == 0
    assert capsys.readouterr().out.startswith("# gomoku 5x5 freestyle: random:2, seed 1, by extremum openings\n")


def test_known_openings_are_kept() -> None:
    known = make_openings("random:3", OTHELLO, 2, seed=1)
    assert make_openings("random:3", OTHELLO, 4, seed=1, known=known) == make_openings("random:3", OTHELLO, 4, seed=1)
    assert make_openings("none", OTHELLO, 4, seed=1) == [()]


def test_renju_has_thirteen_direct_and_thirteen_indirect_openings() -> None:
    openings = make_openings("renju", make_game("gomoku", 15, "renju"), 100, seed=1)
    assert len(openings) == 26
    assert {opening[:2] for opening in openings} == {(112, 97), (112, 98)}
    assert sum(opening[1] == 97 for opening in openings) == 13
    views = [permutation(15, symmetry) for symmetry in SYMMETRIES]
    seen = {min(tuple(view[move] for move in opening) for view in views) for opening in openings}
    assert len(seen) == 26  # none is another's image
    assert make_openings("renju", GOMOKU, 3, seed=1) == openings[:3]


@pytest.mark.slow
def test_starts_have_the_names_that_people_know() -> None:
    assert make_openings("swap2", GOMOKU, 2, seed=1) == make_openings("balanced:3", GOMOKU, 2, seed=1)
    assert make_openings("xot", OTHELLO, 2, seed=1) == make_openings("balanced:8", OTHELLO, 2, seed=1)


@pytest.mark.parametrize(("kind", "game"), [("swap2", OTHELLO), ("xot", GOMOKU), ("renju", OTHELLO)])
def test_starts_of_another_game_are_refused(kind: str, game: Game) -> None:
    with pytest.raises(BadFlagError, match=f"there are no openings '{kind}' for {game.name}"):
        make_openings(kind, game, 2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", [make_game("gomoku", 9), OTHELLO, Misere(make_game("gomoku", 9)), Misere(OTHELLO)])
def test_balanced_openings_are_nearer_to_even_than_random_ones(game: Game) -> None:
    balancer = Balancer()
    balanced, by_chance = (
        [abs(balancer.value(game, opening)) for opening in make_openings(kind, game, 6, seed=2)]
        for kind in ("balanced:6", "random:6")
    )
    assert max(balanced) < 0.3
    assert sum(balanced) < 0.6 * sum(by_chance)


def test_a_misere_has_the_openings_of_its_game() -> None:
    for kind in ("random:4", "book", "none"):
        assert make_openings(kind, Misere(OTHELLO), 3, seed=1) == make_openings(kind, OTHELLO, 3, seed=1)
    assert make_openings("renju", Misere(GOMOKU), 3, seed=1) == make_openings("renju", GOMOKU, 3, seed=1)


@pytest.mark.parametrize(
    ("name", "size", "rule"),
    [
        ("gomoku", 8, "freestyle"),
        ("gomoku", 15, "freestyle"),
        ("gomoku", 15, "standard"),
        ("gomoku", 15, "renju"),
        ("gomoku", 20, "freestyle"),
        ("othello", 8, "standard"),
    ],
)
def test_the_shipped_suites_can_be_played(name: str, size: int, rule: str) -> None:
    game = make_game(name, size, rule)
    openings = make_openings("book", game, 100, seed=1)
    assert len(openings) == len(set(openings)) == 50
    assert read_openings(shipped(game), game) == openings


def test_a_suite_that_is_not_shipped_is_refused() -> None:
    with pytest.raises(BadFlagError, match="no book of openings is shipped for freestyle gomoku 9x9"):
        make_openings("book", make_game("gomoku", 9), 2, seed=1)
    with pytest.raises(BadFlagError, match="'x' is no number of plies"):
        make_openings("random:x", GOMOKU, 2, seed=1)
