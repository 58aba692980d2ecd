"""What a tree knows of its root, as an analysis."""

from __future__ import annotations

import math

import numpy as np

from ..kernels.tree import Tree, principal_lines, rank_children
from .analysis import Analysis, Candidate

LONGEST_LINE = 64
CONFIDENCE = 1.96  # standard errors under the mean: the bound holds 39 times in 40


def analysis_of(tree: Tree, root: int, seconds: float) -> Analysis:
    """The visited moves at an expanded root, best first; all of them before there was a visit."""
    first, count = int(tree.first[root]), int(tree.num_children[root])
    visits = tree.visits[first : first + count]
    chosen = [index for index in _ranked(tree, root) if visits[index] > 0] or _ranked(tree, root)
    lines = np.empty((count, LONGEST_LINE + 1), np.int16)
    principal_lines(tree, root, lines)
    candidates = tuple(_candidate(tree, first + index, lines[index].tolist()) for index in chosen)
    return Analysis(candidates, int(tree.visits[root]), seconds, len(candidates[0].line))


def _ranked(tree: Tree, root: int) -> list[int]:
    ranks = np.empty(int(tree.num_children[root]))
    rank_children(tree, root, ranks)
    order: list[int] = np.argsort(-ranks, kind="stable").tolist()
    return order


def _candidate(tree: Tree, child: int, line: list[int]) -> Candidate:
    visits, value = int(tree.visits[child]), 0.0 - float(tree.value[child])
    is_proven = bool(tree.low[child] == tree.high[child])
    return Candidate(
        move=line[0],
        visits=visits,
        value=value,
        prior=float(tree.prior[child]),
        lcb=value if is_proven else _lower_bound(value, float(tree.square[child]), visits),
        line=tuple(line[: line.index(-1)]),
        proven=-int(tree.low[child]) if is_proven else None,
        distance=int(tree.distance[child]) + 1 if is_proven else None,
    )


def _lower_bound(mean: float, square: float, visits: int) -> float:
    """The bound with the variance of one more visit, of which nothing is known."""
    variance = (max(square - mean * mean, 0.0) * visits + 1.0) / (visits + 1)
    return max(-1.0, mean - CONFIDENCE * math.sqrt(variance / max(visits, 1)))
