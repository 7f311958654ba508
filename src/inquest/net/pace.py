"""Rate and concurrency of requests: a queue for each engine, model and host, first come, first served; a breaker, so
that a case does not wait repeatedly for an engine that is down; one call for callers that make the same request at the
same time; and retries of temporary failures: network errors, timeouts, 429 and 5xx (requirement N3)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar

import stamina

from inquest.net.policy import RequestPolicy
from inquest.net.wire import Failure, FailureKind, WireAnswer

T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Future[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Lets callers with the same key share work in progress. No caller owns the work: if one is cancelled, it continues
    for the others."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    def under_way(self, key: str) -> bool:
        """Return True if a call with this key would join one in progress."""
        return key in self._flights

    async def run(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work()`, started now or already in progress for this key. Raises what it raises."""
        flight = self._flights.get(key)
        if flight is None:
            flight = _Flight(asyncio.ensure_future(work()))
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
                await asyncio.wait({flight.task})  # nobody is waiting for it any more

    def _landed(self, key: str, task: asyncio.Future[T]) -> None:
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # marks it as retrieved, even if all callers were cancelled


_FIRST_INTERVAL, _LONGEST_INTERVAL, _EASED = 1.0, 8.0, 0.8
"""Seconds between the turns of a model after its first refusal and at most, and the factor after each success. Free
keys have 5 to 20 calls a minute."""


class Pace:
    """Admits at most `concurrency` callers at a time, one every `interval` seconds; after a pause `burst` at once.
    Turns are reserved in order of arrival. The limits apply to this process."""

    def __init__(
        self,
        *,
        interval: float,
        concurrency: int,
        burst: int = 1,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._interval = self._usual = interval
        self._held_until = float("-inf")
        self._burst = burst
        self._places = asyncio.Semaphore(concurrency)  # asyncio's semaphore wakes its waiters in order
        self._now = now
        self._sleep = sleep
        self._next = float("-inf")

    @asynccontextmanager
    async def turn(
        self, *, counted: bool = True, reserve: Callable[[], Awaitable[float]] | None = None
    ) -> AsyncIterator[None]:
        """Wait for a turn, and hold a slot during the block. Without `counted` the next turn may follow at once, so
        that pages need not wait for the request for robots.txt. `reserve` returns the seconds to wait if turns are
        shared with other processes; its exceptions propagate. It is called only while holding a slot, so that a process
        that dies leaves few turns reserved."""
        async with self._places:
            shared = await reserve() if reserve is not None else 0.0
            at = max(self._now() + shared, self._next - (self._burst - 1) * self._interval)
            if counted:
                self._next = max(at, self._next) + self._interval
            wait = at - self._now()
            if wait > 0:
                await self._sleep(wait)
            yield

    def hold(self, seconds: float) -> None:
        """Give no turn for these seconds, and then twice as seldom as before: the service refused for its limit."""
        now = self._now()
        if now >= self._held_until:  # else another of the same moment
            self._interval = min(max(2 * self._interval, _FIRST_INTERVAL), _LONGEST_INTERVAL)
        self._held_until = max(self._held_until, now + seconds)
        self._next = max(self._next, self._held_until)

    def ease(self) -> None:
        """Give turns a little more often after each that was not refused, up to the usual interval."""
        self._interval = max(self._usual, _EASED * self._interval - _FIRST_INTERVAL / 10)

    def slow_down(self, interval: float) -> None:
        """Leave at least this much time between turns (a site's Crawl-delay)."""
        self._interval = self._usual = max(self._interval, interval)


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
        """Return the seconds until the next request is allowed. After 0 the caller must report the outcome."""
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
        """Record a request without an outcome, for example a cancelled one."""
        self._trying = False


# stamina logs each retry as a warning, which Python would print to the terminal if logging is not configured.
logging.getLogger("stamina").addHandler(logging.NullHandler())

_FOR_GOOD = (501, 505)


class _Again(Exception):
    """A complete reply with a status that is worth a retry."""

    def __init__(self, answer: WireAnswer) -> None:
        super().__init__(f"status {answer.status}")
        self.answer = answer


def can_pass(status: int) -> bool:
    """Return True for statuses that may be temporary."""
    return status == 429 or (status >= 500 and status not in _FOR_GOOD)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header (a number or an HTTP date), or None if it is missing or invalid."""
    if not value:
        return None
    value = value.strip()
    if value.isdecimal():
        return float(value[:9])
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (ValueError, TypeError):  # TypeError: a date without a zone
        return None


async def tried(
    once: Callable[[], Awaitable[WireAnswer]],
    *,
    policy: RequestPolicy,
    slow_attempts: int,
    now: Callable[[], datetime],
    seconds_left: Callable[[], float | None],
) -> WireAnswer:
    """Return the first final reply or that of the last attempt. Raises the Failure of the last attempt. `slow_attempts`
    limits the number of timeouts, because each costs its whole time."""
    slow = 0

    def wait(error: Exception) -> bool | float:
        nonlocal slow
        asked: float | None = None
        if isinstance(error, Failure):
            if not error.passing:
                return False
            slow += error.kind is FailureKind.SLOW
            if slow >= slow_attempts:
                return False
        elif isinstance(error, _Again):
            asked = retry_after(error.answer.header("retry-after"), now())
            if asked is not None and asked > policy.longest_wait:
                return False
        else:
            return False
        left = seconds_left()
        if left is not None and (asked if asked is not None else policy.first_wait) >= left:
            return False
        # For Retry-After: 0 the default wait applies.
        return asked if asked else True

    try:
        async for attempt in stamina.retry_context(
            on=wait,
            attempts=policy.attempts,
            timeout=None,
            wait_initial=policy.first_wait,
            wait_jitter=policy.jitter,
            wait_max=policy.longest_wait,
            wait_exp_base=2,
        ):
            with attempt:
                answer = await once()
                if can_pass(answer.status):
                    raise _Again(answer)
                return answer
    except _Again as again:
        return again.answer
    raise AssertionError("stamina ends with a result or an error")
