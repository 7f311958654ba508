"""The clock of a case, which a test moves: a deadline is met at an event and not after a time."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from inquest.retrieval import budget
from inquest.retrieval.budget import CaseBudget

LONG = "1h"
"""A deadline that is reached only when the clock is moved."""


class CaseClock:
    """Runs like real time, until it is set to be over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead = 0.0
        self._budgets: list[CaseBudget] = []
        monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + self._ahead))
        start = CaseBudget.start

        def starting(one: CaseBudget, seconds: float | None = None) -> None:
            self._budgets.append(one)
            start(one, seconds)

        monkeypatch.setattr(CaseBudget, "start", starting)

    def over(self) -> None:
        """End the time of every running case."""
        self._ahead += 1_000_000
        assert all(each.why is not None for each in self._budgets if each.seconds is not None)
