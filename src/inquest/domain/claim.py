"""Claims, and the passages that make them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from inquest.domain.reasons import OptionalReason, Reason
from inquest.domain.value import Value


class ClaimType(StrEnum):
    """The kind of statement; claims of a company's report are one of the first five (P1)."""

    QUANTITATIVE = "quantitative"
    STRATEGIC = "strategic"
    ENVIRONMENTAL = "environmental"
    GEOGRAPHIC = "geographic"
    LEGAL_GOVERNANCE = "legal_governance"
    EVENT = "event"
    """An event at a given time."""
    STATEMENT = "statement"
    """Any other checkable statement."""


class Mention(Value):
    """A passage that makes the claim: a verbatim quote and its offsets in the snapshot's text."""

    source_id: str
    snapshot: str
    quote: str
    start: int
    end: int


class Excerpt(Value):
    """A verbatim excerpt of a document: `document.text[start:end] == quote`."""

    quote: str
    start: int
    end: int


class Amount(Excerpt):
    """A quantity in a claim, as written and in base units (kg, J, m, EUR, %, ...)."""

    low: float
    high: float
    """Equal to `low` for a single number."""
    unit: str
    """Symbol of the base unit, or a currency code, or the counted noun as written."""
    dimension: str
    """mass, energy, share, money, count, ...: `text.units.Dimension`."""
    bound: str = "exact"
    """exact, about, at least, at most, range."""


class Disclosure(Value):
    """A paragraph of a disclosure standard that the claim's wording suggests; not a judgement that it is met."""

    standard: str
    """IFRS S1, IFRS S2."""
    paragraph: str
    """29(a), 33(e), ..."""
    subject: str
    reason: str
    """The words of the claim that suggest it."""
    reason_code: OptionalReason = None


class Claim(Value):
    """One checkable statement."""

    id: str
    """C1, C2, ... by importance."""
    text: str
    type: ClaimType = ClaimType.STATEMENT
    importance: float = Field(default=0.5, ge=0, le=1)
    mentions: tuple[Mention, ...] = ()
    page: int | None = None
    queries: tuple[str, ...] = ()
    question: str = ""
    """The yes/no question of the brief that its verdict answers; '': none."""
    company: str = ""
    """The company whose report makes the claim; '' otherwise."""
    quote: str = ""
    """For a claim from one report, its exact words: `document.text[start:end] == quote`."""
    start: int = 0
    end: int = 0
    context: tuple[Excerpt, ...] = ()
    """Other parts of the report in the claim's text: the lead-in of a list, the header of a table."""
    assertions: tuple[Excerpt, ...] = ()
    """The statements of a claim that makes several, as worded in the quote."""
    quantities: tuple[Amount, ...] = ()
    dates: tuple[str, ...] = ()
    """ISO 8601 dates at the precision written, in the quote's order."""
    disclosures: tuple[Disclosure, ...] = ()
    checkability: float | None = Field(default=None, ge=0, le=1)
    """The degree to which it can be checked; None: not assessed."""
    reasons: tuple[str, ...] = ()
    """Reasons for type, checkability and rank, in words."""
    reason_codes: tuple[Reason, ...] = ()

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The ids of the sources that make the claim, each once, in order."""
        return tuple(dict.fromkeys(mention.source_id for mention in self.mentions))
