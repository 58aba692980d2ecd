"""Writes the report of a match: one page that needs nothing else, and its plots as pictures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

from ...engine.games.game import points
from ...protocol.notation import COLUMNS, row_number
from ..flags import BadFlagError
from .drawing import Drawing, to_png, to_svg
from .opening_files import write_opening
from .plots import elo_plot, opening_plot, time_plot
from .results import Folder, Result, write_whole
from .score import Score, total
from .settings import Settings
from .table import Standings, write_remarks

REPORT = "report.html"
MOST_GAMES = 2000  # to replay: more would make the page heavy
MOST_NUMBERS = 20  # of games in a line


class ReportParser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self) -> None:
        super().__init__("extremum report", description=__doc__, allow_abbrev=False)
        self.add_argument("folder", help="the folder of a match")
        self.add_argument("--out", metavar="FILE", help=f"the page (default {REPORT} in that folder)")

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page and say where it is."""
    given = ReportParser().parse_args(arguments)
    folder = Folder(Path(given.folder))
    settings, results = folder.settings(), folder.results()
    if not results:
        raise BadFlagError(f"{given.folder} holds no finished game")
    page = Path(given.out) if given.out else folder.path / REPORT
    plots = draw_plots(Standings(settings, results))
    write_whole(page, write_report(settings, results))
    print(page)
    for name, drawing in plots.items():
        picture = page.with_name(f"{name}.png")
        write_whole(picture, to_png(drawing))
        print(picture)
    return 0


def draw_plots(standings: Standings) -> dict[str, Drawing]:
    """The plots by their names."""
    return {"elo": elo_plot(standings.lines), "openings": _openings(standings), "times": time_plot(_times(standings))}


def write_report(settings: Settings, results: Sequence[Result]) -> str:
    """The page."""
    standings = Standings(settings, results)
    plots = {name: to_svg(drawing) for name, drawing in draw_plots(standings).items()}
    parts = [
        f"<h1>{escape(_title(settings))}</h1>",
        f"<p>{escape(_terms(settings))}, {len(results)} games.</p>",
        f'<h2>Standings</h2><div class="scroll">{_standings(standings)}</div>{_remarks(standings)}',
        f"<h2>Elo</h2>{plots['elo']}",
        f'<h2>Crosstable</h2><div class="scroll">{_crosstable(standings)}</div>',
        f"<h2>Openings</h2>{plots['openings']}{_moves(standings)}",
        f"<h2>Time</h2>{plots['times']}",
        f"<h2>Faults</h2>{_faults(standings)}",
        _resignations(standings),
        _games(settings, standings.results),
    ]
    head = f"<meta charset='utf-8'><title>{escape(_title(settings))}</title><style>{_page('page.css')}</style>"
    return f"<!DOCTYPE html><html lang='en'><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def _title(settings: Settings) -> str:
    rule = f" {settings.rule}" if settings.game == "gomoku" else ""
    return f"{settings.game.capitalize()} {settings.size}x{settings.size}{rule}, {settings.format}"


def _terms(settings: Settings) -> str:
    clocks = [f"{settings.move:g} s a move"] if settings.move else []
    clocks += [f"{settings.main:g} s a game plus {settings.increment:g} s a move"] if settings.main else []
    pace = ", ".join(clocks) or "no clock"
    aim = "; the loser on the board has the point" if settings.misere else ""
    return f"{pace}, {settings.margin:g} s of margin; openings: {settings.source}; seed {settings.seed}{aim}"


def _standings(standings: Standings) -> str:
    heads = ["engine", "Elo", "± 95 %", "games", "score", "+ = −", "as black", "as white", "plies", "s/move", "faults"]
    heads.append("ahead of next")
    rows = [
        (
            line.name,
            f"{line.elo:+.0f}",
            f"{line.error:.0f}",
            f"{line.score.games}",
            f"{line.score.rate:.1%}",
            line.score.text(),
            f"{line.black.rate:.1%}",
            f"{line.white.rate:.1%}",
            f"{line.plies:.1f}",
            f"{line.seconds:.3f}",
            f"{line.faults}",
            "" if line.ahead is None else f"{line.ahead:.1%}",
        )
        for line in standings.lines
    ]
    return _table(heads, rows)


def _remarks(standings: Standings) -> str:
    return "".join(f'<p class="note">{escape(remark)}.</p>' for remark in write_remarks(standings))


def _crosstable(standings: Standings) -> str:
    names = [line.name for line in standings.lines]
    rows = []
    for name in names:
        scores = [Score() if name == other else standings.between(name, other) for other in names]
        rows.append((name, *(f"{score.points:g}/{score.games}" if score.games else "" for score in scores)))
    return _table(("engine", *names), rows)


def _openings(standings: Standings) -> Drawing:
    """Results by opening: of the first of two engines, or of black among many."""
    first = standings.names[0] if len(standings.names) == 2 else None
    found: dict[int, list[float]] = {}
    for result in standings.results:
        found.setdefault(result.opening, []).append(result.score if first is None else result.score_of(first))
    scores = {f"{index + 1}: {_written(standings.settings, index)}": total(found[index]) for index in sorted(found)}
    return opening_plot(scores, first or "black")


def _moves(standings: Standings) -> str:
    """The moves of the openings, for the plot has room for their first ones only."""
    played = sorted({result.opening for result in standings.results})
    rows = [(str(index + 1), _written(standings.settings, index)) for index in played]
    return f"<details><summary>Moves of the openings</summary>{_table(('opening', 'moves'), rows)}</details>"


def _written(settings: Settings, index: int) -> str:
    if index >= len(settings.openings):
        return "not known"  # earlier programs forgot those of a match that went on with fewer games
    return write_opening(settings.openings[index], settings.make_game()) or "from the start"


def _times(standings: Standings) -> dict[str, dict[int, float]]:
    sums: dict[str, dict[int, list[float]]] = {name: {} for name in standings.names}
    for result in standings.results:
        for ply, seconds in enumerate(result.seconds):
            if seconds is not None:
                mover = result.black if ply % 2 == 0 else result.white
                sums[mover].setdefault(ply, []).append(seconds)
    return {name: {ply: sum(of) / len(of) for ply, of in plies.items()} for name, plies in sums.items()}


def _faults(standings: Standings) -> str:
    faults = standings.faults()
    if not faults:
        return "<p>None.</p>"
    rows = [(*fault, str(len(numbers)), _numbers(numbers)) for fault, numbers in faults.items()]
    return _table(("engine", "what", "how", "times", "games"), rows)


def _resignations(standings: Standings) -> str:
    found = standings.resignations()
    rows = [(name, str(len(numbers)), _numbers(numbers)) for name, numbers in found.items()]
    return f"<h2>Resignations</h2>{_table(('engine', 'times', 'games'), rows)}" if rows else ""


def _numbers(numbers: Sequence[int]) -> str:
    more = ", ..." if len(numbers) > MOST_NUMBERS else ""
    return ", ".join(str(number) for number in numbers[:MOST_NUMBERS]) + more


def _games(settings: Settings, results: Sequence[Result]) -> str:
    data = json.dumps(_data(settings, results[:MOST_GAMES])).replace("<", "\\u003c")
    note = f"<p class='note'>The first {MOST_GAMES} games.</p>" if len(results) > MOST_GAMES else ""
    buttons = "".join(
        f'<button data-step="{step}">{sign}</button>' for step, sign in ((0, "|◀"), (-1, "◀"), (1, "▶"), (999, "▶|"))
    )
    return (
        f"<h2>Games</h2>{note}<div id='games'><select id='list' size='20'></select><div>"
        f"<svg id='board'></svg><div class='controls'>{buttons} <input id='slider' type='range' min='0'></div>"
        f"<p id='caption'></p></div></div>"
        f"<script type='application/json' id='data'>{data}</script><script>{_page('page.js')}</script>"
    )


def _data(settings: Settings, results: Sequence[Result]) -> dict[str, object]:
    game = settings.make_game()
    start = game.start()
    return {
        "game": game.name,
        "size": game.size,
        "columns": list(COLUMNS[: game.size]),
        "rows": [row_number(row, game) for row in range(game.size)],
        "black": points(start.black),
        "white": points(start.white),
        "games": [
            {
                "number": result.number,
                "black": result.black,
                "white": result.white,
                "result": result.result,
                "remark": f"({'; '.join(result.remarks)})" if result.remarks else "",
                "moves": result.moves,
                "seconds": result.seconds,
            }
            for result in results
        ],
    }


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _page(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")
