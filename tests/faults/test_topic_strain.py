"""Investigations that are killed, stopped or cut short: nothing is lost or counted twice, and a resumed run has the
same result as an undisturbed one."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import TopicRequest, request_of
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import Session, new_session, open_session
from inquest.app.cases.topic_records import investigations_of
from inquest.app.desks.briefs import topic_brief
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import Event, EventType
from tests.app.topic_worlds import RATINGS, WORLDS
from tests.app.verified_topics import AS_OF

WORLD = WORLDS["told differently in a detail"]
ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[Inquest]:
    """A data folder with the documents on the topic."""
    folder.mkdir(exist_ok=True)
    rows, ratings = folder / "rows.jsonl", folder / "ratings.csv"
    rows.write_text("\n".join(json.dumps(row) for row in WORLD.rows))
    ratings.write_text(RATINGS)
    (folder / "topic.json").write_text(json.dumps(WORLD.topic))
    async with Inquest(home=folder / "home", stance_model="none", sentence_model="none") as inquest:
        await inquest.app.collections.add("pages", [rows], ratings=ratings)
        yield inquest


def came_to(case: Case) -> dict[str, Any]:
    """Everything that was found, without the times."""
    whole = case.model_dump(mode="json")
    kept = ("sources", "claims", "findings", "assessments", "timeline", "investigation", "answer", "summary", "cut",
            "status", "outages", "citations")  # fmt: skip
    return {name: _timeless(whole[name]) for name in kept}


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if name not in ("retrieved_at", "at", "asked_at")}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


async def goes_on(folder: Path, case_id: str) -> Case:
    async with Inquest(home=folder / "home") as inquest:
        session = await open_session(inquest.app, case_id)
        async with session:
            case = await session.begin()
            if case.status is CaseStatus.PLANNED:
                assert case.plan is not None
                case = await session.decide(approval_from("approve", case.plan, how="test", by="The desk"))
        assert (await inquest.replay(case_id)).same
        told = [(event.type, event.text) for event in await inquest.app.events_of(case_id)]
        once = [each for each in told if each[0] in (EventType.SOURCE_FOUND, EventType.CLAIM_EXTRACTED)]
        assert len(once) == len(set(once)), "what was found is told once"
        if case.brief.topic is not None:
            assert len(await (await investigations_of(inquest.app)).of_topic(1)) == 1, "and counted once"
    return case


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, list[str]]:
    """The undisturbed investigation, and the kinds of its events."""

    async def work() -> tuple[Case, list[str]]:
        folder = tmp_path_factory.mktemp("whole")
        async with house(folder) as inquest:
            case = await _approved(await _session(inquest, folder))
            return case, [event.type.value for event in await inquest.app.events_of(case.id)]

    case, kinds = asyncio.run(work())
    assert case.status is CaseStatus.COMPLETED, case.why
    return case, list(dict.fromkeys(kinds))


async def test_killed_half_way_it_comes_to_the_same(undisturbed: tuple[Case, list[str]], tmp_path: Path) -> None:
    whole, kinds = undisturbed
    folder, until = tmp_path / "killed", kinds[len(kinds) // 2]
    async with house(folder):
        pass
    command = [sys.executable, "-m", "tests.faults.one_run", str(folder / "home"), until]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL, (until, done.stderr)
    assert came_to(await goes_on(folder, done.stdout.split()[0])) == came_to(whole), until


async def _session(inquest: Inquest, folder: Path, **more: Any) -> Session:
    asked: dict[str, Any] = {"topic": str(folder / "topic.json"), "mode": "detailed", "as_of": AS_OF, "again": True}
    asked |= {"engines": ["collection"], "collections": ["pages"], **more}
    return await new_session(inquest.app, await topic_brief(inquest.app, request_of(TopicRequest, asked)))


async def _approved(session: Session) -> Case:
    async with session:
        case = await session.begin()
        assert case.plan is not None
        return await session.decide(approval_from("approve", case.plan, how="test", by="The desk"))


async def test_a_deadline_that_is_met_leaves_a_result_that_says_so(
    undisturbed: tuple[Case, list[str]], tmp_path: Path
) -> None:
    whole, _ = undisturbed
    async with house(tmp_path) as inquest:
        case = await _approved(await _session(inquest, tmp_path, deadline="0.1s"))
        assert case.status in (CaseStatus.COMPLETED, CaseStatus.PARTIAL, CaseStatus.FAILED, CaseStatus.CANCELLED)
        if case.status is not CaseStatus.COMPLETED:
            assert case.why.endswith(".") and ("time" in case.why or "deadline" in case.why.lower()), case.why
        if case.investigation is not None and whole.investigation is not None:
            level = case.investigation.recommended_verification_level
            assert level in (whole.investigation.recommended_verification_level, case.investigation.upgrade.before)
        assert (await inquest.replay(case.id)).same


async def test_stopped_once_it_reports_what_there_is(tmp_path: Path) -> None:
    async with house(tmp_path) as inquest:
        session = await _session(inquest, tmp_path)

        def heard(event: Event) -> None:
            if event.type is EventType.CLAIM_EXTRACTED:
                assert session.stop()

        session.listen(heard)
        case = await _approved(session)
        assert case.status in (CaseStatus.PARTIAL, CaseStatus.CANCELLED) and "stop" in case.why
        assert (case.investigation is not None) == (case.status is CaseStatus.PARTIAL)
        assert case.status is not CaseStatus.PARTIAL or case.summary is not None
        assert (await inquest.replay(case.id)).same


async def test_cut_off_the_second_time_it_can_be_resumed(undisturbed: tuple[Case, list[str]], tmp_path: Path) -> None:
    whole, _ = undisturbed
    async with house(tmp_path) as inquest:
        await _approved(await _session(inquest, tmp_path))
        claimed = asyncio.Event()

        def heard(event: Event) -> None:
            if event.type is EventType.CLAIM_EXTRACTED:
                claimed.set()

        session = await _session(inquest, tmp_path)
        session.listen(heard)
        running = asyncio.create_task(_approved(session))
        await claimed.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        cut = await inquest.app.case(session.case.id)
        assert cut.status is CaseStatus.CANCELLED and "inquest resume" in cut.why
        again = await open_session(inquest.app, cut.id)
        async with again:
            case = await again.begin()
        assert case.status is CaseStatus.COMPLETED
        one, other = case.investigation, whole.investigation
        assert one is not None and other is not None
        assert one.recommended_verification_level is other.recommended_verification_level
        assert [each.verdict for each in case.assessments] == [each.verdict for each in whole.assessments]
