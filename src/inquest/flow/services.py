"""What the nodes of a case are given to work with."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from inquest.domain.errors import EngineQuota, InquestError, ModelError, NotRecorded
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.flow.budget import CaseBudget
from inquest.flow.fanout import CutList, Piece, side_by_side
from inquest.flow.shared_work import SharedWork
from inquest.kit.analyst import Analyst
from inquest.kit.desk import Desk
from inquest.kit.ports import Archive, Clock, DomainAges, EngineSearch, EventSink, Pages, Rater
from inquest.kit.reranker import Reranked
from inquest.kit.small_models import SentenceEncoder
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.securities import Listing

__all__ = ["EngineChoice", "Listings", "Rerank", "Services"]

T = TypeVar("T")
Rerank = Callable[[str, Sequence[str]], Awaitable[Reranked]]
"""How well each of some texts fits a query; where the service fails, the local scores with the outage."""
Listings = Callable[[], Awaitable[Sequence[Listing]]]
"""Asks for the companies that markets list. Raises EngineError."""


@dataclass(frozen=True)
class Services:
    """Ports, minds and rules of one case. Nothing in here is global."""

    searcher: EngineSearch
    pages: Pages
    archive: Archive
    events: EventSink
    clock: Clock
    budget: CaseBudget
    mind: Analyst
    """The analyst of the settings."""
    local: Analyst
    """The one that needs nothing."""
    rater: Rater
    engines: tuple[EngineChoice, ...]
    cut: CutList
    domain_ages: DomainAges | None = None
    """None: no registry may be asked (a case of the user's own documents)."""
    reranker: Rerank | None = None
    """None: the local one, which ranking has built in."""
    desks: Mapping[str, Desk] = field(default_factory=dict)
    """The installed desks, by name."""
    listings: Listings | None = None
    """The companies that markets list; None: nobody may be asked for them."""
    encoder: SentenceEncoder | None = None
    """The small model that turns texts into vectors; None: there is none."""
    replayed: bool = False
    """The case is run again from its recording: nobody has to be waited for."""
    began: datetime | None = None
    """When the case was created: its 'now' where the user gave none, and the same on every replay."""
    shared: SharedWork = field(default_factory=SharedWork)
    """What several desks of a round need, done once."""
    begun: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    """Nodes that were begun before the graph was there, by name: what they add is taken from here once."""
    earlier_outages: tuple[OutageNote, ...] = ()
    """On replay: the outages of the case, whose moments stand in its report."""

    def now(self, as_of: datetime | None) -> datetime:
        """The moment from which the case counts: the user's, else that of its beginning."""
        return as_of or self.began or self.clock.now()

    def asks(self, kind: EngineKind) -> tuple[str, ...]:
        """The engines of a kind that are ready, in order of preference."""
        return tuple(engine.name for engine in self.engines if kind in engine.kinds and engine.lacks is None)

    async def side_by_side(self, work: Sequence[Piece[T]]) -> list[T | None]:
        """Pieces of work at once; None for what the budget cut off."""
        return await side_by_side(work, self.cut)

    async def answered(self, call: Callable[[Analyst], Awaitable[T]], stage: Stage) -> tuple[T, tuple[OutageNote, ...]]:
        """A judgment by the analyst of the settings; where the model is out, by the local one, and said so."""
        try:
            return await call(self.mind), ()
        except ModelError as error:
            note = await self.outage("model", error.model, error, stage)
            await self.events.emit(
                EventType.DEGRADED, "The local analyst answers in place of the model.", stage=stage, model=error.model
            )
            return await call(self.local), (note,)

    async def judged(
        self, label: str, call: Callable[[Analyst], Awaitable[T]], stage: Stage
    ) -> tuple[T, tuple[OutageNote, ...]]:
        """As `answered`, and by the local analyst where the budget is met before the model has answered."""
        (result,) = await self.side_by_side([(label, lambda: self.answered(call, stage))])
        return (await call(self.local), ()) if result is None else result

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
                at=self.clock.now(),
                names=names,
                at_limit=isinstance(error, EngineQuota),
            )
        await self.events.emit(
            EventType.OUTAGE, f"{note.what} {note.where}: {note.why}", stage=stage, what=what, where=where, why=note.why
        )
        return note

    async def progress(self, stage: Stage, text: str, type: EventType = EventType.STAGE_STARTED) -> None:
        """A line that tells the user what is being done."""
        await self.events.emit(type, text, stage=stage, marker="PROGRESS")
