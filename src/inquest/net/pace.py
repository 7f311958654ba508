"""How fast and how many at once: a queue for each engine, model and host, first come, first served; and a breaker, so
that a case does not wait again and again for an engine that is out of order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Pace:
    """Lets at most `concurrency` in at once, and one every `interval` seconds; after a rest up to `burst` together.

    Turns are given in the order of asking: who waits has a time of its own reserved, and nobody who comes later is
    ahead of it. The figures hold in this process.
    """

    def __init__(
        self,
        *,
        interval: float,
        concurrency: int,
        burst: int = 1,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._interval = interval
        self._burst = burst
        self._places = asyncio.Semaphore(concurrency)  # asyncio's semaphore wakes its waiters in order
        self._now = now
        self._sleep = sleep
        self._next = float("-inf")

    @asynccontextmanager
    async def turn(
        self, *, counted: bool = True, reserve: Callable[[], Awaitable[float]] | None = None
    ) -> AsyncIterator[None]:
        """Wait for a turn, and hold a place while in the block. One that is not `counted` lets the next follow at once:
        to ask a site what it permits is no visit, and what was permitted need not wait for it.

        `reserve` is asked for the seconds to wait where turns are shared with other processes; what it raises ends the
        turn. It is asked by who holds a place, so that a process that dies leaves few turns reserved."""
        async with self._places:
            shared = await reserve() if reserve is not None else 0.0
            at = max(self._now() + shared, self._next - (self._burst - 1) * self._interval)
            if counted:
                self._next = max(at, self._next) + self._interval
            wait = at - self._now()
            if wait > 0:
                await self._sleep(wait)
            yield

    def slow_down(self, interval: float) -> None:
        """Leave at least this much time between turns (a site's Crawl-delay)."""
        self._interval = max(self._interval, interval)


class Breaker:
    """Opens after `threshold` failures in a row; after `rest` seconds one request may try, and its outcome decides."""

    def __init__(self, *, threshold: int, rest: float, now: Callable[[], float]) -> None:
        self._threshold = threshold
        self._rest = rest
        self._now = now
        self._failures = 0
        self._closed_to: float | None = None
        self._trying = False

    def wait(self) -> float:
        """Seconds until the engine may be asked; 0: now. Whoever gets 0 must report the outcome."""
        if self._closed_to is None:
            return 0.0
        left = self._closed_to - self._now()
        if left > 0:
            return left
        if self._trying:
            return self._rest
        self._trying = True
        return 0.0

    def succeeded(self) -> None:
        self._failures, self._closed_to, self._trying = 0, None, False

    def failed(self) -> None:
        self._failures += 1
        self._trying = False
        if self._failures >= self._threshold:
            self._closed_to = self._now() + self._rest

    def abandoned(self) -> None:
        """The request was cancelled: nothing was learnt."""
        self._trying = False
