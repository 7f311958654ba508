"""Audit of the citations of a text: its statements, the sources they cite, and one outcome for each pair."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from typing import Literal

from inquest.domain.value import Value

__all__ = [
    "OUTCOME_WORDS",
    "Audit",
    "AuditAsked",
    "AuditChange",
    "AuditItem",
    "CitedSource",
    "CitedStatement",
    "CitedText",
    "Outcome",
    "worst",
]


class Outcome(StrEnum):
    """How a source bears on the statement that cites it, most harmful first."""

    DOES_NOT_EXIST = "does_not_exist"
    """No such page or DOI, by the word of who would have it."""
    WITHDRAWN = "withdrawn"
    SAYS_OTHERWISE = "says_otherwise"
    MISATTRIBUTED = "misattributed"
    """Another source of the text says it."""
    NOT_THERE = "not_there"
    CHANGED_SINCE = "changed_since"
    """An archived copy says it, and the page as it is now does not."""
    PARTLY = "partly"
    SECOND_HAND = "second_hand"
    """The source supports the statement and credits another for it."""
    NO_CITATION = "no_citation"
    COULD_NOT_BE_READ = "could_not_be_read"
    """An outage; never 'not there'."""
    HOLDS = "holds"


OUTCOME_WORDS = {
    Outcome.DOES_NOT_EXIST: "does not exist",
    Outcome.WITHDRAWN: "withdrawn",
    Outcome.SAYS_OTHERWISE: "says otherwise",
    Outcome.MISATTRIBUTED: "misattributed",
    Outcome.NOT_THERE: "not there",
    Outcome.CHANGED_SINCE: "changed since",
    Outcome.PARTLY: "holds in part",
    Outcome.SECOND_HAND: "second-hand",
    Outcome.NO_CITATION: "no citation",
    Outcome.COULD_NOT_BE_READ: "could not be read",
    Outcome.HOLDS: "holds",
}


class AuditAsked(Value):
    """The text that is to be audited: it is archived before the case begins."""

    what: str
    """The file or address that it was read from; '': it was given."""
    snapshot: str
    citations: int
    """How many are judged."""
    limit: int | None = None
    """Citations at most; None: all."""
    again: str = ""
    """The id of the earlier case that the outcomes are compared with."""
    afresh: bool = False
    """Fetch every page anew, although another case may have read it today."""


class CitedSource(Value):
    """A source as the text names it."""

    id: str
    label: str = ""
    """As the text cites it: '1', 'Smith 2020', an address."""
    url: str = ""
    """Where it can be read; '' where the text gives neither address nor DOI."""
    doi: str = ""
    entry: str = ""
    """Its entry in the list of sources."""


class CitedStatement(Value):
    """A sentence of the text, without its marks of citation."""

    text: str
    start: int
    end: int
    """Its place in the text, marks included."""
    sources: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    """Numbers that it cites and the list of sources does not have."""
    later: tuple[str, ...] = ()
    """Of a sentence without a citation: what a later sentence of its paragraph cites."""


class CitedText(Value):
    """A text taken apart."""

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
    quote: str = ""
    snapshot: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    judge: str = ""
    """The analyst that read it; '' where nothing had to be read."""
    copied: str = ""
    """The day of the archived copy that says it, where the page has changed since."""


class AuditChange(Value):
    """A citation that an earlier audit of the text did not have, that has gone since, or whose outcome is another."""

    kind: Literal["new", "gone", "changed"]
    statement: str
    source: str
    """Its address; of one without, its entry in the list of sources."""
    before: Outcome | None
    after: Outcome | None
    reason: str
    """Of the later outcome; of a citation that has gone, of the earlier."""


class Audit(Value):
    """What the citations of a text come to."""

    what: str
    title: str = ""
    text: str
    items: tuple[AuditItem, ...]
    """In the order of the text."""
    left_out: int = 0
    """Citations beyond the limit."""
    notes: tuple[str, ...] = ()
    changes: tuple[AuditChange, ...] | None = None
    """Since the earlier audit that it was compared with; None: with none."""

    @property
    def cited(self) -> tuple[AuditItem, ...]:
        """The items that have a source."""
        return tuple(each for each in self.items if each.source is not None)

    @property
    def holding(self) -> int:
        """How many citations hold."""
        return sum(each.outcome is Outcome.HOLDS for each in self.items)

    @property
    def by_harm(self) -> tuple[AuditItem, ...]:
        """Most harmful first, in the order of the text."""
        order = list(Outcome)
        return tuple(sorted(self.items, key=lambda each: (order.index(each.outcome), each.statement.start)))

    @property
    def summary(self) -> str:
        """'31 of 40 citations hold; 2 could not be checked.'"""
        if not self.cited:
            return "The text has no citations."
        unread = sum(each.outcome is Outcome.COULD_NOT_BE_READ for each in self.cited)
        if unread == len(self.cited):
            return f"None of {unread} citations could be checked: no source could be read."
        left = f"; {unread} could not be checked" if unread else ""
        return f"{self.holding} of {len(self.cited)} citations hold{left}."

    @property
    def tally(self) -> tuple[tuple[Outcome, int], ...]:
        """How many items each outcome has, most harmful first, without those that have none."""
        found = ((outcome, sum(each.outcome is outcome for each in self.items)) for outcome in Outcome)
        return tuple(each for each in found if each[1])

    def pieces(self) -> Iterator[tuple[str, tuple[AuditItem, ...]]]:
        """The text piece by piece, each with the items of its statement: none where it is not one."""
        at = 0
        for statement, items in groupby(self.items, key=lambda each: each.statement):
            if statement.start >= at:
                yield self.text[at : statement.start], ()
                yield self.text[statement.start : statement.end], tuple(items)
                at = statement.end
        yield self.text[at:], ()


def worst(items: tuple[AuditItem, ...]) -> Outcome:
    """The most harmful of their outcomes."""
    return min((each.outcome for each in items), key=list(Outcome).index)
