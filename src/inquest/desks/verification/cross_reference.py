"""Each claim against each independent source: who confirms it, and its numbers, dates and places side by side.

Numbers are compared after conversion and to the precision that each is written with, and only where they are of the
same thing at the same stage; dates where the sentence reports an event that has one date; a place is another one only
where the source contradicts the claim, because a town and its county are both right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from inquest.claims.standalone import with_days, without_attribution
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Precision
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import (
    ClaimSupport,
    ConsistencyCell,
    ConsistencyRow,
    ConsistencyTable,
    Detail,
    MatchOfDetail,
)
from inquest.domain.reading import Mode
from inquest.domain.source import Source
from inquest.entailment.dates import agree, happens_once
from inquest.entailment.figures import FigureMatch, compare_figures
from inquest.entailment.parsed_text import Statement, statement_of
from inquest.stories.stories import independent
from inquest.text.entities import NameKind, names
from inquest.text.moments import Moment
from inquest.text.phrases import count, numeral
from inquest.text.quantities import Dimension, Relation, compare, shown
from inquest.text.regex import regex
from inquest.text.sentences import fold, sentences
from inquest.verdicts.votes import votes

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


_NOT_STATED = frozenset((Mode.ASKED, Mode.DENIED, Mode.HYPOTHETICAL, Mode.RULED_FALSE))
"""Senses in which a page has a claim's words without stating them."""
_ORDER = (MatchOfDetail.AGREES, MatchOfDetail.DEVIATES, MatchOfDetail.NOT_COMPARABLE, MatchOfDetail.NOT_GIVEN)
"""What a source gives for a detail is the best of what its sentences give: who gives the claimed figure and another of
something like it does not deviate."""


def evidence_sources(sources: Mapping[str, Source], own: Collection[str] = ()) -> dict[str, Source]:
    """The sources that count: not excluded, not the topic's own article, and no copy of it.

    `own`: ids of the topic's own article. A story that goes back to it says nothing that it does not say; where the
    article itself is the copy, its origin and the origin's other copies stay.
    """
    return {
        id: source
        for id, source in sources.items()
        if not source.excluded and id not in own and source.origin_of_story not in own
    }


def cross_reference(
    claims: Sequence[Claim],
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    *,
    own: Collection[str] = (),
    place: str = "",
) -> ConsistencyTable:
    """The claims' details in all sources, and how far these agree.

    `findings` are quoted and judged. `own`: see `evidence_sources`. The order of claims is kept.

    score = 100 x agreeing / (agreeing + deviating), over words of independent witnesses: for each claim each one that
    confirms it against each that contradicts it, and for each detail each one that gives it as the claim does against
    each that gives another. Who says both counts half on each side. None where nothing was said.
    """
    counted = evidence_sources(sources, own)
    witness_of = {id: each.name for each in independent(counted.values()) for id in each.source_ids}
    rows: list[ConsistencyRow] = []
    support: list[ClaimSupport] = []
    for claim in claims:
        about = [each for each in findings if each.claim_id == claim.id and each.source_id in counted]
        support.append(_support(claim, about, counted))
        rows += _rows(claim, about, counted, witness_of, place)
    agree = sum(len(each.confirming) + len(each.both) / 2 for each in support) + sum(row.agreeing for row in rows)
    against = sum(len(each.contradicting) + len(each.both) / 2 for each in support) + sum(row.deviating for row in rows)
    compared = round(agree + against)
    score = round(100 * agree / (agree + against), 1) if agree + against else None
    return ConsistencyTable(
        rows=tuple(rows),
        claims=tuple(support),
        compared=compared,
        score=score,
        reasons=_reasons(rows, support, compared),
    )


def _support(claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source]) -> ClaimSupport:
    cast = votes(findings, sources, about=claim.text)
    named: dict[str, list[str]] = defaultdict(list)
    for vote in cast:
        side = "party" if vote.party else vote.stance.value
        named[side].append(vote.source.id)
    return ClaimSupport(
        claim_id=claim.id,
        text=claim.text,
        confirming=tuple(named[Stance.SUPPORTS.value]),
        contradicting=tuple(named[Stance.CONTRADICTS.value]),
        both=tuple(named[Stance.NEUTRAL.value]),
        party=tuple(named["party"]),
    )


def _rows(
    claim: Claim,
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    witness_of: Mapping[str, str],
    place: str,
) -> list[ConsistencyRow]:
    wanted = wanted_of(claim.text, place)
    columns: list[list[ConsistencyCell]] = [[] for _ in wanted]
    for source in sources.values() if wanted else ():
        quotes = _sentences(claim, [each for each in findings if each.source_id == source.id], source)
        for column, cell in zip(columns, _cells(wanted, claim, source, quotes, witness_of[source.id]), strict=True):
            column.append(cell)
    return [
        ConsistencyRow(
            claim_id=claim.id,
            detail=each.detail,
            claimed=each.claimed,
            cells=tuple(column),
            agreeing=len(agreeing := _witnesses(column, MatchOfDetail.AGREES)),
            deviating=len(_witnesses(column, MatchOfDetail.DEVIATES) - agreeing),
        )
        for each, column in zip(wanted, columns, strict=True)
    ]


def _witnesses(cells: Sequence[ConsistencyCell], match: MatchOfDetail) -> set[str]:
    return {cell.witness for cell in cells if cell.match is match}


def _sentences(claim: Claim, findings: Sequence[Finding], source: Source) -> list[tuple[Mention, Stance | None]]:
    """The sentences of a source that bear on a claim, judged ones first, each once: what it states, and not what it
    only asks, denies or rules to be false."""
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
            known = found.get((start, end))
            if known is None:
                quote = span.of(each.quote)
                mention = Mention(source_id=source.id, snapshot=each.snapshot, quote=quote, start=start, end=end)
                found[start, end] = mention, stance
            elif stance is not None and known[1] is not stance:
                found[start, end] = known[0], None  # judged both ways is judged neither
    return list(found.values())


def _cells(
    wanted: Sequence[ClaimDetail],
    claim: Claim,
    source: Source,
    quotes: Sequence[tuple[Mention, Stance | None]],
    witness: str,
) -> list[ConsistencyCell]:
    written: date | None = source.published.at.date() if source.published else None
    best: list[tuple[GivenDetail, Mention] | None] = [None for _ in wanted]
    for mention, stance in quotes:
        given = held_against(wanted, claim.text, mention.quote, stance, written)
        for place, each in enumerate(given):
            known = best[place]
            if each.match is not MatchOfDetail.NOT_GIVEN and (
                known is None or _ORDER.index(each.match) < _ORDER.index(known[0].match)
            ):
                best[place] = each, mention
    return [
        ConsistencyCell(source_id=source.id, witness=witness, match=MatchOfDetail.NOT_GIVEN)
        if found is None
        else ConsistencyCell(
            source_id=source.id,
            witness=witness,
            match=found[0].match,
            value=found[0].value,
            mention=found[1],
            reason=found[0].reason,
        )
        for found in best
    ]


def _reasons(rows: Sequence[ConsistencyRow], support: Sequence[ClaimSupport], compared: int) -> tuple[str, ...]:
    if not compared:
        return ("No independent source says anything that could be held against the claims.",)
    said = []
    for each in support:
        confirming, against = len(each.confirming), len(each.contradicting)
        if confirming or against:
            verbs = agreeing(confirming, "confirms", "confirm"), agreeing(against, "contradicts", "contradict")
            confirmed = f"{count(confirming, 'independent source')} {verbs[0]} it"
            said.append(f"{each.claim_id}: {confirmed}, {numeral(against) if against else 'none'} {verbs[1]} it.")
    for row in rows:
        if row.deviating:
            apart = [f"{cell.value} [{cell.source_id}]" for cell in row.cells if cell.match is MatchOfDetail.DEVIATES]
            said.append(f"{row.claim_id}, {row.detail.value}: {row.claimed} is given otherwise: {', '.join(apart)}.")
    return tuple(said)
