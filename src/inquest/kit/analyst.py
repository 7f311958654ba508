"""The contract of an analyst: its judgments, each with a typed result that carries its reasons.

Two implementations: `analysts.local` (rules, needs nothing) and `analysts.model` (asks a model service, checks
what comes back, and lets `local` answer a call that failed twice). Text of pages reaches an analyst only as data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from pydantic import Field

from inquest.domain.brief import Brief
from inquest.domain.claim import Claim
from inquest.domain.document import Document, Published
from inquest.domain.drafts import (
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
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.leads import ClaimReview
from inquest.domain.plan import AnalysedUrl, Plan
from inquest.domain.reading import Mode, Speaker
from inquest.domain.reasons import Reason
from inquest.domain.report import Summary
from inquest.domain.search import EngineKind
from inquest.domain.source import Rating, Source
from inquest.domain.value import JsonObject, Value
from inquest.entailment.facilities import Facility
from inquest.entailment.windows import Likeness

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
    facilities: tuple[Facility, ...] = ()
    """Works of which some document of the case says both whose they are and where."""


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
    """As sentences."""
    reason_codes: tuple[Reason, ...] = ()
    """The same as values, where whoever judged has them."""
    attributed_to: str | None = None
    """Who says so in the passage; None: the document itself, or not stated."""
    party: bool | None = None
    """Whether that is the claim's own subject, or one who speaks for it; None: not stated."""
    admission: bool | None = None
    """Whether such a party says so against itself."""
    hearsay: bool | None = None
    """Whether it is only reported that somebody says so who is no authority on it."""
    bodies: tuple[str, ...] = ()
    """Kinds of public bodies that the passage speaks of, of what bears on the claim (`verdicts.public_bodies`)."""
    speaker: Speaker | None = None
    """Whose statement it is, where whoever read it says so."""
    mode: Mode | None = None
    """In what sense it is said, where whoever read it says so."""
    first_hand: bool | None = None
    """Whether the speaker has seen, measured or done it; None: not stated."""
    as_of: str = ""
    """The day, month or year of which it is said (ISO 8601), where that is not the document's own."""

    @property
    def attribution(self) -> JsonObject:
        """As a finding keeps it: only what is given and true."""
        given: JsonObject = {
            "attributed_to": self.attributed_to, "party": self.party, "admission": self.admission,
            "hearsay": self.hearsay, "bodies": [*self.bodies],
            "speaker": self.speaker.model_dump(mode="json") if self.speaker else None,
            "mode": self.mode.value if self.mode else None, "first_hand": self.first_hand, "as_of": self.as_of,
        }  # fmt: skip
        return {name: value for name, value in given.items() if value or (name == "first_hand" and value is not None)}


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
        """How near sentences are to a claim in meaning; None where no encoder is at hand."""
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
    async def assess(self, claim: str, passages: Sequence[Passage], *, desk: str = "") -> tuple[Judgement, ...]:
        """How each passage bears on the claim: one judgement per passage, in their order. `desk`: for whom, where a
        desk has a model of its own."""

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

    async def imagine(self, wanted: str) -> str:
        """An invented article as `wanted` says, to find real ones by (HyDE); never shown, never evidence. '': none."""
        return ""

    @abstractmethod
    async def events(self, topic: str, passages: Sequence[DatedPassage]) -> tuple[EventDraft, ...]:
        """The events that matter to the topic, oldest first, reports of one event merged."""

    @abstractmethod
    async def leanings(self, topic: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
        """How each source stands to the subject, in the order given."""

    @abstractmethod
    async def classify(self, source_url: str, document: Document) -> Rating | None:
        """A rating for a publisher that no rule knows; None: cannot tell."""

    @abstractmethod
    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        """The cited summary; `depth`: brief or comprehensive. Every sentence that states a fact cites findings."""
