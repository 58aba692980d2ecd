"""The networks: what they see, how they are built, kept, exported and described."""
