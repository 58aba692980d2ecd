import re
import subprocess

import pytest

from tests.protocol.engine import ENGINE


@pytest.mark.slow
def test_the_benchmark_measures_everything_it_names() -> None:
    command = [*ENGINE, "bench", "--seconds", "0.05"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    header, *lines = done.stdout.splitlines()
    assert header.split() == ["measured", "figure", "floor"]
    figures = [re.fullmatch(r"(.+?) +([\d,.]+) (ms|us|M leaves/s|playouts/s|nodes/s)   .+", line) for line in lines]
    assert all(figure is not None and float(figure[2].replace(",", "")) > 0 for figure in figures)
    assert len(lines) == 21
