"""The result of an investigation, put together from what the case found: level, confidence, review flags, and notes for
a person that cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import prod

from inquest.desks.verification.cross_reference import cross_reference, evidence_sources
from inquest.desks.verification.investigation_notes import context_words, notes_words, review_words
from inquest.desks.verification.origin_report import OriginCase, event_of, origin_trace
from inquest.desks.verification.social_evidence import social_evidence
from inquest.desks.verification.topic_claims import (
    Sides,
    before_the_event,
    main_claims,
    on_topic,
    own_article,
    own_publisher,
    sides_of,
    suspicious_sources,
)
from inquest.desks.verification.topic_context import topic_context
from inquest.desks.verification.topic_reading import accuses, read_topic
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import (
    ConsistencyTable,
    FoundSource,
    InvestigationResult,
    OriginTrace,
    SoughtReport,
)
from inquest.domain.search import Hit
from inquest.domain.social import SocialEvidence
from inquest.domain.source import Source
from inquest.domain.topic import Evidence, Topic, Upgrade, VerificationLevel
from inquest.stories.stories import independent
from inquest.text.phrases import count
from inquest.verdicts.levels import CREDIBLE_TIER, succeeded, upgrade
from inquest.verdicts.weighing_reasons import name_of

_SURE = {1: 0.75, 2: 0.6, 3: 0.25, 4: 0.1}
"""How likely one independent witness of a tier is right about such a subject, taken alone. An estimate of ours."""
_MOST = 95.0
_ON_A_SIDE = (Stance.SUPPORTS, Stance.CONTRADICTS)
_ON_TOPIC = 0.3
"""Relevance from which a source is on the topic."""
_OPEN = (Verdict.DISPUTED, Verdict.CONTRADICTED)
_BEST = 5
"""How many of the best independent sources make up the credibility."""


@dataclass(frozen=True)
class TopicMaterial:
    """The findings of a case when its claims are judged."""

    now: datetime
    sources: Mapping[str, Source]
    documents: Mapping[str, Document] = field(default_factory=dict)
    """By source id."""
    claims: Sequence[Claim] = ()
    findings: Sequence[Finding] = ()
    assessments: Sequence[Assessment] = ()
    hits: Sequence[Hit] = ()
    outages: int = 0
    """Engines and pages that should have been asked and could not be."""
    entities: Sequence[str] = ()
    networks: Sequence[str] = ()
    """Social networks that answered."""
    sought: Sequence[SoughtReport] = ()
    """Reports that sources name as theirs and that were looked for."""
    no_networks: Mapping[str, str] = field(default_factory=dict)
    """Those that could not be asked, each with the reason."""


def investigation_result(topic: Topic, gathered: TopicMaterial) -> InvestigationResult:
    """Everything that the specification's result holds. The same input gives the same result; there is no clock in it.

    The topic's own article confirms nothing, nor do copies of it or other pages of its publisher. A topic on which
    nothing was found gives a result as well: unverified, put before a person, and the notes say that nothing was found.
    """
    sources, documents = gathered.sources, gathered.documents
    own, publisher = own_article(topic, sources), own_publisher(topic, sources)
    reading = read_topic(topic, gathered.entities)
    consistency = cross_reference(gathered.claims, gathered.findings, sources, own=publisher, place=reading.place)
    context = topic_context(topic, sources, documents, own=own, entities=gathered.entities)
    social = social_evidence(
        topic,
        gathered.hits,
        gathered.now,
        entities=gathered.entities,
        asked=gathered.networks,
        not_asked=gathered.no_networks,
    )
    mains = main_claims(gathered.claims, topic, gathered.findings)
    ids = {claim.id for claim in mains}
    by_stance = {
        stance: {each.source_id for each in gathered.findings if each.claim_id in ids and each.stance is stance}
        for stance in _ON_A_SIDE
    }
    supporting = by_stance[Stance.SUPPORTS]
    origin = origin_trace(
        OriginCase(
            sources=sources,
            documents=documents,
            now=gathered.now,
            own=own,
            aside=publisher | {id for id, each in sources.items() if each.origin_of_story in publisher},
            supporting=supporting,
            denying=by_stance[Stance.CONTRADICTS] - supporting,
            early=before_the_event(topic, sources),
            event=event_of(topic, [documents[id] for id in sorted(supporting | own) if id in documents])
            or event_of(topic, [documents[id] for id in sorted(documents)]),
            place=reading.place,
            names=[actor.name for actor in reading.actors],
            sought=gathered.sought,
        )
    )
    sides = sides_of(mains, gathered.findings, sources, publisher, topic)
    sides = sides._replace(claims=frozenset(each.id for each in on_topic(gathered.claims, topic)))
    accusation = accuses(f"{topic.title}. {topic.text}")
    evidence = Evidence(
        confirming=tuple(vote.tier for vote in sides.confirming),
        contradicting=tuple(vote.tier for vote in sides.contradicting),
        suspicious=suspicious_sources(sources, publisher),
        weak=_weak(sources, publisher),
        origin_tier=_origin_tier(origin, publisher),
        origin_first_hand=bool(origin.credibility and origin.credibility.first_hand),
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
    found = _found(sources, sides, own)
    confidence, reasons = _confidence(raised, evidence, consistency, len(found))
    verdict_of = {each.claim_id: each.verdict for each in gathered.assessments}
    flagged = review_words(raised.review_flags, sides, consistency, accusation)
    result = InvestigationResult(
        topic_id=topic.id,
        investigation_date=gathered.now,
        additional_sources=found,
        social_media_evidence=social.posts,
        original_source=_original(origin, sources, sides),
        credibility_assessment=_credibility(sources, origin, social, publisher),
        consistency_score=consistency.score or 0.0,
        context_richness=context.richness,
        verified_claims=tuple(c.text for c in gathered.claims if verdict_of.get(c.id) is Verdict.VERIFIED),
        disputed_claims=tuple(c.text for c in gathered.claims if verdict_of.get(c.id) in _OPEN),
        additional_context=context_words(context),
        recommended_verification_level=raised.new_level,
        confidence_level=confidence,
        investigation_notes="",
        requires_human_review=raised.requires_human_review,
        review_reason=flagged or None,
        upgrade=raised,
        success=succeeded(evidence),
        review_flags=raised.review_flags,
        social=social,
        origin=origin,
        consistency=consistency,
        context=context,
        confidence_reasons=reasons,
    )
    return result.model_copy(update={"investigation_notes": notes_words(topic, result, sides, gathered.outages)})


def _weak(sources: Mapping[str, Source], own: frozenset[str]) -> int:
    """The number of sources on the topic, where none of them is credible."""
    tiers = [each.rating.tier for each in evidence_sources(sources, own).values() if each.relevance >= _ON_TOPIC]
    return len(tiers) if all(tier > CREDIBLE_TIER for tier in tiers) else 0


def _origin_tier(origin: OriginTrace, own: frozenset[str]) -> int | None:
    """The topic's own article cannot be the authority that confirms it."""
    if origin.credibility is None or origin.source_id in own:
        return None
    return origin.credibility.tier


def _found(sources: Mapping[str, Source], sides: Sides, own: frozenset[str]) -> tuple[FoundSource, ...]:
    """Every source that counts, those that bear on the main claim first, then by tier."""
    made = [_as_found(each, sides) for each in evidence_sources(sources, own).values()]
    return tuple(sorted(made, key=lambda each: (each.confirms is None, not each.counted, each.credibility_tier)))


def _as_found(source: Source, sides: Sides) -> FoundSource:
    confirms = True if source.id in sides.confirmed_by else False if source.id in sides.contradicted_by else None
    return FoundSource(
        id=source.id,
        url=source.url,
        name=name_of(source),
        credibility_tier=source.rating.tier,
        confirms=confirms,
        counted=confirms is not None and source.id in sides.counted_ids,
        story=source.story,
    )


def _original(origin: OriginTrace, sources: Mapping[str, Source], sides: Sides) -> FoundSource | None:
    source = sources.get(origin.source_id or "")
    return _as_found(source, sides) if source else None


def _credibility(
    sources: Mapping[str, Source], origin: OriginTrace, social: SocialEvidence, own: frozenset[str]
) -> float:
    """The mean score of the five best independent sources (three quarters) and of the origin (one quarter), where it is
    known; of posts alone, half of what their accounts are worth; 0 where there is nothing."""
    counted = evidence_sources(sources, own)
    witnesses = independent(counted.values())
    scores = sorted((max(counted[id].rating.score for id in each.source_ids) for each in witnesses), reverse=True)
    scores = scores[:_BEST]
    if not scores:
        return round((social.credibility or 0.0) / 2, 1)
    mean = sum(scores) / len(scores)
    if origin.credibility is None or origin.source_id in own:
        return round(mean, 1)
    return round(0.75 * mean + 0.25 * origin.credibility.score, 1)


def _confidence(
    raised: Upgrade, evidence: Evidence, consistency: ConsistencyTable, read: int
) -> tuple[float, tuple[str, ...]]:
    """The confidence in the recommended level, 0 to 95, with reasons.

    A level above unverified: the chance that at least one of the confirming witnesses is right, less where sources
    differ in details or contradict. Unverified: the chance that the contradiction is right, else how much was read in
    vain. Each outage takes 5, at most 20.
    """
    reasons = []
    if raised.new_level is not VerificationLevel.UNVERIFIED:
        value = 100 * (1 - prod(1 - _SURE[tier] for tier in evidence.confirming))
        reasons.append(
            f"{count(len(evidence.confirming), 'independent source confirms', 'independent sources confirm')} it, of "
            f"{'tier' if len(evidence.confirming) == 1 else 'tiers'} "
            f"{', '.join(str(tier) for tier in sorted(evidence.confirming)) or 'none'}."
        )
        if consistency.score is not None and consistency.score < 100:
            value *= 0.5 + consistency.score / 200
            reasons.append(f"The sources agree to {consistency.score:g} of 100.")
        if evidence.contradicting:
            value *= 0.5
            reasons.append(f"{count(len(evidence.contradicting), 'independent source')} against it halve it.")
    elif evidence.contradicting:
        value = 100 * (1 - prod(1 - _SURE[tier] for tier in evidence.contradicting))
        reasons.append(f"{count(len(evidence.contradicting), 'independent source')} against it.")
    else:
        value = min(80.0, 30.0 + 5 * read)
        # There is no credible one among them, or the level had risen.
        confirms = "none of tier 1 or 2 confirms it" if evidence.confirming else "none of them confirms it"
        silent = "No source was found, in an incomplete search." if evidence.outages else "No source was found."
        reasons.append(f"{count(read, 'source')} read; {confirms}." if read else silent)
    if evidence.outages:
        value -= min(20, 5 * evidence.outages)
        reasons.append(f"{count(evidence.outages, 'outage')}: what could not be asked might change it.")
    sentences = tuple(each[:1].upper() + each[1:] for each in reasons)
    return round(min(_MOST, max(0.0, value)), 1), sentences
