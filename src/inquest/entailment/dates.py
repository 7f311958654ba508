"""The dates of a claim beside those of a passage: the same, another date of the same thing, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from inquest.domain.document import Precision
from inquest.entailment.parsed_text import Statement, share_of
from inquest.text.lexicon import pattern, word_set
from inquest.text.moments import Moment, moments
from inquest.text.sentences import stem

_OF_THE_SAME = 0.6
"""Share of what the claim says beside its date that a sentence must say for its date to be of the same thing."""
_ONCE = frozenset(map(stem, word_set(__name__, "once")))
_FIRST_OR_LAST = pattern(__name__, "first_or_last")


class DateMatch(StrEnum):
    """How a claim's date is met by a passage."""

    SAME = "same"
    OTHER = "other"
    ABSENT = "absent"


@dataclass(frozen=True)
class MetDate:
    """One date of the claim. `context`: the share of the claim that the sentence with the other date has."""

    moment: Moment
    match: DateMatch
    context: float = 0.0
    statement: Statement | None = None
    found: Moment | None = None


def compare_dates(claim: Statement, among: Sequence[Statement], day: date | None) -> tuple[MetDate, ...]:
    """Each date of the claim, as the sentences have it. `day`: of the document, from which 'on Thursday' is dated;
    a date that no sentence gives may still be the document's own."""
    dated = [(one, moments(one.text, day) if day is not None else one.moments) for one in among]
    return tuple(_met(wanted, claim, dated, day) for wanted in claim.moments)


def agree(one: Moment, other: Moment) -> bool:
    """Both can mean the same day, with 'before', 'by' and 'since' taken at their word."""
    first, last = _reach(one)
    other_first, other_last = _reach(other)
    return first <= other_last and other_first <= last


def happens_once(statement: Statement) -> bool:
    """It speaks of an event of a kind that has one date, or of the first or last of a kind."""
    return bool(_ONCE & statement.terms) or bool(_FIRST_OR_LAST.search(statement.text))


def _reach(moment: Moment) -> tuple[date, date]:
    """The first and the last day that a date allows."""
    match moment.order:
        case "before":
            return date.min, moment.start
        case "until" | "by":
            return date.min, moment.end
        case "after":
            return (moment.end if moment.precision is not Precision.DAY else moment.start), date.max
        case "since":
            return moment.start, date.max
        case _:
            return moment.start, moment.end


def _met(
    wanted: Moment, claim: Statement, dated: Sequence[tuple[Statement, tuple[Moment, ...]]], day: date | None
) -> MetDate:
    other: MetDate | None = None
    said = claim.terms - frozenset(term for term in claim.terms if term.isdigit())
    for statement, found in dated:
        same = next((one for one in found if agree(wanted, one)), None)
        if same is not None:
            return MetDate(wanted, DateMatch.SAME, 1.0, statement, same)
        context = share_of(said, statement.terms)
        if found and context >= _OF_THE_SAME and (other is None or context > other.context):
            other = MetDate(wanted, DateMatch.OTHER, context, statement, found[0])
    if other is not None:
        return other
    if day is not None and wanted.start <= day <= wanted.end:
        return MetDate(wanted, DateMatch.SAME)
    return MetDate(wanted, DateMatch.ABSENT)
