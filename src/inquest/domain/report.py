"""What a case hands over: bias, timeline, cited summary, outages, cost."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import field_validator

from inquest.domain.document import Precision
from inquest.domain.leads import ClaimReview
from inquest.domain.reasons import Reason
from inquest.domain.value import Value


class Leaning(StrEnum):
    """How a source's coverage relates to the subject of the brief."""

    FAVOURABLE = "favourable"
    NEUTRAL = "neutral"
    CRITICAL = "critical"


class SourceLeaning(Value):
    """One source's leaning: `bias` 0 (balanced) to 10 (one-sided), one decimal."""

    source_id: str
    leaning: Leaning
    bias: float
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    """The same as codes and data; () where they were kept before there were codes, or where a model gave them."""


class Balance(Value):
    """How many sources lean each way."""

    favourable: int = 0
    neutral: int = 0
    critical: int = 0


class Bias(Value):
    """How one-sided the sources are as a whole: `overall` 0 to 10, one decimal."""

    overall: float
    balance: Balance
    per_source: tuple[SourceLeaning, ...] = ()
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()
    """The same as codes and data; () where they were kept before there were codes, or where a model gave them."""
    recommendation: str = ""

    @property
    def label(self) -> str:
        """The scale's words (spec 004)."""
        for bound, words in (
            (2, "low (balanced)"),
            (4, "low to moderate"),
            (6, "moderate"),
            (8, "high"),
        ):
            if self.overall < bound:
                return words
        return "very high (one-sided)"


class TimelineEvent(Value):
    """Something that happened, when, and the findings that say so."""

    date: str
    """ISO 8601, as long as the precision allows."""
    precision: Precision
    text: str
    source_ids: tuple[str, ...]
    finding_ids: tuple[str, ...] = ()
    conflict: str | None = None
    """Where sources give different dates for it: what they say."""


class Statement(Value):
    """One sentence of a summary. A sentence that states a fact cites findings; one about the work itself need not."""

    text: str
    finding_ids: tuple[str, ...] = ()
    about_the_work: bool = False


class Section(Value):
    """A headed part of a summary."""

    heading: str
    statements: tuple[Statement, ...]


class Translation(Value):
    """A finding's quote in the language of the report, by the model that wrote the summary: for a reader, and never
    evidence."""

    finding_id: str
    text: str


class Summary(Value):
    """The cited summary. `dropped` counts a model's sentences that cited nothing and were left out."""

    title: str
    sections: tuple[Section, ...]
    """In their order; of one heading there is one section, whoever wrote its parts."""
    dropped: int = 0
    translations: tuple[Translation, ...] = ()
    """Of quotes in other languages than the report's, where a model wrote the summary."""

    @field_validator("sections", mode="after")
    @classmethod
    def _one_section_a_heading(cls, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        found: dict[str, Section] = {}
        for each in sections:
            key = " ".join(each.heading.casefold().split())
            earlier = found.get(key)
            more = (*earlier.statements, *each.statements) if earlier else each.statements
            found[key] = (earlier or each).model_copy(update={"statements": tuple(dict.fromkeys(more))})
        return tuple(found.values())


class Citation(Value):
    """Number n in the report: the words that a finding rests on."""

    n: int
    finding_id: str
    source_id: str
    url: str
    quote: str
    also: tuple[str, ...] = ()
    """Ids of further findings that rest on the very same words of the same snapshot."""


class EarlierCheck(Value):
    """Somebody else's check of a claim: a pointer for the reader, never evidence."""

    claim_id: str | None = None
    """The claim of the case that it checks; None: it is about the matter, and no claim of the case says the same."""
    review: ClaimReview
    found_by: str
    """The engine that gave it, or the domain of the page that says so of itself."""


class OutageNote(Value):
    """Something that should have been asked and could not be."""

    what: str
    """engine, page, model, storage, budget."""
    where: str
    """The engine's name, the URL, the model."""
    why: str
    """One sentence for a person."""
    at: datetime
    called: str = ""
    """The name before a user of what `where` says, by which the reason may speak of it: 'Google (Serper)'."""
    names: tuple[str, ...] = ()
    """All that are meant, where `where` names only the first few of them."""
    at_limit: bool = False
    """Whether its quota or rate was used up."""
    after_failures: bool = False
    """It was not asked, because it had failed several times in a row before."""

    @property
    def trouble(self) -> tuple[str, str, str]:
        """What makes two notes one: the same trouble met again, at another stage or by another desk, is one trouble,
        whenever it was."""
        return self.what, self.where, self.why


class Coverage(Value):
    """How far those could be asked who should have been, about one claim."""

    answered: int = 0
    """Searches that were answered, with or without a hit."""
    out: tuple[str, ...] = ()
    """Engines that left a search without an answer."""
    unread: int = 0
    """Pages that should have been read and could not be."""
    read: int = 0
    """Pages that were read, whatever they said."""

    @property
    def nothing_to_judge(self) -> bool:
        """Nobody answered, or none of the pages that were found could be read."""
        return not self.answered or (self.unread > 0 and not self.read)

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(
            answered=self.answered + other.answered,
            out=tuple(dict.fromkeys((*self.out, *other.out))),
            unread=self.unread + other.unread,
            read=self.read + other.read,
        )


class Cost(Value):
    """What a case has cost so far."""

    usd: float = 0.0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    search_calls: int = 0
    page_reads: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            usd=self.usd + other.usd,
            model_calls=self.model_calls + other.model_calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            search_calls=self.search_calls + other.search_calls,
            page_reads=self.page_reads + other.page_reads,
        )
