"""An inquiry from brief to report on documents of one's own, with no key, no model and no network."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import InquiryRequest, request_of
from inquest.app.cases.reporting import Replayed
from inquest.app.cases.requests import approval_from, brief_from
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Stance
from inquest.domain.plan import Brief, Decision, Mode, Plan
from tests.app.conftest import BRIEF, over_the_rows


async def _whole(inquest: Inquest, **more: object) -> Case:
    options: dict[str, object] = {"collections": ["tarn"], "engines": ["collection"], "mode": "detailed"} | more
    return await inquest.inquiry(BRIEF, **options)  # type: ignore[arg-type]


def _brief(inquest: Inquest, mode: str = "quick") -> Brief:
    asked = {"brief": BRIEF, "collections": ["tarn"], "engines": ["collection"], "mode": mode}
    return brief_from(request_of(InquiryRequest, asked), BRIEF, mode=mode, settings=inquest.app.settings)


@dataclass(frozen=True)
class Whole:
    """An inquiry, what was reported of it, what it read, and its replay."""

    case: Case
    reported: tuple[Event, ...]
    kept: tuple[Event, ...]
    texts: dict[str, str]
    again: Replayed


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    async def work() -> Whole:
        reported: list[Event] = []
        async with over_the_rows(tmp_path_factory.mktemp("inquiry")) as inquest:
            case = await _whole(inquest, on_event=reported.append)
            kept = tuple([event async for event in inquest.events(case.id)])
            texts = {each.snapshot: await inquest.app.snapshot_text(each.snapshot) for each in case.findings}
            return Whole(case, tuple(reported), kept, texts, await inquest.replay(case.id))

    return asyncio.run(work())


def test_every_quote_is_in_its_snapshot(whole: Whole) -> None:
    case = whole.case
    assert case.status is CaseStatus.COMPLETED
    assert case.findings
    for finding in case.findings:
        assert whole.texts[finding.snapshot][finding.start : finding.end] == finding.quote
    cited = {citation.finding_id for citation in case.citations}
    assert cited <= {finding.id for finding in case.findings}
    assert [citation.n for citation in case.citations] == list(range(1, len(case.citations) + 1))


def test_both_figures_of_the_fine_are_found_and_set_against_each_other(whole: Whole) -> None:
    domains = {source.id: source.domain for source in whole.case.sources}
    against = {
        domains[finding.source_id]
        for finding in whole.case.findings
        if finding.stance is Stance.CONTRADICTS and "510,000" in finding.quote
    }
    assert against == {"vale-courier.example"}


def test_a_page_that_gives_orders_changes_neither_its_tier_nor_a_verdict(whole: Whole) -> None:
    case = whole.case
    blog = [source for source in case.sources if source.domain == "tarnblog.example"]
    assert all(source.rating.tier == 4 for source in blog)
    assert case.plan is not None and not any("169.254" in query.text for query in case.plan.queries)
    assert not any("169.254" in note.where for note in case.outages)


def test_the_same_case_gives_the_same_report_again_offline(whole: Whole) -> None:
    assert whole.again.difference == ""
    assert whole.again.same
    assert whole.again.case.findings == whole.case.findings
    assert whole.again.replies > 0


async def test_nothing_published_after_the_as_of_date_is_evidence(inquest: Inquest) -> None:
    case = await _whole(inquest, as_of="2023-12-31")
    later = [source for source in case.sources if source.excluded]
    counted = {source.id for source in case.sources if not source.excluded}
    assert all("appeal" in source.url for source in later)
    assert {finding.source_id for finding in case.findings} <= counted
    assert not any("90,000" in finding.quote for finding in case.findings)


async def test_nothing_runs_before_the_plan_is_approved(inquest: Inquest) -> None:
    seen: list[Plan] = []

    def look(plan: Plan) -> str:
        seen.append(plan)
        return "reject"

    case = await _whole(inquest, approve=look)
    assert case.status is CaseStatus.CANCELLED
    assert len(seen) == 1
    assert case.sources == ()
    assert case.cost.search_calls == 0
    assert case.approvals[-1].decision is Decision.REJECT


async def test_a_plan_is_revised_in_the_users_words_and_every_decision_is_kept(inquest: Inquest) -> None:
    answers = iter(["also look at the complaints of residents", "yes"])
    case = await _whole(inquest, approve=lambda plan: next(answers))
    assert [approval.decision for approval in case.approvals] == [Decision.REVISE, Decision.APPROVE]
    assert case.plan is not None
    assert case.plan.revision == 2
    assert any("resident" in query.text.lower() for query in case.plan.queries)


async def test_a_case_waits_at_its_plan_until_another_day(inquest: Inquest) -> None:
    async with await inquest.app.new_case(_brief(inquest)) as session:
        planned = await session.begin()
    assert planned.status is CaseStatus.PLANNED
    home = inquest.app.settings.home
    async with Inquest(home=home) as tomorrow:
        case = await tomorrow.resume(planned.id)
    assert case.status is CaseStatus.COMPLETED
    assert case.plan == planned.plan


async def test_quick_mode_skips_the_timeline_and_an_ended_case_is_not_resumed(inquest: Inquest) -> None:
    case = await _whole(inquest, mode="quick")
    assert case.brief.mode is Mode.QUICK
    assert case.timeline == ()
    assert "TIMELINE_SKIPPED" in case.markers
    assert len(case.claims) <= 5
    with pytest.raises(InputError, match="has ended"):
        await inquest.resume(case.id)


def test_the_stages_are_reported_in_order_and_events_can_be_read_again(whole: Whole) -> None:
    kept = whole.kept
    assert [event.id for event in kept] == sorted({event.id for event in kept})
    assert [event.text for event in whole.reported] == [event.text for event in kept]
    types = [event.type for event in kept]
    for earlier, later in (
        (EventType.PLAN_READY, EventType.CASE_STARTED),
        (EventType.CASE_STARTED, EventType.SOURCE_FOUND),
        (EventType.SOURCE_FOUND, EventType.CLAIM_EXTRACTED),
        (EventType.CLAIM_EXTRACTED, EventType.FACT_CHECKED),
        (EventType.FACT_CHECKED, EventType.SUMMARY_WRITTEN),
        (EventType.SUMMARY_WRITTEN, EventType.CASE_FINISHED),
    ):
        assert types.index(earlier) < types.index(later)
    assert kept[-1].marker == "INVESTIGATION_COMPLETE"


async def test_whoever_is_told_that_a_plan_is_ready_finds_it_there(inquest: Inquest) -> None:
    session = await inquest.app.new_case(_brief(inquest))
    looked: list[asyncio.Future[Case]] = []

    def look(event: Event) -> None:
        if event.type is EventType.PLAN_READY:
            looked.append(asyncio.ensure_future(inquest.app.case(event.case_id)))

    session.listen(look)
    async with session:
        case = await session.begin()
        assert case.plan is not None
        await session.decide(approval_from("leave out the jobs", case.plan, how="test"))
    found = [case.plan for case in await asyncio.gather(*looked)]
    assert [plan.revision if plan else None for plan in found] == [1, 2]


async def test_stopping_reports_what_there_is_and_replays_alike(inquest: Inquest) -> None:
    session = await inquest.app.new_case(_brief(inquest, "detailed"))

    def stop_at_the_claims(event: Event) -> None:
        if event.type is EventType.CLAIM_EXTRACTED:
            asyncio.get_running_loop().call_soon(session.stop)

    session.listen(stop_at_the_claims)
    async with session:
        case = await session.begin()
        assert case.plan is not None
        case = await session.decide(approval_from("yes", case.plan, how="test"))
    assert case.status is CaseStatus.PARTIAL
    assert "asked to stop" in case.why
    assert case.sources
    assert case.summary is not None
    assert case.cut
    unreached = [each for each in case.assessments if not each.checked]
    told = " ".join(said.text for section in case.summary.sections for said in section.statements)
    assert unreached
    assert "could not be checked" in told
    assert "Nothing was found that confirms or contradicts" not in told
    assert case.budget_met == "cancelled"
    assert (await inquest.replay(case.id)).difference == ""
