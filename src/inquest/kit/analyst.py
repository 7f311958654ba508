"""The contract of an analyst: the judgments a mind makes, each with a typed result that carries its reasons.

Two minds stand behind it: `analysts.local` (rules, needs nothing) and `analysts.model` (asks a model service, checks
what comes back, and lets `local` answer a call that failed twice). Text of pages reaches an analyst only as data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from inquest.domain.assessment import Assessment
from inquest.domain.brief import Brief
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.document import Document, Precision, Published
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.plan import AnalysedUrl, Plan
from inquest.domain.report import Bias, Leaning, Summary, TimelineEvent
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Rating, Source
from inquest.domain.value import Value

__all__ = [
    "Analyst",
    "ClaimDraft",
    "DatedPassage",
    "EventDraft",
    "Judgement",
    "KeyClaim",
    "LeaningDraft",
    "Passage",
    "PlanDraft",
    "SourceReading",
    "WriteMaterial",
]


class Passage(Value):
    """A stretch of a document, put before an analyst together with where it is from."""

    id: str
    """Unique within one call; judgements name it."""
    source_id: str
    snapshot: str
    text: str
    start: int = 0
    """Offset of `text` in the document."""
    title: str = ""
    domain: str = ""
    published: Published | None = None


class Judgement(Value):
    """How one passage bears on one claim. `passage.text[start:end] == quote`."""

    passage_id: str
    stance: Stance
    contradiction_type: ContradictionType | None = None
    confidence: float = Field(ge=0, le=1)
    quote: str = ""
    start: int = 0
    end: int = 0
    reasons: tuple[str, ...] = ()


class PlanDraft(Value):
    """What an analyst proposes to do about a brief."""

    topic: str
    questions: tuple[str, ...]
    """3 to 6, each answerable by sources."""
    queries: tuple[Query, ...]
    source_kinds: tuple[str, ...]
    """Kinds of source to gather, in words."""
    notes: tuple[str, ...] = ()
    """What the user should know before approving."""
    other_topic: bool = False
    """The change that was asked for is another topic altogether: one inquiry has one topic (Q2)."""


class KeyClaim(Value):
    """A checkable statement as one document makes it: `document.text[start:end] == quote`."""

    text: str
    """The claim as a sentence that stands alone."""
    quote: str
    start: int
    end: int
    type: ClaimType = ClaimType.STATEMENT
    importance: float = Field(default=0.5, ge=0, le=1)


class SourceReading(Value):
    """What one document comes to, for one brief."""

    summary: str
    """At most 500 characters (Q4)."""
    key_claims: tuple[KeyClaim, ...]
    """1 to 3 (Q4), best first; none where the document has nothing to do with the brief."""
    relevance: float = Field(default=0.5, ge=0, le=1)


class ClaimDraft(Value):
    """A claim merged from several sources' key claims."""

    text: str
    type: ClaimType = ClaimType.STATEMENT
    importance: float = Field(default=0.5, ge=0, le=1)
    members: tuple[tuple[str, int], ...]
    """Which key claims say it: (source id, index into that source's key claims)."""
    queries: tuple[str, ...] = ()
    """What to search for to check it, 1 or 2."""


class DatedPassage(Value):
    """A sentence with a date in it, found by rule: the material of a timeline."""

    id: str
    source_id: str
    snapshot: str
    quote: str
    start: int
    end: int
    """Offsets in the document."""
    date: datetime
    precision: Precision


class EventDraft(Value):
    """An event told by one or more dated passages."""

    date: datetime
    precision: Precision
    text: str
    passages: tuple[str, ...]
    """Ids of the dated passages it rests on; at least one."""
    conflict: str | None = None


class LeaningDraft(Value):
    """How one source's coverage stands to the subject: `bias` 0 (balanced) to 10 (one-sided)."""

    source_id: str
    leaning: Leaning
    bias: float = Field(ge=0, le=10)
    reasons: tuple[str, ...]


class WriteMaterial(Value):
    """All that a summary may be written from."""

    plan: Plan
    as_of: datetime
    sources: tuple[Source, ...]
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    assessments: tuple[Assessment, ...]
    timeline: tuple[TimelineEvent, ...] = ()
    bias: Bias | None = None
    missing: tuple[str, ...] = ()
    """What could not be asked, in words."""


class Analyst(ABC):
    """A mind. Every method may be called concurrently. None of them raises for want of something to say."""

    name: str
    """local, or the model's name."""

    @abstractmethod
    async def plan(
        self,
        brief: Brief,
        user_sources: Sequence[AnalysedUrl],
        kinds: Sequence[EngineKind],
        *,
        change: str = "",
        before: Plan | None = None,
    ) -> PlanDraft:
        """What to ask of whom. `kinds`: what the ready engines can search. `change`: what the user wants changed in
        the plan `before`."""

    @abstractmethod
    async def read(self, brief: Brief, topic: str, document: Document) -> SourceReading:
        """What the document says to the brief."""

    @abstractmethod
    async def merge(
        self, topic: str, readings: Sequence[tuple[Source, SourceReading]], limit: int | None
    ) -> tuple[ClaimDraft, ...]:
        """The claims of all sources: repeats merged, most important first, at most `limit`."""

    @abstractmethod
    async def assess(self, claim: str, passages: Sequence[Passage]) -> tuple[Judgement, ...]:
        """How each passage bears on the claim: one judgement per passage, in their order."""

    @abstractmethod
    async def events(self, topic: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
        """The events that matter to the topic, oldest first, tellings of one event merged."""

    @abstractmethod
    async def leanings(self, topic: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
        """How each source stands to the subject, in the order given."""

    @abstractmethod
    async def classify(self, source_url: str, document: Document) -> Rating | None:
        """A rating for a publisher that no rule knows; None: cannot tell."""

    @abstractmethod
    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        """The cited summary; `depth`: brief or comprehensive. Every sentence that states a fact cites findings."""
