"""The engine where neither torch nor ONNX Runtime is installed."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
for name in ("torch", "onnx", "onnxruntime"):
    sys.modules[name] = None  # what an import of something that is not there finds
sys.argv = ["extremum", "--brain", "mcts", "--evaluator", "numpy", "--visits", "20", "--seed", "1"]
from extremum.frontends.cli import main
main()
"""
LINES = """
boardsize 8
genmove b
set_game othello
genmove b
set_option evaluator torch
genmove w
set_option evaluator onnx
genmove w
set_option evaluator auto
set_option device cuda
genmove w
set_option device cpu
genmove w
"""


@pytest.mark.slow
def test_nets_play_by_numpy_alone_and_what_is_missing_is_refused_in_a_line() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=LINES, capture_output=True, text=True, timeout=240)
    answers = [answer for answer in done.stdout.split("\n\n") if answer not in ("= ", "")]
    gomoku, othello, *refused, again = answers
    assert gomoku[:3] in {f"= {column}" for column in "ABCDEFGH"}
    assert othello in {"= D3", "= C4", "= F5", "= E6"}
    assert refused == [
        "? the torch evaluator needs torch, which is not installed",
        "? the onnx evaluator needs onnxruntime, which is not installed",
        "? the device 'cuda' needs torch, which is not installed",
    ]
    assert again.startswith("= ")
    assert "Traceback" not in done.stderr
