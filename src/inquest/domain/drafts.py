"""What an analyst proposes, before it is checked, numbered and linked: the values that the analyst's contract and the
pure logic behind the local analyst share."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from inquest.domain.assessment import Assessment
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.document import Precision
from inquest.domain.finding import Finding
from inquest.domain.languages import Language
from inquest.domain.page_reading import PageReading
from inquest.domain.plan import Meant, Plan
from inquest.domain.reasons import Reason
from inquest.domain.report import Bias, Leaning, OutageNote, TimelineEvent
from inquest.domain.search import Query
from inquest.domain.source import Source
from inquest.domain.value import Value


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
    meant: tuple[Meant, ...] = ()
    """Whom and what the brief is about, where whoever plans says so."""
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
    page: PageReading | None = None
    """What the page says about itself; None where whoever read it did not say."""


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
    domain: str = ""
    """Who tells it, as a reader knows them."""


class EventDraft(Value):
    """An event reported by one or more dated passages."""

    date: datetime
    precision: Precision
    text: str
    passages: tuple[str, ...]
    """Ids of the dated passages it rests on; at least one."""
    conflict: str | None = None


class LeaningDraft(Value):
    """How one source's coverage relates to the subject: `bias` 0 (balanced) to 10 (one-sided)."""

    source_id: str
    leaning: Leaning
    bias: float = Field(ge=0, le=10)
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    """The same as codes and data; () where a model gave them."""


class AnswerQuote(Value):
    """Words of an archived page, at their place in its text."""

    snapshot: str
    start: int
    quote: str


class AnswerDraft(Value):
    """An answer to a question with the quotes that it rests on; without any, why it is not answered."""

    text: str = ""
    quotes: tuple[AnswerQuote, ...] = ()
    why: str = ""


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
    missing: tuple[OutageNote, ...] = ()
    """What could not be asked, in words."""
    language: Language = "en"
    """That a model writes in."""
