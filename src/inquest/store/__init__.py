"""Cases, findings, events, recorded replies and quotas, kept in SQLite or PostgreSQL.

Nothing is imported here: SQLAlchemy and Alembic cost half a second, and commands such as `tier` never need them.
Import `inquest.store.database` and its siblings where a database is really opened.
"""

from __future__ import annotations

import hashlib

KEYLESS = "keyless"
"""The account of whoever asks without a key: to such services an address is what a key is to others."""


def account_of(key: str | None) -> str:
    """The name of a key where calls are counted: keys themselves are never stored."""
    return hashlib.sha256(key.encode()).hexdigest()[:16] if key else KEYLESS
