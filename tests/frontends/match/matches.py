"""Whole matches in processes, and what they leave on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from tests.protocol.engine import ENGINE, HOME

SMALL = ("--size", "5", "--openings", "random:2")


def match(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ENGINE, "match", *words], capture_output=True, text=True, timeout=100, cwd=HOME)


def begun(*words: str, stderr: int | IO[bytes] = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    null, command = subprocess.DEVNULL, [*ENGINE, "match", *words]
    return subprocess.Popen(command, stdout=null, stderr=stderr, cwd=HOME, start_new_session=True)


def faulty(fault: str, mark: str = "") -> str:
    return f"{fault}=gtp:{sys.executable} -m tests.protocol.clients.faulty {fault} {mark}"


def games(folder: Path) -> list[dict[str, Any]]:
    """The finished games on disk."""
    file = folder / "results.jsonl"
    return (
        [json.loads(line) for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]
        if file.exists()
        else []
    )


def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)


def alive(mark: str) -> list[int]:
    """The processes that have a mark in their command line."""
    return [pid for pid, words in _commands() if mark in words and pid != os.getpid()]


def _commands() -> Iterator[tuple[int, str]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                yield int(folder.name), (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue


def children(parent: int) -> list[int]:
    """The processes that another one has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True)
    return [int(pid) for pid in listed.stdout.split()]


def engines(mark: str) -> list[int]:
    """The engines of a match, without the match itself."""
    return [pid for pid, words in _commands() if mark in words and "match" not in words.split("\0")]
