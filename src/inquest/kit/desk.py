"""The contract of a desk: which claims it takes, what it asks, and what it makes of what comes back.

A desk never searches, reads or waits: the flow does, and hands it values. Judging how a passage bears on a claim is the
analyst's; a desk adds what its field knows (who speaks, which standard, which range), and says it in findings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse, Reinvestigation
from inquest.domain.check import Subject as Subject
from inquest.domain.claim import Claim
from inquest.domain.event import EventType
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.reading import Reading
from inquest.domain.reasons import Reason
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue, Value
from inquest.kit.analyst import Passage

Drafted = Mapping[str, Mapping[str, str]]
"""Queries that a model wrote: claim id -> angle -> words. Empty where none was asked, or it gave nothing usable."""


class DeskSpec(Value):
    """What a desk declares."""

    name: str
    """news, academic, ..."""
    agent: str
    """Its name in the specifications and their events: news_media, academic."""
    title: str
    kinds: tuple[EngineKind, ...]
    """The kinds of engine it asks; the user's own documents are asked by every desk."""
    angles: dict[str, str]
    """Its kinds of query, in the order in which they matter, each with what it is after (a model is given it)."""
    results_per_query: int = 10
    results_per_claim: int = 20
    """Hits considered for one claim, all queries together."""
    pages_per_claim: int = 6
    """Pages read for one claim, the best hits first."""
    topics: tuple[str, ...] = ()
    """What it may be asked about by other desks, in words."""


class Taken(Value):
    """That a desk takes a claim: how urgent it finds it, and why."""

    priority: float = Field(default=0.5, ge=0, le=1)
    reason: str
    group: str = ""
    """How the desk groups it for its work: methodology, certification, targets, benchmark, research, ..."""


class JudgedPassage(Value):
    """One passage of one page, judged."""

    source: Source
    passage: Passage
    judgement: Reading
    angles: tuple[str, ...] = ()
    """The kinds of query that led to the page."""
    hits: tuple[Hit, ...] = ()
    """As the engines gave the page: works with authors and journals, fact checks, filings."""
    part: str = ""
    """The words of the statements that the reading covers; '' where it covers the whole claim."""


class Results(Value):
    """What came back for one claim."""

    evidence: tuple[JudgedPassage, ...] = ()
    queries: tuple[DeskQuery, ...] = ()
    """Those that were asked for it."""
    hits: int = 0
    """How many leads came back, duplicates counted once."""
    outages: tuple[OutageNote, ...] = ()
    responses: tuple[InfoResponse, ...] = ()
    """What other desks have answered this desk on the claim."""
    iteration: int = 1

    @property
    def missed(self) -> tuple[OutageNote, ...]:
        """What could not be asked, each thing once."""
        return tuple({(note.what, note.where, note.why): note for note in self.outages}.values())


class FindingDraft(Value):
    """A finding before it is numbered and checked against its snapshot. With a passage it rests on that passage's
    words: `passage.text[start:end]` is the quote. Without one it rests on the claim's own words where they stand: what
    a desk computes from the claim and a published rule."""

    evidence_type: str
    passage_id: str = ""
    start: int = 0
    end: int = 0
    """Offsets into the passage's text."""
    stance: Stance
    contradiction_type: ContradictionType | None = None
    confidence: float = Field(ge=0, le=1)
    summary: str
    details: JsonObject = {}
    references: tuple[JsonObject, ...] = ()
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()


def outage_findings(
    results: Results, worded: Callable[[OutageNote], str], **details: JsonValue
) -> tuple[FindingDraft, ...]:
    """An error for each thing that could not be asked: not to be taken for nothing having been found."""
    return tuple(
        FindingDraft(
            evidence_type="error",
            stance=Stance.UNASSESSED,
            confidence=0.0,
            summary=worded(note),
            details={"what": note.what, "where": note.where, "message": note.why, "at": note.at.isoformat()} | details,
            reasons=(note.why,),
        )
        for note in results.missed
    )


class DeskEvent(Value):
    """What a desk says of its own work, for the event log (spec 000 §9.2)."""

    type: EventType
    text: str
    data: JsonObject = {}


class Desk(ABC):
    """One specialist. Stateless: everything it knows of a case is in its arguments."""

    spec: ClassVar[DeskSpec]

    @abstractmethod
    def takes(self, claim: Claim, subject: Subject) -> Taken | None:
        """Whether the claim is this desk's business, and why; None: it is not."""

    @abstractmethod
    def queries(
        self,
        claims: Sequence[Claim],
        subject: Subject,
        *,
        drafted: Drafted,
        again: Mapping[str, Reinvestigation],
    ) -> tuple[DeskQuery, ...]:
        """What to ask for these claims, those that matter most first. `drafted`: by a model; what it lacks is made by
        rule. `again`: by claim id, what the judge sends the desk out for; of a claim in it, only that is asked."""

    @abstractmethod
    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """What the desk makes of it: one finding for each source that bears on the claim, its own checks, an error for
        what could not be asked, and one that sums up, last."""

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """What the desk would have others find out. Asked once, after the first round."""
        return ()

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """What to ask in order to answer another desk; () where the desk can answer from what it has found."""
        return ()

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """The answer to another desk from findings on the claim, this desk's own and those made for the request; None:
        there is nothing to say, which the flow reports as such."""
        return None

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """Events for what was found on one claim, beyond those the flow tells of every desk."""
        return ()
