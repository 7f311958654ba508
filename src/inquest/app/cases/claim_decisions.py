"""People's decisions on the claims of a case: accept a verdict, overrule it for a reason, leave a comment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.case import Case
from inquest.domain.claim_decision import ClaimDecision, DecisionKind
from inquest.domain.errors import Conflict, InputError, NotFound
from inquest.domain.event import Event, EventType

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

__all__ = ["MOST_WORDS", "Deciding", "claim_decisions", "decide_claim", "standing_decision"]

MOST_WORDS = 5_000


@dataclass(frozen=True)
class Deciding:
    """What somebody wants to decide."""

    claim_id: str
    kind: DecisionKind
    verdict: str = ""
    """The verdict that holds instead, where the found one is overruled."""
    why: str = ""
    seen: int | None = None
    """The number of the last decision on the claim that the person saw; 0: they saw none; None: it is not asked."""


def claim_decisions(events: Iterable[Event]) -> Mapping[str, tuple[ClaimDecision, ...]]:
    """The decisions among these events by claim, oldest first."""
    found: dict[str, list[ClaimDecision]] = {}
    for event in events:
        if event.type is not EventType.PERSON_DECIDED:
            continue
        try:
            decision = ClaimDecision.model_validate({**event.data, "id": event.id, "at": event.at})
        except ValidationError:
            continue  # of a newer version: it is left out here, and stays where it is
        found.setdefault(decision.claim_id, []).append(decision)
    return {claim_id: tuple(decisions) for claim_id, decisions in found.items()}


def standing_decision(decisions: Iterable[ClaimDecision]) -> ClaimDecision | None:
    """The last one that is about the verdict; None: nobody has decided on it."""
    last = None
    for each in decisions:
        last = last if each.kind is DecisionKind.COMMENT else each
    return last


async def decide_claim(app: Resources, case: Case, wanted: Deciding, *, by: str) -> Event:
    """Keep a decision on a claim.

    Raises NotFound where the case has no verdict on such a claim; InputError where it is not said what is decided or
    why; Conflict where somebody else has decided on it since the person looked; StorageError.
    """
    assessment = next((each for each in case.assessments if each.claim_id == wanted.claim_id), None)
    if assessment is None:
        raise NotFound(f"The case {case.id} has no verdict on a claim {wanted.claim_id[:80]!r}.")
    decided, why = _checked(wanted, assessment)
    earlier = claim_decisions(await app.events_of(case.id)).get(wanted.claim_id, ())
    if wanted.seen is not None and earlier and earlier[-1].id != wanted.seen:
        raise Conflict(
            f"{earlier[-1].by} has said something on this claim since you looked.",
            advice="Look at it again before you decide.",
        )
    sink = (await app.events()).sink(case.id, app.clock)
    verb = {DecisionKind.ACCEPT: "accepts", DecisionKind.OVERRULE: "overrules", DecisionKind.COMMENT: "comments on"}
    what = f": {decided.value}" if wanted.kind is DecisionKind.OVERRULE else ""
    return await sink.emit(
        EventType.PERSON_DECIDED,
        f"{by} {verb[wanted.kind]} {wanted.claim_id}{what}",
        claim_id=wanted.claim_id,
        kind=wanted.kind.value,
        found=assessment.verdict.value,
        decided=decided.value,
        why=why,
        by=by,
    )


def _checked(wanted: Deciding, assessment: Assessment) -> tuple[Verdict, str]:
    why = wanted.why.strip()
    if len(why) > MOST_WORDS:
        raise InputError(f"A reason may have {MOST_WORDS:,} characters.", advice="Say it in fewer words.")
    if wanted.kind is DecisionKind.COMMENT and not why:
        raise InputError("The comment is empty.", advice="Write what you want to say.")
    if wanted.kind is not DecisionKind.OVERRULE:
        return assessment.verdict, why
    if wanted.verdict not in {each.value for each in Verdict}:
        raise InputError("It is not said which verdict holds instead.", advice="Choose one.")
    if not why:
        raise InputError("Another verdict needs a reason.", advice="Say why the found one does not hold.")
    return Verdict(wanted.verdict), why
