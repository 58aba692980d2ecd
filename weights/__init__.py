"""Learned weights, listed in manifest.toml."""
