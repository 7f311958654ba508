"""What remains of a deleted answer in PostgreSQL, and two simultaneous investigations of one topic on either
database."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import TopicRequest
from inquest.app.cases.reporting import replay
from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import new_session
from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.app.desks.briefs import topic_brief
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import NotFound
from tests.app.market_rows import NOW, QUESTION, ROWS
from tests.app.topic_worlds import RATINGS, WORLDS
from tests.app.verified_topics import AS_OF
from tests.store.conftest import postgres_server, postgres_url, url

__all__ = ["postgres_server", "postgres_url", "url"]

WORLD = WORLDS["told differently in a detail"]


class _Later:
    """A clock that is ahead."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    def now(self) -> datetime:
        return datetime.now(UTC) + self._by


async def _investigate(app: Resources, topic: str) -> Case:
    brief = await topic_brief(
        app,
        TopicRequest(topic=topic, as_of=AS_OF, again=True, engines=("collection",), collections=("pages",)),
    )
    session = await new_session(app, brief)
    async with session:
        case = await session.begin()
        assert case.plan is not None, case.why
        return await session.decide(approval_from("approve", case.plan, how="test", by="The desk"))


@pytest.mark.postgres
async def test_what_two_answers_share_outlives_the_one_that_is_forgotten(postgres_url: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    settings: dict[str, Any] = {"home": tmp_path / "home", "database_url": postgres_url}
    async with Inquest(**settings) as inquest:
        await inquest.app.collections.add("wire", [rows])
        asked: dict[str, Any] = {"engines": ["collection"], "collections": ["wire"], "as_of": NOW}
        forgotten = await inquest.ask(QUESTION, **asked)
        saved = await inquest.ask(QUESTION, save=True, **asked)
        assert (await inquest.replay(forgotten.id)).same
    shared = {source.snapshot for source in forgotten.sources} & {source.snapshot for source in saved.sources}
    assert shared, "both read the same pages"
    async with open_resources(load_settings(**settings), clock=_Later(timedelta(hours=23))) as app:
        assert {case.id for case in await app.cases()} == {forgotten.id, saved.id}
    async with open_resources(load_settings(**settings), clock=_Later(timedelta(hours=25))) as app:
        assert {case.id for case in await app.cases()} == {saved.id}
        with pytest.raises(NotFound):
            await app.case(forgotten.id)
        assert await app.events_of(forgotten.id) == []
        for snapshot in shared:
            assert await app.archive.body(snapshot)
        assert (await replay(app, saved.id)).same


async def test_two_at_one_topic_keep_one_topic_and_two_investigations(url: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"home": tmp_path / "home", "database_url": url}
    rows, ratings, file = tmp_path / "rows.jsonl", tmp_path / "ratings.csv", tmp_path / "topic.json"
    rows.write_text("\n".join(json.dumps(row) for row in WORLD.rows))
    ratings.write_text(RATINGS)
    file.write_text(json.dumps(WORLD.topic))
    async with Inquest(**settings) as one, Inquest(**settings) as other:
        await one.app.collections.add("pages", [rows], ratings=ratings)
        cases = await asyncio.gather(*(_investigate(each.app, str(file)) for each in (one, other)))
        assert [case.status for case in cases] == [CaseStatus.COMPLETED] * 2
        [topic] = await (await topics_of(one.app)).list()
        kept = await (await investigations_of(one.app)).of_topic(topic.id or 0)
        assert {each.case_id for each in kept} == {case.id for case in cases}
        for case in cases:
            assert (await one.replay(case.id)).same
