"""The step from states to a net's planes, with all that can be wrong in between."""

from __future__ import annotations

import numpy as np

from ..errors import EngineError
from ..kernels import batches, encode
from ..kernels.direct import direct
from ..kernels.layout import GOMOKU
from ..nets.description import Description
from .evaluator import Floats, States

_survey, _encode = direct(batches.survey), direct(encode.encode)


def draw_planes(description: Description, states: States) -> Floats:
    """The planes of a batch; EngineError when the net is for another game, size or objective."""
    size = checked_size(description, states)
    planes = np.empty((len(states), description.num_planes, size, size), np.float32)
    _encode(np.ascontiguousarray(states), planes)
    return planes


def checked_size(description: Description, states: States) -> int:
    """The board size of a batch that the net is for; EngineError when it is not for it."""
    found = np.empty(3, np.int64)
    if not _survey(np.ascontiguousarray(states), found):
        raise ValueError("the states of a batch are of different games or sizes")
    kind, size, num_misere = found.tolist()
    game = "gomoku" if kind == GOMOKU else "othello"
    if game != description.game:
        raise EngineError(f"the net plays {description.game}, not {game}")
    description.num_moves(size)
    _refuse_other_objective(description, num_misere, len(states))
    return int(size)


def refuse_device(evaluator: str, device: str) -> None:
    """Refuse any device but the CPU."""
    if device not in ("auto", "cpu"):
        raise EngineError(f"the {evaluator} evaluator runs on the cpu, not on '{device}'")


def _refuse_other_objective(description: Description, num_misere: int, batch: int) -> None:
    if description.objective == "ordinary" and num_misere > 0:
        raise EngineError("the net was trained for the ordinary game, not for its misère")
    if description.objective == "misere" and num_misere < batch:
        raise EngineError("the net was trained for the misère, not for the ordinary game")
