import re

import pytest

from extremum.frontends.bench_search import _growth, _net_lines, _overhead, _quiet

FIGURE = re.compile(r"[\d,.]+ (positions/s|playouts/s|%|us|times|bytes)")


@pytest.mark.slow
def test_nets_and_trees_are_measured() -> None:
    lines = [*_net_lines("b4c32", 8, 0.02), _overhead(_quiet("othello", 8, 8), 0.02), *_growth(4000)]
    assert len(lines) == 12
    for what, figure, floor in lines:
        assert what
        assert floor
        assert FIGURE.fullmatch(figure), figure
