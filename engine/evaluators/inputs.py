"""The step from states to a net's planes, with all that can be wrong in between."""

from __future__ import annotations

import numpy as np

from ..errors import EngineError
from ..kernels.encode import encode
from ..kernels.layout import GOMOKU, KIND, OBJECTIVE, SIZE
from ..nets.description import Description
from .evaluator import Floats, States


def draw_planes(description: Description, states: States) -> Floats:
    """The planes of a batch; EngineError when the net is for another game, size or objective."""
    size = checked_size(description, states)
    planes = np.empty((len(states), description.num_planes, size, size), np.float32)
    encode(states, planes)
    return planes


def checked_size(description: Description, states: States) -> int:
    """The board size of a batch that the net is for; EngineError when it is not for it."""
    kinds, sizes = states[:, KIND], states[:, SIZE]
    if (kinds != kinds[0]).any() or (sizes != sizes[0]).any():
        raise ValueError("the states of a batch are of different games or sizes")
    game = "gomoku" if kinds[0] == GOMOKU else "othello"
    if game != description.game:
        raise EngineError(f"the net plays {description.game}, not {game}")
    description.num_moves(int(sizes[0]))
    _refuse_other_objective(description, states[:, OBJECTIVE])
    return int(sizes[0])


def refuse_device(evaluator: str, device: str) -> None:
    """Refuse any device but the CPU."""
    if device not in ("auto", "cpu"):
        raise EngineError(f"the {evaluator} evaluator runs on the cpu, not on '{device}'")


def _refuse_other_objective(description: Description, misere: States) -> None:
    if description.objective == "ordinary" and misere.any():
        raise EngineError("the net was trained for the ordinary game, not for its misère")
    if description.objective == "misere" and not misere.all():
        raise EngineError("the net was trained for the misère, not for the ordinary game")
