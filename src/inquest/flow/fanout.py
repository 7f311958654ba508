"""Work side by side that ends when it is done or when the budget is met, whichever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from inquest.flow.budget import CaseBudget

__all__ = ["side_by_side"]

T = TypeVar("T")


async def side_by_side(work: Sequence[Awaitable[T]], budget: CaseBudget) -> list[T | None]:
    """The results in the order of the work; None for what was cut off because the budget was met.

    An exception of any piece of work cancels the others and is raised: work that may fail says so in its result.
    """
    if not work:
        return []
    tasks = [asyncio.ensure_future(piece) for piece in work]
    met: asyncio.Future[object] = asyncio.ensure_future(budget.met.wait())
    try:
        pending: set[asyncio.Future[T]] = set(tasks)
        while pending and not met.done():
            waited: set[asyncio.Future[object]] = {*pending, met}  # type: ignore[arg-type]
            done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if task is not met:
                    task.result()
            pending = {task for task in pending if not task.done()}
    finally:
        met.cancel()
        for task in tasks:
            if not task.done():
                task.cancel()
        await asyncio.gather(met, *tasks, return_exceptions=True)
    return [None if task.cancelled() else task.result() for task in tasks]
