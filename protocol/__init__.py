"""Messages: turns what a client says into calls on a session, and the answers into what it understands."""
