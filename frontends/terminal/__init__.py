"""A plain text board for a person in a shell."""
