"""The players: each chooses a move within what a stopper allows."""
