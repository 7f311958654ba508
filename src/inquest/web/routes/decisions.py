"""Decisions on a case: plan, verdicts, further rounds, questions, assignment, stop and resume."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Form, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from inquest.api.access import Editing, Investigating, Reading, SeenCase, require
from inquest.app.cases.claim_decisions import MOST_CHARACTERS, Deciding, ask_case, decide_claim
from inquest.app.cases.requests import decision_from
from inquest.app.cases.topic_records import review
from inquest.app.desks import watching
from inquest.app.service import case_actions
from inquest.app.service.case_actions import reopen
from inquest.app.service.looking import Assigning, assign
from inquest.domain.event import DecisionKind
from inquest.domain.person import Role
from inquest.domain.plan import Decision
from inquest.web.render import page_router

router = page_router()

Words = Annotated[str, Form(max_length=case_actions.MOST_WORDS)]


@router.post("/cases/{case_id}/decide")
async def decide(
    case: SeenCase,
    visit: Investigating,
    decision: Annotated[Literal["approve", "revise", "reject"], Form()],
    revision: Annotated[int, Form(ge=1)],
    words: Words = "",
) -> Response:
    """Approve or reject the plan, or ask for changes in free text."""
    given = case_actions.PlanAnswer(Decision(decision), words, revision)
    await case_actions.answer(visit.app, visit.works, case, given, by=visit.person.name)
    return _back(case.id)


@router.post("/cases/{case_id}/chat")
async def say(case: SeenCase, visit: Investigating, words: Words, revision: Annotated[int, Form(ge=1)]) -> Response:
    """Answer the plan in the conversation."""
    given = case_actions.PlanAnswer(*decision_from(words), revision)
    await case_actions.answer(visit.app, visit.works, case, given, by=visit.person.name)
    return RedirectResponse(f"/cases/{case.id}/chat", 303)


class TickedForm(BaseModel):
    """The ticked claims of a plan."""

    revision: Annotated[int, Field(ge=1)]
    keep: Annotated[list[str], Field(max_length=1000)] = []


@router.post("/cases/{case_id}/claims")
async def choose_claims(case: SeenCase, visit: Investigating, given: Annotated[TickedForm, Form()]) -> Response:
    """Revise the plan to leave out the claims that are not ticked."""
    answer = case_actions.PlanAnswer(Decision.REVISE, case_actions.without_claims(case, given.keep), given.revision)
    await case_actions.answer(visit.app, visit.works, case, answer, by=visit.person.name)
    return RedirectResponse(f"/cases/{case.id}/plan", 303)


@router.post("/cases/{case_id}/verdicts/{claim_id}")
async def decide_on_claim(
    case: SeenCase, visit: Reading, claim_id: str, given: Annotated[Deciding, Form()]
) -> Response:
    """Accept or overrule the verdict on a claim (editors), or comment on it or on a finding (all readers of the case).
    Raises NotAllowed."""
    if given.kind is not DecisionKind.COMMENT:
        require(visit.person, Role.EDITOR)
    await decide_claim(visit.app, case, claim_id, given, by=visit.person.name)
    if given.finding_id:
        return RedirectResponse(f"/cases/{case.id}/evidence/{quote(given.finding_id, safe='')}#comments", 303)
    return RedirectResponse(f"/cases/{case.id}/verdicts#{quote(claim_id)}", 303)


@router.post("/cases/{case_id}/further")
async def further(
    case: SeenCase, visit: Investigating, claim_id: Annotated[str, Form(max_length=200)] = "", why: Words = ""
) -> Response:
    """Begin a further round about a claim or the whole case; its plan waits for approval."""
    await reopen(visit.app, case, claim_id, why, by=visit.person.name, dispatcher=visit.works)
    return _back(case.id)


@router.post("/cases/{case_id}/questions")
async def ask(
    case: SeenCase,
    visit: Investigating,
    question: Annotated[str, Form(max_length=MOST_CHARACTERS)] = "",
    back: Literal["", "chat"] = Form(""),
) -> Response:
    """Answer a question from the archived pages of a finished case."""
    asked, _ = await ask_case(visit.app, case, question, by=visit.person.name)
    return RedirectResponse(f"/cases/{case.id}{f'/chat#c{asked.id}' if back else f'#question-{asked.id}'}", 303)


class AssignmentForm(Assigning):
    """The assignment of a case; a form sends its empty field, nobody, as a missing one."""

    assigned: Annotated[str, Field(max_length=200)] | None = ""


@router.post("/cases/{case_id}/assignment")
async def assign_case(case: SeenCase, visit: Investigating, given: Annotated[AssignmentForm, Form()]) -> Response:
    """Assign the case to a user, set its desk status, or leave a note."""
    await assign(visit.app, case, given, by=visit.person.name)
    return _back(case.id)


@router.post("/cases/{case_id}/watch")
async def watch_case(case: SeenCase, visit: Editing, every: Annotated[str, Form(max_length=20)] = "") -> Response:
    """Run the case again at an interval; '' stops this."""
    if every:
        subject = await watching.watchable(visit.app, case.id)
        await watching.watch(visit.app, subject, every=watching.parse_every(every), by=visit.person.name)
    else:
        await watching.unwatch(visit.app, case)
    return _back(case.id)


@router.post("/cases/{case_id}/level")
async def decide_on_level(
    case: SeenCase,
    visit: Editing,
    decision: Annotated[Literal["accept", "overrule"], Form()],
    level: Annotated[str, Form(max_length=40)] = "",
    why: Annotated[str, Form(max_length=5_000)] = "",
) -> Response:
    """Accept the level that the investigation of a topic found, or decide on another."""
    overruled = level if decision == "overrule" else None
    await review(visit.app, case.id, by=visit.person.name, accept=decision == "accept", overrule=overruled, why=why)
    return _back(case.id)


@router.post("/cases/{case_id}/stop")
async def stop(
    case: SeenCase, visit: Investigating, then: Annotated[Literal["report", "nothing"], Form()] = "report"
) -> Response:
    """Stop the case, with or without a report."""
    await case_actions.cancel(visit.app, visit.works, case, by=visit.person.name, report=then == "report")
    return _back(case.id)


@router.post("/cases/{case_id}/resume")
async def resume(case: SeenCase, visit: Investigating) -> Response:
    """Resume a case that was stopped or interrupted."""
    await case_actions.resume(visit.app, visit.works, case)
    return _back(case.id)


def _back(case_id: str) -> Response:
    return RedirectResponse(f"/cases/{case_id}", 303)
