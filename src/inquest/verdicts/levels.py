"""When a topic is investigated, what level it then has, whether the investigation succeeded, and who has to look at it.

The thresholds are those of the verification desk's specification (triggers, upgrade rules, success criteria, review
flags), with two rules of ours: sources are counted once for each story, and no level rises over a credible
contradiction.
"""

from __future__ import annotations

from inquest.domain.reasons import Reason, ReasonData, worded
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


def why_not_investigated(topic: Topic) -> tuple[Reason, ...]:
    """Each trigger that the topic misses; () if it is to be investigated."""
    missed = {
        "stands": topic.verification_status is not VerificationLevel.UNVERIFIED,
        "many_sources": (topic.source_count or 0) >= FEW_SOURCES,
        "not_newsworthy": topic.newsworthiness_score < NEWSWORTHY,
        "not_approved": topic.status is not TopicStatus.APPROVED,
        "investigated": topic.investigated,
    }
    data: dict[str, ReasonData] = {
        "level": topic.verification_status.value, "sources": topic.source_count or 0, "few": FEW_SOURCES,
        "score": topic.newsworthiness_score, "least": NEWSWORTHY, "status": topic.status.value,
    }  # fmt: skip
    return tuple(_reason(name, **data) for name, applies in missed.items() if applies)


def upgrade(level: VerificationLevel, evidence: Evidence) -> Upgrade:
    """The level after an investigation. It never falls: that is a person's decision, for which a contradiction is
    flagged. Nor does it rise where a credible independent source contradicts, or as many as confirm."""
    confirming, against = credible(evidence.confirming), credible(evidence.contradicting)
    reached = next((each for least, each in LEVELS if confirming >= least), VerificationLevel.UNVERIFIED)
    reasons = [_reason("confirm", number=confirming)]
    others = len(evidence.confirming) - confirming
    if others:
        reasons.append(_reason("count_for_nothing", number=others))
    if evidence.contradicting:
        held = bool(against) or len(evidence.contradicting) >= len(evidence.confirming)
        reasons.append(_reason("contradicted" if held else "outnumbered", number=len(evidence.contradicting)))
        reached = VerificationLevel.UNVERIFIED if held else reached
    if evidence.outages:
        reasons.append(_reason("outages", number=evidence.outages))
    new = max(level, reached, key=_RANK.__getitem__)
    upgraded = new is not level
    single = upgraded and confirming == 1
    if single:
        reasons.append(_reason("single"))
    return Upgrade(
        before=level,
        new_level=new,
        upgraded=upgraded,
        independent_credible=confirming,
        single_source=single,
        **worded(reasons),
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
    found_low = len(evidence.confirming) + len(evidence.contradicting) - any_credible + evidence.weak
    flags = {
        ReviewFlag.CONTRADICTION: bool(evidence.contradicting or evidence.differing or evidence.before_event),
        ReviewFlag.ONLY_LOW_CREDIBILITY: found_low > 0 and not any_credible,
        ReviewFlag.NOT_CORROBORATED: not evidence.confirming,
        ReviewFlag.SERIOUS_ALLEGATION: evidence.serious_allegation,
    }
    return tuple(each for each, holds in flags.items() if holds)


def _reason(name: str, **data: ReasonData) -> Reason:
    return Reason(code=f"levels.{name}", data=data)
