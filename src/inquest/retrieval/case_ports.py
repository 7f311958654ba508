"""Ports of a case for retrieval: its engines, its access to pages, its budget and its events.

Timeouts of calls are recorded, so that a replay times out in the same places without a clock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from inquest.domain.case import LATE
from inquest.domain.errors import EngineQuota, InquestError, NotRecorded, Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.reasons import Reason, in_words
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.domain.value import JsonValue
from inquest.kit.ports import Archive, Clock, EngineSearch, EventSink, Pages, Rater
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import CutList, Piece, side_by_side

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CasePorts:
    """Ports and limits of one case; nothing here is global."""

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
    """The case runs again from its recording, without waits."""
    earlier_outages: tuple[OutageNote, ...] = ()
    """On replay: the outages in the report of the case, with their times."""

    def asks(self, kind: EngineKind) -> tuple[str, ...]:
        """The available engines of a kind, in order of preference."""
        return tuple(engine.name for engine in self.ready if kind in engine.kinds)

    @property
    def ready(self) -> list[EngineChoice]:
        """The available engines, in order of preference."""
        return [engine for engine in self.engines if engine.lacks is None]

    def titles(self, names: Iterable[str]) -> list[str]:
        """Return the titles of these engines, as a reader knows them."""
        known = {engine.name: engine.title or engine.name for engine in self.engines}
        return [known.get(name, name) for name in names]

    async def side_by_side(self, work: Sequence[Piece[T]]) -> list[T | None]:
        """Run pieces of work concurrently; None for those that the budget cut off."""
        return await side_by_side(work, self.cut)

    async def outage(
        self, what: str, where: str, error: InquestError, stage: Stage, *, names: tuple[str, ...] = ()
    ) -> OutageNote:
        """Record an outage and emit its event. `names`: all engines concerned, where `where` does not name them."""
        lost = isinstance(error, NotRecorded)
        code = Reason(code="outages.not_asked_in_time") if lost else error.sentence_code
        why = in_words(code) if code else error.sentence
        earlier = [note for note in self.earlier_outages if (note.what, note.where) == (what, where)]
        # A replay keeps the earlier note where it cannot know the cause (a timeout, a full disk).
        note = next((note for note in earlier if note.why == why), earlier[0] if earlier and lost else None)
        if note is None:
            note = OutageNote(
                what=what,
                where=where,
                why=why,
                why_code=code,
                called=next((each.title for each in self.engines if each.name == where), ""),
                at=self.clock.now(),
                names=names,
                at_limit=isinstance(error, EngineQuota),
                after_failures=isinstance(error, Outage) and error.after_failures,
            )
        await self.events.emit(
            EventType.OUTAGE,
            f"{note.what} {note.title}: {note.why}",
            stage=stage,
            what=what,
            where=where,
            why=note.why,
            called=note.called,
        )
        return note

    async def progress(
        self, stage: Stage, text: str, type: EventType = EventType.STAGE_STARTED, **data: JsonValue
    ) -> None:
        """Emit a line of progress for the user."""
        await self.events.emit(type, text, stage=stage, marker="PROGRESS", **data)


async def in_time(label: str, begin: Callable[[], Awaitable[T]], seconds: float | None, services: CasePorts) -> T:
    """Await `begin`. Raises TimeoutError if it takes more than `seconds` (None: no limit), or on replay once did.

    `label`: the same on every run of the case, and unique among its pieces of work.
    """
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
    """A time limit that several pieces of work share, from now on."""

    def __init__(self, seconds: float, services: CasePorts) -> None:
        self._until = time.monotonic() + seconds
        self._services = services

    def left(self, most: float, least: float = 0.0) -> float:
        """Seconds for one piece: those left, but at least `least` and at most `most`."""
        return min(most, max(least, self._until - time.monotonic()))

    def is_over(self, label: str, needs: float = 0.0) -> bool:
        """Test if less time is left than the piece `label` needs; the answer is recorded for a replay."""
        mark = LATE + label
        if not self._services.replayed and self._until - time.monotonic() < needs:
            self._services.cut.add(mark)
        return mark in self._services.cut.labels
