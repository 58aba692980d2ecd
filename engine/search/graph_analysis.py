"""What a graph of positions knows of its root, as an analysis."""

from __future__ import annotations

import numpy as np

from ..kernels import graph_choice
from ..kernels.direct import direct
from ..kernels.graph import Graph
from .analysis import Analysis, Candidate

LONGEST_LINE = 64

_lower_bound, _principal_line = direct(graph_choice.lower_bound), direct(graph_choice.principal_line)


def analysis_of(graph: Graph, root: int, seconds: float) -> Analysis:
    """The visited moves at an expanded root, best first; all of them before there was a visit."""
    first = int(graph.nodes["first"][root])
    ranks = np.empty(int(graph.nodes["num_edges"][root]))
    graph_choice.rank_edges(graph, root, ranks)
    edges: list[int] = (first + np.argsort(-ranks, kind="stable")).tolist()
    visits = graph.edges["visits"]
    visited = [edge for edge in edges if visits.item(edge) > 0]
    candidates = tuple(_candidate(graph, root, edge) for edge in visited or edges)
    return Analysis(candidates, int(graph.nodes["visits"][root]), seconds, len(candidates[0].line))


def _candidate(graph: Graph, root: int, edge: int) -> Candidate:
    taken = graph.edges[edge]
    move, prior = int(taken["move"]), float(taken["prior"])
    if taken["child"] < 0:
        return Candidate(move, 0, float(graph.nodes["value"][root]), prior, -1.0, (move,))
    child = graph.nodes[taken["child"]]
    is_proven = bool(child["low"] == child["high"])
    return Candidate(
        move=move,
        visits=int(taken["visits"]),
        value=0.0 - float(child["value"]),
        prior=prior,
        lcb=max(-1.0, _lower_bound(graph, edge)),
        line=_line(graph, edge),
        proven=-int(child["low"]) if is_proven else None,
        distance=int(child["distance"]) + 1 if is_proven else None,
    )


def _line(graph: Graph, edge: int) -> tuple[int, ...]:
    moves = np.empty(LONGEST_LINE, np.int16)
    length = _principal_line(graph, edge, moves)
    return tuple(moves[:length].tolist())
