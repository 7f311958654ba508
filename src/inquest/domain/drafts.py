"""An analyst's proposals before they are checked, numbered and linked: values shared by the analyst contract and the
logic behind the local analyst."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from inquest.domain.claim import Claim, ClaimType, Excerpt, Mention
from inquest.domain.document import Precision
from inquest.domain.finding import Assessment, Finding
from inquest.domain.languages import Language
from inquest.domain.plan import Meant, Plan, Stated
from inquest.domain.reasons import Reason
from inquest.domain.report import Bias, Leaning, OutageNote, TimelineEvent
from inquest.domain.search import Query
from inquest.domain.source import PageReading, Source
from inquest.domain.value import Value


class PlanDraft(Value):
    """A proposed plan for a brief."""

    topic: str
    questions: tuple[str, ...]
    """3 to 6, each answerable from sources."""
    queries: tuple[Query, ...]
    source_kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()
    stated: tuple[Stated, ...] = ()
    """The statements of the brief, if the planner reads them."""
    meant: tuple[Meant, ...] = ()
    """The subjects of the brief, if the planner names them."""
    dropped: tuple[str, ...] = ()
    """The questions of the plan before that the requested change leaves out."""
    other_topic: bool = False
    """True if the requested change is a different topic: one inquiry has one topic (Q2)."""


class KeyClaim(Excerpt):
    """A checkable statement in the words of one document."""

    text: str
    """The claim as a self-contained sentence."""
    type: ClaimType = ClaimType.STATEMENT
    importance: float = Field(default=0.5, ge=0, le=1)


class SourceReading(Value):
    """The relevance of one document to one brief."""

    summary: str
    """At most 500 characters (Q4)."""
    key_claims: tuple[KeyClaim, ...]
    """1 to 3 (Q4), best first; none if the document is irrelevant to the brief."""
    relevance: float = Field(default=0.5, ge=0, le=1)
    page: PageReading | None = None
    """The page's statements about itself; None if the reader gave none."""


class ClaimDraft(Value):
    """A claim merged from the key claims of several sources."""

    text: str
    type: ClaimType = ClaimType.STATEMENT
    importance: float = Field(default=0.5, ge=0, le=1)
    members: tuple[tuple[str, int], ...]
    """The key claims it was merged from: (source id, index into that source's key claims)."""
    queries: tuple[str, ...] = ()
    """1 or 2 search queries for checking it."""


class DatedPassage(Mention):
    """A sentence with a date, found by rule: the material of a timeline."""

    id: str
    date: datetime
    precision: Precision
    domain: str = ""
    """The source's publisher as a reader knows it."""


class EventDraft(Value):
    """An event reported by one or more dated passages."""

    date: datetime
    precision: Precision
    text: str
    passages: tuple[str, ...]
    """Ids of its dated passages; at least one."""
    conflict: str | Reason | None = None


class LeaningDraft(Value):
    """The leaning of a source's coverage towards the subject: `bias` from 0 (balanced) to 10 (one-sided)."""

    source_id: str
    leaning: Leaning
    bias: float = Field(ge=0, le=10)
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()


class AnswerQuote(Value):
    """A quote from an archived page, with its offsets in the text."""

    snapshot: str
    start: int
    quote: str


class AnswerDraft(Value):
    """An answer with its supporting quotes, or without quotes the reason there is no answer."""

    text: str = ""
    quotes: tuple[AnswerQuote, ...] = ()
    why: str = ""


class WriteMaterial(Value):
    """The material of a summary."""

    plan: Plan
    as_of: datetime
    sources: tuple[Source, ...]
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    assessments: tuple[Assessment, ...]
    questions: tuple[str, ...] = ()
    """Questions to answer that no claim of the case puts."""
    timeline: tuple[TimelineEvent, ...] = ()
    bias: Bias | None = None
    missing: tuple[OutageNote, ...] = ()
    language: Language = "en"
    """The language a model writes in."""
