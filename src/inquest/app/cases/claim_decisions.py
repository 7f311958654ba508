"""People's decisions on the claims of a case: accept a verdict, overrule it for a reason, leave a comment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.case import Case
from inquest.domain.case_question import questions_in
from inquest.domain.claim import Claim
from inquest.domain.claim_decision import ClaimDecision, DecisionKind, by_claim
from inquest.domain.errors import Conflict, InputError, NotFound
from inquest.domain.event import SAID_BY_PEOPLE, Event, EventType
from inquest.domain.finding import Finding

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


MOST_WORDS = 5_000


@dataclass(frozen=True)
class Deciding:
    """What somebody wants to decide."""

    claim_id: str
    kind: DecisionKind
    verdict: str = ""
    """The verdict that holds instead, where the found one is overruled."""
    why: str = ""
    finding_id: str = ""
    """The finding that a comment is on; '': the claim as a whole."""
    seen: int | None = None
    """The number of the last decision on the claim that the person saw; 0: they saw none; None: it is not asked."""


def claim_decisions(events: Iterable[Event]) -> tuple[ClaimDecision, ...]:
    """The decisions among these events, oldest first."""
    found = []
    for event in events:
        if event.type is not EventType.PERSON_DECIDED:
            continue
        try:
            found.append(ClaimDecision.model_validate({**event.data, "id": event.id, "at": event.at}))
        except ValidationError:
            continue  # of a newer version: it is left out here, and stays where it is
    return tuple(found)


async def decisions_on(app: Resources, case: Case) -> Mapping[str, tuple[ClaimDecision, ...]]:
    """What people decided on each claim of the case, as `by_claim`. Raises StorageError."""
    return by_claim(case.claims, claim_decisions(await app.events_of(case.id, *SAID_BY_PEOPLE)))


async def as_shown(app: Resources, case: Case) -> Case:
    """The case with the verdicts that people decided on (`as_decided`) and the questions that they asked of it. Raises
    StorageError."""
    from inquest.reports.asked import with_questions
    from inquest.reports.decided import as_decided

    events = await app.events_of(case.id, *SAID_BY_PEOPLE)
    return with_questions(as_decided(case, claim_decisions(events)), questions_in(events))


async def decide_claim(app: Resources, case: Case, wanted: Deciding, *, by: str) -> Event:
    """Keep a decision on a claim. Raises NotFound where the case has no verdict on such a claim; InputError where it is
    not said what is decided or why; Conflict where somebody else has decided on it since the person looked;
    StorageError."""
    assessment = next((each for each in case.assessments if each.claim_id == wanted.claim_id), None)
    if assessment is None:
        raise NotFound(f"The case {case.id} has no verdict on a claim {wanted.claim_id[:80]!r}.")
    decided, why = _checked(wanted, assessment)
    finding = _commented(case, wanted)
    earlier = (await decisions_on(app, case)).get(wanted.claim_id, ())
    if wanted.seen is not None and earlier and earlier[-1].id != wanted.seen:
        raise Conflict(
            f"{earlier[-1].by} has said something on this claim since you looked.",
            advice="Look at it again before you decide.",
        )
    sink = (await app.events()).sink(case.id, app.clock)
    verb = {DecisionKind.ACCEPT: "accepts", DecisionKind.OVERRULE: "overrules", DecisionKind.COMMENT: "comments on"}
    verb[DecisionKind.MORE] = "asks for more on"
    what = f": {decided.value}" if wanted.kind is DecisionKind.OVERRULE else ""
    return await sink.emit(
        EventType.PERSON_DECIDED,
        f"{by} {verb[wanted.kind]} {wanted.claim_id}{what}",
        claim_id=wanted.claim_id,
        claim=_claim(case, wanted.claim_id).text,
        finding_id=finding.id if finding else "",
        quote=finding.quote if finding else "",
        kind=wanted.kind.value,
        found=assessment.verdict.value,
        decided=decided.value,
        why=why,
        by=by,
    )


def _claim(case: Case, claim_id: str) -> Claim:
    return next(each for each in case.claims if each.id == claim_id)


def _commented(case: Case, wanted: Deciding) -> Finding | None:
    if not wanted.finding_id:
        return None
    found = next((f for f in case.findings if f.id == wanted.finding_id and f.claim_id == wanted.claim_id), None)
    if found is None:
        raise NotFound(f"There is no finding {wanted.finding_id[:80]!r} on the claim {wanted.claim_id}.")
    return found


def _checked(wanted: Deciding, assessment: Assessment) -> tuple[Verdict, str]:
    why = wanted.why.strip()
    if len(why) > MOST_WORDS:
        raise InputError(f"A reason may have {MOST_WORDS:,} characters.", advice="Say it in fewer words.")
    if wanted.kind is DecisionKind.COMMENT and not why:
        raise InputError("The comment is empty.", advice="Write what you want to say.")
    if wanted.kind is not DecisionKind.OVERRULE:
        return assessment.verdict, why
    if wanted.verdict not in {each.value for each in Verdict}:
        raise InputError("Missing verdict.", advice="Choose the one that holds instead.", field="verdict")
    if not why:
        raise InputError("Another verdict needs a reason.", advice="Say why the found one does not hold.", field="why")
    return Verdict(wanted.verdict), why
