"""Investigations of stored topics: running one and storing its result, even after a failure; and reviews of its
level."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from inquest.domain.case import Case, working_seconds
from inquest.domain.errors import InputError, InquestError, NotFound
from inquest.domain.investigation import Investigation, InvestigationStatus, Review, ReviewDecision
from inquest.domain.topic import Topic, VerificationLevel
from inquest.store.topics import Investigations, Reviews, Topics
from inquest.stories.stories import independent

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

Run = Callable[[Topic], Awaitable[Case]]
"""Runs one investigation and returns its case, whatever its result."""
_LONGEST_NUMBER = 18
"""Digits of the largest row number."""
_AS_FOUND = (
    *("consistency_score", "confidence_level", "verified_claims", "disputed_claims", "success", "review_flags"),
    *("requires_human_review", "review_reason"),
)
"""Fields of a stored investigation that are copied from its result unchanged."""


def topic_number(text: str) -> int | None:
    """The number of a topic in the text, or None for other text. Raises NotFound for a number too large."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        return None
    if len(digits) > _LONGEST_NUMBER:
        raise NotFound(f"There is no topic {digits[:40]} here.", advice="`inquest topics list` lists all topics.")
    return int(digits)


async def topics_of(app: Resources, space: str = "") -> Topics:
    """The stored topics. `space`: the one in which topics are added and looked up (`Topics`)."""
    return Topics(await app.database(), app.clock, space)


async def investigations_of(app: Resources) -> Investigations:
    """The stored investigations."""
    return Investigations(await app.database())


async def carry_out(app: Resources, begun: Investigation, run: Run) -> Investigation:
    """Run an investigation that was begun, and store its result. Raises what `run` raises, after storing that the
    investigation failed or was stopped."""
    topic = await (await topics_of(app)).get(begun.topic_id)
    try:
        case = await run(topic)
    except BaseException as error:
        # No other code stores that it has ended.
        stopped = isinstance(error, asyncio.CancelledError | KeyboardInterrupt)
        why = error.sentence if isinstance(error, InquestError) else "" if stopped else f"A defect: {error!r}."
        status = InvestigationStatus.CANCELLED if stopped else InvestigationStatus.FAILED
        now = app.clock.now()
        ended = {"status": status, "why": why or "It was stopped.", "finished_at": now}
        ended["seconds"] = (now - begun.investigation_date).total_seconds()
        await asyncio.shield((await investigations_of(app)).finish(begun.model_copy(update=ended), None))
        raise
    return await _record(app, begun, case)


async def record_case(app: Resources, case: Case) -> Investigation | None:
    """Store the result of a topic's case: the topic's level and the row of investigations, once per case. A topic not
    yet stored is added. None: the case has no topic, or has not ended."""
    if case.brief.topic is None or not case.status.ended:
        return None
    store = await investigations_of(app)
    known = await store.of_case(case.id)
    if known is not None and known.status.has_result:
        return known
    if known is None:
        topic = case.brief.topic
        if topic.id is None:
            topic, _ = await (await topics_of(app)).add(topic)
        assert topic.id is not None
        known = await store.for_case(topic.id, case.id, at=case.created_at, priority=topic.priority)
    return await _record(app, known, case)


async def _record(app: Resources, begun: Investigation, case: Case) -> Investigation:
    now, result = app.clock.now(), case.investigation
    store = await investigations_of(app)
    if (known := await store.of_case(case.id)) is not None and known.status.has_result:
        return known  # stored by the runner of the case
    status = InvestigationStatus(case.status.value) if case.status.ended else InvestigationStatus.FAILED
    why = case.why
    if result is None and status.has_result:
        status, why = InvestigationStatus.FAILED, "The case has no result for a topic."
    elif status.has_result and nobody_answered(case):
        # An empty result means nothing here, so the topic is investigated again.
        status, why = InvestigationStatus.FAILED, "No engine could be asked, and no page was read."
    # The duration according to its events, otherwise its stages, otherwise the clock.
    seconds = working_seconds((event.type, event.at) for event in await app.events_of(case.id))
    if seconds is None:
        by_clock = (now - begun.investigation_date).total_seconds()
        seconds = sum(case.timings.values()) if case.timings else by_clock
    ended: dict[str, Any] = {
        "case_id": case.id,
        "status": status,
        "finished_at": now,
        "seconds": seconds,
        "cost_usd": case.cost.usd,
        "outages": case.outages,
        "why": why,
    }
    if result is None or not status.has_result:
        return await store.finish(begun.model_copy(update=ended), None)
    upgrade = result.upgrade
    ended |= {name: getattr(result, name) for name in _AS_FOUND}
    ended |= {
        "sources_found": len(independent(case.sources)),
        "social_sources_found": result.social.independent_accounts or len(result.social_media_evidence),
        "original_source_url": result.original_source.url if result.original_source else None,
        "credibility_score": result.credibility_assessment,
        "verification_level_before": upgrade.before,
        "verification_level_after": upgrade.new_level,
        "sources": result.additional_sources,
        "context_notes": result.additional_context,
        "independent_credible": upgrade.independent_credible,
        "single_source": upgrade.single_source,
    }
    # The result refers to the day of the brief, but the topic is due again relative to the day of the run.
    of_the_run = result.model_copy(update={"investigation_date": case.created_at})
    return await store.finish(begun.model_copy(update=ended), of_the_run)


def nobody_answered(case: Case) -> bool:
    """True if there is no source, and no engine was ready or all failed."""
    if case.plan is None or any(source.excluded is None for source in case.sources):
        return False
    failed = {note.where for note in case.outages if note.what == "engine"}
    return failed.issuperset(case.plan.engines)


_LONGEST_WHY = 5_000
_LONGEST_NAME = 200


async def review(
    app: Resources, case_id: str, *, by: str, accept: bool = False, overrule: str | None = None, why: str = ""
) -> tuple[Review, bool]:
    """Store a decision, and return it with True if it sets the topic's level: False if a newer investigation, to be
    reviewed itself, has set it. Raises InputError for a missing decision, name or (for another level) reason, and for
    a case without topic or result; NotFound, StorageError."""
    if accept == (overrule is not None):
        raise InputError("Missing decision.", advice="Add either --accept or --overrule LEVEL.")
    name = " ".join(by.split())
    if not name:
        raise InputError("Missing name of the reviewer.", advice="Add --by NAME.")
    reason = why.strip()
    if len(reason) > _LONGEST_WHY or len(name) > _LONGEST_NAME:
        raise InputError(f"Expected at most {_LONGEST_WHY:,} characters for the reason, {_LONGEST_NAME} for the name.")
    levels = {each.value: each for each in VerificationLevel}
    level = levels.get(overrule.strip().lower()) if overrule is not None else None
    if overrule is not None and level is None:
        raise InputError(f"Invalid level '{overrule}': expected {', '.join(levels)}.")
    if level is not None and not reason:
        raise InputError("Choosing another level requires a reason.", advice='Add --why "...".')
    case = await app.case(case_id)
    found = await _investigation(app, case)
    if level is found.verification_level_after:
        raise InputError(f"The level is {level.value} already.", advice="Accept it with --accept.")
    return await Reviews(await app.database()).add(
        Review(
            case_id=case.id,
            investigation_id=found.id,
            topic_id=found.topic_id,
            by=name,
            at=app.clock.now(),
            decision=ReviewDecision.ACCEPT if accept else ReviewDecision.OVERRULE,
            level_found=found.verification_level_after,
            level_decided=level or found.verification_level_after,
            why=reason,
        )
    )


async def decisions_of(app: Resources, case_id: str) -> tuple[Review, ...]:
    """Every decision on a case, oldest first. Raises StorageError."""
    return tuple(await Reviews(await app.database()).of_case(case_id))


async def reviews_json(app: Resources, case_id: str) -> dict[str, Any]:
    """The JSON of `inquest review`: every decision, oldest first, and the topic's level. Raises InputError for a case
    without topic or result, NotFound, StorageError."""
    case = await app.case(case_id)
    found = await _investigation(app, case)
    decisions = await decisions_of(app, case.id)
    topic = await (await topics_of(app)).get(found.topic_id)
    return {
        "case_id": case.id,
        "investigation_id": found.id,
        "topic_id": found.topic_id,
        "title": topic.title,
        "level_before": found.verification_level_before.value,
        "level_found": found.verification_level_after.value,
        "level_now": topic.verification_status.value,
        "requires_human_review": found.requires_human_review,
        "review_flags": [flag.value for flag in found.review_flags],
        "review_reason": found.review_reason,
        "reviewed": bool(decisions),
        "reviews": [each.model_dump(mode="json", exclude={"case_id", "topic_id"}) for each in decisions],
    }


async def _investigation(app: Resources, case: Case) -> Investigation:
    """The investigation of this case, stored now if it was not."""
    found = await record_case(app, case) or await (await investigations_of(app)).of_case(case.id)
    if found is None:
        what = "has not ended yet" if case.brief.topic else "investigates no topic, so it has no level to review"
        raise InputError(f"The case {case.id} {what}.", advice="`inquest verify` and `inquest watch` make such cases.")
    if not found.status.has_result:
        raise NotFound(f"The investigation of case {case.id} has no result ({found.status.value}). {found.why}".strip())
    return found
