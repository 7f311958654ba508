"""Work that several nodes of one round need, done once: whoever needs it first begins it, and the others wait for it.

A node that runs alone, because the other's result was kept before the case was cut off, begins it again itself, is
given what was recorded, and so comes to the same. Nothing in here need be saved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

T = TypeVar("T")


class SharedWork:
    """The work of the round a case is in, by name."""

    def __init__(self) -> None:
        self._round = 0
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._waiting: dict[str, int] = {}

    async def once(self, round_: int, name: str, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the work of this name gives, or raises. What is begun for earlier rounds is forgotten; what nobody waits
        for any more is stopped."""
        if round_ != self._round:
            self._round, self._tasks, self._waiting = round_, {}, {}
        tasks, waiting = self._tasks, self._waiting
        if name not in tasks:
            tasks[name] = asyncio.create_task(begin())
        task = cast("asyncio.Task[T]", tasks[name])
        waiting[name] = waiting.get(name, 0) + 1
        try:
            # One that waits may be cut off while another still needs it.
            return await asyncio.shield(task)
        finally:
            waiting[name] -= 1
            if not waiting[name] and not task.done():
                task.cancel()
                tasks.pop(name, None)
                await asyncio.gather(task, return_exceptions=True)
