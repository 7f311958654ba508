"""Compare the dates of a claim with those of a passage: same, another date of the same event, or absent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from inquest.domain.document import Precision
from inquest.entailment.parsed_text import Statement, share_of
from inquest.text.lexicon import pattern, word_set
from inquest.text.moments import Moment, moments
from inquest.text.quantities import Relation
from inquest.text.regex import regex
from inquest.text.sentences import stem
from inquest.text.vocabulary import IRREGULAR

_OF_THE_SAME = 0.6
"""Share of the claim's other words that a sentence must have for its date to be of the same event."""
_ONCE = frozenset(map(stem, word_set(__name__, "once")))
_FIRST_OR_LAST = pattern(__name__, "first_or_last")
_ACT = regex(r"(\w+)\s+(?:(?:in|on|by|of|between|the|early|late)\s+)*$", re.I)
_COMPARED = regex(
    r"\b(?:than|against|versus|compared\s+(?:with|to)|relative\s+to)(?:\s+(?:in|the|for|those|that|of|year))*\s*$", re.I
)


@dataclass(frozen=True)
class MetDate:
    """A date of the claim. `context`: the share of the claim in the sentence with the other date."""

    moment: Moment
    match: Relation
    context: float = 0.0
    statement: Statement | None = None
    found: Moment | None = None


def compare_dates(claim: Statement, among: Sequence[Statement], day: date | None) -> tuple[MetDate, ...]:
    """Compare each date of the claim with the sentences. `day`: the document's, which resolves 'on Thursday'; a date
    that no sentence has may still be the document's own."""
    dated = [(one, moments(one.text, day) if day is not None else one.moments) for one in among]
    return tuple(_met(wanted, claim, dated, day) for wanted in claim.moments)


def agree(one: Moment, other: Moment) -> bool:
    """True if both can mean the same day, with 'before', 'by' and 'since' taken literally."""
    first, last = _reach(one)
    other_first, other_last = _reach(other)
    return first <= other_last and other_first <= last


def is_of_other_time(claim: Statement, statement: Statement) -> bool:
    """True if a statement on something that happens again has dates, and none of the claim's."""
    dated = [_of_the_event(wanted, claim, statement, statement.moments) for wanted in claim.moments]
    return (
        all(dated)
        and bool(dated)
        and not happens_once(claim)
        and not any(agree(wanted, one) for wanted, found in zip(claim.moments, dated, strict=True) for one in found)
    )


def _of_the_event(wanted: Moment, claim: Statement, statement: Statement, found: Sequence[Moment]) -> Sequence[Moment]:
    """Leave out dates that a statement only compares with, '6 % fewer than in 2024', beside others, unless the claim's
    is such a date, and dates right after another verb than the claim's."""
    if act := _act(wanted, claim):
        found = [one for one in found if _act(one, statement) in ("", act)] or found
    if _COMPARED.search(claim.text[: wanted.span.start]):
        return found
    return [one for one in found if not _COMPARED.search(statement.text[: one.span.start])] or found


def _act(moment: Moment, statement: Statement) -> str:
    """Return the stem of the verb in a past form right before a date: 'complet' of 'completed in the 1930s', or ''."""
    before = _ACT.search(statement.text[: moment.span.start])
    return stem(before[1]) if before and (before[1].endswith("ed") or before[1] in IRREGULAR) else ""


def within_the_same(one: MetDate, claim: Statement) -> bool:
    """True if the passage has a date within the claim's right after the same verb: 'built in 1934', 'in the 1930s'."""
    if one.found is None or one.statement is None:
        return False
    within, act = one.moment.start <= one.found.start and one.found.end <= one.moment.end, _act(one.moment, claim)
    return within and act != "" and act == _act(one.found, one.statement)


def happens_once(statement: Statement) -> bool:
    """True for an event that has one date, or for the first or last of a kind."""
    return bool(_ONCE & statement.terms) or bool(_FIRST_OR_LAST.search(statement.text))


def _reach(moment: Moment) -> tuple[date, date]:
    """Return the first and last day that a date allows."""
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
    for statement, every in dated:
        found = _of_the_event(wanted, claim, statement, every)
        same = next((one for one in found if agree(wanted, one)), None)
        if same is not None:
            return MetDate(wanted, Relation.SAME, 1.0, statement, same)
        context = share_of(said, statement.terms)
        if found and context >= _OF_THE_SAME and (other is None or context > other.context):
            other = MetDate(wanted, Relation.DIFFERS, context, statement, found[0])
    if other is not None:
        return other
    if day is not None and wanted.start <= day <= wanted.end:
        return MetDate(wanted, Relation.SAME)
    return MetDate(wanted, Relation.ABSENT)
