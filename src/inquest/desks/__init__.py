"""One file per desk, the specialists of a check of claims; each is found by discovery, none registers itself."""
