"""The games: plain Python, the reference that every kernel is tested against."""
