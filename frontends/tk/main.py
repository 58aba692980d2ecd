"""Opens the window to play in."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

from ..flags import BadFlagError
from ..shared.arguments import WindowParser, setup_of
from ..shared.dial import dials_of
from ..shared.play import Play
from ..shared.score import Score, score_file

NO_TKINTER = (
    "this Python has no tkinter: install it (python3-tk on Debian and Ubuntu, python3-tkinter on Fedora, python-tk "
    "with Homebrew) and remove .venv, or use 'extremum web'"
)


class GuiParser(WindowParser):
    """Reads the command line."""

    def __init__(self) -> None:
        super().__init__("gui", __doc__)
        self.add_argument("--zoom", type=float, default=1.0, metavar="FACTOR", help="larger or smaller than usual")
        self.add_argument("--load", metavar="FILE", help="a game to begin with")


def main(arguments: Sequence[str] = ()) -> int:
    """Show the window until it is closed."""
    given = GuiParser().parse_args(list(arguments))
    if not 0.25 <= given.zoom <= 8:
        raise BadFlagError("--zoom: a factor from 0.25 to 8")
    setup, dials = setup_of(given), dials_of(given)
    try:
        import tkinter
    except ImportError as error:
        raise BadFlagError(NO_TKINTER) from error
    from .window import Window

    try:
        root = tkinter.Tk(className="Extremum")
    except tkinter.TclError as error:
        raise BadFlagError(f"no window: {error}") from error
    play = Play(dials, setup, Score(score_file()))
    try:
        window = Window(root, play, given.language, given.zoom)
        if given.load is not None:
            window.load(Path(given.load))
        root.mainloop()
    finally:
        gc.collect()  # what Tk made must be let go in this thread
        play.close()
        play.driver.join()
    return 0
