"""Cases, findings, events, recorded replies and quotas, stored in SQLite or PostgreSQL.

Nothing is imported here: SQLAlchemy and Alembic take half a second to load, and commands such as `tier` never need
them. Import `inquest.store.database` and its siblings only in code that opens a database.

All code that reads or writes the database raises StorageError if it cannot be reached, read or written.
"""

from __future__ import annotations

import hashlib

KEYLESS = "keyless"
"""The account for calls without a key; such services count by address instead."""


def account_of(key: str | None) -> str:
    """Return the name under which calls with a key are counted; keys themselves are never stored."""
    return hashlib.sha256(key.encode()).hexdigest()[:16] if key else KEYLESS
