"""Update a topic after an investigation, decide when it is due again, and identify records of the same topic."""

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
"""Time until an investigation that did not certify a topic is repeated without new evidence. The specification leaves
the number open."""
_ATTEMPT = ("investigation_attempted", "investigation_notes")


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
