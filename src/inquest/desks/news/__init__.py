"""The news desk: what the press says of a claim."""
