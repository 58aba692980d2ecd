from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from extremum.engine.brains import make_brain
from extremum.engine.brains.brain import Brain
from extremum.engine.errors import EngineError
from extremum.engine.evaluators.genomes import FORMAT, Genome, save_genome
from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from tests.contracts_brain import check_brain, choose

GAMES: tuple[Game, ...] = (Othello(8), Misere(Othello(8)))


@pytest.mark.parametrize("depth", [0, 3])
def test_the_brain_keeps_the_contract(depth: int) -> None:
    check_brain(lambda: make_brain("evolved", Options(seed=1, depth=depth)), thinks=False, games=GAMES)


def test_a_shipped_genome_is_taken_by_its_name() -> None:
    start = Othello(8).start()
    network, coefficients = (
        choose(make_brain("evolved", Options(weights=f"othello-{kind}")), start, 1).analysis
        for kind in ("network", "coefficients")
    )
    assert (network.depth, coefficients.depth) == (1, 2)


def test_it_sees_a_game_end(tmp_path: Path) -> None:
    """With two plies to go the score of a move is the final margin, whatever its genes say."""
    game = Othello(8)
    full = (1 << 64) - 1
    empty = 1 << 0
    black = full & ~empty & ~(1 << 1)
    position = game.setup(black, 1 << 1, game.start().side_to_move)
    choice = choose(evolved_by(tmp_path, "network"), position, 1)
    assert choice.move == 0
    assert choice.analysis.best.value > 0.99


def evolved_by(folder: Path, kind: str, size: int = 8) -> Brain:
    genes = {"network": 288, "coefficients": 33}[kind]
    path = folder / "some.evolved.safetensors"
    save_genome(path, Genome(kind, size, 1), np.ones(genes, np.float32))
    return make_brain("evolved", Options(weights=str(path)))


def test_what_it_cannot_play_is_refused(tmp_path: Path) -> None:
    def refusal_of(game: Game, weights: str) -> str:
        with pytest.raises(EngineError) as caught:
            choose(make_brain("evolved", Options(weights=weights)), game.start(), 1)
        return str(caught.value).replace(str(tmp_path), "DIR")

    path = str(tmp_path / "some.evolved.safetensors")
    evolved_by(tmp_path, "network")
    assert refusal_of(Gomoku(8), "auto") == "'evolved' does not play gomoku: it knows othello only"
    assert refusal_of(Othello(6), path) == "weights 'DIR/some.evolved.safetensors' have size '8', not '6'"
    refusal = "weights 'DIR/some.evolved.safetensors' have objective 'ordinary', not 'misere'"
    assert refusal_of(Misere(Othello(8)), path) == refusal
    words = {"format": FORMAT, "size": "8", "objective": "ordinary", "kind": "network"}
    save_file({"genes": np.ones(7, np.float32)}, path, words)
    assert refusal_of(Othello(8), path) == "weights 'DIR/some.evolved.safetensors' are no genome of 8x8"
    save_file({"genes": np.ones(288, np.float32)}, path, words | {"format": "othello-evolved-2"})
    refusal = f"weights 'DIR/some.evolved.safetensors' have format 'othello-evolved-2', not '{FORMAT}'"
    assert refusal_of(Othello(8), path) == refusal
