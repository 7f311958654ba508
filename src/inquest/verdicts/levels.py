"""Decide when a topic is investigated, its level afterwards, the success criteria met and the flags for human review;
update the topic, and decide when it is due again.

The thresholds come from the specification of the verification desk, with two rules added: a story counts as one source,
and no level rises against a credible contradiction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from inquest.domain.investigation import InvestigationResult
from inquest.domain.reasons import Catalogue, Reason, ReasonData, worded
from inquest.domain.topic import Evidence, ReviewFlag, Success, Topic, TopicStatus, Upgrade, VerificationLevel
from inquest.domain.value import JsonValue
from inquest.text.sentences import fold
from inquest.text.urls import comparison_key

_reason = Catalogue("levels")
CREDIBLE_TIER = 2
"""Sources of this tier or better are credible."""
FEW_SOURCES, NEWSWORTHY = 3, 50
SOURCES_FOR_SUCCESS, DETAILS_FOR_SUCCESS, ACCOUNTS_FOR_SUCCESS = 3, 5, 10
_LEVELS = ((6, VerificationLevel.CERTIFIED), (1, VerificationLevel.VERIFIED))
"""Independent credible sources that each level needs, highest level first."""
_RANK = {level: rank for rank, level in enumerate(VerificationLevel)}
AGAIN_AFTER = timedelta(days=30)
"""Time until an investigation that did not certify a topic is repeated without new evidence. The specification leaves
the number open."""
_ATTEMPT = ("investigation_attempted", "investigation_notes")


def credible(tiers: tuple[int, ...]) -> int:
    """Return the number of credible sources, given the tier of each source."""
    return sum(tier <= CREDIBLE_TIER for tier in tiers)


def why_not_investigated(topic: Topic) -> tuple[Reason, ...]:
    """Return each trigger that the topic misses; () if it is to be investigated."""
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
    """Return the level after an investigation. It never falls, because lowering it is a person's decision, for which a
    contradiction is flagged. It does not rise if a credible independent source contradicts, or as many as confirm."""
    confirming, against = credible(evidence.confirming), credible(evidence.contradicting)
    reached = next((each for least, each in _LEVELS if confirming >= least), VerificationLevel.UNVERIFIED)
    reasons = [_reason("confirm", number=confirming)]
    if others := len(evidence.confirming) - confirming:
        reasons.append(_reason("count_for_nothing", number=others))
    if evidence.contradicting:
        blocked = bool(against) or len(evidence.contradicting) >= len(evidence.confirming)
        reasons.append(_reason("contradicted" if blocked else "outnumbered", number=len(evidence.contradicting)))
        reached = VerificationLevel.UNVERIFIED if blocked else reached
    if evidence.outages:
        reasons.append(_reason("outages", number=evidence.outages))
    new = max(level, reached, key=_RANK.__getitem__)
    upgraded = new is not level
    if single := upgraded and confirming == 1:
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
    """Return the success criteria that are met; one of them makes the investigation a success."""
    met = {
        Success.CREDIBLE_SOURCES: credible(evidence.confirming) >= SOURCES_FOR_SUCCESS,
        Success.ORIGIN: evidence.origin_tier is not None and evidence.origin_tier <= CREDIBLE_TIER,
        Success.CONTEXT: evidence.context_details >= DETAILS_FOR_SUCCESS,
        Success.SOCIAL_EVIDENCE: evidence.social_accounts >= ACCOUNTS_FOR_SUCCESS,
    }
    return tuple(criterion for criterion, holds in met.items() if holds)


def review_flags(evidence: Evidence) -> tuple[ReviewFlag, ...]:
    """Return the reasons why a person has to review the result; () if there are none."""
    any_credible = credible(evidence.confirming) + credible(evidence.contradicting)
    low = len(evidence.confirming) + len(evidence.contradicting) - any_credible + evidence.weak
    flags = {
        ReviewFlag.CONTRADICTION: bool(evidence.contradicting or evidence.differing or evidence.before_event),
        ReviewFlag.ONLY_LOW_CREDIBILITY: low > 0 and not any_credible,
        ReviewFlag.NOT_CORROBORATED: not evidence.confirming,
        ReviewFlag.SERIOUS_ALLEGATION: evidence.serious_allegation,
    }
    return tuple(flag for flag, holds in flags.items() if holds)


def topic_key(topic: Topic) -> str:
    """Return a key that records of one topic share: the normalised address, or without one the title and the day."""
    if topic.url:
        return f"url:{comparison_key(topic.url)}"
    when = topic.event_date or topic.discovery_date
    return f"title:{' '.join(fold(topic.title).split())}|{when.date().isoformat() if when else ''}"


def after_investigation(topic: Topic, result: InvestigationResult) -> Topic:
    """Return the topic with the result (spec 001, step 3). A level that a person has changed meanwhile remains."""
    plan: dict[str, JsonValue] = dict(topic.source_plan)
    plan["investigatory_sources"] = [
        {name: getattr(source, name) for name in ("url", "name", "credibility_tier", "found_by")}
        for source in result.additional_sources
    ]
    level = topic.verification_status
    if level is result.upgrade.before:
        level = result.upgrade.new_level
    if level is VerificationLevel.UNVERIFIED:
        plan |= {"investigation_attempted": True, "investigation_notes": result.investigation_notes}
    else:
        plan = {name: value for name, value in plan.items() if name not in _ATTEMPT}
    facts: dict[str, JsonValue] = dict(topic.verified_facts)
    facts["investigation_context"] = result.additional_context
    facts["investigation_date"] = result.investigation_date.isoformat()
    return topic.model_copy(
        update={
            "verification_status": level,
            "source_count": result.upgrade.independent_credible,
            "investigated": True,
            "investigation_date": result.investigation_date,
            "investigation_confidence": result.confidence_level,
            "investigation_notes": result.investigation_notes,
            "source_plan": plan,
            "verified_facts": facts,
        }
    )


@dataclass(frozen=True, slots=True)
class Due:
    """Decision on repeating an investigation, with its reason."""

    due: bool
    reason: str
    next_at: datetime | None = None
    """Latest time at which it will be due; None: never by time alone."""


def due(topic: Topic, now: datetime, *, after: timedelta = AGAIN_AFTER, new_evidence: Sequence[str] = ()) -> Due:
    """Decide whether an investigated topic is due again: after a time unless it is certified, or at once, whatever its
    level, if there is evidence that the last investigation did not have (`new_evidence`: addresses).

    A topic that was never investigated is a candidate and not due again; one that is not approved is never due.
    """
    if topic.status is not TopicStatus.APPROVED:
        return Due(False, f"Its status is {topic.status.value} and not approved.")
    if not topic.investigated or topic.investigation_date is None:
        return Due(False, "It has not been investigated yet.")
    found = tuple(dict.fromkeys(new_evidence))
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return Due(True, f"There is evidence that the last investigation did not have: {found[0]}{more}.", now)
    if topic.verification_status is VerificationLevel.CERTIFIED:
        return Due(False, "It is certified, and there is no new evidence.")
    at, last = topic.investigation_date + after, topic.investigation_date.date().isoformat()
    if now >= at:
        return Due(True, f"It was last investigated on {last}.", at)
    return Due(False, f"It was investigated on {last}.", at)
