"""What a case may still spend, and the wish to stop: shared by everything that spends or waits."""

from __future__ import annotations

import asyncio
import time

from inquest.domain.errors import BudgetMet
from inquest.domain.report import Cost

__all__ = ["CaseBudget"]


class CaseBudget:
    """Money and time of one case, and the user's wish to stop.

    Once met it stays met. `met` is an event that waits can be raced against, so that nothing goes on waiting for an
    engine when the time is up.
    """

    def __init__(self, *, usd: float | None = None, seconds: float | None = None, spent: Cost | None = None) -> None:
        self.usd = usd
        self.seconds = seconds
        self.met = asyncio.Event()
        self._why: BudgetMet | None = None
        self._spent = spent or Cost()
        self._deadline = time.monotonic() + seconds if seconds is not None else None
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to watch the clock. Must be called on the running loop."""
        if self.seconds_left is not None and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds_left, self._look_at_the_clock)

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()

    def check(self) -> None:
        """Raise BudgetMet if money or time is used up, or the user has asked to stop."""
        self._look_at_the_clock()
        if self._why:
            raise self._why

    def spend(self, cost: Cost) -> None:
        """Count what was spent."""
        self._spent += cost
        if self.usd is not None and self._spent.usd > 0 and self._spent.usd >= self.usd:
            self.end(BudgetMet("usd", f"The budget of {self.usd:.2f} USD is used up."))

    def cancel(self) -> None:
        """Stop, and report what there is."""
        self.end(BudgetMet("cancelled", "The user asked to stop."))

    @property
    def why(self) -> BudgetMet | None:
        """What was met; None: nothing yet."""
        self._look_at_the_clock()
        return self._why

    @property
    def spent(self) -> Cost:
        return self._spent

    @property
    def seconds_left(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _look_at_the_clock(self) -> None:
        if self.seconds_left == 0.0:
            self.end(BudgetMet("time", f"The time limit of {self.seconds:g} seconds is over."))

    def end(self, why: BudgetMet) -> None:
        """Meet the budget for the given reason; the first reason stands."""
        if self._why is None:
            self._why = why
            self.met.set()
