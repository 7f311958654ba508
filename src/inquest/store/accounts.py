"""What stands for a key where calls are counted; asked for before a database is loaded."""

from __future__ import annotations

import hashlib

KEYLESS = "keyless"
"""The account of whoever asks without a key: to such services an address is what a key is to others."""


def account_of(key: str | None) -> str:
    """What stands for a key in the table: keys themselves are never stored."""
    return hashlib.sha256(key.encode()).hexdigest()[:16] if key else KEYLESS
