"""Decisions on a case of a service: its plan, cancelling, resuming, removal, and a further round."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.callbacks.relay import outbox_of
from inquest.app.cases.claim_decisions import Deciding, decide_claim
from inquest.app.cases.requests import decision_from
from inquest.app.service.dispatching import case_work
from inquest.desks.inquiry.planning import other_topic
from inquest.domain.case import Case, CaseKind, CaseStatus, EarlierVerdict, Round
from inquest.domain.editorial import DecisionKind
from inquest.domain.errors import Busy, Conflict, InputError, NotFound
from inquest.domain.plan import Approval, Decision

if TYPE_CHECKING:
    from inquest.app.service.dispatching import Dispatcher
    from inquest.app.wiring.resources import Resources

MOST_WORDS = 5_000


async def decide(
    app: Resources, dispatcher: Dispatcher, case: Case, words: str, *, by: str, revision: int | None = None
) -> Approval:
    """Answer the waiting plan in free text: approve, reject, or what to change. Raises the errors of `answer`."""
    return await answer(app, dispatcher, case, PlanAnswer(*decision_from(words), revision), by=by)


@dataclass(frozen=True)
class PlanAnswer:
    """A decision on a plan. `text`: what to change; `revision`: that of the plan the person saw."""

    decision: Decision
    text: str = ""
    revision: int | None = None


async def answer(app: Resources, dispatcher: Dispatcher, case: Case, given: PlanAnswer, *, by: str) -> Approval:
    """Answer the waiting plan and continue the case. Raises InputError; Conflict if no plan waits, the plan has a newer
    revision or another person has answered it; StorageError."""
    text = given.text.strip() if given.decision is Decision.REVISE else ""
    if given.decision is Decision.REVISE and not text:
        raise InputError("Missing change.", advice="Write approve, reject, or what to change.", field="words")
    if len(given.text) > MOST_WORDS:
        raise InputError(f"Invalid change: expected at most {MOST_WORDS:,} characters.", advice="Shorten it.")
    if case.status is not CaseStatus.PLANNED or case.plan is None:
        where = "has no plan yet" if case.status is CaseStatus.PLANNED else f"is {case.status.value}"
        raise Conflict(
            f"No plan of case {case.id} is waiting for a decision: the case {where}.", advice="Look at the case again."
        )
    if given.revision is not None and given.revision != case.plan.revision:
        raise Conflict(
            f"The plan of case {case.id} is now revision {case.plan.revision}, not {given.revision}.",
            advice="Look at it again before you decide.",
        )
    approval = Approval(
        decision=given.decision, text=text, by=by, at=app.clock.now(), how="api", revision=case.plan.revision
    )
    await (await case_work(app)).decide(case.id, approval)
    await dispatcher.submit(case.id)
    return approval


async def cancel(app: Resources, dispatcher: Dispatcher, case: Case, *, by: str, report: bool) -> None:
    """Stop a case, with or without a report on what was found; a waiting plan is rejected. Raises Conflict if the case
    has ended, Busy if it runs in a process that cannot be reached from here."""
    if case.status.ended:
        raise Conflict(f"The case {case.id} has ended ({case.status.value}).", advice="Look at the case again.")
    if await dispatcher.cancel(case.id, report=report):
        return
    if case.waits:
        await decide(app, dispatcher, case, "reject", by=by)
        return
    raise Busy(f"The case {case.id} is running in another process.", advice="Stop it there.")


async def resume(app: Resources, dispatcher: Dispatcher, case: Case) -> None:
    """Resume a case that was stopped or interrupted. Raises Conflict if it has ended or waits for a decision."""
    if case.waits:
        raise Conflict(f"The plan of case {case.id} is waiting for a decision.", advice="Answer it.")
    if case.status.ended and (case.status is not CaseStatus.CANCELLED or case.is_rejected):
        what = "was rejected" if case.is_rejected else f"has ended ({case.status.value})"
        raise Conflict(f"The case {case.id} {what}.", advice="Open a new one.")
    await (await outbox_of(app)).wake(case.id, at=app.clock.now())
    await dispatcher.submit(case.id)


def without_claims(case: Case, kept: Collection[str]) -> str:
    """Return the change request that drops all claims but these. Raises InputError if no claim is left or none is
    dropped."""
    dropped = [claim.id for claim in case.claims if claim.id not in kept]
    if not dropped:
        raise InputError(
            "No claim was unticked.", advice="Untick the claims that need no checking, or approve the plan."
        )
    if len(dropped) == len(case.claims):
        raise InputError("No claim is left.", advice="Tick at least one, or reject the plan.")
    return f"drop {', '.join(dropped)}"


async def remove_case(app: Resources, case: Case) -> None:
    """Delete the case and the archived pages that no other case uses. Raises Conflict while it runs, StorageError."""
    if case.status is CaseStatus.RUNNING and case.id not in await (await app.store()).interrupted():
        raise Conflict(f"The case {case.id} is running.", advice="Stop it first.")
    from inquest.store.cases import forget_case

    await forget_case(await app.database(), app.archive, case.id, app.clock.now())


FURTHER_KINDS = (CaseKind.INQUIRY, CaseKind.CLAIMS)
"""A topic or a market question is run again as a new case instead."""


async def ask_more(app: Resources, dispatcher: Dispatcher, case: Case, claim_id: str, words: str, *, by: str) -> Round:
    """Begin a further round and submit the case. Raises as `reopen`."""
    further = await reopen(app, case, claim_id, words, by=by)
    await dispatcher.submit(case.id)
    return further


async def reopen(app: Resources, case: Case, claim_id: str, words: str, *, by: str) -> Round:
    """Begin a further round about a claim, or about the whole case (''). A new plan with the request waits for
    approval; earlier requests are answered from the recording, and until the round ends the case shows the earlier
    results. Raises InputError for an unusable request, NotFound for an unknown claim, Conflict if the case has no
    report yet, is running, or is of a kind without further rounds, StorageError."""
    wanted = words.strip()
    if not wanted or len(wanted) > MOST_WORDS:
        raise InputError(
            f"Invalid request: expected 1 to {MOST_WORDS:,} characters that say what to look for.",
            advice="For example: the regulator's own notice.",
            field="why",
        )
    claim = next((each for each in case.claims if each.id == claim_id), None)
    if claim_id and claim is None:
        raise NotFound(f"The case {case.id} has no claim {claim_id[:80]!r}.", advice="Look at the claims of the case.")
    if case.kind not in FURTHER_KINDS:
        raise Conflict(f"Cases of kind {case.kind.value} cannot have further rounds.", advice="Open a new case.")
    if case.status not in (CaseStatus.COMPLETED, CaseStatus.PARTIAL) or case.summary is None or case.plan is None:
        raise Conflict(
            f"The case {case.id} has no report yet ({case.status.value}).", advice="Ask for more once it has ended."
        )
    if other_topic(wanted, case.plan.topic):
        raise InputError("That is another topic.", advice="Open a new case for it: a case has one topic.")
    now, texts = app.clock.now(), {each.id: each.text for each in case.claims}
    further = Round(
        number=len(case.rounds) + 2,
        by=by,
        at=now,
        words=wanted,
        claim=claim.text if claim else "",
        status=case.status.value,
        why=case.why,
        plan=case.plan,
        verdicts=tuple(
            EarlierVerdict(claim=texts[each.claim_id], verdict=each.verdict, confidence=each.confidence)
            for each in case.assessments
            if each.claim_id in texts
        ),
    )
    revision = Approval(
        decision=Decision.REVISE,
        text=wanted,
        about=claim.text if claim else case.plan.topic,
        by=by,
        at=now,
        how="further round",
        revision=case.plan.revision,
    )
    if any(each.claim_id == claim_id for each in case.assessments):
        await decide_claim(app, case, Deciding(claim_id, DecisionKind.MORE, why=wanted), by=by)
    reopened = case.model_copy(
        update={
            "status": CaseStatus.RUNNING,
            "why": "",
            "approvals": (*case.approvals, revision),
            "rounds": (*case.rounds, further),
        }
    )
    await (await case_work(app)).plan_reopened(case.id, case.plan.revision)
    await (await app.store()).save(reopened)
    return further
