"""What the tools give back. Every result begins with a note that the texts of others in it are data."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from inquest.app.tools.for_models import NOTE

Part = Literal[
    "overview", "plan", "sources", "claims", "findings", "verdicts", "citations", "reviews", "timeline",
    "investigation", "report",
]  # fmt: skip
"""Of a case, what `read_case` gives."""


class Shape(BaseModel):
    """A closed shape: what is not described here is not sent."""

    model_config = ConfigDict(extra="forbid")


class Listed(Shape):
    """What begins every result."""

    note: str = NOTE


class Evidence(Shape):
    """One source's word on a claim."""

    finding_id: str
    source_id: str
    title: str
    url: str
    tier: int | None = Field(description="1 (best) to 4")
    published: str | None
    quote: str = Field(description="verbatim from the archived page")
    snapshot: str = Field(description="hash of the archived bytes in which the quote stands")


class VerdictResult(Shape):
    """What can be said of one claim."""

    claim_id: str
    claim: str
    verdict: Literal["verified", "partially_true", "contradicted", "disputed", "unverified"]
    checked: bool = Field(description="false: the case ended before it was looked into")
    confidence: float = Field(description="0 to 1")
    independent_sources: int
    single_source: bool
    reasons: list[str]
    would_change: list[str] = Field(description="what evidence would change the verdict")
    supporting: list[Evidence] = Field(description="weightiest first, at most 5 (in the overview 2)")
    contradicting: list[Evidence] = Field(description="weightiest first, at most 5 (in the overview 2)")


class PlanResult(Shape):
    """What will be asked of whom, once it is approved."""

    topic: str
    questions: list[str]
    meant: list[str] = Field(description="whom and what it is about; pages about others of these names do not count")
    times: list[str] = Field(description="days, months and years that it is about, in the user's words")
    queries: list[str]
    engines: list[str]
    left_out: list[str] = Field(description="engines that will not be asked, each with the reason")
    notes: list[str]
    revision: int


class InvestigationView(Shape):
    """What the investigation of a topic came to."""

    topic_id: int | None
    level_before: str
    level_after: str = Field(description="as found; where a person decided otherwise, that holds")
    level_decided: str | None = Field(description="what a person decided last; null: nobody has")
    decisions: list[str] = Field(description="every decision of a person, oldest first")
    reasons: list[str]
    confidence: float = Field(description="0 to 100")
    independent_credible: int = Field(description="independent confirming sources of tier 1 or 2")
    single_source: bool
    origin: str = Field(description="who published it first, as far as is known; empty: not known")
    origin_url: str | None
    origin_reasons: list[str]
    disputed_claims: list[str]
    requires_human_review: bool
    review_reason: str | None


class Citation(Shape):
    """Number n of the summary."""

    n: int
    url: str
    quote: str
    snapshot: str = Field(description="hash of the archived bytes in which the quote stands")


class CaseResult(Listed):
    """The state of a case and what it found."""

    case_id: str
    kind: str
    status: Literal["planned", "running", "completed", "partial", "cancelled", "failed"]
    why: str = Field(description="why it is partial, cancelled or failed")
    next: str = Field(description="what can be done now")
    brief: str
    plan: PlanResult | None = Field(None, description="where it waits for approval, or was asked for")
    answer: str | None = Field(None, description="of a question to the market desk: Markdown, no advice")
    summary: str | None = Field(None, description="Markdown with numbers [n] that are those of the citations")
    citations: list[Citation] = []
    verdicts: list[VerdictResult] = []
    more: list[str] = Field(
        [], description="verdicts and citations for which there was no room here, and how to read them"
    )
    investigation: InvestigationView | None = Field(None, description="of the case of a topic")
    independent_sources: int = 0
    outages: list[str] = Field([], description="what should have been asked and could not be")
    cost_usd: float = 0.0
    items: list[dict[str, Any]] = Field(
        [], description="a part of the case, as docs/case.md has it; of an investigation pieces that add up to it"
    )
    total: int = Field(0, description="how many items, verdicts, citations or characters there are")
    next_offset: int | None = Field(None, description="give it as offset to read on")
    report: str | None = Field(None, description="the report as Markdown, where it was asked for")


class QuestionResult(Listed):
    """The answer to a question about a case."""

    case_id: str
    question: str
    answered: bool
    answer: str = Field(description="the answer; of a question that is not answered, why not")
    citations: list[Citation] = Field(description="the quotes that it rests on, numbered as in the case")
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


class JudgementResult(Listed):
    """How a passage bears on a claim."""

    stance: Literal["supports", "contradicts", "neutral", "unassessed"]
    confidence: float = Field(description="0 to 1")
    contradiction_type: Literal["direct", "contextual", "omission", "timeline"] | None
    quote: str = Field(description="the words of the passage that it rests on")
    start: int
    end: int
    reasons: list[str]
    reason_codes: list[dict[str, Any]] = Field(description="the same reasons as codes with their data")
    judged_without: str = Field("", description="why a model could not judge, and who judged instead")


class AuditItem(Shape):
    """A statement, the source that it cites, and whether the source says so."""

    outcome: str = Field(
        description="holds, partly, says_otherwise, not_there, misattributed, does_not_exist, withdrawn, second_hand, "
        "could_not_be_read (no word on the statement), no_citation"
    )
    reason: str
    statement: str
    start: int = Field(description="place of the statement in the text")
    end: int
    source: str = Field(description="address of the source; empty: it has none")
    label: str = Field(description="as the text cites it")
    quote: str = Field(description="verbatim from the archived source")
    snapshot: str = Field(description="hash of the archived bytes in which the quote stands")


class AuditResult(Listed):
    """What the citations of a text come to."""

    case_id: str = Field(description="give it as again to compare a later audit")
    summary: str
    citations: int
    hold: int
    left_out: int = Field(description="citations beyond the limit")
    outcomes: dict[str, int]
    notes: list[str]
    changes: list[str] | None = Field(description="since the earlier audit; null: none was given")
    items: list[AuditItem] = Field(description="most harmful first; those that hold are last")
    total: int = Field(description="how many items there are")
    next_offset: int | None = Field(description="give it as offset to read on")


class RatingResult(Shape):
    """What a source is worth."""

    url: str
    domain: str
    tier: int = Field(description="1 (best) to 4")
    score: int = Field(description="0 to 100")
    stars: int
    known: bool = Field(description="false: no rule about this source spoke")
    category: str
    press_release: bool
    owner: str | None
    leaning: str | None
    reasons: list[str]
    reason_codes: list[dict[str, Any]] = Field(description="the same reasons as codes with their data")


class Ratings(Listed):
    """Ratings, in the order asked."""

    ratings: list[RatingResult]


class PageResult(Listed):
    """A page as the reader sees it."""

    url: str
    final_url: str
    title: str
    author: str | None
    published: str | None
    published_how: str | None = Field(description="where the date stands")
    language: str | None
    kind: str
    snapshot: str = Field(description="hash of the archived bytes")
    retrieved_at: str
    provenance: str
    notes: list[str]
    rating: RatingResult
    text: str = Field(description="between two lines that mark it as data")
    total: int = Field(description="characters of the whole text")
    next_offset: int | None = Field(description="give it as offset to read on")


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
    """What a collection has on a question, best first."""

    collection: str
    results: list[FoundDocument]
    notes: list[str]
