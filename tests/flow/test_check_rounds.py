"""A check that is stopped, cut off or run in further rounds: the results so far are reported, the cut is recorded, and
the case replays byte for byte."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import ClaimsRequest, request_of
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import check_brief
from inquest.desks.news.desk import NewsDesk
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Verdict
from tests.app.conftest import RATINGS, ROWS
from tests.flow.case_clock import LONG, CaseClock
from tests.store.conftest import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]

CLAIMS = [
    "At no time in 2023 did dust at our Tarn Bridge works exceed the limit of 40 micrograms per cubic metre.",
    "Calder Stone Ltd paid a fine of 150,000 euros for dust in 2023.",
    "Calder Stone Ltd restored 40 hectares of wetland at its Upper Vale quarry in 2022 under the GHG Protocol.",
]
WHOLE = (Verdict.CONTRADICTED, None, Verdict.UNVERIFIED)
"""The verdicts on the first and the last; the second is disputed among papers."""


@asynccontextmanager
async def a_house(home: Path, **settings: Any) -> AsyncIterator[Inquest]:
    home.mkdir(parents=True, exist_ok=True)
    rows, ratings = home / "rows.jsonl", home / "ratings.csv"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    ratings.write_text(RATINGS)
    async with Inquest(home=home, **settings) as inquest:
        await inquest.app.collections.add("tarn", [rows], ratings=ratings)
        yield inquest


async def checked(
    inquest: Inquest, listen: Callable[[Event, Callable[[], bool]], None] | None = None, **options: Any
) -> Case:
    """A check of the claims on the user's own documents. `listen`: called with each event and a function that stops the
    case."""
    asked: dict[str, Any] = {"engines": "collection", "collections": ["tarn"], "as_of": "2024-06-01", "rounds": 2}
    brief = await check_brief(
        inquest.app, request_of(ClaimsRequest, {"company": "Calder Stone Ltd", "claims": CLAIMS, **asked | options})
    )
    session = await new_session(inquest.app, brief)
    if listen:
        session.listen(lambda event: listen(event, session.stop))
    async with session:
        case = await session.begin()
        assert case.plan is not None
        return await session.decide(approval_from("approve", case.plan, how="option"))


def stops_at(type: EventType, *, after: EventType | None = None) -> Callable[[Event, Callable[[], object]], None]:
    """A user who stops the case at a certain event."""
    met: list[EventType] = []

    def listen(event: Event, stop: Callable[[], object]) -> None:
        if event.type is type and (after is None or after in met):
            stop()
        met.append(event.type)

    return listen


STAGES = {
    "when a desk begins": (EventType.AGENT_STARTED, None),
    "when desks ask one another": (EventType.INFO_REQUEST_POSTED, None),
    "in the second round": (EventType.EVIDENCE_FOUND, EventType.REINVESTIGATION_REQUESTED),
}


@pytest.mark.parametrize("stage", ["when desks ask one another", "in the second round"])
async def test_a_check_that_is_stopped_reports_what_there_is_and_replays(stage: str, tmp_path: Path) -> None:
    type, after = STAGES[stage]
    async with a_house(tmp_path / "home") as inquest:
        case = await checked(inquest, stops_at(type, after=after))
        again = await inquest.replay(case.id)
    assert again.same, again.difference
    assert case.summary is not None and case.check is not None and case.check.stopped
    assert case.status is (CaseStatus.PARTIAL if case.cut else CaseStatus.COMPLETED)
    assert not case.cut or "asked to stop" in case.why
    assert len(case.assessments) == len(CLAIMS)
    for assessment, whole in zip(case.assessments, WHOLE, strict=True):
        assert assessment.checked or not (assessment.supporting or assessment.contradicting)
        assert whole is None or assessment.verdict in (whole, Verdict.UNVERIFIED)
    assert again.case.check == case.check and again.case.cut == case.cut


@pytest.mark.parametrize("stage", ["when a desk begins", "in the second round"])
async def test_a_deadline_is_met_in_any_stage_and_the_cut_is_written_down(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type, after = STAGES[stage]
    clock = CaseClock(monkeypatch)
    over = stops_at(type, after=after)
    async with a_house(tmp_path / "home") as inquest:
        case = await checked(inquest, lambda event, _: over(event, clock.over), deadline=LONG)
        again = await inquest.replay(case.id)
    assert again.same, again.difference
    assert case.status is (CaseStatus.PARTIAL if case.cut else CaseStatus.COMPLETED)
    assert not case.cut or "time limit" in case.why
    for assessment in case.assessments:
        assert assessment.checked or assessment.reasons == ("The case ended before it could be checked.",)
    left = [each for each in case.assessments if not each.checked]
    unasked = {note.where for note in case.outages if note.what == "engine"}
    if stage == "when a desk begins":
        assert len(left) == len(CLAIMS)
        assert unasked == {"collection"}, "who was not asked for want of time is listed"


async def test_rounds_keep_each_verdict_ask_nothing_again_and_stop_when_nothing_is_added(tmp_path: Path) -> None:
    async with a_house(tmp_path / "home") as inquest:
        case = await checked(inquest, rounds=5)
        assert (await inquest.replay(case.id)).difference == ""
    assert case.status is CaseStatus.COMPLETED, case.why
    record = case.check
    assert record is not None and record.reinvestigations and record.stopped
    rounds = {each.iteration for each in record.reinvestigations}
    assert max(rounds) < 6, "a round that adds nothing is the last"
    assert {each.claim_id for each in record.changes if each.iteration == 1} == {claim.id for claim in case.claims}
    last = {each.claim_id: each.verdict for each in record.changes}
    assert last == {each.claim_id: each.verdict for each in case.assessments}
    said = [(each.claim_id, each.snapshot, each.start, each.end, each.stance, each.summary) for each in case.findings]
    assert len(said) == len(set(said)), "no finding is there twice"


@pytest.mark.postgres
async def test_a_check_waits_goes_on_and_replays_in_postgresql(postgres_url: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with a_house(home, database_url=postgres_url) as inquest:
        brief = await check_brief(
            inquest.app,
            request_of(
                ClaimsRequest,
                {"company": "Calder Stone Ltd", "claims": CLAIMS, "engines": "collection", "collections": ["tarn"]},
            ),
        )
        async with await new_session(inquest.app, brief) as session:
            planned = await session.begin()
    async with Inquest(home=home, database_url=postgres_url) as tomorrow:
        case = await tomorrow.resume(planned.id)
        assert case.status is CaseStatus.COMPLETED, case.why
        assert case.check is not None and case.check.changes
        assert (await tomorrow.replay(case.id)).difference == ""
    assert not (home / "inquest.db").exists()


async def test_no_more_results_are_read_for_a_claim_than_its_desk_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    for most in (20, 2):
        monkeypatch.setattr(NewsDesk, "spec", NewsDesk.spec.model_copy(update={"results_per_claim": most}))
        async with a_house(tmp_path / str(most)) as inquest:
            case = await checked(inquest, claims=CLAIMS[1:2], desks=["news"], rounds=0)
        read.append(len({finding.source_id for finding in case.findings if finding.evidence_type == "news_source"}))
    assert read[0] > read[1] == 2
