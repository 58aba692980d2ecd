"""The commands of every dialect, one module a subject."""

from ..command import COMMANDS
from . import admin, analysis, board, clock, gogui, records, search, settings

__all__ = ["COMMANDS", "admin", "analysis", "board", "clock", "gogui", "records", "search", "settings"]
