"""A check of a company's claims from report to verdicts, on the user's own documents: no key, no model, no network."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases.reporting import render
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.check import RequestStatus
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Stance, Verdict
from inquest.domain.plan import Decision, Plan
from tests.app.conftest import over_the_rows

REPORT = """Calder Stone Ltd - Sustainability Report 2023

Environment

At no time in 2023 did dust at our Tarn Bridge works exceed the limit of 40 micrograms per cubic metre.
Calder Stone Ltd paid a fine of 150,000 euros in 2023.
Since 2021, 100 % of our electricity has come from renewable sources certified by guarantees of origin.
"""
DUST, FINE, POWER = "At no time in 2023", "paid a fine", "guarantees of origin"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.txt"
    path.write_text(REPORT, "utf-8")
    return path


async def _checked(inquest: Inquest, report: Path | None, **more: object) -> Case:
    options: dict[str, object] = {
        "company": "Calder Stone Ltd", "collections": ["tarn"], "engines": ["collection"], "as_of": "2024-06-01",
    }  # fmt: skip
    return await inquest.check(str(report) if report else None, **(options | more))  # type: ignore[arg-type]


def _verdict(case: Case, words: str) -> Verdict:
    claim = next(claim for claim in case.claims if words in claim.text)
    return next(each.verdict for each in case.assessments if each.claim_id == claim.id)


@dataclass(frozen=True)
class Whole:
    """The check of the whole report in up to three rounds, with its events and the pages it read."""

    case: Case
    events: tuple[Event, ...]
    texts: dict[str, str]
    markdown: str
    difference: str
    """The same for its replay, which runs after the report's file is deleted."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    async def work() -> Whole:
        folder = tmp_path_factory.mktemp("check")
        report = folder / "report.txt"
        report.write_text(REPORT, "utf-8")
        events: list[Event] = []
        async with over_the_rows(folder) as inquest:
            case = await _checked(inquest, report, rounds=2, on_event=events.append)
            report.unlink()
            again = await inquest.replay(case.id)
            snapshots = {each.snapshot for each in case.findings} | {each.snapshot for each in case.nearest}
            texts = {each: await inquest.app.snapshot_text(each) for each in snapshots}
            markdown = (await render(inquest.app, case, "md")).decode()
        return Whole(case, tuple(events), texts, markdown, again.difference)

    return asyncio.run(work())


def test_every_claim_has_a_verdict_and_every_finding_its_words(whole: Whole) -> None:
    case = whole.case
    assert (case.kind, case.status) == (CaseKind.CLAIMS, CaseStatus.COMPLETED), case.why
    assert len(case.claims) == len(case.assessments) == 3
    assert _verdict(case, DUST) in (Verdict.CONTRADICTED, Verdict.UNVERIFIED)  # the authority's figures contradict it
    assert _verdict(case, POWER) is Verdict.UNVERIFIED
    assert case.findings and case.summary is not None
    for finding in case.findings:
        assert whole.texts[finding.snapshot][finding.start : finding.end] == finding.quote
    for claim in case.claims:
        assert REPORT[claim.start : claim.end] == claim.quote
    assert whole.difference == ""


def test_of_what_is_unverified_the_nearest_sentences_are_shown(whole: Whole) -> None:
    case = whole.case
    verdicts = {each.claim_id: each.verdict for each in case.assessments}
    assert case.nearest
    for each in case.nearest:
        assert verdicts[each.claim_id] is Verdict.UNVERIFIED
        assert whole.texts[each.snapshot][each.start : each.end] == each.quote
        assert each.source_id != case.sources[0].id  # the report's statements about itself are not an answer
    assert "Closest passages read, for a person to judge" in whole.markdown
    assert case.nearest[0].quote[:60] in whole.markdown


async def test_a_page_that_names_the_company_nowhere_can_be_the_nearest(inquest: Inquest) -> None:
    claim = "The fine for the works at Tarn Bridge was reduced by a judge in spring 2024."
    case = await _checked(inquest, None, company="Northmoor Holding", claims=[claim])
    near = [each for each in case.nearest if "A court lowered the fine" in each.quote]
    (page,) = [each for each in case.sources if each.url == "https://tarnpost.example/news/appeal"]
    assert [each.source_id for each in near] == [page.id]
    assert not [each for each in case.findings if each.source_id == page.id]
    assert case.summary is not None
    words = " ".join(each.text for part in case.summary.sections for each in part.statements)
    assert "sources were read; no verdict rests on them." in words


def test_neither_the_report_nor_the_company_verifies_a_claim(whole: Whole) -> None:
    case = whole.case
    own = case.sources[0]
    assert own.excluded and "cannot be evidence for itself" in own.excluded and own.user_provided
    sides = [finding for finding in case.findings if finding.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)]
    assert not [finding for finding in sides if finding.source_id == own.id and finding.agent == "news"]
    domains = {source.id: source.domain for source in case.sources}
    by_id = {finding.id: finding for finding in case.findings}
    assert "calderstone.example" in domains.values()
    for each in case.assessments:
        if each.verdict is Verdict.VERIFIED:
            assert {domains[by_id[fid].source_id] for fid in each.supporting} - {"calderstone.example"}


def test_the_first_verdict_each_change_and_every_event_are_kept(whole: Whole) -> None:
    case = whole.case
    assert case.check is not None and case.check.stopped
    first = [change for change in case.check.changes if change.iteration == 1]
    assert {change.claim_id for change in first} == {claim.id for claim in case.claims}
    last = {change.claim_id: change.verdict for change in case.check.changes}
    assert last == {each.claim_id: each.verdict for each in case.assessments}
    types = {event.type for event in whole.events}
    assert types >= {
        EventType.CLAIMS_ROUTED, EventType.AGENT_STARTED, EventType.AGENT_THINKING, EventType.CLAIM_INVESTIGATING,
        EventType.SEARCH_EXECUTED, EventType.SOURCE_EVALUATED, EventType.EVIDENCE_FOUND,
        EventType.AGENT_COMPLETED, EventType.FACT_CHECKED, EventType.CASE_FINISHED,
    }  # fmt: skip
    against = any(finding.stance is Stance.CONTRADICTS for finding in case.findings)
    assert (EventType.CONTRADICTION_DETECTED in types) is against
    desks = [event for event in whole.events if event.type is EventType.AGENT_STARTED]
    assert {event.data["agent_name"] for event in desks} == {"news_media", "academic"}


async def test_claims_are_dropped_and_added_before_the_desks_run(inquest: Inquest, report: Path) -> None:
    said = iter(["drop C1; add: Calder Stone Ltd was fined 510,000 euros in 2023", "approve"])
    plans: list[Plan] = []

    def answer(plan: Plan) -> str:
        plans.append(plan)
        return next(said)

    case = await _checked(inquest, report, approve=answer)
    assert [approval.decision for approval in case.approvals] == [Decision.REVISE, Decision.APPROVE]
    assert plans[0].questions != plans[1].questions
    assert len(case.claims) == 3 and case.claims[0].id == "A1"
    assert case.check is not None and [claim.id for claim in case.check.dropped] == ["C1"]
    assert _verdict(case, "510,000") in (Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.PARTIALLY_TRUE)
    again = await inquest.replay(case.id)
    assert again.same, again.difference


async def test_what_a_desk_that_is_not_there_was_asked_is_said(inquest: Inquest, tmp_path: Path) -> None:
    case = await _checked(
        inquest, None, claims=["Our quarry near Tarn Bridge in Upper Vale restored 40 hectares of wetland in 2022."]
    )
    assert case.check is not None
    missing = {name for each in case.check.routing for name in each.missing}
    unavailable = {each.to for each in case.check.requests if each.status is RequestStatus.UNAVAILABLE}
    assert "geography" in missing | unavailable
    assert unavailable == {note.where for note in case.outages if note.what == "desk"}
    assert case.status is CaseStatus.COMPLETED  # nothing failed: the plan said that there is no such desk


async def test_what_a_desk_says_names_sources_as_the_report_does(inquest: Inquest, tmp_path: Path) -> None:
    row = {
        "url": "https://www.epa.gov/figures/quarries",
        "title": "Quarries: Scope 1 emission intensity benchmark 2023",
        "date": "2024-01-10",
        "text": "Benchmark of the quarrying sector, 2023. Scope 1 emission intensity of quarrying ranged from 2.0 to "
        "6.0 kg CO2e per tonne of stone, with a median of 3.5 kg CO2e per tonne of stone.",
    }
    rows = tmp_path / "figures.jsonl"
    rows.write_text(json.dumps(row))
    await inquest.app.collections.add("tarn", [rows])
    claim = "Calder Stone Ltd's Scope 1 emission intensity was 3.0 kg CO2e per tonne of stone in 2023."
    case = await _checked(inquest, None, claims=[claim], industry="quarrying")
    compared = next(each for each in case.findings if each.evidence_type == "benchmark_comparison")
    source = next(each for each in case.sources if each.domain == "epa.gov")
    assert compared.details["finding_sources"] == [source.id]
    assert source.id in compared.summary and "sha256" not in compared.summary
    known = {each.id for each in case.sources}
    for finding in case.findings:
        assert {str(each["source_id"]) for each in finding.references if "source_id" in each} <= known
