"""The same question asked twice at the same time is asked once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Joins callers with the same key while the work is under way.

    The work belongs to nobody in particular: a caller that is cancelled leaves it to the others, and the last one to
    leave ends it.
    """

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    def under_way(self, key: str) -> bool:
        """Whether a call with this key would join one that has begun."""
        return key in self._flights

    async def run(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """The result of `work()`, begun now or already under way for this key. Raises what it raises."""
        flight = self._flights.get(key)
        if flight is None:
            flight = _Flight(asyncio.create_task(_call(work)))
            flight.task.add_done_callback(lambda task: self._landed(key, task))
            self._flights[key] = flight
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()
                self._flights.pop(key, None)
                await asyncio.wait({flight.task})  # its failure, now, concerns nobody

    def _landed(self, key: str, task: asyncio.Task[T]) -> None:
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # seen, even where every caller was cancelled meanwhile


async def _call(work: Callable[[], Awaitable[T]]) -> T:
    return await work()
