"""What the nodes of a case are given to work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from inquest.domain.errors import InquestError, NotRecorded
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.domain.source import Rating
from inquest.flow.budget import CaseBudget
from inquest.kit.analyst import Analyst
from inquest.kit.ports import Archive, Clock, EventSink, Pages, Searcher

__all__ = ["EngineChoice", "Services"]


@dataclass(frozen=True)
class EngineChoice:
    """One engine as the planner sees it."""

    name: str
    kinds: tuple[EngineKind, ...]
    lacks: str | None = None
    """Why it cannot be asked; None: it is ready."""
    asked_for: bool = False
    """The user named it."""


@dataclass(frozen=True)
class Services:
    """Ports, minds and rules of one case. Nothing in here is global."""

    searcher: Searcher
    pages: Pages
    archive: Archive
    events: EventSink
    clock: Clock
    budget: CaseBudget
    mind: Analyst
    """The analyst of the settings."""
    local: Analyst
    """The one that needs nothing."""
    rate: Callable[[str], Rating]
    engines: tuple[EngineChoice, ...]
    earlier_outages: Mapping[tuple[str, str], OutageNote] = field(default_factory=dict)
    """On replay: the outages of the case, by what and where."""

    @property
    def analyst(self) -> Analyst:
        """Who judges now: once the budget is met, nothing that costs money or time is asked any more."""
        return self.local if self.budget.why else self.mind

    async def outage(self, what: str, where: str, error: InquestError, stage: Stage) -> OutageNote:
        """Note that something could not be asked, and say so."""
        earlier = self.earlier_outages.get((what, where))
        if earlier is not None:
            note = earlier
        else:
            why = "It was not asked before the case ended." if isinstance(error, NotRecorded) else error.sentence
            note = OutageNote(what=what, where=where, why=why, at=self.clock.now())
        await self.events.emit(
            EventType.OUTAGE, f"{note.what} {note.where}: {note.why}", stage=stage, what=what, where=where, why=note.why
        )
        return note

    async def progress(self, stage: Stage, text: str, type: EventType = EventType.STAGE_STARTED) -> None:
        """A line that tells the user what is being done."""
        await self.events.emit(type, text, stage=stage, marker="PROGRESS")
