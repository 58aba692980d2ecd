"""A learner of action values: double Q-learning on remembered moves, with a target that follows slowly."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeAlias

import numpy as np
import torch  # noqa: TID253, learning is torch's
from numpy.typing import NDArray
from torch import Tensor  # noqa: TID253, learning is torch's

from ..games.symmetry import SYMMETRIES, permutation
from ..kernels.dqn_games import draw_discs
from ..nets.planes import NUM_VALUE_PLANES, VALUE_MOVES
from ..nets.qnet import QNet
from .small_run import Arrays

FIRST_RATE, LAST_RATE = 1e-3, 1e-4
FOLLOWING = 0.005  # how much of the net its target takes over in a step
CLIP = 1.0

# As the replay has them: discs before and later [move, 4], move and sign [move, 2], reward [move].
Batch: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.int8], NDArray[np.float32]]


class QLearner:
    """A net of action values, its target, which also is what plays in the end, and a rival from some time ago."""

    def __init__(self, size: int, threads: int, seed: int) -> None:
        torch.set_num_threads(threads)
        torch.manual_seed(seed)
        self._size = size
        self.net = QNet(size)
        self.target = deepcopy(self.net).requires_grad_(False)
        self.rival = deepcopy(self.net).requires_grad_(False)
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=FIRST_RATE)
        self._permutations = np.array([permutation(size, symmetry) for symmetry in SYMMETRIES], np.int64)

    def values(self, net: QNet, discs: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The values of all points, [position, point]."""
        with torch.inference_mode():
            values: NDArray[np.float32] = net(self._planes(discs, np.zeros(len(discs), np.int64))).numpy()
        return values

    def learn(self, batch: Batch, turns: NDArray[np.int64], progress: float) -> float:
        """Make one step on remembered moves, each under a symmetry of its own; returns the loss."""
        discs, moves, rewards = batch
        targets = torch.from_numpy(rewards) + torch.from_numpy(moves[:, 1]) * self._later(discs[:, 2:], turns)
        squares = moves[:, 0].astype(np.int64)
        points = self._permutations[turns, squares // 8 * self._size + squares % 8]
        for group in self._optimizer.param_groups:
            group["lr"] = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** progress
        values = self.net(self._planes(discs, turns)).gather(1, torch.from_numpy(points)[:, None])[:, 0]
        loss = torch.nn.functional.huber_loss(values, targets)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's types lack it
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), CLIP)
        self._optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.net.parameters(), strict=True):
                slow.lerp_(fast, FOLLOWING)
        return float(loss.detach())

    def arrays(self) -> Arrays:
        """All of it, by name."""
        nets = (("net", self.net), ("target", self.target), ("rival", self.rival))
        found = {f"{name}/{layer}": weight for name, net in nets for layer, weight in net.state_dict().items()}
        for number, state in self._optimizer.state_dict()["state"].items():
            found |= {f"optimizer/{number}/{key}": value for key, value in state.items()}
        return {name: value.detach().numpy().copy() for name, value in found.items()}

    def take(self, arrays: Arrays) -> None:
        """Go on with what `arrays` gave; KeyError, RuntimeError or ValueError when it is something else."""
        for name, net in (("net", self.net), ("target", self.target), ("rival", self.rival)):
            net.load_state_dict({layer: torch.from_numpy(arrays[f"{name}/{layer}"]) for layer in net.state_dict()})
        states: dict[int, dict[str, Tensor]] = {}
        for name in arrays:
            if name.startswith("optimizer/"):
                _, number, key = name.split("/")
                states.setdefault(int(number), {})[key] = torch.from_numpy(arrays[name])
        self._optimizer.load_state_dict(self._optimizer.state_dict() | {"state": states})

    def _later(self, discs: NDArray[np.uint64], turns: NDArray[np.int64]) -> Tensor:
        """What the positions after are worth: the net chooses the move, its target says the value."""
        with torch.inference_mode():
            planes = self._planes(discs, turns)
            illegal = planes[:, VALUE_MOVES] == 0
            best = self.net(planes).masked_fill(illegal, -2.0).argmax(1, keepdim=True)
            values: Tensor = self.target(planes).gather(1, best)[:, 0]
        return values.clone()

    def _planes(self, discs: NDArray[np.uint64], turns: NDArray[np.int64]) -> Tensor:
        planes = np.empty((len(discs), NUM_VALUE_PLANES, self._size**2), np.float32)
        draw_discs(discs, turns, self._permutations, planes)
        return torch.from_numpy(planes)
