"""The Smart Game Format: text to nodes and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ..engine.errors import EngineError

Node: TypeAlias = dict[str, list[str]]

# Outside of values: the signs, a property's name (lower case letters in it mean nothing) and its values.
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[([^\]\\]*(?:\\.[^\]\\]*)*)\])", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def read_nodes(text: str) -> list[Node]:
    """The nodes of the main line; raises EngineError where the text is no game."""
    start = text.find("(")
    if start < 0 or text[start + 1 :].lstrip()[:1] not in ("(", ";"):
        raise EngineError("it is not an SGF file")
    nodes: list[Node] = []
    values: list[str] | None = None
    for sign, name, value in _tokens(text, start):
        if value is not None:
            if values is None:
                raise EngineError("an SGF value has no property")
            values.append(_plain(value))
        elif name:
            if not nodes:
                raise EngineError("an SGF property has no node")
            values = nodes[-1].setdefault(re.sub("[a-z]", "", name), [])
        else:
            values = None
            if sign == ";":
                nodes.append({})
            elif sign == ")":  # the first variation ends here, and with it the main line
                return nodes
    raise EngineError("the SGF file is cut off")


def write_nodes(nodes: Sequence[Node]) -> str:
    """A game of one line of play: the root, then ten nodes a line."""
    texts = [_written(node) for node in nodes]
    lines = [texts[0], *("".join(texts[first : first + 10]) for first in range(1, len(texts), 10))]
    return "(" + "\n".join(lines) + ")"


def _written(node: Node) -> str:
    return ";" + "".join(name + "".join(f"[{_escaped(value)}]" for value in node[name]) for name in node)


def _tokens(text: str, start: int) -> Iterator[tuple[str | None, str | None, str | None]]:
    while start < len(text):
        found = _TOKEN.match(text, start)
        if found is None:
            if not text[start:].strip():
                return
            raise EngineError(f"the SGF file cannot be read from character {start} on")
        yield found.group(1), found.group(2), found.group(3)
        start = found.end()


def _plain(value: str) -> str:
    return _ESCAPE.sub(lambda found: "" if found.group(1).strip("\r\n") == "" else found.group(1), value)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")
