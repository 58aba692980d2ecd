from extremum.engine.games import make_game
from extremum.engine.kernels.encode import NUM_CLASSIC_PLANES, NUM_GOMOKU_PLANES, NUM_OTHELLO_PLANES
from extremum.engine.nets.description import Description
from extremum.engine.nets.planes import num_moves, num_planes


def test_the_encoder_draws_the_planes_that_the_nets_expect() -> None:
    assert num_planes("gomoku") == NUM_GOMOKU_PLANES
    assert num_planes("othello") == NUM_OTHELLO_PLANES
    assert Description("gomoku", "b4c32", (8,)).num_planes == NUM_GOMOKU_PLANES
    assert Description("gomoku", "classic", (8,)).num_planes == NUM_CLASSIC_PLANES == 4


def test_a_policy_is_as_long_as_the_game_says() -> None:
    for name, size in (("gomoku", 15), ("othello", 8), ("othello", 6)):
        assert num_moves(name, size) == make_game(name, size).num_moves
