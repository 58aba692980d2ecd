"""A round robin of the nets that a run kept: later ones should beat earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

from ..errors import EngineError
from .files import write_bytes
from .mix import read_mix
from .opponents import kept_player
from .progress import Beat, no_beat
from .results import Result
from .run import read_settings
from .yardsticks import make_openings, play_match

MOST = 10  # nets in a table

Results = dict[tuple[int, int], Result]  # of the net before the comma, by places in the table


def round_robin(
    folder: Path,
    games: int,
    report: Callable[[str], None],
    beat: Beat = no_beat,
    device: str = "cpu",
    threads: int = 1,
) -> Path:
    """Let up to ten kept nets play each other, and write table.md into the run's directory."""
    settings = read_settings(folder)
    mix = read_mix(settings.mix)
    kept = spread(sorted((folder / "kept").glob("*.safetensors")), MOST)
    if len(kept) < 2:
        raise EngineError(f"'{folder}' has kept fewer than two nets")
    openings = make_openings(mix.main, games // 2, settings.seed, beat)
    players = [kept_player(path, mix.name, settings.seed, device, threads) for path in kept]
    results: Results = {}
    for one, other in combinations(range(len(kept)), 2):
        result = play_match(players[one], players[other], openings, lambda: False, beat)
        assert result is not None  # nobody stops it
        results[one, other] = result
        results[other, one] = Result(result.losses, result.draws, result.wins)
        report(f"{kept[one].stem} against {kept[other].stem}: {result.score:.1%} ±{result.error:.1%}")
    path = folder / "table.md"
    write_bytes(path, table_text([file.stem for file in kept], results).encode())
    return path


def spread(paths: Sequence[Path], most: int) -> list[Path]:
    """So many of them, evenly, the first and the last among them."""
    if len(paths) <= most:
        return list(paths)
    return [paths[round(place * (len(paths) - 1) / (most - 1))] for place in range(most)]


def table_text(names: Sequence[str], results: Results) -> str:
    """The scores of the rows against the columns, and of each against all."""
    lines = [f"| net | {' | '.join(names)} | all |", "|---" * (len(names) + 2) + "|"]
    for one, name in enumerate(names):
        scores = [f"{results[one, other].score:.0%}" if one != other else "" for other in range(len(names))]
        mine = [result for (row, _), result in results.items() if row == one]
        every = Result(*(sum(getattr(result, part) for result in mine) for part in ("wins", "draws", "losses")))
        lines.append(f"| {name} | {' | '.join(scores)} | {every.score:.1%} ±{every.error:.1%} |")
    return "\n".join(lines) + "\n"
