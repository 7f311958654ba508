"""When a topic is investigated, what level it then has, whether the investigation succeeded, and who has to look at it.

The thresholds are those of the verification desk's specification (triggers, upgrade rules, success criteria, review
flags), with two rules of ours: sources are counted once for each story, and no level rises over a credible
contradiction.
"""

from __future__ import annotations

from inquest.domain.topic import Evidence, ReviewFlag, Success, Topic, TopicStatus, Upgrade, VerificationLevel

CREDIBLE_TIER = 2
"""Sources of this tier or better are credible."""

LEVELS = ((6, VerificationLevel.CERTIFIED), (3, VerificationLevel.VERIFIED), (1, VerificationLevel.VERIFIED))
"""From how many independent credible sources on a topic has which level; the first that fits."""

FEW_SOURCES, NEWSWORTHY = 3, 50
SOURCES_FOR_SUCCESS, DETAILS_FOR_SUCCESS, ACCOUNTS_FOR_SUCCESS = 3, 5, 10
_RANK = {level: rank for rank, level in enumerate(VerificationLevel)}


def credible(tiers: tuple[int, ...]) -> int:
    """How many of the sources, given by their tiers, are credible."""
    return sum(tier <= CREDIBLE_TIER for tier in tiers)


def why_not_investigated(topic: Topic) -> tuple[str, ...]:
    """Each trigger that the topic misses, in words; () if it is to be investigated."""
    found = []
    if topic.verification_status is not VerificationLevel.UNVERIFIED:
        found.append(f"It already stands {topic.verification_status.value}.")
    if (topic.source_count or 0) >= FEW_SOURCES:
        found.append(f"It has {topic.source_count} sources; fewer than {FEW_SOURCES} call for an investigation.")
    if topic.newsworthiness_score < NEWSWORTHY:
        found.append(f"Its newsworthiness is {topic.newsworthiness_score:g}; it must be {NEWSWORTHY} or more.")
    if topic.status is not TopicStatus.APPROVED:
        found.append(f"Its status is {topic.status.value} and not approved.")
    if topic.investigated:
        found.append("It has been investigated already.")
    return tuple(found)


def upgrade(level: VerificationLevel, evidence: Evidence) -> Upgrade:
    """The level after an investigation. It never falls: that is a person's decision, for which a contradiction is
    flagged. Nor does it rise where a credible independent source contradicts, or as many as confirm."""
    confirming, against = credible(evidence.confirming), credible(evidence.contradicting)
    reached = next((each for least, each in LEVELS if confirming >= least), VerificationLevel.UNVERIFIED)
    reasons = [f"{_sources(confirming)} of tier 1 or 2 confirm{'s' if confirming < 2 else ''} it."]
    others = len(evidence.confirming) - confirming
    if others:
        verb = "counts" if others == 1 else "count"
        reasons.append(f"{_sources(others)} of tier 3 or 4 {verb} for nothing here.")
    if evidence.contradicting:
        verb = "contradicts" if len(evidence.contradicting) == 1 else "contradict"
        said = f"{_sources(len(evidence.contradicting))} {verb} it"
        if against or len(evidence.contradicting) >= len(evidence.confirming):
            reasons.append(f"{said}, so that its level does not rise.")
            reached = VerificationLevel.UNVERIFIED
        else:
            reasons.append(f"{_sources(len(evidence.contradicting))} of tier 3 or 4 {verb} it; more confirm it.")
    if evidence.outages:
        reasons.append(f"{_services(evidence.outages)} that should have been asked could not be.")
    new = max(level, reached, key=_RANK.__getitem__)
    upgraded = new is not level
    single = upgraded and confirming == 1
    if single:
        reasons.append("It rests on a single independent source.")
    return Upgrade(
        before=level,
        new_level=new,
        upgraded=upgraded,
        independent_credible=confirming,
        single_source=single,
        reasons=tuple(reasons),
        review_flags=review_flags(evidence),
    )


def succeeded(evidence: Evidence) -> tuple[Success, ...]:
    """What of the success criteria is met; any one of them makes the investigation a success."""
    met = {
        Success.CREDIBLE_SOURCES: credible(evidence.confirming) >= SOURCES_FOR_SUCCESS,
        Success.ORIGIN: evidence.origin_tier is not None and evidence.origin_tier <= CREDIBLE_TIER,
        Success.CONTEXT: evidence.context_details >= DETAILS_FOR_SUCCESS,
        Success.SOCIAL_EVIDENCE: evidence.social_accounts >= ACCOUNTS_FOR_SUCCESS,
    }
    return tuple(each for each, holds in met.items() if holds)


def review_flags(evidence: Evidence) -> tuple[ReviewFlag, ...]:
    """Why a person has to look at the result; () if nothing calls for it."""
    any_credible = credible(evidence.confirming) + credible(evidence.contradicting)
    found_low = len(evidence.confirming) + len(evidence.contradicting) - any_credible + evidence.suspicious
    found_low += evidence.weak
    flags = {
        ReviewFlag.CONTRADICTION: bool(evidence.contradicting or evidence.differing or evidence.before_event),
        ReviewFlag.ONLY_LOW_CREDIBILITY: found_low > 0 and not any_credible,
        ReviewFlag.NOT_CORROBORATED: not evidence.confirming,
        ReviewFlag.SERIOUS_ALLEGATION: evidence.serious_allegation,
    }
    return tuple(each for each, holds in flags.items() if holds)


def _services(count: int) -> str:
    return "One service or page" if count == 1 else f"{count} services or pages"


def _sources(count: int) -> str:
    return (
        "1 independent source" if count == 1 else f"{count} independent sources" if count else "No independent source"
    )
