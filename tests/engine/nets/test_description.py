import pytest

from extremum.engine.errors import EngineError
from extremum.engine.nets.description import Description, read_description


def test_a_description_written_and_read_comes_back() -> None:
    description = Description("gomoku", "b4c32", (8, 15), "misere")
    assert read_description(description.texts(), "file") == description


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (("chess", "b4c32", (8,)), "unknown game 'chess': one of gomoku, othello"),
        (("gomoku", "b4", (8,)), "unknown net 'b4': one of b4c32, b6c64, b10c128, classic"),
        (("gomoku", "b4c32", (8,), "best"), "unknown objective 'best': one of ordinary, misere, both"),
        (("gomoku", "b4c32", ()), "a net of shape 'b4c32' cannot have the sizes []"),
        (("gomoku", "classic", (8, 15)), "a net of shape 'classic' cannot have the sizes [8, 15]"),
    ],
)
def test_what_is_unknown_is_refused(arguments: tuple[str, str, tuple[int, ...]], refusal: str) -> None:
    with pytest.raises(EngineError) as caught:
        Description(*arguments)
    assert str(caught.value) == refusal


def test_a_file_that_does_not_say_what_it_is_is_refused() -> None:
    with pytest.raises(EngineError, match=r"^weights 'file' do not say what they are$"):
        read_description({"game": "gomoku"}, "file")


def test_weights_for_other_planes_are_refused() -> None:
    texts = Description("gomoku", "b4c32", (8,)).texts() | {"planes": "0"}
    with pytest.raises(EngineError, match=r"^weights 'file' are for planes of version 0, not 1$"):
        read_description(texts, "file")
    texts = Description("gomoku", "classic", (8,)).texts() | {"planes": "1"}
    with pytest.raises(EngineError, match=r"^weights 'file' are for planes of version 1, not 2$"):
        read_description(texts, "file")


def test_a_net_that_is_not_known_here_is_refused_with_its_file() -> None:
    texts = Description("gomoku", "b4c32", (8,)).texts() | {"config": "b99c999"}
    with pytest.raises(EngineError, match=r"^weights 'file': unknown net 'b99c999': one of "):
        read_description(texts, "file")


def test_a_net_is_refused_on_a_board_it_was_not_trained_for() -> None:
    with pytest.raises(EngineError, match=r"^the net is for board sizes 8, 15, not 9$"):
        Description("gomoku", "b4c32", (8, 15)).num_moves(9)
