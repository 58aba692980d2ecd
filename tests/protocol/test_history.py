"""What brings a new session to where another one was."""

from __future__ import annotations

import pytest

from extremum.engine.session import Session
from extremum.protocol.command import Exchange, Nobody
from extremum.protocol.commands import COMMANDS
from extremum.protocol.history import ENOUGH, History
from tests.doubles import ScriptedBrain, SessionWith

ROWS = "........ ........ ........ ...OX... ...XO... ........ ........ ........"


def said(session: Session, line: str) -> str:
    """What a session answers to a command that it accepts."""
    answer = COMMANDS.answer(line.split(), session, Exchange(Nobody(), lambda told: None))
    assert answer.accepted, f"{line}: {answer.text}"
    return answer.text


def check_replay(*script: str) -> History:
    """A session that was told what a history tells stands where the first one does, also after moves are taken back."""
    first, again, history = SessionWith(ScriptedBrain()), Session(), History()
    for line in script:
        history.note(line.split(), said(first, line))
    for line in history.lines():
        said(again, line)
    while True:
        assert said(again, "showboard") == said(first, "showboard")
        assert again.start == first.start
        if not first.moves:
            return history
        for session in (first, again):
            said(session, "undo")


@pytest.mark.parametrize(
    "script",
    [
        ["boardsize 9", "transcript e5f6d4"],
        ["boardsize 9", "transcript e5f6d4", "undo", "play w A1", "gg-undo 2", "play w A2", "transcript"],
        ["set_game othello", "transcript f5d6c3d3c4", "undo", "lz-genmove_analyze 10"],
        ["set_game othello", f"setboard {ROWS} w", "lz-genmove_analyze 10", "undo"],
        ["setboard XX.O.O... b", "play b A1"],
        ["boardsize 9", "setboard XX.O.O... b", "clear_board"],
        ["setboard XX.O.O... b", "set_game gomoku", "set_game othello", "boardsize 6"],
        ["play b e5", "play b f5", "lz-genmove_analyze 10"],
        ["play b e5", "kata-genmove_analyze", "lz-genmove_analyze w 10"],
        ["play b e5", "play w f5", "gogui-setup_player w", "lz-genmove_analyze 10"],
        ["play b e5", "play w f5", "gogui-setup_player w", "undo"],
        ["gogui-setup_player w", "lz-genmove_analyze", "undo", "lz-genmove_analyze"],
        ["gogui-setup b e5 w f5", "gogui-setup_player w", "play w a1", "play b a2", "undo"],
        ["gogui-setup b e5 b f5", "lz-genmove_analyze 10", "gg-undo"],
        ["gogui-setup b e5", "clear_board", "play b a1", "gogui-play_sequence w a2 b a3", "gg-undo 2"],
        ["boardsize 20", "set_game gomoku freestyle 18", "boardsize 19", "play b T19"],
        ["set_game othello", "boardsize 8", "set_game gomoku", "play b P15"],
        ["boardsize 9", "set_game gomoku renju", "set_game gomoku standard", "play b A9"],
    ],
    ids=" / ".join,
)
def test_a_new_session_comes_to_where_the_game_was(script: list[str]) -> None:
    check_replay(*script)


def test_however_often_the_game_and_the_size_are_changed_the_history_stays_short() -> None:
    history = check_replay(*["set_game othello", "set_game gomoku renju", "boardsize 9", "boardsize 10"] * 5)
    assert len(history.lines()) == ENOUGH + 1


def test_a_new_control_or_a_new_game_forgets_what_was_left() -> None:
    for line in ("time_settings 20 0 0", "transcript e5", "setboard XX.O.O... b", "gogui-setup b e5"):
        history = check_replay("time_settings 10 0 0", "time_left b 5 0", line)
        assert "time_left b 5 0" not in history.lines()
