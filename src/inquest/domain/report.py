"""The parts of a case's report: bias, timeline, cited summary, outages, cost."""

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
    """The number of sources per leaning."""

    favourable: int = 0
    neutral: int = 0
    critical: int = 0


class Bias(Value):
    """The overall one-sidedness of the sources: `overall` 0 to 10, one decimal."""

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
    """A dated event and the findings that report it."""

    date: str
    """ISO 8601 at the known precision."""
    precision: Precision
    text: str
    source_ids: tuple[str, ...]
    finding_ids: tuple[str, ...] = ()
    conflict: str | None = None
    """The different dates that sources give, if they disagree."""


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
    """A finding's quote in the report's language, by the model that wrote the summary: for readers, never evidence."""

    finding_id: str
    text: str


class Summary(Value):
    """The cited summary. `dropped` counts a model's sentences that cited nothing and were left out."""

    title: str
    sections: tuple[Section, ...]
    """In order; sections with the same heading are merged."""
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
    """Number n in the report: the quote of a finding."""

    n: int
    finding_id: str
    source_id: str
    url: str
    quote: str
    also: tuple[str, ...] = ()
    """Ids of further findings with the identical quote from the same snapshot."""


class EarlierCheck(Value):
    """A third party's fact check of a claim: a pointer for the reader, never evidence."""

    claim_id: str | None = None
    """The claim of the case that it checks; None: it is about the matter, and no claim of the case says the same."""
    review: ClaimReview
    found_by: str
    """The engine that gave it, or the domain of the page that says so of itself."""


class OutageNote(Value):
    """A failed request that the case depended on."""

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
    """It was skipped after several failures in a row."""

    @property
    def trouble(self) -> tuple[str, str, str]:
        """What makes two notes one: the same trouble met again, at another stage or by another desk, is one trouble,
        whenever it was."""
        return self.what, self.where, self.why


class Coverage(Value):
    """The completeness of the search for one claim."""

    answered: int = 0
    """Searches answered, with or without hits."""
    out: tuple[str, ...] = ()
    """Engines that failed to answer a search."""
    unread: int = 0
    """Pages that could not be read."""
    read: int = 0
    """Pages read, whatever their content."""

    @property
    def nothing_to_judge(self) -> bool:
        """True if no search was answered, or no page found could be read."""
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
