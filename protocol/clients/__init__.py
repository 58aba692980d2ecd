"""The other end of the wires: driving engines, ours and others', as a client."""
