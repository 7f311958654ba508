"""Time limits of calls whose expiry is recorded, so that a replay gives up at the same places and follows no clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from inquest.domain.case import LATE
from inquest.retrieval.case_ports import CasePorts

T = TypeVar("T")


async def in_time(label: str, begin: Callable[[], Awaitable[T]], seconds: float | None, services: CasePorts) -> T:
    """What `begin` gives. Raises TimeoutError where it takes longer, and on replay where it took longer.

    `label`: the same on every run of the case, and no other piece's. None: as long as it takes."""
    mark = LATE + label
    if services.replayed:
        if mark in services.cut.labels:
            raise TimeoutError
        return await begin()
    try:
        async with asyncio.timeout(seconds):
            return await begin()
    except TimeoutError:
        services.cut.add(mark)
        raise


class WaitLimit:
    """A span of time that several pieces of work share, from now on."""

    def __init__(self, seconds: float, services: CasePorts) -> None:
        self._until = time.monotonic() + seconds
        self._services = services

    def left(self, most: float, least: float = 0.0) -> float:
        """Seconds that one piece may take: what is left, but no less than `least` and no more than `most`."""
        return min(most, max(least, self._until - time.monotonic()))

    def is_over(self, label: str, needs: float = 0.0) -> bool:
        """Whether there is less left than the piece `label` needs, so that it is not begun. Asking writes the answer
        down; a replay reads it there."""
        mark = LATE + label
        if not self._services.replayed and self._until - time.monotonic() < needs:
            self._services.cut.add(mark)
        return mark in self._services.cut.labels
