"""An inquiry from brief to report on the user's own documents, with no key, no model and no network."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import InquiryRequest, request_of
from inquest.app.cases.reporting import Replayed
from inquest.app.cases.requests import approval_from, brief_from
from inquest.app.cases.session import new_session, open_session
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import HandedOver, InputError
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.finding import Stance
from inquest.domain.plan import Brief, Decision, Mode, Plan
from tests.app.conftest import BRIEF, over_the_rows


async def _whole(inquest: Inquest, brief: str = BRIEF, **more: object) -> Case:
    options: dict[str, object] = {"collections": ["tarn"], "engines": ["collection"], "mode": "detailed"} | more
    return await inquest.inquiry(brief, **options)  # type: ignore[arg-type]


def _brief(inquest: Inquest, mode: str = "quick") -> Brief:
    asked = {"brief": BRIEF, "collections": ["tarn"], "engines": ["collection"], "mode": mode}
    return brief_from(request_of(InquiryRequest, asked), BRIEF, mode=mode, settings=inquest.app.settings)


@dataclass(frozen=True)
class Whole:
    """An inquiry, its events, the pages it read, and its replay."""

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


async def test_a_case_waits_at_its_plan_until_another_day(inquest: Inquest) -> None:
    async with await new_session(inquest.app, _brief(inquest)) as session:
        planned = await session.begin()
    assert planned.status is CaseStatus.PLANNED
    home = inquest.app.settings.home
    async with Inquest(home=home) as tomorrow:
        case = await tomorrow.resume(planned.id)
    assert case.status is CaseStatus.COMPLETED
    assert case.plan == planned.plan


async def test_quick_mode_reads_fifteen_of_twenty_pages_and_skips_the_timeline(
    inquest: Inquest, tmp_path: Path
) -> None:
    said = ("The fine for the Tarn Bridge works was large, town {n} says.", "The dust limit was exceeded in town {n}.")
    pages = [
        {"url": f"https://paper{n}.example/{kind}", "title": f"Tarn Bridge, part {n}", "text": said[kind].format(n=n)}
        for n in range(10)
        for kind in (0, 1)
    ]
    rows = tmp_path / "many.jsonl"
    rows.write_text("\n".join(json.dumps(page) for page in pages))
    await inquest.app.collections.add("many", [rows])
    case = await _whole(inquest, mode="quick", collections=["many"])
    kept = [event async for event in inquest.events(case.id) if event.type is EventType.STAGE_FINISHED]
    assert [event.data["sources"] for event in kept if event.stage is Stage.SOURCES] == [15]
    assert case.brief.mode is Mode.QUICK and len(case.claims) <= 5
    assert case.timeline == () and case.markers == ("TIMELINE_SKIPPED",)
    assert case.bias is not None and case.bias.balance.neutral and case.bias.per_source == ()
    with pytest.raises(InputError, match="has ended"):
        await inquest.resume(case.id)


def test_detailed_mode_rates_each_source_and_dates_the_events(whole: Whole) -> None:
    case = whole.case
    assert case.bias is not None
    assert [each.source_id for each in case.bias.per_source] == [source.id for source in case.sources]
    assert all(0 <= each.bias <= 10 for each in case.bias.per_source)
    assert {"2023-08-21", "2023-09-04"} <= {event.date for event in case.timeline}


async def test_a_stage_with_nothing_to_work_on_is_marked_as_skipped(inquest: Inquest) -> None:
    case = await _whole(inquest, brief="Penguins of the Antarctic")
    assert case.status is CaseStatus.FAILED
    assert set(case.markers) == {
        "NO_SOURCES_FOUND", "NO_CLAIMS_EXTRACTED", "NO_CLAIMS_TO_VERIFY", "BIAS_SKIPPED", "TIMELINE_SKIPPED",
    }  # fmt: skip
    assert case.claims == () and case.findings == () and case.summary is None


def test_the_stages_are_reported_in_order_and_events_can_be_read_again(whole: Whole) -> None:
    kept = whole.kept
    assert [event.id for event in kept] == sorted({event.id for event in kept})
    assert [event.text for event in whole.reported if event.type is not EventType.WORKING] == [
        each.text for each in kept
    ]
    types = [event.type for event in kept]
    for earlier, later in (
        (EventType.PLAN_READY, EventType.CASE_STARTED),
        (EventType.CASE_STARTED, EventType.SOURCE_FOUND),
        (EventType.SOURCE_FOUND, EventType.CLAIM_EXTRACTED),
        (EventType.CLAIM_EXTRACTED, EventType.FACT_CHECKED),
        (EventType.CLAIM_EXTRACTED, EventType.BIAS_ANALYSED),
        (EventType.CLAIM_EXTRACTED, EventType.TIMELINE_EVENT),
        (EventType.BIAS_ANALYSED, EventType.SUMMARY_WRITTEN),
        (EventType.TIMELINE_EVENT, EventType.SUMMARY_WRITTEN),
        (EventType.FACT_CHECKED, EventType.SUMMARY_WRITTEN),
        (EventType.SUMMARY_WRITTEN, EventType.CASE_FINISHED),
    ):
        assert types.index(earlier) < types.index(later)
    assert kept[-1].marker == "INVESTIGATION_COMPLETE"


async def test_whoever_is_told_that_a_plan_is_ready_finds_it_there(inquest: Inquest) -> None:
    session = await new_session(inquest.app, _brief(inquest))
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


async def test_an_approved_case_is_running_for_everybody_at_once(inquest: Inquest) -> None:
    session = await new_session(inquest.app, _brief(inquest))
    looked: list[asyncio.Future[Case]] = []

    def look(event: Event) -> None:
        if event.type is EventType.CASE_STARTED:
            looked.append(asyncio.ensure_future(inquest.app.case(event.case_id)))
            session.hand_over()

    session.listen(look)
    async with session:
        case = await session.begin()
        assert case.plan is not None
        with pytest.raises(HandedOver):
            await session.decide(approval_from("yes", case.plan, how="test"))
    assert [found.status for found in await asyncio.gather(*looked)] == [CaseStatus.RUNNING]
    async with await open_session(inquest.app, case.id) as again:
        assert (await again.begin()).status is CaseStatus.PLANNED, "cut off before its first step: it is asked again"


async def test_stopping_reports_what_there_is_and_replays_alike(inquest: Inquest) -> None:
    session = await new_session(inquest.app, _brief(inquest, "detailed"))

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
