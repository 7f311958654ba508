"""The recording: found by case and by age, bytes stored once, failures replayed."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Protocol

import pytest
from sqlalchemy import Text, select, type_coerce

from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.recording import ReplyRecording


class _MovableClock(Clock, Protocol):
    def move(self, **by: float) -> None: ...


class _CountingArchive(Protocol):
    bodies: dict[str, bytes]


_REQUEST = Request(url="https://alder.example/search?q=tonnes", headers=(("accept", "text/html"),))


def a_reply(clock: Clock, body: bytes = b"<p>40 tonnes</p>\x00\xff", status: int = 200) -> Reply:
    headers = (("content-type", "text/html"), ("set-cookie", "a=1"), ("set-cookie", "b=2"))
    return Reply(url="https://alder.example/found", status=status, headers=headers, body=body, at=clock.now())


@pytest.fixture
def recording(database: Database, archive: object, clock: Clock) -> ReplyRecording:
    return ReplyRecording(database, archive, clock)  # type: ignore[arg-type]


async def test_what_was_kept_is_found_and_says_that_it_is_recorded(recording: ReplyRecording, clock: Clock) -> None:
    reply = a_reply(clock)
    await recording.keep("f1", _REQUEST, reply, case_id="alder")
    found = await recording.find("f1", case_id="alder", younger_than=None)
    assert found is not None
    assert found.recorded
    assert (found.url, found.status, found.headers, found.body, found.at) == (
        reply.url,
        reply.status,
        reply.headers,
        reply.body,
        reply.at,
    )


async def test_a_reply_belongs_to_its_case_and_serves_others_only_as_cache(
    recording: ReplyRecording, clock: Clock
) -> None:
    await recording.keep("f1", _REQUEST, a_reply(clock), case_id="alder")
    assert await recording.find("f1", case_id="birch", younger_than=None) is None
    assert await recording.find("f2", case_id=None, younger_than=None) is None
    assert await recording.find("f1", case_id=None, younger_than=None) is not None


async def test_a_reply_kept_for_no_case_serves_any_but_belongs_to_none(recording: ReplyRecording, clock: Clock) -> None:
    await recording.keep("f1", _REQUEST, a_reply(clock), case_id=None)
    assert await recording.find("f1", case_id=None, younger_than=None) is not None
    assert await recording.find("f1", case_id="alder", younger_than=None) is None


async def test_the_cache_forgets_with_age_and_the_case_does_not(
    recording: ReplyRecording, clock: _MovableClock
) -> None:
    await recording.keep("f1", _REQUEST, a_reply(clock), case_id="alder")
    clock.move(hours=23)
    assert await recording.find("f1", case_id=None, younger_than=timedelta(hours=24)) is not None
    clock.move(hours=1)
    assert await recording.find("f1", case_id=None, younger_than=timedelta(hours=24)) is None
    assert await recording.find("f1", case_id="alder", younger_than=None) is not None


async def test_bytes_are_kept_once_however_many_cases_have_them(
    recording: ReplyRecording, clock: Clock, archive: _CountingArchive
) -> None:
    for case_id in ("alder", "birch", None):
        await recording.keep("f1", _REQUEST, a_reply(clock), case_id=case_id)
    assert list(archive.bodies.values()) == [a_reply(clock).body]


async def test_a_reply_whose_bytes_were_deleted_is_no_longer_kept(
    recording: ReplyRecording, clock: Clock, archive: _CountingArchive
) -> None:
    await recording.keep("f1", _REQUEST, a_reply(clock), case_id="alder")
    archive.bodies.clear()
    assert await recording.find("f1", case_id="alder", younger_than=None) is None


async def test_a_failure_is_the_case_s_own_and_is_no_reply(recording: ReplyRecording) -> None:
    await recording.keep_failure("f1", _REQUEST, '{"type": "EngineUnavailable"}', case_id="alder")
    assert await recording.failure("f1", case_id="alder") == '{"type": "EngineUnavailable"}'
    assert await recording.failure("f1", case_id="birch") is None
    assert await recording.failure("f2", case_id="alder") is None
    assert await recording.find("f1", case_id="alder", younger_than=None) is None
    assert await recording.find("f1", case_id=None, younger_than=None) is None


async def test_a_reply_takes_the_place_of_a_failure_and_not_the_other_way(
    recording: ReplyRecording, clock: Clock
) -> None:
    await recording.keep_failure("f1", _REQUEST, "timed out", case_id="alder")
    await recording.keep("f1", _REQUEST, a_reply(clock), case_id="alder")
    assert await recording.failure("f1", case_id="alder") is None
    await recording.keep_failure("f1", _REQUEST, "timed out again", case_id="alder")
    assert await recording.failure("f1", case_id="alder") is None
    assert await recording.find("f1", case_id="alder", younger_than=None) is not None


@pytest.mark.parametrize("body", [None, b'{"q": "tonnes"}', b"\xff\x00binary"])
async def test_what_was_asked_can_be_looked_up(
    recording: ReplyRecording, clock: Clock, database: Database, body: bytes | None
) -> None:
    await recording.keep("f1", Request(url="https://a.example/", method="POST", body=body), a_reply(clock), case_id="a")
    kept = await database.read(
        lambda connection: json.loads(connection.execute(select(tables.replies.c.request)).scalar_one())
    )
    assert kept["url"] == "https://a.example/"
    assert [name for name in kept if name.startswith("body")] == {
        None: [],
        b'{"q": "tonnes"}': ["body"],
        b"\xff\x00binary": ["body_base64"],
    }[body]


async def test_a_long_request_is_kept_compressed_and_whole(
    recording: ReplyRecording, clock: Clock, database: Database
) -> None:
    body = json.dumps({"messages": ["Judge how each passage bears on the claim. " * 400]}).encode()
    await recording.keep("f1", Request(url="https://a.example/", method="POST", body=body), a_reply(clock), case_id="a")
    column = tables.replies.c.request
    kept, read = await database.read(
        lambda connection: connection.execute(select(type_coerce(column, Text), column)).one()
    )
    assert len(kept) < len(body) / 10 and json.loads(read)["body"].encode() == body
