"""Callbacks of a service: told from the kept events, at least once, in order, by whichever process has the turn."""
