"""What a client may set, with its bounds and its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from .errors import EngineError

_SWITCH = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}


def _option(default: Any, low: float, high: float, text: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "help": text})


def _text(default: str, text: str, *choices: str) -> Any:
    """An option with words for its value: one of the choices, or anything where there are none."""
    return field(default=default, metadata={"choices": choices, "help": text})


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a session; a change makes a new one."""

    seed: int = _option(0, 0, 2**31 - 1, "seed of everything random; 0 takes a new one each time")
    visits: int = _option(0, 0, 10**12, "most playouts or nodes a move; 0 is no limit")
    depth: int = _option(0, 0, 400, "deepest iteration of an alpha-beta search; 0 is no limit")
    movetime: float = _option(1.0, 0.001, 86400, "seconds a move when no clock was set")
    lag: float = _option(0.05, 0, 60, "seconds of each move kept back for the way to the client")
    memory: int = _option(128, 1, 2**20, "megabytes for the hash table or the tree")
    ponder: bool = _option(False, 0, 1, "think on while the opponent does")
    textbook: bool = _option(False, 0, 1, "rollout: the textbook's version, c_puct 5 and no proofs")
    certified: bool = _option(False, 0, 1, "weakest Gomoku as second on even boards: mirror, which provably never wins")
    evaluation: str = _text(
        "patterns", "alphabeta in Othello 8x8: tables that were learned, or counts", "patterns", "handmade"
    )
    weights: str = _text(
        "auto",
        "mcts, dqn, evolved, alphabeta in Othello 8x8: a file of weights, or one of those shipped; auto takes the best",
    )
    evaluator: str = _text(
        "auto",
        "mcts: what judges positions",
        *("auto", "short", "native", "onnx", "int8", "torch", "numpy", "patterns", "rollout"),
    )
    device: str = _text(
        "auto",
        "mcts: where a net runs; auto is the cpu, or with the evaluator torch the first of cuda, mps and cpu that is"
        " there; cuda and mps are unmeasured",
        *("auto", "cpu", "cuda", "mps"),
    )
    threads: int = _option(0, 0, 256, "threads of a search that only time limits; 0 is one a processor, 8 at most")
    batch: int = _option(0, 0, 1024, "mcts: most positions judged at a time; 0 takes what the evaluator likes")

    def text(self, name: str) -> str:
        """The value of an option as a client writes it."""
        value = getattr(self, _known(name))
        return str(value).lower() if isinstance(value, bool) else str(value)

    def changed(self, name: str, text: str) -> Options:
        """The same with one option set from text."""
        change: dict[str, Any] = {_known(name): _READERS[option_kind(name)](name, text)}
        return replace(self, **change)


def option_names() -> list[str]:
    """Every option, in the order of its declaration."""
    return [option.name for option in fields(Options)]


def option_help(name: str) -> str:
    """One line about an option."""
    return str(_metadata(_known(name))["help"])


def option_kind(name: str) -> type:
    """The type of an option's value."""
    return type(getattr(Options(), _known(name)))


def option_choices(name: str) -> tuple[str, ...]:
    """The words that an option takes, none where it takes any or a number."""
    return tuple(_metadata(_known(name)).get("choices", ()))


def option_most(name: str) -> float:
    """The highest value of an option that is a number."""
    return float(_metadata(_known(name))["high"])


def _known(name: str) -> str:
    if name not in option_names():
        raise EngineError(f"unknown option '{name}': one of {', '.join(option_names())}")
    return name


def _switch(name: str, text: str) -> bool:
    if text.lower() not in _SWITCH:
        raise EngineError(f"invalid value '{text}' for {name}: true or false")
    return _SWITCH[text.lower()]


def _word(name: str, text: str) -> str:
    choices = _metadata(name)["choices"]
    if choices and text.lower() not in choices:
        raise EngineError(f"invalid value '{text}' for {name}: one of {', '.join(choices)}")
    return text.lower() if choices else text


def _metadata(name: str) -> Mapping[str, Any]:
    return next(option.metadata for option in fields(Options) if option.name == name)


def _number(name: str, text: str) -> float:
    bounds, kind = _metadata(name), option_kind(name)
    low, high = kind(bounds["low"]), kind(bounds["high"])
    try:
        value: float = kind(text)
    except (ValueError, OverflowError):
        value = low - 1
    if not low <= value <= high:
        noun = "a whole number" if kind is int else "a number"
        raise EngineError(f"invalid value '{text}' for {name}: {noun} in {low}..{high}")
    return value


_READERS: dict[type, Callable[[str, str], Any]] = {bool: _switch, int: _number, float: _number, str: _word}
