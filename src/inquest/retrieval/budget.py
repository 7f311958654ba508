"""What a case may still spend, and the wish to stop: shared by everything that spends or waits."""

from __future__ import annotations

import asyncio
import time
from typing import Literal

from inquest.domain.errors import BudgetMet
from inquest.domain.report import Cost

_RESERVE_SHARE, _RESERVE_SECONDS = 0.15, 10.0
"""Of the time of a case, at most so much is kept for judging and writing what there is."""
_CENT = 1e-9
"""Rounding of sums of prices, in USD."""


class CaseBudget:
    """Money and time of one case, and the user's wish to stop.

    Money is reserved before a call is made. Time runs while the case does, not while a person looks at the plan;
    shortly before it is over nobody outside is asked any more, so that what there is can still be judged and written.
    What was refused for want of either is remembered (`short_of`). Once met a budget stays met: `met` is an event that
    waits can be raced against.
    """

    def __init__(self, *, usd: float | None = None, seconds: float | None = None, spent: Cost | None = None) -> None:
        self.usd = usd
        self.seconds = seconds
        self.met = asyncio.Event()
        self._why: BudgetMet | None = None
        self._short: BudgetMet | None = None
        self._spent = spent or Cost()
        self._reserved = 0.0
        self._used = 0.0
        self._since: float | None = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    def start(self, seconds: float | None = None) -> None:
        """Let the clock run; `seconds`: the time of the whole case, where it was not known before. Must be called on
        the running loop."""
        if seconds is not None:
            self.seconds = seconds
        if self._since is None:
            self._since = time.monotonic()
        self._stop_timer()
        if self.seconds_left is not None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds_left, self._look_at_the_clock)

    def pause(self) -> None:
        """Stop the clock, while somebody has to decide."""
        if self._since is not None:
            self._used += time.monotonic() - self._since
            self._since = None
        self._stop_timer()

    def close(self) -> None:
        self._stop_timer()

    def check(self) -> None:
        """Raise BudgetMet if money or time is used up, or the user has asked to stop."""
        self._look_at_the_clock()
        if self._why:
            raise self._why

    def reserve(self, usd: float) -> bool:
        """Set a call's highest price aside; False where that could exceed what is left, and nothing is set aside."""
        if self.usd is not None and usd > 0 and self._spent.usd + self._reserved + usd > self.usd + _CENT:
            self.fell_short("usd")
            return False
        self._reserved += usd
        return True

    def release(self, usd: float) -> None:
        """Give a reservation back, of a call that came to nothing."""
        self._reserved = max(0.0, self._reserved - usd)

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        """Count what was spent, in place of what was `reserved` for it; None: its very price."""
        self.release(cost.usd if reserved is None else reserved)
        self._spent += cost
        if self.usd is not None and self._spent.usd > self.usd + _CENT:
            self.end(BudgetMet("usd", f"The budget of {self.usd:.2f} USD is used up."))

    def cancel(self) -> None:
        """Stop, and report what there is."""
        self.end(BudgetMet("cancelled", "The user asked to stop."))

    def fell_short(self, kind: Literal["usd", "time"]) -> None:
        """Remember that something was not asked for want of money or time; the first reason appears."""
        if self._short is None:
            why = f"The budget of {self.usd:g} USD" if kind == "usd" else f"The time limit of {self._time}"
            rest = " does not pay for all that should be asked." if kind == "usd" else " is over."
            self._short = BudgetMet(kind, why + rest)

    @property
    def short_of(self) -> BudgetMet | None:
        """For want of what something was not asked; None: nothing was refused."""
        return self._short

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
        """Until everything is cut off; None: no deadline."""
        if self.seconds is None:
            return None
        running = time.monotonic() - self._since if self._since is not None else 0.0
        return max(0.0, self.seconds - self._used - running)

    @property
    def seconds_to_ask(self) -> float | None:
        """Until nobody outside is asked or waited for any more; None: no deadline."""
        left = self.seconds_left
        if left is None or self.seconds is None:
            return None
        return max(0.0, left - min(_RESERVE_SECONDS, _RESERVE_SHARE * self.seconds))

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    @property
    def _time(self) -> str:
        return f"{self.seconds:g} {'second' if self.seconds == 1 else 'seconds'}"

    def _look_at_the_clock(self) -> None:
        if self.seconds_left == 0.0:
            self.end(BudgetMet("time", f"The time limit of {self._time} is over."))

    def end(self, why: BudgetMet) -> None:
        """Meet the budget for the given reason; the first reason appears."""
        if self._why is None:
            self._why = why
            self.met.set()
