"""What is said to be so."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from inquest.domain.reasons import Reason
from inquest.domain.value import Value


class ClaimType(StrEnum):
    """What kind of statement a claim is; a claim of a company's report is one of the first five (P1)."""

    QUANTITATIVE = "quantitative"
    STRATEGIC = "strategic"
    ENVIRONMENTAL = "environmental"
    GEOGRAPHIC = "geographic"
    LEGAL_GOVERNANCE = "legal_governance"
    EVENT = "event"
    """Something happened, at a time."""
    STATEMENT = "statement"
    """Anything else that can be checked."""


class Mention(Value):
    """Where a source says it: a verbatim quote and its place in the snapshot's text."""

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
    """A quantity that a claim gives, as written and in base units (kg, J, m, EUR, %, ...)."""

    low: float
    high: float
    """The same as `low` for a single number."""
    unit: str
    """Symbol of the base unit, a currency's code, or for counts the noun as written."""
    dimension: str
    """mass, energy, share, money, count, ...: `text.units.Dimension`."""
    bound: str = "exact"
    """exact, about, at least, at most, range."""


class Disclosure(Value):
    """A paragraph of a disclosure standard to which a claim's wording points. No judgment that it is met."""

    standard: str
    """IFRS S1, IFRS S2."""
    paragraph: str
    """29(a), 33(e), ..."""
    subject: str
    """What the paragraph asks for, in a few words of our own."""
    reason: str
    """The words of the claim that point to it."""


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
    """What to search for to check it."""
    question: str = ""
    """The yes/no question of the brief that its verdict answers; '': it answers none."""
    company: str = ""
    """Whose report makes the claim; '' where that does not apply."""
    quote: str = ""
    """For a claim of one report, the words as they stand there: `document.text[start:end] == quote`."""
    start: int = 0
    end: int = 0
    context: tuple[Excerpt, ...] = ()
    """What else of the report the claim's text was made of: the sentence that opens a list, the head of a table."""
    assertions: tuple[Excerpt, ...] = ()
    """Where the claim asserts several things, each of them as it is inside the quote."""
    quantities: tuple[Amount, ...] = ()
    dates: tuple[str, ...] = ()
    """ISO 8601, as precise as they are written, in the quote's order."""
    disclosures: tuple[Disclosure, ...] = ()
    checkability: float | None = Field(default=None, ge=0, le=1)
    """How well it can be checked; None: not looked into."""
    reasons: tuple[str, ...] = ()
    """For type, checkability and rank, readable by a person."""
    reason_codes: tuple[Reason, ...] = ()
    """The same as codes and data; () of claims kept before they were."""

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The sources that make the claim, each once, in order."""
        return tuple(dict.fromkeys(mention.source_id for mention in self.mentions))
