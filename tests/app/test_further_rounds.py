"""A further round after the report: the case continues, and no findings or decisions are lost."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import InquiryRequest, request_of
from inquest.app.cases.claim_decisions import Deciding, case_document, claim_decisions, decide_claim
from inquest.app.cases.reporting import render, replay
from inquest.app.cases.requests import brief_from
from inquest.app.service.case_actions import Owner, PlanAnswer, answer, open_brief, reopen
from inquest.app.service.dispatching import InProcess, fail
from inquest.domain.case import Case, CaseStatus, Round, in_force
from inquest.domain.errors import Conflict, InputError, NotFound
from inquest.domain.event import DecisionKind, EventType, by_claim, standing_decision
from inquest.domain.plan import Approval, Decision
from tests.app.conftest import BRIEF

AT = datetime(2026, 5, 1, tzinfo=UTC)


async def at_rest(inquest: Inquest, works: InProcess, case_id: str) -> Case:
    """The case, once no process works on it."""
    while works._tasks:
        await asyncio.sleep(0.02)
    return await inquest.app.case(case_id)


async def test_a_case_goes_on_with_what_is_asked_for_and_keeps_what_was_found_and_decided(inquest: Inquest) -> None:
    app = inquest.app
    asked = {"brief": BRIEF, "collections": ["tarn"], "engines": ["collection"], "mode": "quick"}
    brief = brief_from(request_of(InquiryRequest, asked), BRIEF, mode="quick", settings=app.settings)
    works = InProcess(app)
    await works.start()
    opened = await open_brief(app, works, brief, Owner(by="Ada"), approve=True)
    first = await at_rest(inquest, works, opened.id)
    assert first.summary is not None
    claim = first.claims[1]
    await decide_claim(
        app,
        first,
        claim.id,
        Deciding(kind=DecisionKind.OVERRULE, verdict="disputed", why="The lab took it back."),
        by="Ada",
    )
    with pytest.raises(InputError):
        await reopen(app, first, claim.id, " ", by="Bo", dispatcher=works)
    with pytest.raises(NotFound):
        await reopen(app, first, "C99", "more", by="Bo", dispatcher=works)
    await reopen(app, first, claim.id, "the complaints of the residents", by="Bo", dispatcher=works)
    planned = await at_rest(inquest, works, first.id)
    assert planned.status is CaseStatus.PLANNED and planned.plan is not None and first.plan is not None
    assert planned.plan.revision == first.plan.revision + 1
    assert any("resident" in query.text.lower() for query in planned.plan.queries)
    assert planned.findings == first.findings and planned.assessments == first.assessments
    with pytest.raises(Conflict):
        await reopen(app, planned, claim.id, "more", by="Bo", dispatcher=works)
    await answer(app, works, planned, PlanAnswer(Decision.APPROVE, revision=planned.plan.revision), by="Ada")
    second = await at_rest(inquest, works, first.id)
    assert second.status.ended and second.summary is not None and len(second.rounds) == 1
    assert second.rounds[0].words == "the complaints of the residents" and second.rounds[0].verdicts
    assert {each.url for each in first.sources} <= {each.url for each in second.sources}
    assert [each.decision.value for each in second.approvals] == ["approve", "revise", "approve"]
    kept = by_claim(second.claims, claim_decisions(await app.events_of(second.id)))
    again = next(each for each in second.claims if each.text == claim.text)
    stands = standing_decision(kept[again.id])
    assert stands is not None and stands.by == "Ada" and stands.decided.value == "disputed"
    replayed = await replay(app, second.id)
    assert replayed.same, replayed.difference
    report = (await render(app, second, "md")).decode()
    assert "Overruled by Ada" in report and "The lab took it back." in report
    document = await case_document(app, second)
    assert [each["kind"] for each in document["decisions"]] == ["overrule", "more"]
    # A rejected round leaves everything unchanged, and the next one begins where it began.
    await reopen(app, second, again.id, "the permit of 2019", by="Bo", dispatcher=works)
    waiting = await at_rest(inquest, works, first.id)
    await answer(app, works, waiting, PlanAnswer(Decision.REJECT), by="Ada")
    third = await at_rest(inquest, works, first.id)
    assert third.status is second.status and third.findings == second.findings and third.plan == second.plan
    assert "rejected" in third.rounds[-1].result
    assert (await replay(app, third.id)).same
    await reopen(app, third, again.id, "the permit of 2019", by="Bo", dispatcher=works)
    assert (await at_rest(inquest, works, first.id)).status is CaseStatus.PLANNED
    events = await app.events_of(first.id)
    assert sum(event.type is EventType.CASE_FINISHED for event in events) == 3
    # A round that cannot be run ends the case as it ended before.
    await fail(app, first.id, "The work failed three times.")
    ended = (await app.events_of(first.id))[-1]
    assert ended.type is EventType.CASE_FINISHED and ended.marker == second.status.end_marker
    assert ended.marker in ("INVESTIGATION_COMPLETE", "INVESTIGATION_PARTIAL")
    await works.aclose()


def test_what_is_in_force_are_the_decisions_behind_the_plan_that_stands() -> None:
    def said(decision: Decision, minute: int) -> Approval:
        return Approval(decision=decision, by="Ada", at=AT + timedelta(minutes=minute), how="api")

    yes, change, more, yes_again = (
        said(Decision.APPROVE, 2), said(Decision.REVISE, 1), said(Decision.REVISE, 5), said(Decision.APPROVE, 6),
    )  # fmt: skip
    assert in_force((change, yes)) == (change, yes)
    round_ = Round(number=2, by="Bo", at=AT + timedelta(minutes=5), words="more", status="completed")
    assert in_force((change, yes, more, yes_again), (round_,)) == (change, more, yes_again)
    nothing = round_.model_copy(update={"result": "rejected"})
    no = said(Decision.REJECT, 6)
    assert in_force((change, yes, more, no), (nothing,)) == (change, yes)
    assert in_force((), ()) == ()
