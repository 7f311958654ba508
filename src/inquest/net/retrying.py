"""Tries again what can pass: the network, a time-out, 429 and 5xx (requirement N3)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from email.utils import parsedate_to_datetime

import stamina

from inquest.net.manners import Manners
from inquest.net.wire import Failure, FailureKind, WireAnswer

# stamina logs each retry as a warning. Where nobody set logging up, Python would print those bare lines to the
# terminal; where somebody did, they get them as before.
logging.getLogger("stamina").addHandler(logging.NullHandler())

_FOR_GOOD = (501, 505)


class _Again(Exception):
    """A whole reply whose status says: try later."""

    def __init__(self, answer: WireAnswer) -> None:
        super().__init__(f"status {answer.status}")
        self.answer = answer


def can_pass(status: int) -> bool:
    """Whether a status can be another one soon."""
    return status == 429 or (status >= 500 and status not in _FOR_GOOD)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds from now that a Retry-After header asks for: a number, or an HTTP date. None: it says nothing usable."""
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
    manners: Manners,
    slow_attempts: int,
    now: Callable[[], datetime],
    seconds_left: Callable[[], float | None],
) -> WireAnswer:
    """The reply of the first attempt that is final, or of the last one. Raises Failure like the last one.

    `slow_attempts`: how many time-outs are borne, since each costs its whole time.
    """
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
            if asked is not None and asked > manners.longest_wait:
                return False
        else:
            return False
        left = seconds_left()
        if left is not None and (asked if asked is not None else manners.first_wait) >= left:
            return False
        # A wait of 0 s that a site asks for is still ours to choose.
        return asked if asked else True

    try:
        async for attempt in stamina.retry_context(
            on=wait,
            attempts=manners.attempts,
            timeout=None,
            wait_initial=manners.first_wait,
            wait_jitter=manners.jitter,
            wait_max=manners.longest_wait,
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
