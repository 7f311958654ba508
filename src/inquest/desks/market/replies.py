"""The answer to the question itself, before everything else that was found: yes, no, or what sources report of it.

A question of yes or no is a claim, and is judged as claims are everywhere: by independent sources, with stance and
quote (`judged`, from the analyst). Where nothing settles it, the sentences that speak of it are given as such, and the
answer says that it is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from inquest.claims.own_pages import is_filing
from inquest.desks.market.developments import ReadFinding, fit_of, quote_of
from inquest.desks.market.events import MOVE, SECTOR, WEAK, is_denied
from inquest.domain.assessment import Verdict
from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Finding, Stance
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
from inquest.domain.reading import Mode
from inquest.domain.source import Source
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.weighing import assess_claim

CLAIM_ID = "Q1"
"""Under this the statement of a yes-or-no question is judged."""
_MOST, _MOST_RATINGS = 3, 6
_ANSWERS = 0.45
"""From this fit on a sentence speaks of what is asked."""
_SURE = 0.6
"""The confidence from which a filing or a source of tier 1 decides."""
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
    judged: Sequence[Finding],
    sources: Mapping[str, Source],
) -> MarketReply:
    """The answer. `found`: what the sources that count say, of the time asked about; `judged`: how passages bear on the
    question's claim, with `claim_id` `CLAIM_ID`; `sources` by id."""
    if question.claim and (reply := _whether(question, judged, sources)):
        return reply
    if question.asks is Asks.WHY and question.kind is QuestionKind.STOCK_MOVEMENT:
        return _causes(found, developments)
    answering = sorted(
        (each for each in found if fit_of(each.finding) >= _ANSWERS),
        key=lambda each: (
            -round(fit_of(each.finding), 2),
            each.finding.details.get("goes_on") is True,  # a sentence that names the company says whose it is
            -each.weight,
            each.finding.id,
        ),
    )
    if answering:
        kind = ReplyKind.OPEN if question.claim else ReplyKind.REPORTED
        if question.claim and all(is_denied(each.finding.quote) for each in answering[:_MOST]):
            kind = ReplyKind.DENIED
        # Who rated a share how is a list, and one page may have all of it.
        listed = question.kind is QuestionKind.ANALYST_ACTION
        chosen = answering[:_MOST_RATINGS] if listed else _one_a_witness(answering)
        points = [ReplyPoint(quote=quote_of(each.finding, each.source, question.now)) for each in chosen]
        return MarketReply(kind=kind, points=tuple(points), witnesses=len({each.witness for each in answering}))
    if question.asks is Asks.WHAT and developments and question.kind is QuestionKind.LATEST_NEWS:
        first = developments[0]
        point = ReplyPoint(quote=first.heading, witnesses=first.witnesses)
        return MarketReply(kind=ReplyKind.REPORTED, points=(point,), witnesses=first.witnesses)
    return MarketReply(kind=ReplyKind.NOTHING)


def _whether(question: MarketQuestion, judged: Sequence[Finding], sources: Mapping[str, Source]) -> MarketReply | None:
    """Yes or no, as the evidence on the claim has it; None where it settles nothing."""
    claim = Claim(id=CLAIM_ID, text=question.claim)
    counted = {name: source for name, source in sources.items() if not source.excluded}
    assessment = assess_claim(claim, [each for each in judged if each.source_id in counted], counted)
    by_id = {each.id: each for each in judged}
    pro = [by_id[each] for each in assessment.supporting]
    con = [by_id[each] for each in assessment.contradicting]
    kind = _VERDICTS.get(assessment.verdict)
    if kind in (None, ReplyKind.DISPUTED):
        kind = _by_record([*pro, *con], counted, question.company) or kind
    if kind is None:
        return None
    behind, other = (con, pro) if kind is ReplyKind.NO else (pro, con)
    if kind is ReplyKind.IN_PART:
        behind, other = con or pro, pro if con else []
    return MarketReply(
        kind=kind,
        points=tuple(ReplyPoint(quote=each) for each in _quoted(behind, counted, question)),
        against=tuple(_quoted(other, counted, question)),
        witnesses=assessment.independent_sources,
    )


def _by_record(findings: Sequence[Finding], sources: Mapping[str, Source], company: str) -> ReplyKind | None:
    """The answer of the company's filings and of sources of tier 1, where these agree: a filing is made under a duty to
    tell the truth, and goes before what papers make of it. None: none of them decides."""
    on_record = [
        each
        for each in findings
        if each.confidence >= _SURE
        and as_testimony(each).mode in (Mode.FACT, Mode.MEASURED, Mode.RULED_TRUE, Mode.RULED_FALSE)
        and (is_filing(sources[each.source_id], company) or sources[each.source_id].rating.tier == 1)
    ]
    stances = {each.stance for each in on_record}
    if stances == {Stance.SUPPORTS}:
        return ReplyKind.YES
    if stances != {Stance.CONTRADICTS}:
        return None
    direct = all(each.contradiction_type in (None, ContradictionType.DIRECT) for each in on_record)
    return ReplyKind.NO if direct else ReplyKind.IN_PART


def _quoted(findings: Sequence[Finding], sources: Mapping[str, Source], question: MarketQuestion) -> list[MarketQuote]:
    """The weightiest words of each source, at most three sources."""
    found: dict[str, MarketQuote] = {}
    for each in findings:
        if each.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
            found.setdefault(each.source_id, quote_of(each, sources[each.source_id], question.now))
    return list(found.values())[:_MOST]


def _causes(found: Sequence[ReadFinding], developments: Sequence[Development]) -> MarketReply:
    """Causes that sources give of a move: events that sentences on it name, and those most sources report around it."""
    given: dict[str, Development] = {}
    for each in developments:
        for name in each.events[:1]:
            if name not in (MOVE, SECTOR, *given) and not is_denied(each.heading.quote):
                given[name] = each
    linked = Counter(name for each in found if MOVE in each.events for name in set(each.events) - {MOVE})
    names = sorted(
        given, key=lambda name: (-(2 * min(2, linked[name]) + given[name].witnesses), list(given).index(name))
    )
    names = [name for name in names if linked[name] or (given[name].witnesses > 1 and name not in WEAK)][:_CAUSES]
    if not names:
        moves = [each for each in developments if MOVE in each.events[:1]]
        points = tuple(ReplyPoint(quote=each.heading, witnesses=each.witnesses) for each in moves[:1])
        return MarketReply(kind=ReplyKind.OPEN if moves else ReplyKind.NOTHING, points=points)
    points = tuple(ReplyPoint(quote=given[name].heading, event=name, witnesses=given[name].witnesses) for name in names)
    return MarketReply(kind=ReplyKind.REPORTED, points=points, witnesses=given[names[0]].witnesses)


def _one_a_witness(found: Sequence[ReadFinding]) -> list[ReadFinding]:
    best: dict[str, ReadFinding] = {}
    for each in found:
        best.setdefault(each.witness, each)
    return list(best.values())[:_MOST]
