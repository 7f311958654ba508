"""Concurrent work that ends when it is done or when the budget is met, whichever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from inquest.domain.case import LATE
from inquest.domain.errors import BudgetMet
from inquest.retrieval.budget import CaseBudget

T = TypeVar("T")
_SHORT = "what was not asked"
"""The label for requests that were refused for lack of money or time, but not cut off."""
Piece = tuple[str, Callable[[], Awaitable[T]]]
"""A piece of work, with a label that is the same on every run of the case."""


class CutList:
    """The pieces of work that a case cut off when its budget was met.

    They are recorded, and a replay leaves out the same pieces.
    """

    def __init__(self, budget: CaseBudget, *, replayed: Sequence[str] = (), why: BudgetMet | None = None) -> None:
        self.budget = budget
        self.labels: list[str] = list(replayed)
        self._replayed = frozenset(replayed)
        self._replayed_why = why

    @property
    def why(self) -> BudgetMet | None:
        """The reason for the cut; None: nothing was cut off, even if the budget was met when all was done."""
        cut = any(not label.startswith(LATE) for label in self.labels)
        return (self._replayed_why or self.budget.why) if cut else None

    def fell_short(self) -> BudgetMet | None:
        """Return the reason for the cut, else for the first request not made, which is recorded; None: all was done."""
        if self.budget.short_of:
            self.add(_SHORT)
        return self.why or self.budget.short_of

    def cuts(self, label: str) -> bool:
        """Test if a piece is not to be begun, and record it."""
        if label in self._replayed:
            # The budget itself is not met here: other work was done in the case, and is done again.
            return True
        if self.budget.why:
            self.add(label)
            return True
        return False

    def is_too_late(self, label: str) -> bool:
        """Test if a piece that sends requests is not to be begun because it is too late for requests, and record it."""
        if label not in self._replayed and self.budget.seconds_to_ask == 0.0:
            self.budget.fell_short("time")
            self.add(label)
            return True
        return self.cuts(label)

    def add(self, label: str) -> None:
        if label not in self.labels:
            self.labels.append(label)


async def side_by_side(work: Sequence[Piece[T]], cut: CutList) -> list[T | None]:
    """Return results in the order of the work; None for pieces that were cut off because the budget was met.

    An exception of any piece cancels the others and is raised; work that may fail returns its error.
    """
    left_out = {label for label, _ in work if cut.cuts(label)}
    tasks = {label: asyncio.ensure_future(_begin(begin, label, cut)) for label, begin in work if label not in left_out}
    met = asyncio.ensure_future(cut.budget.met.wait())
    try:
        pending = set(tasks.values())
        while pending and not met.done():
            await asyncio.wait([*pending, met], return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                if task.done():
                    task.result()
            pending = {task for task in pending if not task.done()}
    finally:
        met.cancel()
        for label, task in tasks.items():
            if not task.done():
                task.cancel()
                cut.add(label)
        await asyncio.gather(met, *tasks.values(), return_exceptions=True)
    return [None if label in left_out or tasks[label].cancelled() else tasks[label].result() for label, _ in work]


async def _begin(begin: Callable[[], Awaitable[T]], label: str, cut: CutList) -> T | None:
    try:
        return await begin()
    except BudgetMet as met:
        cut.budget.end(met)
        cut.add(label)
        return None
