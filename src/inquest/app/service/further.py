"""More asked for in words after the report: the case goes on with a further round, and nothing of it is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import Deciding, decide_claim
from inquest.app.service.deciding import MOST_WORDS
from inquest.app.service.working import case_work
from inquest.desks.inquiry.plan_changes import other_topic
from inquest.domain.case import Case, CaseKind, CaseStatus, EarlierVerdict, Round
from inquest.domain.claim_decision import DecisionKind
from inquest.domain.errors import Conflict, InputError, NotFound
from inquest.domain.plan import Approval, Decision

if TYPE_CHECKING:
    from inquest.app.service.dispatching import Dispatcher
    from inquest.app.wiring.resources import Resources


FURTHER_KINDS = (CaseKind.INQUIRY, CaseKind.CLAIMS)
"""A topic is investigated again as a case of its own, and a market question asked again."""


async def ask_more(app: Resources, dispatcher: Dispatcher, case: Case, claim_id: str, words: str, *, by: str) -> Round:
    """Have the case go on with a further round, as `reopen`, in this service."""
    further = await reopen(app, case, claim_id, words, by=by)
    await dispatcher.submit(case.id)
    return further


async def reopen(app: Resources, case: Case, claim_id: str, words: str, *, by: str) -> Round:
    """Begin a further round about a claim, or about the case as a whole (''). Its plan is made anew with what is asked
    for, and waits for approval; what was asked before is served from the recording. Until the round has ended the case
    shows what was found before. Raises InputError for words that name nothing to look for; NotFound for a claim that
    the case does not have; Conflict where the case has no report yet, is at work, or is of a kind without further
    rounds; StorageError."""
    wanted = words.strip()
    if not wanted or len(wanted) > MOST_WORDS:
        raise InputError(
            f"Invalid request: expected 1 to {MOST_WORDS:,} characters that name what to look for.",
            advice="For example: the regulator's own notice.",
            field="why",
        )
    claim = next((each for each in case.claims if each.id == claim_id), None)
    if claim_id and claim is None:
        raise NotFound(f"The case {case.id} has no claim {claim_id[:80]!r}.", advice="Look at the claims of the case.")
    if case.kind not in FURTHER_KINDS:
        raise Conflict(f"A case of the kind {case.kind.value} has no further rounds.", advice="Open a new case.")
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
