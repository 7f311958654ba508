"""One read for all who ask for the same at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class SharedReads:
    """Of one process. Two hundred who follow fifty cases read each event fifty times a second, not two hundred."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, asyncio.Task[Any]] = {}

    async def read(self, key: Hashable, look: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `look` finds, or what it finds for whoever asked with this key and still waits. Whoever is cancelled
        cancels nobody else. Raises what `look` raises."""
        task: asyncio.Task[T] | None = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(look())
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    def _ended(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # nobody may be left who waits for it
