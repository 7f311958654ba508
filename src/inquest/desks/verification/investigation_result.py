"""The result of an investigation from the material of the case: level, confidence, review flags, and its text for a
reader, in which every sentence that states a fact gives the id of its source in brackets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import prod
from statistics import fmean

from inquest.desks.verification.cross_reference import cross_reference, evidence_sources
from inquest.desks.verification.origin_report import OriginCase, event_of, origin_trace
from inquest.desks.verification.social_evidence import social_evidence
from inquest.desks.verification.topic_claims import (
    Sides,
    before_the_event,
    beside_the_topic,
    low_credibility,
    main_claims,
    on_topic,
    own_article,
    own_publisher,
    sides_of,
)
from inquest.desks.verification.topic_context import topic_context
from inquest.desks.verification.topic_queries import TopicReading, accuses, read_topic
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document, Precision
from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.investigation import (
    ConsistencyRow,
    ConsistencyTable,
    FoundSource,
    InvestigationResult,
    MatchOfDetail,
    OriginTrace,
    SoughtReport,
    TopicContext,
)
from inquest.domain.languages import day_of
from inquest.domain.reasons import Catalogue, Reason, sentences
from inquest.domain.search import Hit, Pushed, SocialEvidence
from inquest.domain.source import Source
from inquest.domain.topic import Evidence, ReviewFlag, Topic, Upgrade, VerificationLevel
from inquest.domain.value import grouped
from inquest.text.phrases import capitalised, count, ended, quoted
from inquest.verdicts.levels import succeeded, upgrade
from inquest.verdicts.votes import Vote
from inquest.verdicts.weighing_reasons import name_of

_RIGHT = {1: 0.75, 2: 0.6, 3: 0.25, 4: 0.1}
"""Estimated probability that one independent witness of a tier is right about such a topic."""
_MOST = 95.0
_OPEN = (Verdict.DISPUTED, Verdict.CONTRADICTED)
levels = Catalogue("levels")
LEVEL_HEADING = "Verification level"
"""Heading of the sentences on the level, first in the summary of a topic."""
_NAMED, _ON_A_SIDE = 4, 8


@dataclass(frozen=True)
class TopicMaterial:
    """The material of a case whose claims have been judged."""

    now: datetime
    sources: Mapping[str, Source]
    documents: Mapping[str, Document] = field(default_factory=dict)
    """Documents by source id."""
    claims: Sequence[Claim] = ()
    findings: Sequence[Finding] = ()
    assessments: Sequence[Assessment] = ()
    hits: Sequence[Hit] = ()
    outages: int = 0
    """Number of engines and pages that failed."""
    networks: Sequence[str] = ()
    """Social networks that answered."""
    sees_days: Mapping[str, int] = field(default_factory=dict)
    """Number of past days that a network searches, if limited."""
    no_networks: Mapping[str, str] = field(default_factory=dict)
    """Social networks that could not be searched, with reasons."""
    sought: Sequence[SoughtReport] = ()
    """Reports that sources credit and that were searched for."""


def investigation_result(topic: Topic, gathered: TopicMaterial) -> InvestigationResult:
    """Compute the specification's result; the same input gives the same result.

    The topic's own article, its copies and other pages of its publisher confirm nothing. A topic without any evidence
    has a result too: unverified, for a person to review.
    """
    sources, documents = gathered.sources, gathered.documents
    publisher, reading = own_publisher(topic, sources), read_topic(topic)
    consistency = cross_reference(gathered.claims, gathered.findings, sources, own=publisher, place=reading.place)
    mains = main_claims(gathered.claims, topic, gathered.findings)
    of_topic = frozenset(each.id for each in on_topic(gathered.claims, topic))
    near = of_topic.union(each.id for each in mains)
    on_it = [each for each in gathered.findings if each.claim_id in near]
    context = topic_context(topic, reading, sources, documents, own=own_article(topic, sources), findings=on_it)
    silent, sees_days = gathered.no_networks, gathered.sees_days
    social = social_evidence(
        topic, gathered.hits, gathered.now, asked=gathered.networks, not_asked=silent, sees_days=sees_days
    )
    origin = _origin(topic, gathered, mains, publisher, reading)
    sides = sides_of(mains, gathered.findings, sources, publisher, topic)._replace(claims=of_topic)
    alleged = [each.text for each in gathered.claims if each.id in near]
    accusation = accuses(". ".join([topic.title, topic.text, *alleged]))
    evidence = Evidence(
        confirming=tuple(vote.tier for vote in sides.confirming),
        contradicting=tuple(vote.tier for vote in sides.contradicting),
        weak=low_credibility(sources, publisher),
        origin_tier=origin.credibility.tier if origin.credibility and origin.source_id not in publisher else None,
        context_details=context.details,
        social_accounts=social.independent_accounts,
        serious_allegation=accusation is not None,
        differing=len(sides.differing)
        + sum(row.claim_id in sides.claims for row in consistency.deviations)
        + sum(each.claim_id in sides.claims and each.verdict in _OPEN for each in gathered.assessments),
        before_event=sides.before,
        outages=gathered.outages,
    )
    raised = upgrade(topic.verification_status, evidence)
    counted = [_found(each, sides) for each in evidence_sources(sources, publisher).values()]
    counted.sort(key=lambda each: (each.confirms is None, not each.counted, each.credibility_tier))
    confidence, reasons = _confidence(raised, evidence, consistency, len(counted))
    verdict_of = {each.claim_id: each.verdict for each in gathered.assessments}
    source = sources.get(origin.source_id or "")
    scores = [vote.source.rating.score for vote in sides.confirming]
    scores += [100 - vote.source.rating.score for vote in sides.contradicting]
    review = review_reasons(raised.review_flags, sides, consistency, accusation)
    result = InvestigationResult(
        topic_id=topic.id,
        investigation_date=gathered.now,
        additional_sources=tuple(counted),
        social_media_evidence=social.posts,
        original_source=_found(source, sides) if source else None,
        # Of the headline: without sources, half the credibility of the posts.
        credibility_assessment=round(fmean(scores) if scores else (social.credibility or 0.0) / 2, 1),
        consistency_score=consistency.score or 0.0,
        context_richness=context.richness,
        verified_claims=tuple(c.text for c in gathered.claims if verdict_of.get(c.id) is Verdict.VERIFIED),
        disputed_claims=tuple(c.text for c in gathered.claims if verdict_of.get(c.id) in _OPEN),
        additional_context=context_words(context),
        recommended_verification_level=raised.new_level,
        confidence_level=confidence,
        investigation_notes="",
        requires_human_review=raised.requires_human_review,
        review_reason=" ".join(sentences(review)) or None,
        review_codes=tuple(review),
        upgrade=raised,
        success=succeeded(evidence),
        review_flags=raised.review_flags,
        social=social,
        origin=origin,
        consistency=consistency,
        context=context,
        confidence_reasons=sentences(reasons),
        confidence_codes=tuple(reasons),
    )
    return result.model_copy(update={"investigation_notes": notes_words(result, sides)})


def _origin(
    topic: Topic, gathered: TopicMaterial, mains: Sequence[Claim], publisher: frozenset[str], reading: TopicReading
) -> OriginTrace:
    documents, ids = gathered.documents, {claim.id for claim in mains}
    on_it = [each for each in gathered.findings if each.claim_id in ids]
    beside = beside_the_topic(topic, gathered.sources, documents)
    beside -= {each.source_id for each in on_it if each.stance.decides}
    sources = {id: each for id, each in gathered.sources.items() if id not in beside}
    own = own_article(topic, sources)
    supporting = {each.source_id for each in on_it if each.stance is Stance.SUPPORTS}
    contradicting = {each.source_id for each in on_it if each.stance is Stance.CONTRADICTS}
    reports = [documents[id] for id in sorted(supporting | own) if id in documents]
    others = [documents[id] for id in sorted(sources) if id in documents]
    return origin_trace(
        OriginCase(
            sources=sources,
            documents=documents,
            now=gathered.now,
            own=own,
            aside=publisher | {id for id, each in sources.items() if each.origin_of_story in publisher},
            supporting=supporting,
            denying=contradicting - supporting,
            early=before_the_event(topic, sources),
            event=event_of(topic, reports) or event_of(topic, others),
            place=reading.place,
            sought=gathered.sought,
        )
    )


def _found(source: Source, sides: Sides) -> FoundSource:
    confirms = True if source.id in sides.confirmed_by else False if source.id in sides.contradicted_by else None
    votes = {vote.source.id for vote in (*sides.confirming, *sides.contradicting)}
    return FoundSource(
        id=source.id,
        url=source.url,
        name=name_of(source),
        credibility_tier=source.rating.tier,
        confirms=confirms,
        counted=confirms is not None and source.id in votes,
        story=source.story,
    )


def _confidence(
    raised: Upgrade, evidence: Evidence, consistency: ConsistencyTable, read: int
) -> tuple[float, list[Reason]]:
    """The confidence in the recommended level, 0 to 95, with reasons.

    Above unverified: the probability that at least one of the confirming witnesses is right, reduced if sources differ
    in details or contradict. Unverified: the probability that the contradiction is right, else a value that grows with
    the number of sources read. Each outage takes off 5, at most 20 in all.
    """
    reasons, against = [], len(evidence.contradicting)
    if raised.new_level is not VerificationLevel.UNVERIFIED:
        value = 100 * (1 - prod(1 - _RIGHT[tier] for tier in evidence.confirming))
        tiers, number = ", ".join(map(str, sorted(evidence.confirming))), len(evidence.confirming)
        reasons.append(levels("sources_confirm" if tiers else "nobody_confirms", number=number, tiers=tiers))
        if consistency.score is not None and consistency.score < 100:
            value *= 0.5 + consistency.score / 200
            reasons.append(levels("agree", score=f"{consistency.score:g}"))
        if against:
            value *= 0.5
            reasons.append(levels("halved", number=against))
    elif against:
        value = 100 * (1 - prod(1 - _RIGHT[tier] for tier in evidence.contradicting))
    else:
        value = min(80.0, 30.0 + 5 * read)
        nothing = "none_found_incomplete" if evidence.outages else "none_found"
        reasons.append(levels("sources_read" if read else nothing, number=read))
    if evidence.outages:
        value -= min(20, 5 * evidence.outages)
        reasons.append(levels("outages_lower", number=evidence.outages))
    return round(min(_MOST, max(0.0, value)), 1), reasons


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
        ReviewFlag.CONTRADICTION: [],
    }
    if sides.contradicting:
        of_flag[ReviewFlag.CONTRADICTION].append(levels("against_it", names=_names(sides.contradicting)))
    if sides.differing:
        of_flag[ReviewFlag.CONTRADICTION].append(levels("differ", names=_names(sides.differing)))
    if sides.before:
        of_flag[ReviewFlag.CONTRADICTION].append(levels("before_day", number=sides.before))
    reasons = [reason for flag in flags for reason in of_flag[flag]]
    different = [row for row in consistency.deviations if row.claim_id in sides.claims or not sides.claims]
    if different and flags:
        reasons.append(levels("details_differ", differences=_differences(different)))
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

    def quote(mention: Mention) -> str:
        return f"{quoted(mention.quote)} [{mention.source_id}]."

    words = []
    for event in context.events:
        where = ", ".join(dict.fromkeys(each.source_id for each in event.mentions))
        when = "On" if event.precision in (Precision.DAY, Precision.TIME) else "In"
        words.append(f"{when} {day_of(event.date)}: {ended(event.text)} [{where}]")
    for actor in context.actors:
        described = actor.described_as[:1]
        words += [f"{actor.name}: {quote(each)}" for each in described]
        shown = [each.quote for each in described]
        for statement in [each for each in actor.statements if each.mention.quote not in shown][:2]:
            before = "Before the event" if statement.earlier else "On the topic"
            when = f" ({day_of(statement.said)})" if statement.said else ""
            words.append(f"{before}, {actor.name}{when}: {quote(statement.mention)}")
    words += [f"On {context.local.place}: {quote(each)}" for each in context.local.passages[:3]]
    return " ".join(words)


def notes_words(result: InvestigationResult, sides: Sides) -> str:
    """The investigation in short: the level, the steps to the origin, a quote of each side, posts."""
    quotes = [
        f"{name_of(vote.source)}: {quoted(vote.findings[0].quote)} [{vote.findings[0].source_id}]."
        for vote in (*sides.confirming[:1], *sides.contradicting[:1])
        if vote.findings
    ]
    hops = result.origin.chain if result.origin and (result.origin.source_id or result.origin.name) else ()
    steps = [f"{hop.reason}: {quoted(hop.quote)} [{hop.source_id}]" for hop in hops if hop.quote]
    path = f"{'; '.join(steps)}." if steps else ""
    posts = _posts(result.social) if result.social.posts else ""
    return " ".join(filter(None, [*map(ended, sentences(level_reasons(result))), path, *quotes, posts]))


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


def _posts(social: SocialEvidence) -> str:
    seen = len(social.eyewitnesses)
    witness = f", {count(seen, 'of them reading', 'of them reading')} like an eyewitness account" if seen else ""
    shape = " Their spread looks coordinated." if social.engagement.shape is Pushed.PUSHED else ""
    accounts = count(social.independent_accounts, "independent account")
    return f"{capitalised(count(len(social.posts), 'post'))} by {accounts}{witness}.{shape}"
