"""Topics in, candidates out, and the three use cases of the verification desk with the specification's shapes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from inquest.app.cases.topic_records import carry_out, investigations_of, record_case, topics_of
from inquest.app.desks.topics import (
    candidates,
    investigation_json,
    kept_topic,
    list_topics,
    start_investigation,
)
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import Busy, InputError, NotFound, Outage
from inquest.domain.investigation import InvestigationStatus
from inquest.domain.plan import Mode, Plan
from inquest.domain.report import OutageNote
from inquest.domain.topic import Topic, TopicStatus, VerificationLevel
from inquest.verdicts.levels import due
from tests.app.topic_cases import BEGIN, Runs, SetClock, a_case

UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def app(tmp_path: Path, clock: SetClock) -> AsyncIterator[Resources]:
    async with open_resources(load_settings(home=tmp_path / "home"), clock=clock) as opened:
        yield opened


async def add(app: Resources, **fields: Any) -> int:
    topic, _ = await (await topics_of(app)).add(
        Topic.model_validate({"title": "T", "newsworthiness_score": 60, "discovery_date": BEGIN} | fields)
    )
    assert topic.id is not None
    return topic.id


async def investigation_status(app: Resources, number: int) -> dict[str, Any]:
    return investigation_json(await (await investigations_of(app)).get(number))


class TestCandidates:
    async def test_shape_order_and_limit(self, app: Resources) -> None:
        await add(app, title="usual", newsworthiness_score=65)
        await add(app, title="best", newsworthiness_score=90)
        await add(app, title="urgent", priority="high")
        found = await candidates(app, limit=2)
        assert found["topics"][1] == {
            "topic_id": 2,
            "title": "best",
            "current_verification": "unverified",
            "source_count": 0,
            "newsworthiness_score": 90,
            "priority": "normal",
        }
        assert [row["title"] for row in found["topics"]] == ["urgent", "best"]
        assert found["total"] == 3

    async def test_each_that_is_left_out_says_which_rule_it_misses(self, app: Resources) -> None:
        await add(app, title="minor", newsworthiness_score=49)
        await add(app, title="many", source_count=3, status="rejected")
        left_out = {row["title"]: row["reasons"] for row in (await candidates(app))["left_out"]}
        assert len(left_out["minor"]) == 1
        assert "newsworthiness is 49" in left_out["minor"][0]
        assert len(left_out["many"]) == 2

    async def test_an_investigated_topic_comes_again_after_a_month(self, app: Resources, clock: SetClock) -> None:
        number = await add(app)
        await start_investigation(app, {"topic_id": number}, Runs(app, clock, [UNVERIFIED]))
        found = await candidates(app)
        assert (found["topics"], found["due_again"]) == ([], [])
        assert str(found["left_out"][0]["next_at"]).startswith("2025-03-05")
        clock.move(days=31)
        assert [row["topic_id"] for row in (await candidates(app))["due_again"]] == [number]

    async def test_or_at_once_where_another_case_has_found_more(self, app: Resources, clock: SetClock) -> None:
        number = await add(app, url="https://paper1.example/story")
        await start_investigation(app, {"topic_id": number}, Runs(app, clock, [UNVERIFIED]))
        clock.move(days=1)
        other = a_case(Topic(title="other"), UNVERIFIED, name="other", at=clock.now(), pages=4)
        await (await app.store()).create(other)
        [row] = (await candidates(app))["due_again"]
        assert "https://paper3.example/story and 1 more" in row["reason"]


class TestInvestigations:
    async def test_begun_in_the_background_answered_at_once_and_asked_for_later(
        self, app: Resources, clock: SetClock
    ) -> None:
        number = await add(app)
        waiting: list[asyncio.Task[Any]] = []
        answer = await start_investigation(
            app,
            {"topic_id": number, "priority": "high"},
            Runs(app, clock, [VERIFIED]),
            background=lambda work: waiting.append(asyncio.create_task(work)),
        )
        assert answer == {"investigation_id": 1, "status": "started", "estimated_completion": "2025-02-03T08:05:00Z"}
        assert (await investigation_status(app, 1))["status"] == "started"
        with pytest.raises(Busy):
            await start_investigation(app, {"topic_id": number}, Runs(app, clock, []))
        await waiting[0]
        status = await investigation_status(app, 1)
        asked = ("id", "topic_id", "status", "sources_found", "verification_upgraded", "new_verification_level")
        assert {key: status[key] for key in asked} == {
            "id": 1,
            "topic_id": number,
            "status": "completed",
            "sources_found": 2,
            "verification_upgraded": True,
            "new_verification_level": "verified",
        }
        assert (status["priority"], status["seconds"], status["cost_usd"]) == ("high", 90, 0.03)
        assert (await kept_topic(app, str(number))).verification_status is VERIFIED

    async def test_one_that_was_investigated_is_refused_unless_somebody_insists(
        self, app: Resources, clock: SetClock
    ) -> None:
        number = await add(app)
        runs = Runs(app, clock, [VERIFIED, CERTIFIED])
        await start_investigation(app, {"topic_id": number}, runs)
        with pytest.raises(InputError, match="already been investigated"):
            await start_investigation(app, {"topic_id": number}, runs)
        await start_investigation(app, {"topic_id": number}, runs, again=True)
        assert (await kept_topic(app, str(number))).verification_status is CERTIFIED

    @pytest.mark.parametrize(
        ("body", "why"),
        [
            ({}, "Invalid topic_id"),
            ({"topic_id": 1, "priority": "urgent"}, "Invalid priority 'urgent'"),
            ({"topic_id": 1, "force": True}, "does not exist: force"),
        ],
    )
    async def test_a_request_that_is_wrong_begins_nothing(
        self, app: Resources, clock: SetClock, body: dict[str, Any], why: str
    ) -> None:
        await add(app)
        with pytest.raises(InputError, match=why):
            await start_investigation(app, body, Runs(app, clock, []))
        assert list(await (await investigations_of(app)).of_topic(1)) == []

    async def test_a_topic_or_investigation_that_is_not_there(self, app: Resources, clock: SetClock) -> None:
        with pytest.raises(NotFound):
            await start_investigation(app, {"topic_id": 5}, Runs(app, clock, []))
        with pytest.raises(NotFound):
            await investigation_status(app, 5)

    async def test_a_run_that_fails_is_written_down_and_leaves_the_topic_a_candidate(self, app: Resources) -> None:
        number = await add(app)

        async def fails(topic: Topic) -> Case:
            raise Outage("There is no network.", advice="Look for a cable.")

        with pytest.raises(Outage):
            await start_investigation(app, {"topic_id": number}, fails)
        status = await investigation_status(app, 1)
        assert (status["status"], status["why"]) == ("failed", "There is no network. Look for a cable.")
        assert [row["topic_id"] for row in (await candidates(app))["topics"]] == [number]

    async def test_one_that_is_stopped_is_written_down_as_stopped(self, app: Resources) -> None:
        number = await add(app)

        async def hangs(topic: Topic) -> Case:
            await asyncio.Event().wait()
            raise AssertionError

        store = await investigations_of(app)
        begun = await store.start(number, at=BEGIN, priority=(await kept_topic(app, str(number))).priority)
        task = asyncio.create_task(carry_out(app, begun, hangs))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await store.get(begun.id)).status is InvestigationStatus.CANCELLED

    async def test_a_partial_case_is_a_partial_investigation_with_its_outages(
        self, app: Resources, clock: SetClock
    ) -> None:
        number = await add(app)
        runs = Runs(app, clock, [UNVERIFIED])
        runs.outages = (OutageNote(what="engine", where="brave", why="Brave timed out.", at=BEGIN),)
        await start_investigation(app, {"topic_id": number}, runs)
        status = await investigation_status(app, 1)
        assert status["status"] == "partial"
        assert status["outages"][0]["where"] == "brave"


class TestRecordingACase:
    async def test_once_however_often_it_is_handed_in(self, app: Resources) -> None:
        case = a_case(Topic(title="Never added"), VERIFIED)
        await (await app.store()).create(case)
        first = await record_case(app, case)
        assert first is not None
        assert await record_case(app, case) == first
        assert [topic.verification_status for topic in await list_topics(app)] == [VERIFIED]
        assert len(await (await investigations_of(app)).since(None)) == 1

    async def test_a_case_that_failed_and_was_taken_up_again(self, app: Resources) -> None:
        case = a_case(Topic(title="Taken up again"), VERIFIED)
        failed = case.model_copy(update={"status": CaseStatus.FAILED, "investigation": None, "why": "No source."})
        first, again = await record_case(app, failed), await record_case(app, case)
        assert first is not None
        assert again is not None
        assert (first.status.value, again.status.value, again.id) == ("failed", "completed", first.id)

    async def test_a_run_as_of_an_earlier_day_is_due_again_by_the_day_of_the_run(self, app: Resources) -> None:
        case = a_case(Topic(title="Looked at as of last year", status=TopicStatus.APPROVED), VERIFIED)
        assert case.investigation is not None
        last_year = BEGIN - timedelta(days=300)
        backdated = case.investigation.model_copy(update={"investigation_date": last_year})
        await record_case(app, case.model_copy(update={"as_of": last_year, "investigation": backdated}))
        (topic,) = await list_topics(app)
        assert topic.investigation_date == BEGIN
        assert not due(topic, BEGIN + timedelta(days=1)).due

    async def test_what_is_of_no_topic_or_has_not_ended(self, app: Resources) -> None:
        case = a_case(Topic(title="T"), VERIFIED)
        no_topic = case.brief.model_copy(update={"topic": None})
        assert await record_case(app, case.model_copy(update={"brief": no_topic})) is None
        assert await record_case(app, case.model_copy(update={"status": CaseStatus.RUNNING})) is None

    @pytest.mark.parametrize("failed", [(), ("brave", "gdelt")])
    async def test_where_nobody_could_be_asked_nothing_was_investigated(
        self, app: Resources, failed: tuple[str, ...]
    ) -> None:
        case = a_case(Topic(title="T", newsworthiness_score=70), UNVERIFIED).model_copy(
            update={
                "sources": (),
                "plan": Plan(topic="T", questions=(), queries=(), engines=failed, mode=Mode.QUICK, analyst="local"),
                "outages": tuple(OutageNote(what="engine", where=name, why="Gone.", at=BEGIN) for name in failed),
            }
        )
        found = await record_case(app, case)
        assert found is not None
        assert (found.status.value, found.why) == ("failed", "No engine could be asked, and no page was read.")
        assert [row["title"] for row in (await candidates(app))["topics"]] == ["T"]
