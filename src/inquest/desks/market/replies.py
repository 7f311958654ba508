"""The direct answer to the question: yes, no, or the sentences of sources on it.

A yes-or-no question is a claim and judged like every claim: by independent sources, with stance and quote. If nothing
settles it, the answer is open and quotes the sentences on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from inquest.claims.report.company import is_filing
from inquest.desks.market.developments import ReadFinding, tone_of
from inquest.desks.market.events import MOVE, SECTOR, WEAK, is_denied
from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Finding, Mode, SpeakerKind, Stance, Verdict
from inquest.domain.market import (
    Asks,
    Development,
    MarketQuestion,
    MarketQuote,
    MarketReply,
    QuestionKind,
    ReplyKind,
    ReplyPoint,
)
from inquest.domain.value import firsts
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.weighing import assess_claim

CLAIM_ID = "Q1"
_MOST, _MOST_RATINGS = 3, 6
_ANSWERS = 0.45
"""Minimum fit of a sentence that answers the question."""
_SURE = 0.6
"""Minimum confidence with which a filing or a source of tier 1 decides."""
_CAUSES = 4
_VERDICTS = {
    Verdict.VERIFIED: ReplyKind.YES,
    Verdict.CONTRADICTED: ReplyKind.NO,
    Verdict.PARTIALLY_TRUE: ReplyKind.IN_PART,
    Verdict.DISPUTED: ReplyKind.DISPUTED,
}


def reply_to(
    question: MarketQuestion,
    found: Sequence[ReadFinding],
    developments: Sequence[Development],
    judged: Sequence[ReadFinding],
) -> MarketReply:
    """The answer. `found`: findings of the period asked about; `judged`: passages judged on the question's claim."""
    if question.claim and (reply := _whether(question, judged)):
        return reply
    if given := [each for each in found if each.answers]:
        witnesses = len({each.witness for each in given})
        return MarketReply(
            kind=ReplyKind.REPORTED, points=tuple(ReplyPoint(quote=each.quote) for each in given), witnesses=witnesses
        )
    if question.asks is Asks.WHY and question.kind is QuestionKind.STOCK_MOVEMENT:
        return _causes(question, found, developments)
    answering = sorted(
        (each for each in found if each.fit >= _ANSWERS),
        key=lambda each: (
            -round(each.fit, 2),
            not each.names_subject,  # a sentence that names the company comes first
            -each.weight,
            each.finding.id,
        ),
    )
    answering = [*judged, *answering]  # none settles it, but they are on the claim itself
    if answering:
        kind = ReplyKind.OPEN if question.claim else ReplyKind.REPORTED
        leading = [each.finding for each in answering[:_MOST]]
        if question.claim and all(each.stance is Stance.CONTRADICTS or is_denied(each.quote) for each in leading):
            kind = ReplyKind.DENIED
        best = firsts((each.witness, each) for each in answering)
        # Ratings are a list, and one page may have all of them.
        listed = question.kind is QuestionKind.ANALYST_ACTION
        chosen = answering[:_MOST_RATINGS] if listed else [*best.values()][:_MOST]
        points = [ReplyPoint(quote=each.quote) for each in chosen]
        return MarketReply(kind=kind, points=tuple(points), witnesses=len(best))
    if question.asks is Asks.WHAT and developments and question.kind is QuestionKind.LATEST_NEWS:
        first = developments[0]
        point = ReplyPoint(quote=first.heading, witnesses=first.witnesses)
        return MarketReply(kind=ReplyKind.REPORTED, points=(point,), witnesses=first.witnesses)
    return MarketReply(kind=ReplyKind.NOTHING)


def _whether(question: MarketQuestion, judged: Sequence[ReadFinding]) -> MarketReply | None:
    """Yes or no by the evidence on the claim; None if it is not settled."""
    by_id = {each.finding.id: each for each in judged if not each.source.excluded}
    counted = {each.source.id: each.source for each in by_id.values()}
    claim = Claim(id=CLAIM_ID, text=question.claim)
    assessment = assess_claim(claim, [each.finding for each in by_id.values()], counted)
    pro, con = ([by_id[each] for each in side] for side in (assessment.supporting, assessment.contradicting))
    kind = _VERDICTS.get(assessment.verdict)
    if kind in (None, ReplyKind.DISPUTED):
        kind = _by_record([*pro, *con], question.company) or kind
    if kind is None:
        own = all(as_testimony(each.finding).kind is SpeakerKind.PARTY and _is_asserted(each.finding) for each in pro)
        points = tuple(ReplyPoint(quote=each) for each in _quotes(pro))
        return MarketReply(kind=ReplyKind.REPORTED, points=points) if pro and own and not con else None
    behind, other = (con, pro) if kind is ReplyKind.NO else (pro, con)
    if kind is ReplyKind.IN_PART:
        behind, other = con or pro, pro if con else []
    return MarketReply(
        kind=kind,
        points=tuple(ReplyPoint(quote=each) for each in _quotes(behind)),
        against=_quotes(other),
        witnesses=assessment.independent_sources,
    )


def _is_asserted(finding: Finding) -> bool:
    """True for what is stated as done, measured or decided."""
    return as_testimony(finding).mode in (Mode.FACT, Mode.MEASURED, Mode.PLANNED)


def _by_record(found: Sequence[ReadFinding], company: str) -> ReplyKind | None:
    """The answer from the company's filings and sources of tier 1, if they agree; None if they decide nothing."""
    on_record = [
        each.finding
        for each in found
        if each.finding.confidence >= _SURE
        and as_testimony(each.finding).mode in (Mode.FACT, Mode.MEASURED, Mode.RULED_TRUE, Mode.RULED_FALSE)
        and (is_filing(each.source, company) or each.source.rating.tier == 1)
    ]
    stances = {each.stance for each in on_record}
    if stances == {Stance.SUPPORTS}:
        return ReplyKind.YES
    if stances != {Stance.CONTRADICTS}:
        return None
    direct = all(each.contradiction_type in (None, ContradictionType.DIRECT) for each in on_record)
    return ReplyKind.NO if direct else ReplyKind.IN_PART


def _quotes(found: Sequence[ReadFinding]) -> tuple[MarketQuote, ...]:
    """The weightiest quote of each source, at most three."""
    return tuple(firsts((each.source.id, each.quote) for each in found).values())[:_MOST]


def _causes(question: MarketQuestion, found: Sequence[ReadFinding], developments: Sequence[Development]) -> MarketReply:
    """What may have caused a move: events in sentences on it, and those that several sources report at the time. Good
    news moves no share down; a firm's grade, which often follows the move, comes last."""
    direction = tone_of(question.text)
    events = [
        x for x in developments if x.events and x.events[0] not in (MOVE, SECTOR) and not is_denied(x.heading.quote)
    ]
    fitting = [each for each in events if direction and tone_of(each.heading.quote) == direction]
    given = firsts((each.events[0], each) for each in fitting or events)
    linked = Counter(name for each in found if MOVE in each.events for name in set(each.events) - {MOVE})
    names = sorted(
        given,
        key=lambda name: (
            name == "rating", -(2 * min(2, linked[name]) + given[name].witnesses), list(given).index(name)
        ),
    )  # fmt: skip
    names = [name for name in names if linked[name] or (given[name].witnesses > 1 and name not in WEAK)]
    if not names:
        moves = [each for each in developments if MOVE in each.events[:1]]
        points = tuple(ReplyPoint(quote=each.heading, witnesses=each.witnesses) for each in moves[:1])
        return MarketReply(kind=ReplyKind.OPEN if moves else ReplyKind.NOTHING, points=points)
    shown = tuple(
        ReplyPoint(quote=given[name].heading, event=name, witnesses=given[name].witnesses) for name in names[:_CAUSES]
    )
    return MarketReply(kind=ReplyKind.REPORTED, points=shown, witnesses=given[names[0]].witnesses)
