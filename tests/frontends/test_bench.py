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


@pytest.mark.slow
def test_the_benchmark_of_managers_measures_everything_it_names() -> None:
    command = [*ENGINE, "bench", "--gomocup", "--moves", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=True)
    _, *lines = done.stdout.splitlines()
    figures = [re.fullmatch(r"(?:gomocup|nboard): (.+?) +(\d+) (ms|MB|late)   .+", line) for line in lines]
    assert len(lines) == 10
    assert all(figures)
    memory = [int(figure[2]) for figure in figures if figure is not None and figure[3] == "MB"]
    assert max(memory) < 350
