"""Stops asking an engine that is out of order, so that a case does not wait for it again and again."""

from __future__ import annotations

from collections.abc import Callable


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
