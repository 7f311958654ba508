"""What a database's own error means to a person, as one sentence."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from inquest.domain.errors import StorageError

# SQLite tells its errors apart by words only; PostgreSQL by five-character codes (its manual, appendix A).
_SQLITE = (
    ("database or disk is full", "The disk is full: {where} could not be written.", "Free some space and resume."),
    (
        "readonly database",
        "{where} is read-only.",
        "Give this user the right to write there, or choose another data folder with INQUEST_HOME.",
    ),
    (
        "not a database",
        "{where} is not a database of Inquest's, or it is damaged.",
        "Move it away to begin a new one, or restore it from a backup.",
    ),
    (
        "malformed",
        "{where} is damaged.",
        "Move it away to begin a new one, or restore it from a backup.",
    ),
    (
        "unable to open",
        "{where} could not be opened.",
        "Check that its folder exists and may be written to.",
    ),
    (
        "disk i/o error",
        # With no room left for its index of pages SQLite speaks of input and output, not of a full disk.
        "The disk is full or failing: {where} could not be read or written.",
        "Free some space and resume. Where there is space, check the disk first.",
    ),
    (
        "database is locked",
        "{where} has been locked by another process for too long.",
        "See which process holds it, and try again.",
    ),
)
_POSTGRES = (
    ("53100", "The disk of the database server is full ({where}).", "Free some space there and resume."),
    ("53", "The database server is out of resources ({where}).", "Try again later, or raise its limits."),
    ("25006", "The database {where} is read-only.", "Use its primary server in INQUEST_DATABASE_URL."),
    ("42501", "The database user lacks a right in {where}.", "Grant it the rights on its schema."),
    ("28", "The database {where} refused the user or the password.", "Check INQUEST_DATABASE_URL."),
    ("3D000", "The database {where} does not exist.", "Create it, or check INQUEST_DATABASE_URL."),
)


def is_locked(error: DBAPIError) -> bool:
    """Whether trying the transaction again can help: another writer was in the way."""
    if getattr(error.orig, "sqlstate", None) in ("40001", "40P01"):
        return True
    words = str(error.orig).lower()
    return "database is locked" in words or "database table is locked" in words


def storage_error(error: DBAPIError, where: str) -> StorageError:
    """The error as one sentence. `where` names the database without its password."""
    words = str(error.orig or error).strip()
    code = getattr(error.orig, "sqlstate", None)
    if code:
        for beginning, message, advice in _POSTGRES:
            if code.startswith(beginning):
                return StorageError(message.format(where=where), advice=advice)
    for part, message, advice in _SQLITE:
        if part in words.lower():
            return StorageError(message.format(where=where), advice=advice)
    first = words.splitlines()[0][:200] if words else type(error).__name__
    if error.connection_invalidated or (isinstance(error, OperationalError | InterfaceError) and not code):
        return StorageError(
            f"The database {where} could not be reached ({first}).",
            advice="Check that it runs and that it can be reached.",
        )
    return StorageError(f"The database {where} refused what was asked of it ({first}).")
