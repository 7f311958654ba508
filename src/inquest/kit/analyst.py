"""The contract of an analyst: its judgments, each with a typed result that carries its reasons.

Two implementations: `analysts.local` (rules, needs nothing) and `analysts.model` (asks a model service, checks
what comes back, and lets `local` answer a call that failed twice). Text of pages reaches an analyst only as data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from inquest.domain.brief import Brief
from inquest.domain.claim import Claim
from inquest.domain.document import Document, Published
from inquest.domain.drafts import (
    AnswerDraft,
    ClaimDraft,
    DatedPassage,
    EventDraft,
    KeyClaim,
    LeaningDraft,
    PlanDraft,
    SourceReading,
    WriteMaterial,
)
from inquest.domain.errors import ModelError
from inquest.domain.leads import ClaimReview
from inquest.domain.market import MarketReading
from inquest.domain.plan import AnalysedUrl, Plan
from inquest.domain.reading import Reading
from inquest.domain.report import Summary
from inquest.domain.search import EngineKind
from inquest.domain.source import Rating, Source
from inquest.domain.value import Value
from inquest.entailment.windows import Likeness

__all__ = [
    "Analyst",
    "AnswerDraft",
    "AnswerMaterial",
    "ClaimDraft",
    "DatedPassage",
    "EventDraft",
    "KeyClaim",
    "LeaningDraft",
    "Passage",
    "PlanDraft",
    "SourceReading",
    "SpokenRow",
    "WriteMaterial",
]


class SpokenRow(Value):
    """A row of a table in a passage, `text[start:end]`, and what it says with the heads of its cells."""

    start: int
    end: int
    text: str
    """'Scope 1, 2023: 140 t'."""


class Passage(Value):
    """A passage of a document, put before an analyst together with where it is from."""

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
    lead: str = ""
    """How the document opens, where it mostly names whom it is about; '' where that is not known."""
    elsewhere: tuple[str, ...] = ()
    """Stems of the claim that stand anywhere in the document, as far as that is known."""
    rows: tuple[SpokenRow, ...] = ()
    """The rows of tables in it, read for the claim."""
    reviews: tuple[ClaimReview, ...] = ()
    """Checks of claims that the document declares itself to be."""


class AnswerMaterial(Value):
    """A question to a case that has ended, and what it may be answered from."""

    question: str
    before: str = ""
    """The question before it, which it may go on from."""
    topic: str
    checked: tuple[tuple[str, str], ...] = ()
    """The claims of the case and their verdicts."""
    passages: tuple[Passage, ...]


class Analyst(ABC):
    """Reads and judges. Every method may be called concurrently. None of them raises for want of something to say."""

    name: str
    """local, or the model's name."""
    local_model: str = ""
    """The small model of this machine that it judges with; empty: none."""

    @property
    def outage(self) -> ModelError | None:
        """Why that model could not be used, where it could not: the rules then judged alone."""
        return None

    @property
    def likeness(self) -> Likeness | None:
        """How near sentences are to a claim in meaning; None where no encoder is available."""
        return None

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
    async def assess(
        self, claim: str, passages: Sequence[Passage], *, statements: Sequence[str] = (), desk: str = ""
    ) -> tuple[Reading, ...]:
        """How each passage bears on the claim: one reading per passage, in their order. `statements`: those that the
        claim makes, where it makes several; a reading may cover some of them. `desk`: for whom, where a desk has a
        model of its own."""

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """US dollars for so many tokens; 0 where nobody is paid, or no price is known."""
        return 0.0

    def judge_of(self, desk: str) -> str:
        """Who judges for the desk: desks of which this is the same may have a claim judged by one `assess`."""
        return ""

    async def desk_queries(
        self, desk: str, angles: Mapping[str, str], claims: Sequence[Claim], company: str, industry: str
    ) -> Mapping[str, Mapping[str, str]]:
        """Words to search for: claim id -> angle -> query, for all the claims of a desk in one call. `angles`: what
        each of the desk's kinds of query is after. What is missing is written by rule."""
        return {}

    async def read_market_question(self, text: str) -> MarketReading:
        """Whom and what a question to the market desk is about, with an invented article to find real ones by (HyDE).
        Fields that are empty are read by rule."""
        return MarketReading()

    @abstractmethod
    async def events(self, topic: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
        """The events that matter to the topic, oldest first, reports of one event merged."""

    @abstractmethod
    async def leanings(self, topic: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
        """How each source relates to the subject, in the order given."""

    @abstractmethod
    async def classify(self, source_url: str, document: Document) -> Rating | None:
        """A rating for a publisher that no rule knows; None: cannot tell."""

    async def answer(self, material: AnswerMaterial) -> AnswerDraft | None:
        """The answer to a question from the passages of a case; None: it is looked for by rule."""
        return None

    @abstractmethod
    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        """The cited summary; `depth`: brief or comprehensive. Every sentence that states a fact cites findings."""
