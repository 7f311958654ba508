"""Passwords: hashed by argon2 in threads, a few at a time, because each takes 64 MiB and a core for a while."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, MOST = 12, 1024
"""Characters of a password (NIST SP 800-63B asks for at least 8, and 15 where it is the only factor)."""
_AT_ONCE = 2


class Passwords:
    """Makes and checks hashes. One for each server."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def hashed(self, password: str) -> str:
        """The hash to keep. Raises InputError for a password that is too short or too long."""
        if not SHORTEST <= len(password) <= MOST:
            raise InputError(
                f"A password has {SHORTEST} to {MOST:,} characters.",
                advice="A sentence that only you know is best.",
                field="password",
            )
        async with self._room:
            return await asyncio.to_thread(_hasher().hash, password)

    async def right(self, password: str, kept: str | None) -> bool:
        """True where it is the password. Where there is none to compare with it takes as long and is false, so that
        the time does not tell who is a user."""
        if len(password) > MOST:
            return False
        async with self._room:
            return await asyncio.to_thread(_verified, password, kept)


def _verified(password: str, kept: str | None) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        matches = _hasher().verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return matches and kept is not None


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()  # RFC 9106, low-memory recommendation


@cache
def _nobodys() -> str:
    return _hasher().hash("the password of nobody")
