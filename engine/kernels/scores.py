"""What the scores of the alpha-beta kernels mean; they are always for the side to move."""

WIN = 1_000_000  # a win now; a win in n plies is WIN - n
PROVEN = 900_000  # a score this far from zero is proven
