"""The input planes of each game, in the order in which the encoder writes them; always seen by the side to move."""

VERSION = 1  # of the tables below: weights trained on other planes are refused

PLANES = {
    "gomoku": (
        "own stones",
        "opponent's stones",
        "board",
        "own five",  # an empty point where one more stone completes the row, and so on
        "own open four",
        "own four",
        "own open three",
        "opponent's five",
        "opponent's open four",
        "opponent's four",
        "opponent's open three",
        "forbidden to black",
        "standard",  # the rule, as constant planes; freestyle is neither
        "renju",
        "black moves in renju",
        "objective",  # +1, or -1 in the misère
    ),
    "othello": (
        "own discs",
        "opponent's discs",
        "own moves",
        "opponent's moves",
        "own frontier",
        "opponent's frontier",
        "board",
        "odd empties",
        "objective",
    ),
}

# Those of the classic net, in both games. The field's last move is no part of a position: searches share positions
# that were reached in different orders; the legal moves stand in its place.
CLASSIC = (
    "own stones",
    "opponent's stones",
    "legal moves",
    "black moves",
)
CLASSIC_VERSION = 2  # the first one saw all of a game's planes

# Those of Othello's action values: own discs, opponent's discs, own moves, opponent's moves.
NUM_VALUE_PLANES, VALUE_MOVES = 4, 2


def num_planes(game: str) -> int:
    """How many planes a game's positions have."""
    return len(PLANES[game])


def has_pass(game: str) -> bool:
    """True when the last move of the policy is a pass."""
    return game == "othello"


def num_moves(game: str, size: int) -> int:
    """The length of a policy."""
    return size * size + has_pass(game)
