"""A person's decision on an investigation: accept its level, or decide on another; kept for ever beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inquest.app.cases.topic_records import investigations_of, record_case, topics_of
from inquest.domain.case import Case
from inquest.domain.errors import InputError, NotFound
from inquest.domain.topic import VerificationLevel
from inquest.domain.topic_history import Investigation, Review, ReviewDecision

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.reviews import Reviews

_LONGEST_WHY = 5_000
_LONGEST_NAME = 200


async def review(
    app: Resources, case_id: str, *, by: str, accept: bool = False, overrule: str | None = None, why: str = ""
) -> tuple[Review, bool]:
    """Keep a decision, and whether the topic's level follows it: it does not where the topic has been investigated
    again since, which is then to be reviewed itself. Raises InputError where it is not said what is decided, by whom,
    or (of another level) why; where the case is of no topic or has no result. Raises NotFound, StorageError."""
    if accept == (overrule is not None):
        raise InputError("It is not said what you decide.", advice="Give either --accept, or --overrule LEVEL.")
    name = " ".join(by.split())
    if not name:
        raise InputError("It is not said who decides.", advice="Add --by NAME.")
    reason = why.strip()
    if len(reason) > _LONGEST_WHY or len(name) > _LONGEST_NAME:
        raise InputError(f"The reason may have {_LONGEST_WHY:,} characters, the name {_LONGEST_NAME}.")
    level = _level(overrule) if overrule is not None else None
    if level is not None and not reason:
        raise InputError("Another level needs a reason.", advice='Add --why "...".')
    case = await app.case(case_id)
    found = await _investigation(app, case)
    if level is found.verification_level_after:
        raise InputError(f"The level is {level.value} already.", advice="Accept it with --accept.")
    return await (await _reviews(app)).add(
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
    """Every decision on a case, oldest first; () where there is none. Raises StorageError."""
    return tuple(await (await _reviews(app)).of_case(case_id))


async def reviews_json(app: Resources, case_id: str) -> dict[str, Any]:
    """What was decided of a case, for people and programs: every decision, oldest first, and the topic's level now.
    Raises InputError where the case is of no topic or has no result, NotFound, StorageError."""
    case = await app.case(case_id)
    found = await _investigation(app, case)
    decisions = await (await _reviews(app)).of_case(case.id)
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
    """The investigation that came to this case; one that nobody has taken down yet is taken down now."""
    found = await record_case(app, case) or await (await investigations_of(app)).of_case(case.id)
    if found is None:
        what = "has not ended yet" if case.brief.topic else "investigates no topic, so it has no level to review"
        raise InputError(f"The case {case.id} {what}.", advice="`inquest verify` and `inquest watch` make such cases.")
    if not found.status.has_result:
        raise NotFound(f"The investigation of case {case.id} has no result ({found.status.value}). {found.why}".strip())
    return found


async def _reviews(app: Resources) -> Reviews:
    from inquest.store.reviews import Reviews

    return Reviews(await app.database())


def _level(word: str) -> VerificationLevel:
    try:
        return VerificationLevel(word.strip().lower())
    except ValueError as error:
        levels = ", ".join(each.value for each in VerificationLevel)
        raise InputError(f"There is no level '{word}'.", advice=f"Levels: {levels}.") from error
