"""The results of the tools. Every result begins with a note that texts by others in it are data."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from inquest.app.tools.for_models import NOTE
from inquest.app.tools.reading import Judgement, PageShape
from inquest.domain.source import Rating

Part = Literal[
    "overview", "plan", "sources", "claims", "findings", "verdicts", "citations", "reviews", "timeline",
    "investigation", "report",
]  # fmt: skip
"""The parts of a case for `read_case`."""


class Shape(BaseModel):
    """A shape that allows no other fields."""

    model_config = ConfigDict(extra="forbid")


class Listed(Shape):
    """A result, which begins with the note."""

    note: str = NOTE


class Evidence(Shape):
    """One source's finding on a claim."""

    finding_id: str
    source_id: str
    title: str
    url: str
    tier: int | None = Field(description="1 (best) to 4")
    published: str | None
    quote: str = Field(description="verbatim from the archived page")
    snapshot: str = Field(description="hash of the archived bytes that contain the quote")


class VerdictResult(Shape):
    """The verdict on one claim."""

    claim_id: str
    claim: str
    verdict: Literal["verified", "partially_true", "contradicted", "disputed", "unverified"]
    checked: bool = Field(description="false: the case ended before it was checked")
    confidence: float = Field(description="0 to 1")
    independent_sources: int
    single_source: bool
    reasons: list[str]
    would_change: list[str] = Field(description="evidence that would change the verdict")
    supporting: list[Evidence] = Field(description="weightiest first, at most 5 (in the overview 2)")
    contradicting: list[Evidence] = Field(description="weightiest first, at most 5 (in the overview 2)")


class PlanResult(Shape):
    """The plan of a case."""

    topic: str
    questions: list[str]
    meant: list[str] = Field(description="its subjects; pages about namesakes are not evidence")
    times: list[str] = Field(description="its days, months and years, in the user's words")
    queries: list[str]
    engines: list[str]
    left_out: list[str] = Field(description="engines that will not be queried, each with the reason")
    notes: list[str]
    revision: int


class InvestigationView(Shape):
    """The result of the investigation of a topic."""

    topic_id: int | None
    level_before: str
    level_after: str = Field(description="the level found; a person's decision overrides it")
    level_decided: str | None = Field(description="a person's last decision; null: none")
    decisions: list[str] = Field(description="every decision of a person, oldest first")
    reasons: list[str]
    confidence: float = Field(description="0 to 100")
    independent_credible: int = Field(description="independent confirming sources of tier 1 or 2")
    single_source: bool
    origin: str = Field(description="who published it first; empty: unknown")
    origin_url: str | None
    origin_reasons: list[str]
    disputed_claims: list[str]
    requires_human_review: bool
    review_reason: str | None


class Citation(Shape):
    """The citation of number n in the summary."""

    n: int
    url: str
    quote: str
    snapshot: str = Field(description="hash of the archived bytes that contain the quote")


class CaseResult(Listed):
    """The state of a case and its results."""

    case_id: str
    kind: str
    status: Literal["planned", "running", "completed", "partial", "cancelled", "failed"]
    why: str = Field(description="why it is partial, cancelled or failed")
    next: str = Field(description="possible next steps")
    brief: str
    plan: PlanResult | None = Field(None, description="present if it waits for approval, or as the requested part")
    answer: str | None = Field(None, description="the market desk's answer: Markdown, no advice")
    summary: str | None = Field(None, description="Markdown with the numbers [n] of the citations")
    citations: list[Citation] = []
    verdicts: list[VerdictResult] = []
    more: list[str] = Field([], description="how to read the verdicts and citations that are too many for this result")
    investigation: InvestigationView | None = Field(None, description="present for the case of a topic")
    independent_sources: int = 0
    outages: list[str] = Field([], description="engines that could not be queried and pages that could not be read")
    cost_usd: float = 0.0
    items: list[dict[str, Any]] = Field(
        [], description="a part of the case, as in docs/case.md; an investigation is divided into pieces"
    )
    total: int = Field(0, description="the number of items, verdicts, citations or characters")
    next_offset: int | None = Field(None, description="the offset of the next page")
    report: str | None = Field(None, description="the report as Markdown, if requested")


class QuestionResult(Listed):
    """The answer to a question about a case."""

    case_id: str
    question: str
    answered: bool
    answer: str = Field(description="the answer, or the reason for giving none")
    citations: list[Citation] = Field(description="the quotes on which it is based, numbered as in the case")
    analyst: str = Field(description="local, or the model's name")
    next: str


class CaseLine(Shape):
    """A case in a list."""

    case_id: str
    kind: str
    status: str
    created_at: str
    brief: str


class CaseList(Listed):
    """Cases, newest first."""

    cases: list[CaseLine]


class JudgementResult(Judgement, Listed):
    """The stance of a passage on a claim."""


class AuditItem(Shape):
    """A statement, the source that it cites, and whether the source supports it."""

    outcome: str = Field(
        description="holds, partly, says_otherwise, not_there, misattributed, does_not_exist, withdrawn, second_hand, "
        "could_not_be_read (says nothing about the statement), no_citation"
    )
    reason: str
    statement: str
    start: int = Field(description="offset of the statement in the text")
    end: int
    source: str = Field(description="address of the source; empty: no citation")
    label: str = Field(description="as the text cites it")
    quote: str = Field(description="verbatim from the archived source")
    snapshot: str = Field(description="hash of the archived bytes that contain the quote")


class AuditResult(Listed):
    """The outcomes of the citations of a text."""

    case_id: str = Field(description="the `again` of a later audit to compare with")
    summary: str
    citations: int
    hold: int
    left_out: int = Field(description="citations beyond the limit")
    outcomes: dict[str, int]
    notes: list[str]
    changes: list[str] | None = Field(description="changes since the earlier audit; null: not compared")
    items: list[AuditItem] = Field(description="most harmful first; those that hold are last")
    total: int = Field(description="the number of items")
    next_offset: int | None = Field(description="the offset of the next page")


class RatingResult(Rating):
    """The credibility of a source: tier 1 (best) to 4, score 0 to 100; `known` is false if no rule applies."""

    url: str


class Ratings(Listed):
    """Ratings in the order of the request."""

    ratings: list[RatingResult]


class PageResult(PageShape, Listed):
    """A page with its readable text and metadata."""

    kind: str
    provenance: str
    notes: list[str]
    rating: RatingResult
    text: str = Field(description="between two lines that mark it as data")
    total: int = Field(description="characters of the whole text")
    next_offset: int | None = Field(description="the offset of the next page")


class FoundDocument(Shape):
    """A document of a collection."""

    id: str
    score: float = Field(description="comparable within one search only")
    title: str
    snippet: str
    url: str
    published: str | None
    snapshot: str


class FoundDocuments(Listed):
    """The results of a search in a collection, best first."""

    collection: str
    results: list[FoundDocument]
    notes: list[str]
