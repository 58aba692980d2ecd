"""Wires without grammar."""
