"""Room in a worker for one more case: a process that is busy with what it has ends nothing sooner by beginning more."""

from __future__ import annotations

import asyncio
import time

ALWAYS = 8
"""A worker with fewer cases takes one more whatever its loop does."""
_EVERY, _LATE = 0.05, 0.5
"""Seconds between two looks at the loop, and how late it may be for more than `ALWAYS` cases."""


class Room:
    """Of one worker. Looking takes no time: all cases of a worker that died are to be taken at once."""

    def __init__(self) -> None:
        self._late = 0.0
        """Seconds by which the loop was late at the last look."""
        self._admitted = 0
        """Cases that were let in since the last look: what they do to the loop is not known yet."""

    async def watch(self) -> None:
        """Look at the loop until this is cancelled."""
        while True:
            due = time.monotonic() + _EVERY
            await asyncio.sleep(_EVERY)
            self.looked(time.monotonic() - due)

    def looked(self, late: float) -> None:
        """Note by how many seconds the loop is late."""
        self._late, self._admitted = late, 0

    def admits(self, at_work: int) -> bool:
        """True where one more case may be taken beside so many; it counts as taken."""
        if at_work >= ALWAYS and (self._late >= _LATE or self._admitted >= ALWAYS):
            return False
        self._admitted += 1
        return True
