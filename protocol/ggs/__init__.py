"""A player on the Generic Game Server: Othello's service `/os` as its clients know it."""
