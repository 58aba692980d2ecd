"""Messages: the commands, the dialects that speak them, and the wires that carry them."""

NAME = "Extremum"
VERSION = "0.1.0"  # a test compares it with pyproject.toml

# A new dialect is one file and one line here; its class takes a session.
DIALECTS = {
    "gomocup": "gomocup.dialect:Gomocup",
    "gtp": "gtp:Gtp",
    "nboard": "nboard:NBoard",
}
