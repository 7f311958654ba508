"""What retrieval is given of a case: its engines and ports to the outside, its budget, and where its events go.

That a time limit of a call has passed is recorded, so that a replay gives up at the same places and follows no clock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from inquest.domain.case import LATE
from inquest.domain.errors import EngineQuota, InquestError, NotRecorded, Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.kit.ports import Archive, Clock, EngineSearch, EventSink, Pages, Rater
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import CutList, Piece, side_by_side

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CasePorts:
    """Ports and limits of one case. Nothing in here is global."""

    searcher: EngineSearch
    pages: Pages
    archive: Archive
    events: EventSink
    clock: Clock
    budget: CaseBudget
    rater: Rater
    engines: tuple[EngineChoice, ...]
    cut: CutList
    replayed: bool = False
    """The case is run again from its recording: nobody has to be waited for."""
    earlier_outages: tuple[OutageNote, ...] = ()
    """On replay: the outages of the case, whose moments stand in its report."""

    def asks(self, kind: EngineKind) -> tuple[str, ...]:
        """The engines of a kind that are ready, in order of preference."""
        return tuple(engine.name for engine in self.engines if kind in engine.kinds and engine.lacks is None)

    async def side_by_side(self, work: Sequence[Piece[T]]) -> list[T | None]:
        """Pieces of work at once; None for what the budget cut off."""
        return await side_by_side(work, self.cut)

    async def outage(
        self, what: str, where: str, error: InquestError, stage: Stage, *, names: tuple[str, ...] = ()
    ) -> OutageNote:
        """Note that something could not be asked, and say so. `names`: all that are meant, where `where` does not name
        all of them."""
        lost = isinstance(error, NotRecorded)
        why = "It was not asked before the case ended." if lost else error.sentence
        earlier = [note for note in self.earlier_outages if (note.what, note.where) == (what, where)]
        # What a replay cannot know (a time-out, a full disk) was said then; what it meets again must be the same.
        note = next((note for note in earlier if note.why == why), earlier[0] if earlier and lost else None)
        if note is None:
            note = OutageNote(
                what=what,
                where=where,
                why=why,
                called=next((each.title for each in self.engines if each.name == where), ""),
                at=self.clock.now(),
                names=names,
                at_limit=isinstance(error, EngineQuota),
                after_failures=isinstance(error, Outage) and error.after_failures,
            )
        await self.events.emit(
            EventType.OUTAGE,
            f"{note.what} {note.where}: {note.why}",
            stage=stage,
            what=what,
            where=where,
            why=note.why,
            called=note.called,
        )
        return note

    async def progress(self, stage: Stage, text: str, type: EventType = EventType.STAGE_STARTED) -> None:
        """A line that tells the user what is being done."""
        await self.events.emit(type, text, stage=stage, marker="PROGRESS")


async def in_time(label: str, begin: Callable[[], Awaitable[T]], seconds: float | None, services: CasePorts) -> T:
    """What `begin` gives. Raises TimeoutError where it takes longer, and on replay where it took longer.

    `label`: the same on every run of the case, and no other piece's. None: as long as it takes."""
    mark = LATE + label
    if services.replayed:
        if mark in services.cut.labels:
            raise TimeoutError
        return await begin()
    try:
        async with asyncio.timeout(seconds):
            return await begin()
    except TimeoutError:
        services.cut.add(mark)
        raise


class WaitLimit:
    """A span of time that several pieces of work share, from now on."""

    def __init__(self, seconds: float, services: CasePorts) -> None:
        self._until = time.monotonic() + seconds
        self._services = services

    def left(self, most: float, least: float = 0.0) -> float:
        """Seconds that one piece may take: what is left, but no less than `least` and no more than `most`."""
        return min(most, max(least, self._until - time.monotonic()))

    def is_over(self, label: str, needs: float = 0.0) -> bool:
        """Whether there is less left than the piece `label` needs, so that it is not begun. Asking writes the answer
        down; a replay reads it there."""
        mark = LATE + label
        if not self._services.replayed and self._until - time.monotonic() < needs:
            self._services.cut.add(mark)
        return mark in self._services.cut.labels
