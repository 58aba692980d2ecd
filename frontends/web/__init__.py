"""The page: the same games in a browser, each with an engine of its own."""
