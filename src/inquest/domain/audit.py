"""Audit of the citations of a text: its statements, the sources they cite, and one outcome for each pair."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from typing import Literal

from pydantic import Field

from inquest.domain.reasons import Reason, Reasons, in_words
from inquest.domain.value import Value

WORKS = {"crossref": "Crossref", "openalex": "OpenAlex"}
"""The registries that an audit asks for a work by its title, with their titles."""


class Outcome(StrEnum):
    """The outcome for a source and the statement that cites it, most harmful first."""

    DOES_NOT_EXIST = "does_not_exist"
    """No such page or DOI, according to the server or registry responsible for it."""
    WITHDRAWN = "withdrawn"
    SAYS_OTHERWISE = "says_otherwise"
    MISATTRIBUTED = "misattributed"
    """Another source of the text supports the statement."""
    NOT_THERE = "not_there"
    CHANGED_SINCE = "changed_since"
    """An archived copy supports the statement, but the current page does not."""
    PARTLY = "partly"
    SECOND_HAND = "second_hand"
    """The source supports the statement and credits another source for it."""
    NO_CITATION = "no_citation"
    COULD_NOT_BE_READ = "could_not_be_read"
    """An outage; never 'does not exist'."""
    HOLDS = "holds"


OUTCOME_WORDS = {each: each.value.replace("_", " ") for each in Outcome} | {
    Outcome.PARTLY: "holds in part",
    Outcome.SECOND_HAND: "second-hand",
}


class AuditAsked(Value):
    """The text to audit, archived before the case begins."""

    what: str
    """The file or address it was read from; '': the text was passed directly."""
    snapshot: str
    citations: int
    limit: int | None = None
    """The maximum number of citations; None: all."""
    again: str = ""
    """The id of the earlier case to compare outcomes with."""


class CitedSource(Value):
    """A source as the text names it."""

    id: str
    label: str = ""
    """As the text cites it: '1', 'Smith 2020', an address."""
    url: str = ""
    """Its address; '' if the text gives neither address nor DOI."""
    doi: str = ""
    entry: str = ""


class CitedWork(Value):
    """The data of a bibliography entry, or of a registry, on a work."""

    title: str = ""
    authors: tuple[str, ...] = ()
    """Family names, or names of organisations."""
    year: str = ""
    fault: str = ""

    @property
    def named(self) -> str:
        """'Title (Tolvanen, Berg, 2019)'."""
        by = ", ".join(filter(None, (*self.authors, self.year)))
        return f"{self.title} ({by})" if self.title and by else self.title or by


class CitedStatement(Value):
    """A sentence of the text, without its citation marks."""

    text: str
    start: int
    end: int
    """Its offsets in the text, including the marks."""
    sources: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    """Cited numbers that are missing from the list of sources."""
    pages: dict[str, tuple[int, int]] = Field(default={}, exclude_if=lambda pages: not pages)
    """The first and last page that the citation of a source names."""
    later: tuple[str, ...] = ()
    """For a sentence without a citation, the citations of a later sentence of its paragraph."""
    work: CitedWork | None = None
    """For an entry of a bibliography, the work that it names."""


class CitedText(Value):
    """A text split into statements and sources."""

    text: str
    title: str = ""
    statements: tuple[CitedStatement, ...] = ()
    sources: tuple[CitedSource, ...] = ()


class AuditItem(Value):
    """One statement, one source (None: no citation) and the outcome. `text_of(snapshot)[start:end] == quote`."""

    statement: CitedStatement
    source: CitedSource | None = None
    outcome: Outcome
    reason: str
    reason_codes: Reasons = ()
    quote: str = ""
    snapshot: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    judge: str = ""
    """The analyst that read it; '' if nothing had to be read."""
    copied: str = ""
    """The date of the archived copy that supports it, if the page has changed since."""


class AuditChange(Value):
    """A citation that was added, removed, or changed its outcome since an earlier audit of the text."""

    kind: Literal["new", "gone", "changed"]
    statement: str
    source: str
    """Its address, or its entry in the list of sources if it has none."""
    before: Outcome | None
    after: Outcome | None
    reason: str
    """From the later audit; for a removed citation, from the earlier one."""
    reason_codes: Reasons = ()


class Audit(Value):
    """The result of auditing the citations of a text."""

    what: str
    title: str = ""
    text: str
    items: tuple[AuditItem, ...]
    """In text order."""
    left_out: int = 0
    """Number of citations beyond the limit."""
    notes: tuple[str, ...] = ()
    note_codes: Reasons = ()
    changes: tuple[AuditChange, ...] | None = None
    """Changes since the earlier audit; None: not compared."""

    @property
    def cited(self) -> tuple[AuditItem, ...]:
        """The items that have a source."""
        return tuple(each for each in self.items if each.source is not None)

    @property
    def holding(self) -> int:
        """The number of citations that hold."""
        return sum(each.outcome is Outcome.HOLDS for each in self.items)

    @property
    def by_harm(self) -> tuple[AuditItem, ...]:
        """The items, most harmful first, then in text order."""
        order = list(Outcome)
        return tuple(sorted(self.items, key=lambda each: (order.index(each.outcome), each.statement.start)))

    @property
    def summary(self) -> str:
        """'31 of 40 citations hold; 2 could not be checked.', in the language of the report."""
        unread = sum(each.outcome is Outcome.COULD_NOT_BE_READ for each in self.cited)
        name = "hold_and_left" if unread else "hold"
        if unread == len(self.cited):
            name = "none_read" if self.cited else "no_citations"
        data = {"holding": self.holding, "total": len(self.cited), "unread": unread}
        return in_words(Reason(code=f"audit.{name}", data=data))

    @property
    def tally(self) -> tuple[tuple[Outcome, int], ...]:
        """The number of items per outcome, most harmful first, without zeros."""
        found = ((outcome, sum(each.outcome is outcome for each in self.items)) for outcome in Outcome)
        return tuple(each for each in found if each[1])

    def pieces(self) -> Iterator[tuple[str, tuple[AuditItem, ...]]]:
        """The text in pieces, each with the items of its statement; no items for text between statements."""
        at = 0
        for statement, items in groupby(self.items, key=lambda each: each.statement):
            if statement.start >= at:
                yield self.text[at : statement.start], ()
                yield self.text[statement.start : statement.end], tuple(items)
                at = statement.end
        yield self.text[at:], ()


def worst(items: tuple[AuditItem, ...]) -> Outcome:
    """Return the most harmful outcome."""
    return min((each.outcome for each in items), key=list(Outcome).index)
