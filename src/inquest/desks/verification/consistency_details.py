"""One detail of a claim (a number, a date, a place) held against one sentence of a source.

Numbers are compared after conversion and to the precision that each is written with, and only where they are of the
same thing at the same stage; dates where the sentence reports an event that has one date; a place is another one only
where the source contradicts the claim, because a town and its county are both right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from inquest.claims.said_when import with_days
from inquest.claims.standalone import without_attribution
from inquest.domain.document import Precision
from inquest.domain.finding import Stance
from inquest.domain.investigation import Detail, MatchOfDetail
from inquest.entailment.dates import agree, happens_once
from inquest.entailment.figures import FigureMatch, compare_figures
from inquest.entailment.reading import Statement, statement_of
from inquest.text.entities import NameKind, names
from inquest.text.moments import Moment
from inquest.text.quantities import Dimension, Relation, compare, shown
from inquest.text.regex import regex
from inquest.text.sentences import fold

_ON_THE_CLAIM = 0.35
"""Share of the claim's words that a sentence must have to be about the same thing, where nobody has judged it to
support or contradict the claim."""
_SAME_EVENT = 0.5
_SAID_DAY = regex(r"\b(?:on|of|since|from|until|by|in|at|during)\s+$", re.I)
_FINENESS = {Precision.YEAR: 0, Precision.MONTH: 1, Precision.DAY: 2, Precision.TIME: 3}


@dataclass(frozen=True, slots=True)
class ClaimDetail:
    """A detail that a claim gives."""

    detail: Detail
    claimed: str
    """As the claim writes it."""
    index: int
    """Which of its kind in the claim."""


@dataclass(frozen=True, slots=True)
class GivenDetail:
    """What a sentence gives for it."""

    match: MatchOfDetail
    value: str = ""
    reason: str = ""


_ABSENT = GivenDetail(MatchOfDetail.NOT_GIVEN)


def wanted_of(claim: str, place: str = "") -> tuple[ClaimDetail, ...]:
    """The details of a claim, numbers first. `place`: where the topic is, for a claim that names it without saying that
    it is a place."""
    reading = statement_of(claim)
    found = [
        ClaimDetail(Detail.NUMBER, shown(each), index)
        for index, each in enumerate(reading.figures)
        if each.dimension is not Dimension.LIMIT  # 'within the limit' has no number
    ]
    found += [ClaimDetail(Detail.DATE, _spelled(m, claim), index) for index, m in enumerate(reading.moments)]
    places = _places(claim)
    first = place.split(",")[0].strip()
    if first and first not in places and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", claim):
        places.append(first)
    found += [ClaimDetail(Detail.PLACE, each, index) for index, each in enumerate(places)]
    return tuple(found)


def held_against(
    wanted: Sequence[ClaimDetail], claim: str, sentence: str, stance: Stance | None, written: date | None
) -> tuple[GivenDetail, ...]:
    """For each detail, what the sentence gives. `stance`: of the finding that quotes it, None where nobody judged it;
    `written`: the day of the page, for days like 'on Tuesday'."""
    reading, there = statement_of(claim), statement_of(sentence)
    if there.asks:
        return tuple(_ABSENT for _ in wanted)
    shared = len(reading.terms & there.terms) / len(reading.terms) if reading.terms else 0.0
    if shared < _ON_THE_CLAIM and stance not in (Stance.SUPPORTS, Stance.CONTRADICTS):
        return tuple(_ABSENT for _ in wanted)
    answers = []
    for each in wanted:
        match each.detail:
            case Detail.NUMBER:
                answers.append(_number(each, reading, there, stance))
            case Detail.DATE:
                answers.append(_date(each, reading, sentence, stance, shared, written))
            case Detail.PLACE:
                answers.append(_place(each, sentence, stance, shared))
    return tuple(answers)


def _number(wanted: ClaimDetail, claim: Statement, there: Statement, stance: Stance | None) -> GivenDetail:
    figure = claim.figures[wanted.index]
    met = next((each for each in compare_figures(claim, (there,), frozenset()) if each.figure is figure), None)
    if met is None or met.found is None:
        return _alone(wanted, claim, there, stance)
    mine, value = met.shown
    reason = f"The claim says {mine}, the source says {value}."
    match = {FigureMatch.SAME: MatchOfDetail.AGREES, FigureMatch.DIFFERS: MatchOfDetail.DEVIATES}
    return GivenDetail(match.get(met.match, MatchOfDetail.NOT_COMPARABLE), value, reason)


def _alone(wanted: ClaimDetail, claim: Statement, there: Statement, stance: Stance | None) -> GivenDetail:
    """The only figure of the kind in a sentence that was found to contradict the claim, in however other words."""
    mine = claim.figures[wanted.index]
    theirs = [each for each in there.figures if each.dimension is mine.dimension]
    if len(theirs) != 1:
        return _ABSENT
    reason = f"The claim says {shown(mine)}, the source says {shown(theirs[0])}."
    differs = compare(mine, theirs[0]).relation is Relation.DIFFERS
    match = MatchOfDetail.DEVIATES if differs and stance is Stance.CONTRADICTS else MatchOfDetail.NOT_COMPARABLE
    return GivenDetail(match, shown(theirs[0]), reason)


def _date(
    wanted: ClaimDetail,
    claim: Statement,
    sentence: str,
    stance: Stance | None,
    shared: float,
    written: date | None,
) -> GivenDetail:
    mine = claim.moments[wanted.index]
    resolved = with_days(sentence, written)
    stated = without_attribution(resolved)
    there = statement_of(resolved)
    theirs = [each for each in there.moments if each.span.of(resolved) in stated] or list(there.moments)
    if not theirs:
        return _ABSENT
    same = [each for each in theirs if agree(mine, each)]
    if same:
        best = max(same, key=lambda each: _FINENESS[each.precision])
        value = _spelled(best, resolved)
        if _FINENESS[best.precision] + 1 < _FINENESS[mine.precision]:
            return GivenDetail(MatchOfDetail.NOT_COMPARABLE, value, f"It gives only the year ({value}).")
        return GivenDetail(MatchOfDetail.AGREES, value, f"The date agrees ({value}).")
    nearest = min(theirs, key=lambda each: abs((each.start - mine.start).days))
    value = _spelled(nearest, resolved)
    reason = f"The claim says {_spelled(mine, claim.text)}, the source says {value}."
    once = happens_once(claim) or happens_once(there)
    exact = _FINENESS[mine.precision] >= 1 and _FINENESS[nearest.precision] >= 1
    if stance is Stance.CONTRADICTS or (once and exact and shared >= _SAME_EVENT):
        return GivenDetail(MatchOfDetail.DEVIATES, value, reason)
    return GivenDetail(MatchOfDetail.NOT_COMPARABLE, value, f"{reason[:-1]}, which may be of something else.")


def _place(wanted: ClaimDetail, sentence: str, stance: Stance | None, shared: float) -> GivenDetail:
    if re.search(rf"(?<!\w){re.escape(fold(wanted.claimed))}(?!\w)", fold(sentence)):
        return GivenDetail(MatchOfDetail.AGREES, wanted.claimed, f"It names {wanted.claimed}.")
    others = [each for each in _places(sentence) if fold(each) != fold(wanted.claimed)]
    if len(others) != 1 or shared < _ON_THE_CLAIM:
        return _ABSENT
    reason = f"The claim says {wanted.claimed}, the source says {others[0]}."
    if stance is Stance.CONTRADICTS:
        return GivenDetail(MatchOfDetail.DEVIATES, others[0], reason)
    return GivenDetail(MatchOfDetail.NOT_COMPARABLE, others[0], f"{reason[:-1]}; one may lie in the other.")


def _places(text: str) -> list[str]:
    return [name.text for name in names(text) if name.kind is NameKind.PLACE]


def _spelled(moment: Moment, text: str) -> str:
    words = _SAID_DAY.sub("", " ".join(moment.span.of(text).split()))
    return f"{moment.order} {words}".strip()
