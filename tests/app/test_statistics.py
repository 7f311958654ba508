"""The figures are those of the database: for all cases, or for the last days."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from inquest.app.cases.statistics import statistics
from inquest.app.cases.topic_records import topics_of
from inquest.app.desks.topics import start_investigation
from inquest.app.service.case_actions import remove_case
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.case import CaseKind, CaseStatus
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Assessment, Verdict
from inquest.domain.report import OutageNote
from inquest.domain.topic import Topic, VerificationLevel
from inquest.store.case_figures import counted, keep_figures
from tests.app.topic_cases import BEGIN, Runs, SetClock, a_case
from tests.store.conftest import postgres_server, postgres_url, url

__all__ = ["postgres_server", "postgres_url", "url"]

UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def app(url: str, tmp_path: Path, clock: SetClock) -> AsyncIterator[Resources]:
    async with open_resources(load_settings(home=tmp_path / "home", database_url=url), clock=clock) as opened:
        yield opened


async def investigate(app: Resources, clock: SetClock, *levels: VerificationLevel, seconds: float = 90) -> Runs:
    runs = Runs(app, clock, levels, seconds=seconds)
    for number in range(len(levels)):
        topic, _ = await (await topics_of(app)).add(Topic(title=f"Topic {number} of {clock.now()}"))
        await start_investigation(app, {"topic_id": topic.id}, runs)
    return runs


async def test_the_metrics_of_investigations(app: Resources, clock: SetClock) -> None:
    await investigate(app, clock, VERIFIED, UNVERIFIED, VERIFIED, CERTIFIED)
    numbers = (await statistics(app))["investigations"]
    assert numbers["investigations"] == 4
    assert numbers["success_rate"] == 0.75  # they have 2, 3, 4 and 5 sources
    assert numbers["upgrade_rate"] == 0.75
    assert numbers["mean_sources"] == 3.5
    assert (numbers["seconds_p50"], numbers["seconds_p99"]) == (90, 90)
    assert numbers["cost_mean_usd"] == pytest.approx(0.03)
    json.dumps(await statistics(app))  # plain JSON throughout


async def test_only_the_last_days(app: Resources, clock: SetClock) -> None:
    await investigate(app, clock, VERIFIED)
    clock.move(days=10)
    await investigate(app, clock, UNVERIFIED, UNVERIFIED)
    assert (await statistics(app, days=5))["investigations"]["investigations"] == 2
    assert (await statistics(app, days=5))["cases"]["total"] == 2
    assert (await statistics(app))["investigations"]["investigations"] == 3


async def test_cases_of_every_kind_are_counted(app: Resources) -> None:
    base = a_case(Topic(title="T"), VERIFIED)
    no_topic = {"brief": base.brief.model_copy(update={"topic": None}), "investigation": None}
    inquiry = base.model_copy(
        update={
            **no_topic,
            "id": "inquiry",
            "kind": CaseKind.INQUIRY,
            "status": CaseStatus.PARTIAL,
            "assessments": (
                Assessment(claim_id="C1", verdict=Verdict.DISPUTED, confidence=0.5, independent_sources=2, reasons=()),
                Assessment(
                    claim_id="C2",
                    verdict=Verdict.UNVERIFIED,
                    confidence=0,
                    independent_sources=0,
                    reasons=(),
                    checked=False,
                ),
            ),
            "outages": (
                *(OutageNote(what="page", where=f"https://{n}.example/", why="gone", at=BEGIN) for n in "ab"),
                OutageNote(
                    what="engine",
                    where="x",
                    why="X says its quota or rate limit is used up (429).",
                    at=BEGIN,
                    at_limit=True,
                ),
            ),
        }
    )
    store, events = await app.store(), await app.events()
    await store.create(inquiry)
    for type_, second in ((EventType.CASE_CREATED, 0), (EventType.PLAN_READY, 2), (EventType.CASE_STARTED, 500),
                          (EventType.CASE_FINISHED, 540)):  # fmt: skip
        at = BEGIN + timedelta(seconds=second)
        await events.append(Event(id=0, case_id="inquiry", type=type_, text="", at=at))
    await store.create(inquiry.model_copy(update={"id": "check", "kind": CaseKind.CLAIMS, "outages": ()}))
    found = await statistics(app)
    kinds = found["cases"]["by_kind"]
    assert sorted(kinds) == ["claims", "inquiry"]
    assert kinds["inquiry"]["by_status"] == {"partial": 1}
    assert kinds["inquiry"]["verdicts"] == {"disputed": 1, "not checked": 1}
    assert kinds["inquiry"]["seconds_p50"] == 42
    assert kinds["inquiry"]["outages"] == [
        {"what": "page", "where": "", "times": 2, "cases": 1},
        {"what": "engine", "where": "x", "times": 1, "cases": 1},
    ]
    [alert] = found["alerts"]
    assert (alert["name"], alert["cases"]) == ("rate_limit", ("inquiry",))


async def test_what_is_counted_follows_what_changes(app: Resources) -> None:
    case, store, database = a_case(Topic(title="Moves"), UNVERIFIED), await app.store(), await app.database()
    await store.create(case.model_copy(update={"status": CaseStatus.RUNNING}))
    await keep_figures(database)
    assert (await counted(database)).kinds["topic"].by_status == {"running": 1}
    await store.save(case.model_copy(update={"status": CaseStatus.PARTIAL}))
    assert await keep_figures(database) == 1
    assert (await counted(database)).kinds["topic"].by_status == {"partial": 1}
    assert (await counted(database, BEGIN + timedelta(days=400))).kinds == {}
    await remove_case(app, case)
    assert (await counted(database)).kinds == {}
