"""How a passage bears on a claim. Pure."""
