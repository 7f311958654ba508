"""A topic after an investigation, when it is investigated again, and by what two topics are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from inquest.domain.investigation import InvestigationResult
from inquest.domain.topic import Topic, TopicStatus, VerificationLevel
from inquest.domain.value import JsonValue
from inquest.text.sentences import fold
from inquest.text.urls import comparison_key

AGAIN_AFTER = timedelta(days=30)
"""How long an investigation that did not certify a topic is left as it is, where nothing new comes up. The
specification leaves the number open."""


def topic_key(topic: Topic) -> str:
    """What two records of one topic share: its address in any spelling; without one its title and day."""
    if topic.url:
        return f"url:{comparison_key(topic.url)}"
    when = topic.event_date or topic.discovery_date
    return f"title:{' '.join(fold(topic.title).split())}|{when.date().isoformat() if when else ''}"


def after_investigation(topic: Topic, result: InvestigationResult) -> Topic:
    """The topic with what was found (spec 001, step 3). The level follows the result, unless it was changed since the
    investigation began: that was a person's decision, and it stands."""
    plan: dict[str, JsonValue] = dict(topic.source_plan)
    plan["investigatory_sources"] = [
        {
            "url": each.url,
            "name": each.name,
            "credibility_tier": each.credibility_tier,
            "found_by": each.found_by,
        }
        for each in result.additional_sources
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


_ATTEMPT = ("investigation_attempted", "investigation_notes")


@dataclass(frozen=True, slots=True)
class Due:
    """Whether a topic is to be investigated again, and why or why not."""

    due: bool
    reason: str
    next_at: datetime | None = None
    """When it will be due at the latest; None: never by time alone."""


def due(topic: Topic, now: datetime, *, after: timedelta = AGAIN_AFTER, new_evidence: Sequence[str] = ()) -> Due:
    """Whether an investigated topic is due again: after a time, while it is not certified, or at once where there is
    evidence that the last investigation did not have (`new_evidence`: addresses), whatever its level.

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
    at = topic.investigation_date + after
    if now >= at:
        return Due(True, f"It was last investigated on {topic.investigation_date.date().isoformat()}.", at)
    return Due(False, f"It was investigated on {topic.investigation_date.date().isoformat()}.", at)
