"""The contract of an analyst: its judgments, each with a typed result that carries its reasons.

Two implementations: `analysts.local` (rules and small models) and `analysts.model` (a model service with checked
replies; `local` answers a call that failed twice). Text of pages reaches an analyst only as data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from inquest.domain.claim import Claim
from inquest.domain.document import Document, Published
from inquest.domain.drafts import AnswerDraft as AnswerDraft
from inquest.domain.drafts import ClaimDraft as ClaimDraft
from inquest.domain.drafts import DatedPassage as DatedPassage
from inquest.domain.drafts import EventDraft as EventDraft
from inquest.domain.drafts import LeaningDraft as LeaningDraft
from inquest.domain.drafts import PlanDraft as PlanDraft
from inquest.domain.drafts import SourceReading as SourceReading
from inquest.domain.drafts import WriteMaterial as WriteMaterial
from inquest.domain.errors import ModelError
from inquest.domain.finding import Reading
from inquest.domain.market import MarketReading
from inquest.domain.plan import AnalysedUrl, Brief, Plan
from inquest.domain.report import Summary
from inquest.domain.search import ClaimReview, EngineKind
from inquest.domain.source import Rating, Source
from inquest.domain.value import Value
from inquest.entailment.windows import Likeness


class SpokenRow(Value):
    """A table row in a passage, `text[start:end]`, and its content with the headers of its cells."""

    start: int
    end: int
    text: str
    """'Scope 1, 2023: 140 t'."""


class Passage(Value):
    """A passage of a document, with its origin."""

    id: str
    """Unique within a call; judgements refer to it."""
    source_id: str
    snapshot: str
    text: str
    start: int = 0
    """Offset of `text` in the document."""
    title: str = ""
    domain: str = ""
    published: Published | None = None
    lead: str = ""
    """The opening of the document, which usually names its subject; '' if unknown."""
    elsewhere: tuple[str, ...] = ()
    """Stems of the claim found anywhere in the document, as far as known."""
    rows: tuple[SpokenRow, ...] = ()
    """The rows of tables in it, read for the claim."""
    reviews: tuple[ClaimReview, ...] = ()
    """Fact checks declared in the document's metadata."""


class AnswerMaterial(Value):
    """A question about a finished case or to the market desk, and the material to answer it from."""

    question: str
    desk: str = ""
    """The desk that asks: its own model answers, if it has one, and only once, because a rule can answer too."""
    before: str = ""
    """The previous question, which this one may follow up."""
    topic: str
    checked: tuple[tuple[str, str], ...] = ()
    """The claims of the case with their verdicts."""
    passages: tuple[Passage, ...]


class Analyst(ABC):
    """An analyst reads and judges. Methods may be called concurrently; none raises because it found nothing."""

    name: str
    """'local', or the model's name."""
    local_model: str = ""
    """The local small model it judges with; '': no model."""

    @property
    def outage(self) -> ModelError | None:
        """The reason why that model could not be used; the rules then judged alone."""
        return None

    @property
    def likeness(self) -> Likeness | None:
        """Return the similarity in meaning of sentences to a claim; None if no encoder is available."""
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
        """Propose a plan. `kinds`: what ready engines can search; `change`: the user's change to the plan `before`."""

    @abstractmethod
    async def read(self, brief: Brief, topic: str, document: Document) -> SourceReading:
        """Read a document for the brief."""

    @abstractmethod
    async def merge(
        self, topic: str, readings: Sequence[tuple[Source, SourceReading]], limit: int | None
    ) -> tuple[ClaimDraft, ...]:
        """Merge the claims of all sources, most important first, at most `limit`."""

    @abstractmethod
    async def assess(
        self, claim: str, passages: Sequence[Passage], *, statements: Sequence[str] = (), desk: str = ""
    ) -> tuple[Reading, ...]:
        """Judge how each passage relates to the claim: one reading per passage, in order. `statements`: those of a
        claim that makes several; a reading may cover some of them. `desk`: the desk it is for, as a desk may have its
        own model."""

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price of this many tokens in US dollars; 0 if free or unknown."""
        return 0.0

    def judge_of(self, desk: str) -> str:
        """Return the judge for a desk: desks with the same one may have a claim judged by a single `assess`."""
        return ""

    async def desk_queries(
        self, desk: str, angles: Mapping[str, str], claims: Sequence[Claim], company: str, industry: str
    ) -> Mapping[str, Mapping[str, str]]:
        """Write search queries for all claims of a desk in one call: claim id -> angle -> query. `angles`: the aim of
        each of the desk's kinds of query. Missing queries are written by rule."""
        return {}

    async def read_market_question(self, text: str) -> MarketReading:
        """Read a question to the market desk, with an invented article to find real ones by (HyDE). Empty fields are
        read by rule."""
        return MarketReading()

    @abstractmethod
    async def events(self, topic: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
        """Return the events relevant to the topic, oldest first, reports of one event merged."""

    @abstractmethod
    async def leanings(self, topic: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
        """Return each source's leaning towards the subject, in order."""

    @abstractmethod
    async def classify(self, source_url: str, document: Document) -> Rating | None:
        """Rate a publisher that no rule covers; None: unknown."""

    async def answer(self, material: AnswerMaterial) -> AnswerDraft | None:
        """Answer from the passages of a case; None: the answer is found by rule."""
        return None

    @abstractmethod
    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        """Write the cited summary; `depth`: brief or comprehensive. Every statement of fact cites findings."""
