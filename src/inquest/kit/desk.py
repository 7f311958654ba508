"""The contract of a desk: the claims it takes, its queries, and its findings from the results.

A desk never searches, reads or waits: the flow does, and passes it values. The analyst judges how a passage relates to
a claim; a desk adds the knowledge of its field (speakers, standards, ranges) to the findings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse, Reinvestigation
from inquest.domain.check import Subject as Subject
from inquest.domain.check import Taken as Taken
from inquest.domain.claim import Claim
from inquest.domain.event import EventType
from inquest.domain.finding import ContradictionType, Finding, Reading, Stance
from inquest.domain.reasons import Reason, Reasons
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue, Value
from inquest.kit.analyst import Passage

Drafted = Mapping[str, Mapping[str, str]]
"""Queries written by a model: claim id -> angle -> words. Empty without a model or a usable reply."""


class DeskSpec(Value):
    """The declaration of a desk."""

    name: str
    """news, academic, ..."""
    agent: str
    """Its name in the specifications and their events: news_media, academic."""
    title: str
    kinds: tuple[EngineKind, ...]
    """The kinds of engine it searches, besides the user's own documents."""
    angles: dict[str, str]
    """Its kinds of query by importance, each with its aim (shown to a model)."""
    results_per_query: int = 10
    results_per_claim: int = 20
    """Maximum hits per claim over all queries."""
    pages_per_claim: int = 6
    """Maximum pages read per claim, best hits first."""
    topics: tuple[str, ...] = ()
    """Topics on which other desks may ask it."""


class JudgedPassage(Value):
    """One passage of one page, judged."""

    source: Source
    passage: Passage
    judgement: Reading
    angles: tuple[str, ...] = ()
    """The kinds of query that found the page."""
    hits: tuple[Hit, ...] = ()
    """The engines' data on the page: works with authors and journals, fact checks, filings."""
    part: str = ""
    """The statements the reading covers; '' if it covers the whole claim."""


class Results(Value):
    """The results for one claim."""

    evidence: tuple[JudgedPassage, ...] = ()
    queries: tuple[DeskQuery, ...] = ()
    """Its queries. One whose `engines` are () was not sent."""
    hits: int = 0
    """The number of leads, duplicates counted once."""
    outages: tuple[OutageNote, ...] = ()
    responses: tuple[InfoResponse, ...] = ()
    """Answers of other desks to this desk about the claim."""
    iteration: int = 1

    @property
    def missed(self) -> tuple[OutageNote, ...]:
        """The outages, each once."""
        return tuple({(note.what, note.where, note.why): note for note in self.outages}.values())


class FindingDraft(Value):
    """A finding before it is numbered and checked against its snapshot. With a passage, `passage.text[start:end]` is
    the quote. Without one it quotes the claim itself, for results computed from the claim and a published rule."""

    evidence_type: str
    passage_id: str = ""
    start: int = 0
    end: int = 0
    """Offsets into the passage's text."""
    stance: Stance
    contradiction_type: ContradictionType | None = None
    confidence: float = Field(ge=0, le=1)
    summary: str
    summary_codes: Reasons = ()
    detail_codes: dict[str, tuple[Reason, ...]] = Field(default={}, exclude_if=lambda codes: not codes)
    details: JsonObject = {}
    references: tuple[JsonObject, ...] = ()
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()


def shared_queries(queries: Iterable[DeskQuery]) -> tuple[DeskQuery, ...]:
    """Return each query once, at its first place, for all the claims that need it."""
    found: dict[tuple[str, int, str], DeskQuery] = {}
    for each in queries:
        plain = each.query.model_copy(update={"text": each.query.text.casefold(), "purpose": ""})
        first = found.setdefault(key := (plain.model_dump_json(), each.iteration, each.request_id), each)
        found[key] = first.model_copy(update={"claim_ids": tuple(dict.fromkeys((*first.claim_ids, *each.claim_ids)))})
    return tuple(found.values())


def outage_findings(
    results: Results, worded: Callable[[OutageNote], str], **details: JsonValue
) -> tuple[FindingDraft, ...]:
    """Return an error finding per outage, so that an outage is not mistaken for an empty result."""
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
    """A desk's report on its own work, for the event log (spec 000 §9.2)."""

    type: EventType
    text: str
    data: JsonObject = {}


class Desk(ABC):
    """One specialist. Stateless: all knowledge of a case is in its arguments."""

    spec: ClassVar[DeskSpec]

    @abstractmethod
    def takes(self, claim: Claim, subject: Subject) -> Taken | None:
        """Accept the claim with a reason; None: it is outside the desk's field."""

    @abstractmethod
    def queries(
        self, claims: Sequence[Claim], subject: Subject, *, drafted: Drafted, again: Mapping[str, Reinvestigation]
    ) -> tuple[DeskQuery, ...]:
        """Return the queries for these claims, most important first. `drafted`: written by a model; missing ones are
        made by rule. `again`: by claim id, the judge's order; for a claim in it, only that is queried."""

    @abstractmethod
    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """Return one finding per relevant source, the desk's own checks, an error per outage, and last a summary."""

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """Return questions for other desks. Called once, after the first round."""
        return ()

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """Return the queries needed to answer another desk; () if the existing findings suffice."""
        return ()

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """Answer another desk from findings on the claim, the desk's own and those made for the request; None: no
        answer, which the flow reports."""
        return None

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """Return events for the findings on one claim, in addition to those the flow emits for every desk."""
        return ()
