"""Othello's tables of patterns, as a method of training."""

from __future__ import annotations

from pathlib import Path

from .othello_patterns import train_patterns
from .request import Request, Say, ShouldStop


def train_tables(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Train until the planned hours are over, going on where the run was left; returns the file of tables."""
    request.size_of("othello", (8,))
    objective = -1 if request.misere else 1
    minutes = 60 * request.hours
    return train_patterns(request.folder, objective, minutes, request.seed, say, should_stop, request.init)
