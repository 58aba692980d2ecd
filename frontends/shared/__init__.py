"""What the windows share: the connection to an engine, the game that is played over it, and the words."""
