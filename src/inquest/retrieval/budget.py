"""The remaining money, time, tokens and calls of a case, and the user's request to stop."""

from __future__ import annotations

import asyncio
import time

from inquest.domain.errors import BudgetMet, Shortage
from inquest.domain.report import Cost
from inquest.kit.exchange import Purpose

_RESERVE_SHARE, _RESERVE_SECONDS = 0.15, 10.0
"""Share and maximum seconds of a case's time reserved for judging and writing."""
_CENT = 1e-9
"""Tolerance for rounding, in USD."""


class CaseBudget:
    """Money, time, tokens and calls of one case, and the user's request to stop.

    Money is reserved before a call is made. Time runs while the case does, not while a person reviews the plan; shortly
    before it runs out no further request is sent, so that the case can still be judged and the report written. Without
    remaining calls or tokens, engines or models are no longer queried. The first refusal for lack of any of these is
    kept (`short_of`). A budget once met stays met: code can wait for the event `met`.
    """

    def __init__(
        self,
        *,
        usd: float | None = None,
        seconds: float | None = None,
        tokens: int | None = None,
        calls: int | None = None,
        spent: Cost | None = None,
    ) -> None:
        self.usd = usd
        self.seconds = seconds
        self.met = asyncio.Event()
        self._why: BudgetMet | None = None
        self.short_of: BudgetMet | None = None
        """The reason for the first request not made; None: none was refused."""
        self._tokens, self._calls = tokens, calls
        self.spent = spent or Cost()
        self._called = self.spent.search_calls + self.spent.model_calls
        self._reserved = 0.0
        self._used = 0.0
        self._since: float | None = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    def start(self, seconds: float | None = None) -> None:
        """Start the clock on the running loop; `seconds`: the time of the whole case, if it was not known before."""
        if seconds is not None:
            self.seconds = seconds
        if self._since is None:
            self._since = time.monotonic()
        self.close()
        if self.seconds_left is not None:
            self._timer = asyncio.get_running_loop().call_later(self.seconds_left, self._check_time)

    def pause(self) -> None:
        """Stop the clock while a person has to decide."""
        if self._since is not None:
            self._used += time.monotonic() - self._since
            self._since = None
        self.close()

    def check(self) -> None:
        """Raise BudgetMet if money or time is used up, or the user has asked to stop."""
        self._check_time()
        if self._why:
            raise self._why

    def reserve(self, usd: float, purpose: Purpose = Purpose.PAGE) -> bool:
        """Reserve a request's highest price; return False, and reserve nothing, if that could exceed the budget. A
        request to an engine or model counts as a call, even if it fails."""
        call, used = purpose in (Purpose.ENGINE, Purpose.MODEL), self.spent.tokens_in + self.spent.tokens_out
        if call and self._calls is not None and self._called >= self._calls:
            self.fell_short("calls")
            return False
        if purpose is Purpose.MODEL and self._tokens is not None and used >= self._tokens:
            self.fell_short("tokens")
            return False
        if self.usd is not None and usd > 0 and self.spent.usd + self._reserved + usd > self.usd + _CENT:
            self.fell_short("usd")
            return False
        self._reserved += usd
        self._called += call
        return True

    def release(self, usd: float) -> None:
        """Release the reservation of a call that cost nothing."""
        self._reserved = max(0.0, self._reserved - usd)

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        """Count a cost in place of its reservation; None: the cost itself was reserved."""
        self.release(cost.usd if reserved is None else reserved)
        self.spent += cost
        if self.usd is not None and self.spent.usd > self.usd + _CENT:
            self.end(BudgetMet("usd", f"The budget of {self.usd:.2f} USD is used up."))

    def cancel(self) -> None:
        """Stop the case, which then reports its results so far."""
        self.end(BudgetMet("cancelled", "The user asked to stop."))

    def fell_short(self, kind: Shortage) -> None:
        """Record that a request was not made for lack of money, time, tokens or calls; the first reason is kept."""
        if self.short_of is None:
            if kind == "time":
                why = f"The time limit of {self._time} was reached."
            else:
                most = {"usd": self.usd, "tokens": self._tokens, "calls": self._calls}[kind]
                unit = "USD" if kind == "usd" else kind
                why = f"The budget of {most:,g} {unit} does not cover all that was planned."
            self.short_of = BudgetMet(kind, why)

    @property
    def why(self) -> BudgetMet | None:
        """The reason why the budget is met; None: it is not."""
        self._check_time()
        return self._why

    @property
    def seconds_left(self) -> float | None:
        """Seconds until everything is cut off; None: no deadline."""
        if self.seconds is None:
            return None
        running = time.monotonic() - self._since if self._since is not None else 0.0
        return max(0.0, self.seconds - self._used - running)

    @property
    def seconds_to_ask(self) -> float | None:
        """Seconds until no request is sent or waited for; None: no deadline."""
        left = self.seconds_left
        if left is None or self.seconds is None:
            return None
        return max(0.0, left - min(_RESERVE_SECONDS, _RESERVE_SHARE * self.seconds))

    def close(self) -> None:
        """Stop the timer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    @property
    def _time(self) -> str:
        return f"{self.seconds:g} {'second' if self.seconds == 1 else 'seconds'}"

    def _check_time(self) -> None:
        if self.seconds_left == 0.0:
            self.end(BudgetMet("time", f"The time limit of {self._time} was reached."))

    def end(self, why: BudgetMet) -> None:
        """Meet the budget; the first reason is kept."""
        if self._why is None:
            self._why = why
            self.met.set()
