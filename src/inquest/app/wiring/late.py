"""What is kept in the database, for whoever may ask before it is open: the first question of a case need not wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import QuotaCounter, Recording


class LateRecording:
    """A recording that is opened when it is first asked (kit.ports.Recording)."""

    def __init__(self, opened: Callable[[], Awaitable[Recording]]) -> None:
        self._opened = opened

    async def find(self, fingerprint: str, *, case_id: str | None, younger_than: timedelta | None) -> Reply | None:
        return await (await self._opened()).find(fingerprint, case_id=case_id, younger_than=younger_than)

    async def failure(self, fingerprint: str, *, case_id: str) -> str | None:
        return await (await self._opened()).failure(fingerprint, case_id=case_id)

    async def keep(self, fingerprint: str, request: Request, reply: Reply, *, case_id: str | None) -> None:
        await (await self._opened()).keep(fingerprint, request, reply, case_id=case_id)

    async def keep_failure(self, fingerprint: str, request: Request, error: str, *, case_id: str) -> None:
        await (await self._opened()).keep_failure(fingerprint, request, error, case_id=case_id)


class LateQuotas:
    """Quotas that are opened when they are first asked (kit.ports.QuotaCounter)."""

    def __init__(self, opened: Callable[[], Awaitable[QuotaCounter]]) -> None:
        self._opened = opened

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> float:
        return await (await self._opened()).take(engine, account, limits, at=at)

    async def heed(self, engine: str, account: str, *, at: datetime) -> float:
        return await (await self._opened()).heed(engine, account, at=at)

    async def rest(self, engine: str, account: str, *, until: datetime, at: datetime) -> None:
        await (await self._opened()).rest(engine, account, until=until, at=at)
