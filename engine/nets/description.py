"""What a net is: the table of shapes, and the description that travels with every file of weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import EngineError
from . import planes

OBJECTIVES = ("ordinary", "misere", "both")


@dataclass(frozen=True, slots=True)
class Residual:
    """Pre-activation residual blocks with some global pooling: for boards of any size."""

    blocks: int
    channels: int
    pooled: tuple[int, ...]  # the blocks that look at the whole board


@dataclass(frozen=True, slots=True)
class Classic:
    """Three convolutions and two fully connected heads: for boards of one size."""

    channels: tuple[int, int, int]
    policy_channels: int = 4
    value_channels: int = 2
    hidden: int = 64


Shape: TypeAlias = Residual | Classic

NETS: Mapping[str, Shape] = {
    "b4c32": Residual(blocks=4, channels=32, pooled=(2,)),
    "b6c64": Residual(blocks=6, channels=64, pooled=(2, 4)),
    "b10c128": Residual(blocks=10, channels=128, pooled=(3, 5, 8)),
    "classic": Classic(channels=(32, 64, 128)),
}


@dataclass(frozen=True, slots=True)
class Description:
    """What a file of weights says of itself."""

    game: str
    config: str  # a name in NETS
    sizes: tuple[int, ...]  # the boards it was trained for; one for a classic net
    objective: str = "both"  # one of OBJECTIVES

    def __post_init__(self) -> None:
        _refuse_unknown("game", self.game, tuple(planes.PLANES))
        _refuse_unknown("net", self.config, tuple(NETS))
        _refuse_unknown("objective", self.objective, OBJECTIVES)
        if not self.sizes or (isinstance(self.shape, Classic) and len(self.sizes) != 1):
            raise EngineError(f"a net of shape '{self.config}' cannot have the sizes {list(self.sizes)}")

    @property
    def shape(self) -> Shape:
        """The net's entry in the table."""
        return NETS[self.config]

    @property
    def num_planes(self) -> int:
        """How many planes it sees."""
        return len(planes.CLASSIC) if isinstance(self.shape, Classic) else planes.num_planes(self.game)

    @property
    def planes_version(self) -> int:
        """The version of these planes."""
        return planes.CLASSIC_VERSION if isinstance(self.shape, Classic) else planes.VERSION

    def num_moves(self, size: int) -> int:
        """The length of a policy on this board; EngineError when the net is not for it."""
        if size not in self.sizes:
            raise EngineError(f"the net is for board sizes {', '.join(map(str, self.sizes))}, not {size}")
        return planes.num_moves(self.game, size)

    def texts(self) -> dict[str, str]:
        """The description as files keep it."""
        return {
            "game": self.game,
            "config": self.config,
            "sizes": ",".join(map(str, self.sizes)),
            "objective": self.objective,
            "planes": str(self.planes_version),
        }


def read_description(texts: Mapping[str, str], where: str, game: str | None = None) -> Description:
    """The description a file keeps; EngineError when it keeps none, or is for another game or other planes."""
    try:
        sizes = tuple(int(size) for size in texts["sizes"].split(","))
        version = int(texts["planes"])
        description = Description(texts["game"], texts["config"], sizes, texts["objective"])
    except (KeyError, ValueError):
        raise EngineError(f"weights '{where}' do not say what they are") from None
    except EngineError as refusal:  # as of a net that only a version to come knows
        raise EngineError(f"weights '{where}': {refusal}") from None
    if version != description.planes_version:
        raise EngineError(f"weights '{where}' are for planes of version {version}, not {description.planes_version}")
    if game is not None and description.game != game:
        raise EngineError(f"weights '{where}' are for {description.game}, not {game}")
    return description


def _refuse_unknown(what: str, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise EngineError(f"unknown {what} '{name}': one of {', '.join(names)}")
