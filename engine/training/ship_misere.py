"""Weights of misère Gomoku among the shipped ones: they are a table in the source of the kernels."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..errors import EngineError
from ..kernels import misere_weights
from .files import write_bytes
from .history import command_of, measured

TABLES = ("small", "middle", "large")  # by `table_of` a board's size


def ship_table(
    folder: Path,
    name: str,
    kind: Mapping[str, Any],
    report: Callable[[str], None],
    source: Path = Path(misere_weights.__file__),
) -> Path:
    """Write a run's table over the one of its board size in the kernels' source, which is compiled at the next start.

    EngineError, and nothing changed, when the run has none yet or the name is another table's.
    """
    table = TABLES[misere_weights.table_of(kind["size"])]
    if name != table:
        raise EngineError(f"unacceptable name '{name}': weights for {kind['size']}x{kind['size']} are '{table}'")
    rows = _rows(folder / f"misere-{kind['size']}.txt")
    literal = "".join(f"    ({', '.join(map(str, row))}),\n" for row in rows)
    text = source.read_text(encoding="utf-8")
    place = rf"^_{table.upper()} = \(\n.*?^\)\n"
    changed, count = re.subn(place, f"_{table.upper()} = (\n{literal})\n", text, flags=re.MULTILINE | re.DOTALL)
    if count != 1:
        raise EngineError(f"'{source}' has no table '{table}'")
    write_bytes(source, changed.encode())
    report(f"trained by {command_of(folder, kind)}; {measured(folder)}")
    return source


def _rows(path: Path) -> list[tuple[int, ...]]:
    """A run's table; EngineError when it is missing or no table."""
    try:
        found = ast.literal_eval(f"({path.read_text(encoding='utf-8')})")
    except FileNotFoundError:
        raise EngineError(f"run directory '{path.parent}' has no weights to ship") from None
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError) as error:
        raise EngineError(f"'{path}' is damaged: {error}") from None
    shape = {len(row) for row in found if isinstance(row, tuple) and all(type(number) is int for number in row)}
    if len(found) != len(misere_weights.KNOTS) or shape != {misere_weights.NUM_FEATURES}:
        raise EngineError(f"'{path}' is damaged: that is no table of weights")
    return list(found)
