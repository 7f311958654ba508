"""Text of an investigation for a reader. Every sentence that states a fact gives the id of its source in brackets."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.verification.topic_claims import Sides
from inquest.domain.by_key import grouped
from inquest.domain.claim import Mention
from inquest.domain.document import Precision
from inquest.domain.investigation import (
    ConsistencyRow,
    ConsistencyTable,
    InvestigationResult,
    MatchOfDetail,
    TopicContext,
)
from inquest.domain.languages import day_of
from inquest.domain.leads import Pushed
from inquest.domain.reasons import Catalogue, Reason, sentences
from inquest.domain.topic import ReviewFlag, VerificationLevel
from inquest.text.phrases import capitalised, count, ended, quoted
from inquest.verdicts.votes import Vote
from inquest.verdicts.weighing_reasons import name_of

levels = Catalogue("levels")
LEVEL_HEADING = "Verification level"
"""Heading of the sentences on the level, first in the summary of a topic."""
_NAMED, _ON_A_SIDE = 4, 8


def review_reasons(
    flags: Sequence[ReviewFlag], sides: Sides, consistency: ConsistencyTable, accusation: str | None
) -> list[Reason]:
    """The reasons for a review by a person, by flag; [] without flags."""
    of_flag = {
        ReviewFlag.ONLY_LOW_CREDIBILITY: [levels("low_credibility")],
        ReviewFlag.NOT_CORROBORATED: [levels("not_confirmed")],
        ReviewFlag.SERIOUS_ALLEGATION: [
            levels("accuses_word", word=quoted(accusation)) if accusation else levels("accuses")
        ],
        ReviewFlag.CONTRADICTION: _disagreement(sides),
    }
    reasons = [reason for flag in flags for reason in of_flag[flag]]
    different = [row for row in consistency.deviations if row.claim_id in sides.claims or not sides.claims]
    if different and flags:
        reasons.append(levels("details_differ", differences=_differences(different)))
    return reasons


def _disagreement(sides: Sides) -> list[Reason]:
    reasons = []
    if sides.contradicting:
        reasons.append(levels("against_it", names=_names(sides.contradicting)))
    if sides.differing:
        reasons.append(levels("differ", names=_names(sides.differing)))
    if sides.before:
        reasons.append(levels("before_day", number=sides.before))
    return reasons


def level_reasons(result: InvestigationResult) -> list[Reason]:
    """The level, its reasons, the sources on each side, the confidence, the origin and the reason for a review."""
    raised = result.upgrade
    level = levels("now" if raised.upgraded else "stays", level=raised.new_level.value, before=raised.before.value)
    confirm = "supported_by" if raised.new_level is VerificationLevel.UNVERIFIED else "confirmed_by"
    reasons = [level, *raised.reason_codes]
    for side, code in ((True, confirm), (False, "contradicted_by")):
        counted = [each for each in result.additional_sources if each.confirms is side and each.counted]
        names = [levels("named", name=each.name, tier=each.credibility_tier, id=each.id) for each in counted]
        reasons += [levels(code, names=_shortened(names, _ON_A_SIDE))] if names else []
    reasons += [levels("confidence", sure=confidence_reason(result)), _origin_reason(result)]
    if result.requires_human_review:
        why = result.review_codes or (levels("rules_require"),)
        review = levels("to_review", why=" ".join(sentences(why)))
        reasons.append(review.model_copy(update={"parts": {"why": tuple(why)}}))
    return reasons


def confidence_reason(result: InvestigationResult) -> Reason:
    """The confidence and what it refers to: '64 of 100 that what contradicts it is right'."""
    if result.recommended_verification_level is not VerificationLevel.UNVERIFIED:
        form = "confirmed" if any(each.confirms for each in result.additional_sources) else "level"
    else:
        against = any(each.confirms is False for each in result.additional_sources)
        form = "contradicted" if against else "unverified"
    return levels(f"sure_{form}", score=f"{result.confidence_level:.0f}")


def context_words(context: TopicContext) -> str:
    """The context as sentences with their sources; '' without any."""
    words = []
    for event in context.events:
        where = ", ".join(dict.fromkeys(each.source_id for each in event.mentions))
        when = "On" if event.precision in (Precision.DAY, Precision.TIME) else "In"
        words.append(f"{when} {day_of(event.date)}: {ended(event.text)} [{where}]")
    for actor in context.actors:
        described = actor.described_as[:1]
        words += [f"{actor.name}: {_quote(each)}" for each in described]
        shown = [each.quote for each in described]
        for statement in [each for each in actor.statements if each.mention.quote not in shown][:2]:
            before = "Before the event" if statement.earlier else "On the topic"
            when = f" ({day_of(statement.said)})" if statement.said else ""
            words.append(f"{before}, {actor.name}{when}: {_quote(statement.mention)}")
    words += [f"On {context.local.place}: {_quote(each)}" for each in context.local.passages[:3]]
    return " ".join(words)


def _quote(mention: Mention) -> str:
    return f"{quoted(mention.quote)} [{mention.source_id}]."


def notes_words(result: InvestigationResult, sides: Sides) -> str:
    """The investigation in short: the level, the steps to the origin, a quote of each side, posts."""
    quotes = [
        f"{name_of(vote.source)}: {quoted(vote.findings[0].quote)} [{vote.findings[0].source_id}]."
        for vote in (*sides.confirming[:1], *sides.contradicting[:1])
        if vote.findings
    ]
    hops = result.origin.chain if result.origin and (result.origin.source_id or result.origin.name) else ()
    steps = [f"{hop.reason}: {quoted(hop.quote)} [{hop.source_id}]" for hop in hops if hop.quote]
    words = [
        *map(ended, sentences(level_reasons(result))),
        f"{'; '.join(steps)}." if steps else "",
        *quotes,
        _posts(result),
    ]
    return " ".join(filter(None, words))


def quotes_of(result: InvestigationResult) -> tuple[Mention, ...]:
    """Every quote of a result outside its findings: in the origin's chain, the details and the context."""
    quotes = [cell.mention for row in result.consistency.rows for cell in row.cells if cell.mention]
    quotes += [mention for event in result.context.events for mention in event.mentions]
    for actor in result.context.actors:
        quotes += [*actor.described_as, *(each.mention for each in actor.statements)]
    quotes += result.context.local.passages
    hops = result.origin.chain if result.origin else ()
    quotes += [Mention(**hop.model_dump(include=set(Mention.model_fields))) for hop in hops if hop.snapshot]
    return tuple(quotes)


def _shortened(names: list[Reason], most: int) -> list[Reason]:
    """A shortened list: 'a, b and three more'."""
    more = [Reason.of("verdicts.more", number=len(names) - most)] if len(names) > most else []
    return [*names[:most], *more]


def _names(votes: Sequence[Vote]) -> list[Reason]:
    return _shortened([levels("source", name=name_of(vote.source), id=vote.source.id) for vote in votes], _NAMED)


def _origin_reason(result: InvestigationResult) -> Reason:
    """The origin of the story."""
    origin = result.origin
    if origin is None or not (origin.source_id or origin.name):
        between = list(origin.candidates) if origin else []
        return levels("origin_between", names=between) if between else levels("origin_open")
    where = f" [{origin.source_id}]" if origin.source_id else ""
    return levels("origin_is" if origin.readable else "origin_unread", name=f"{origin.name}{where}")


def _differences(rows: Sequence[ConsistencyRow]) -> list[Reason]:
    """Such as '“4.2 million euros” is given as 2.4 million euros [S20] [S26]', each difference once."""
    shown: dict[frozenset[str], Reason] = {}
    for row in rows:
        deviating = [cell for cell in row.cells if cell.match is MatchOfDetail.DEVIATES]
        others = grouped((cell.value, f"[{cell.source_id}]") for cell in deviating)
        values = [f"{value} {' '.join(ids)}" for value, ids in others.items()]
        key = frozenset({row.detail.value, row.claimed, *others})
        shown.setdefault(key, levels("given_as", claimed=quoted(row.claimed), values=values))
    return list(shown.values())[:_NAMED]


def _posts(result: InvestigationResult) -> str:
    social = result.social
    if not social.posts:
        return ""
    seen = len(social.eyewitnesses)
    witness = f", {count(seen, 'of them reading', 'of them reading')} like an eyewitness account" if seen else ""
    shape = " Their spread looks coordinated." if social.engagement.shape is Pushed.PUSHED else ""
    accounts = count(social.independent_accounts, "independent account")
    return f"{capitalised(count(len(social.posts), 'post'))} by {accounts}{witness}.{shape}"
