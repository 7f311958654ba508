"""Comparison of each claim with each independent source: stance, and numbers, dates and places side by side.

Numbers of the same quantity are compared after conversion, to the precision of each; dates if the sentence reports an
event that has one date. A place deviates only if the source contradicts the claim, because a town and its county are
both right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from inquest.claims.standalone import without_attribution
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Precision
from inquest.domain.finding import Finding, Mode, Stance
from inquest.domain.investigation import (
    ClaimSupport,
    ConsistencyCell,
    ConsistencyRow,
    ConsistencyTable,
    Detail,
    MatchOfDetail,
)
from inquest.domain.source import Source
from inquest.entailment.dates import agree, happens_once
from inquest.entailment.figures import compare_figures
from inquest.entailment.parsed_text import Statement, statement_of
from inquest.stories.stories import independent
from inquest.text.entities import NameKind, names
from inquest.text.moments import Moment, with_days
from inquest.text.quantities import Dimension, Quantity, Relation, compare, shown
from inquest.text.regex import regex
from inquest.text.sentences import fold, sentences
from inquest.verdicts.votes import votes

_ON_THE_CLAIM = 0.35
"""Minimum share of the claim's terms in a sentence that is compared although no finding quotes it for or against the
claim."""
_SAME_EVENT = 0.5
_PREPOSITION = regex(r"\b(?:on|of|since|from|until|by|in|at|during)\s+$", re.I)
_FINENESS = tuple(Precision).index
_NOT_STATED = frozenset((Mode.ASKED, Mode.DENIED, Mode.HYPOTHETICAL, Mode.RULED_FALSE))
"""Modes in which a page uses a claim's words without asserting them."""
_ORDER = (MatchOfDetail.AGREES, MatchOfDetail.DEVIATES, MatchOfDetail.NOT_COMPARABLE, MatchOfDetail.NOT_GIVEN)
"""Best match first; the best among the sentences of a source counts."""


class ClaimDetail(NamedTuple):
    """A detail of a claim as the claim writes it, and as it is read; a place is its name."""

    detail: Detail
    claimed: str
    value: Quantity | Moment | str


GivenDetail = tuple[MatchOfDetail, str]
"""The match of a sentence, and the value that it gives."""
_ABSENT: GivenDetail = (MatchOfDetail.NOT_GIVEN, "")


def wanted_of(claim: str, place: str = "") -> tuple[ClaimDetail, ...]:
    """The details of a claim, numbers first. `place`: the topic's place, found even if it does not look like a place
    name."""
    reading = statement_of(claim)
    places = _places(claim)
    first = place.split(",")[0].strip()
    if first and first not in places and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", claim):
        places.append(first)
    figures = [each for each in reading.figures if each.dimension is not Dimension.LIMIT]
    return (
        *(ClaimDetail(Detail.NUMBER, shown(each), each) for each in figures),
        *(ClaimDetail(Detail.DATE, _spelled(each, claim), each) for each in reading.moments),
        *(ClaimDetail(Detail.PLACE, each, each) for each in places),
    )


def compared(
    wanted: Sequence[ClaimDetail], claim: str, sentence: str, stance: Stance | None, written: date | None
) -> tuple[GivenDetail, ...]:
    """Compare each detail with a sentence. `stance`: of its finding; `written`: the date of the page."""
    mine, theirs = statement_of(claim), statement_of(sentence)
    shared = len(mine.terms & theirs.terms) / len(mine.terms) if mine.terms else 0.0
    if theirs.asks or (shared < _ON_THE_CLAIM and not (stance and stance.decides)):
        return tuple(_ABSENT for _ in wanted)
    contradicts, dated = stance is Stance.CONTRADICTS, with_days(sentence, written)

    def compare_one(value: Quantity | Moment | str) -> GivenDetail:
        if isinstance(value, Quantity):
            return _number(value, mine, theirs, contradicts=contradicts)
        if isinstance(value, Moment):
            return _date(value, mine, dated, contradicts=contradicts, shared=shared)
        return _place(value, sentence, contradicts=contradicts, shared=shared)

    return tuple(compare_one(each.value) for each in wanted)


def _number(figure: Quantity, claim: Statement, there: Statement, *, contradicts: bool) -> GivenDetail:
    met = next((each for each in compare_figures(claim, (there,), frozenset()) if each.figure == figure), None)
    if met is not None and met.found is not None:
        match = {Relation.SAME: MatchOfDetail.AGREES, Relation.DIFFERS: MatchOfDetail.DEVIATES}
        return match.get(met.match, MatchOfDetail.NOT_COMPARABLE), met.shown[1]
    # A sentence that contradicts the claim in different words may have a single figure of the kind.
    same_kind = [each for each in there.figures if each.dimension is figure.dimension]
    if len(same_kind) != 1:
        return _ABSENT
    differs = contradicts and compare(figure, same_kind[0]) is Relation.DIFFERS
    return MatchOfDetail.DEVIATES if differs else MatchOfDetail.NOT_COMPARABLE, shown(same_kind[0])


def _date(mine: Moment, claim: Statement, sentence: str, *, contradicts: bool, shared: float) -> GivenDetail:
    there = statement_of(sentence)
    stated = without_attribution(sentence)
    theirs = [each for each in there.moments if each.span.of(sentence) in stated] or list(there.moments)
    if not theirs:
        return _ABSENT
    same = [each for each in theirs if agree(mine, each)]
    if same:
        best = max(same, key=lambda each: _FINENESS(each.precision))
        coarse = _FINENESS(best.precision) + 1 < _FINENESS(mine.precision)
        return MatchOfDetail.NOT_COMPARABLE if coarse else MatchOfDetail.AGREES, _spelled(best, sentence)
    nearest = min(theirs, key=lambda each: abs((each.start - mine.start).days))
    once = happens_once(claim) or happens_once(there)
    exact = Precision.YEAR not in (mine.precision, nearest.precision)
    deviates = shared >= _SAME_EVENT and (contradicts or (once and exact))
    return MatchOfDetail.DEVIATES if deviates else MatchOfDetail.NOT_COMPARABLE, _spelled(nearest, sentence)


def _place(place: str, sentence: str, *, contradicts: bool, shared: float) -> GivenDetail:
    if re.search(rf"(?<!\w){re.escape(fold(place))}(?!\w)", fold(sentence)):
        return MatchOfDetail.AGREES, place
    others = [each for each in _places(sentence) if fold(each) != fold(place)]
    if len(others) != 1 or shared < _ON_THE_CLAIM:
        return _ABSENT
    return MatchOfDetail.DEVIATES if contradicts else MatchOfDetail.NOT_COMPARABLE, others[0]


def _places(text: str) -> list[str]:
    return [name.text for name in names(text) if name.kind is NameKind.PLACE]


def _spelled(moment: Moment, text: str) -> str:
    words = _PREPOSITION.sub("", " ".join(moment.span.of(text).split()))
    return f"{moment.order} {words}".strip()


def evidence_sources(sources: Mapping[str, Source], own: Collection[str] = ()) -> dict[str, Source]:
    """The sources that count: not excluded, neither the topic's own article (`own`) nor a copy of it."""
    return {k: s for k, s in sources.items() if not s.excluded and k not in own and s.origin_of_story not in own}


def cross_reference(
    claims: Sequence[Claim],
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    *,
    own: Collection[str] = (),
    place: str = "",
) -> ConsistencyTable:
    """Compare the details of the claims in all sources.

    score = 100 x agreeing / (agreeing + deviating), counted over independent witnesses: for each claim those that
    confirm it and those that contradict it (one that does both counts half for each), and for each detail those that
    give the claimed value and those that give another. None without anything to compare.
    """
    counted = evidence_sources(sources, own)
    witness_of = {id: name for name, ids in independent(counted.values()).items() for id in ids}
    about = {claim.id: [e for e in findings if e.claim_id == claim.id and e.source_id in counted] for claim in claims}
    support = [_support(claim, about[claim.id], counted) for claim in claims]
    rows = [row for claim in claims for row in _rows(claim, about[claim.id], counted, witness_of, place)]
    half = sum(len(each.both) for each in support) / 2
    same = sum(len(each.confirming) for each in support) + half + sum(row.agreeing for row in rows)
    different = sum(len(each.contradicting) for each in support) + half + sum(row.deviating for row in rows)
    score = round(100 * same / (same + different), 1) if same + different else None
    return ConsistencyTable(rows=tuple(rows), claims=tuple(support), score=score)


def _support(claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source]) -> ClaimSupport:
    named: dict[str, list[str]] = defaultdict(list)
    for vote in votes(findings, sources, about=claim.text):
        named["party" if vote.party else vote.stance.value].append(vote.source.id)
    return ClaimSupport(
        claim_id=claim.id,
        text=claim.text,
        confirming=tuple(named[Stance.SUPPORTS.value]),
        contradicting=tuple(named[Stance.CONTRADICTS.value]),
        both=tuple(named[Stance.NEUTRAL.value]),
        party=tuple(named["party"]),
    )


def _rows(
    claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source], witness_of: Mapping[str, str], place: str
) -> list[ConsistencyRow]:
    wanted = wanted_of(claim.text, place)
    columns: list[list[ConsistencyCell]] = [[] for _ in wanted]
    for source in sources.values() if wanted else ():
        quotes = _sentences(claim, [each for each in findings if each.source_id == source.id], source)
        written = source.published.at.date() if source.published else None
        given = [(compared(wanted, claim.text, quote.quote, stance, written), quote) for quote, stance in quotes]
        for number, column in enumerate(columns):
            found = [(values[number], quote) for values, quote in given if values[number] != _ABSENT]
            best = min(found, key=lambda each: _ORDER.index(each[0][0]), default=(_ABSENT, None))
            (match, value), mention = best
            witness = witness_of[source.id]
            column.append(
                ConsistencyCell(source_id=source.id, witness=witness, match=match, value=value, mention=mention)
            )
    rows = []
    for each, column in zip(wanted, columns, strict=True):
        same = {cell.witness for cell in column if cell.match is MatchOfDetail.AGREES}
        different = {cell.witness for cell in column if cell.match is MatchOfDetail.DEVIATES} - same
        counted = {"agreeing": len(same), "deviating": len(different)}
        rows.append(
            ConsistencyRow(claim_id=claim.id, detail=each.detail, claimed=each.claimed, cells=tuple(column), **counted)
        )
    return rows


def _sentences(claim: Claim, findings: Sequence[Finding], source: Source) -> list[tuple[Mention, Stance | None]]:
    """The sentences of a source that assert something on a claim, each with its stance; None if findings differ."""
    judged = [each for each in sorted(findings, key=lambda each: each.id) if each.quote]
    given: list[tuple[Finding | Mention, Stance | None]] = [(each, each.stance) for each in judged]
    given += [(each, None) for each in claim.mentions if each.source_id == source.id]
    unstated = [each for each in judged if each.details.get("mode") in _NOT_STATED]
    found: dict[tuple[int, int], tuple[Mention, Stance | None]] = {}
    for each, stance in given:
        for span in sentences(each.quote):
            start, end = each.start + span.start, each.start + span.end
            if any(start < other.end and other.start < end for other in unstated):
                continue
            quote = span.of(each.quote)
            mention = Mention(source_id=source.id, snapshot=each.snapshot, quote=quote, start=start, end=end)
            first, known = found.setdefault((start, end), (mention, stance))
            if stance is not None and known is not stance:
                found[start, end] = first, None
    return list(found.values())
