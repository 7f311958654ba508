"""Callbacks: the receiver gets all events in order, with its own ids passed on; its failures do no harm."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest
from inquest.app.callbacks.posting import Payload, poster
from inquest.app.cases.case_request import InquiryRequest
from inquest.app.cases.requests import brief_from
from inquest.app.cases.session import new_session
from inquest.app.settings import load_settings
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import SettingError
from inquest.domain.event import Event, EventType
from tests.app.conftest import BRIEF, ROWS
from tests.net.loopback import Asked, LoopbackWeb, http, in_turn, says

UUID = "0d5f2c3e-4b6a-4c8d-9e0f-112233445566"
PATH = "/api/agent-callback"
SECRET = "a secret between the two"


class Receiver:
    """A database behind an HTTP address: answers each kind of callback with an id of its own."""

    def __init__(self, web: LoopbackWeb) -> None:
        self.web = web
        web.at[PATH] = self.answer

    async def answer(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        told = json.loads(asked.body)
        name = {
            "SOURCE_FOUND": "source_id",
            "CLAIM_EXTRACTED": "claim_id",
            "FACT_CHECKED": "fact_check_id",
            "TIMELINE_EVENT": "event_id",
        }.get(told["type"])
        answer = {"success": True} | ({name: f"db-{len(self.web.asked)}"} if name else {})
        writer.write(http(200, json.dumps(answer).encode(), "application/json"))
        return True

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(asked.body) for asked in self.web.asked if asked.path == PATH]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [told["data"] for told in self.told if told["type"] == kind]


@pytest.fixture
async def web() -> AsyncIterator[LoopbackWeb]:
    async with LoopbackWeb() as web:
        yield web


async def inquire(
    web: LoopbackWeb, folder: Path, brief: str = BRIEF, mode: str = "quick", **settings: Any
) -> tuple[Case, list[Event]]:
    rows = folder / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    options = {"callback_url": web.url(PATH), "keys": {"INQUEST_AGENT_SECRET": SECRET}} | settings
    async with Inquest(home=folder / "home", **options) as inquest:
        await inquest.app.collections.add("tarn", [rows])
        case = await inquest.inquiry(brief, collections=["tarn"], engines=["collection"], mode=mode)
        return case, await inquest.app.events_of(case.id)


async def test_a_whole_case_is_told_in_order_with_the_receivers_ids(web: LoopbackWeb, tmp_path: Path) -> None:
    receiver = Receiver(web)
    case, events = await inquire(web, tmp_path, mode="detailed")
    assert case.status is CaseStatus.COMPLETED
    kinds = list(dict.fromkeys(told["type"] for told in receiver.told))
    assert kinds[:3] == ["INVESTIGATION_STARTED", "SOURCE_FOUND", "CLAIM_EXTRACTED"]
    assert kinds[-1] == "INVESTIGATION_COMPLETE"
    assert {"FACT_CHECKED", "BIAS_ANALYZED", "TIMELINE_EVENT"} <= set(kinds)
    assert {told["investigation_id"] for told in receiver.told} == {case.id}

    urls = [source["url"] for source in receiver.of("SOURCE_FOUND")]
    assert sorted(urls) == sorted(source.url for source in case.sources), "each once, also those found while checking"
    ids = {
        json.loads(asked.body)["data"]["url"]: f"db-{number}"
        for number, asked in enumerate(web.asked, 1)
        if json.loads(asked.body)["type"] == "SOURCE_FOUND"
    }
    by_id = {source.id: ids[source.url] for source in case.sources}
    for told, claim in zip(receiver.of("CLAIM_EXTRACTED"), case.claims, strict=True):
        assert told["claim_text"] == claim.text and told["ref"] == claim.id
        assert told["source_ids"] == [by_id[each] for each in claim.source_ids]
    for told in receiver.of("FACT_CHECKED"):
        assert told["claim_id"].startswith("db-")
        for evidence in told["evidence"]:
            assert evidence["source_id"] == by_id[evidence["source_ref"]]
    for told, event in zip(receiver.of("TIMELINE_EVENT"), case.timeline, strict=True):
        assert (told["event_date"], told["event_text"]) == (event.date, event.text)
        assert told["source_ids"] == [by_id[each] for each in event.source_ids]
    (end,) = receiver.of("INVESTIGATION_COMPLETE")
    assert case.summary is not None and case.summary.sections[0].heading in end["summary"]
    assert 0 <= end["overall_bias_score"] <= 10
    assert not [event for event in events if event.type is EventType.OUTAGE]

    assert {asked.headers["x-agent-secret"] for asked in web.asked} == {SECRET}
    assert len({asked.headers["idempotency-key"] for asked in web.asked}) == len(web.asked)
    kept = [path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert kept and not any(SECRET.encode() in content for content in kept), "the secret goes to nobody else"


async def test_an_id_that_the_brief_gives_names_the_investigation(web: LoopbackWeb, tmp_path: Path) -> None:
    receiver = Receiver(web)
    case, _ = await inquire(web, tmp_path, f"Investigation ID: {UUID}\nMode: quick\n{BRIEF}")
    assert case.brief.text == BRIEF.strip() and not any("Investigation ID" in each.text for each in case.claims)
    end = receiver.told[-1]["data"]["summary"]
    assert "## Sources" in end and all(f"- {each.url}" in end for each in case.citations if f"[{each.n}]" in end)
    assert {told["investigation_id"] for told in receiver.told} == {UUID}


async def test_a_receiver_that_refuses_stops_nothing_and_is_named_once(web: LoopbackWeb, tmp_path: Path) -> None:
    web.at[PATH] = says(http(401, b"no"))
    case, events = await inquire(web, tmp_path)
    assert case.status is CaseStatus.COMPLETED and not case.outages
    (warning,) = [event for event in events if event.type is EventType.OUTAGE]
    assert warning.data["what"] == "callback"
    assert "answered INVESTIGATION_STARTED with status 401." in warning.text
    assert "INQUEST_AGENT_SECRET" in warning.text and SECRET not in warning.text


async def test_what_can_pass_is_tried_again_and_the_rest_is_still_told(web: LoopbackWeb, tmp_path: Path) -> None:
    receiver = Receiver(web)
    web.at[PATH] = in_turn(says(http(503)), says(http(400)), receiver.answer)
    _, events = await inquire(web, tmp_path)
    kinds = [told["type"] for told in receiver.told]
    assert kinds[:2] == ["INVESTIGATION_STARTED"] * 2 and kinds[-1] == "INVESTIGATION_COMPLETE"
    assert len({asked.headers["idempotency-key"] for asked in web.asked[:2]}) == 1
    assert len([event for event in events if event.type is EventType.OUTAGE]) == 1


async def test_any_words_of_an_event_can_be_posted_and_are_told_apart(web: LoopbackWeb, tmp_path: Path) -> None:
    receiver, words = Receiver(web), f"event 2023 {'water ' * 40}"
    case, _ = await inquire(web, tmp_path)
    inquest = Inquest(home=tmp_path / "home", callback_url=web.url(PATH))
    async with inquest, poster(inquest.app.settings, inquest.app.clock) as posting:
        for key in (words, words + "é", words + "è", "\u2003x\n"):
            assert (await posting.post(web.url(PATH), case, Payload("TIMELINE_EVENT", key, {}))).taken
    assert len({asked.headers["idempotency-key"] for asked in web.asked}) == len(web.asked) == len(receiver.told)


async def test_a_resumed_case_tells_only_what_was_not_told(web: LoopbackWeb, tmp_path: Path) -> None:
    receiver = Receiver(web)
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    async with Inquest(home=tmp_path / "home", callback_url=web.url(PATH)) as inquest:
        await inquest.app.collections.add("tarn", [rows])
        brief = brief_from(InquiryRequest(brief=BRIEF, collections=("tarn",), engines=("collection",)), BRIEF)
        session = await new_session(inquest.app, brief)
        async with session:
            planned = await session.begin()
        assert planned.status is CaseStatus.PLANNED and not receiver.told
        await inquest.resume(planned.id)
    keys = [asked.headers["idempotency-key"] for asked in web.asked]
    assert len(keys) == len(set(keys)) and receiver.of("INVESTIGATION_COMPLETE")


async def test_no_page_can_lead_to_the_receivers_host_and_the_end_is_partial(web: LoopbackWeb, tmp_path: Path) -> None:
    receiver = Receiver(web)
    page = web.url("/inside")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(ROWS[0]))
    async with Inquest(home=tmp_path / "home", callback_url=web.url(PATH)) as inquest:
        await inquest.app.collections.add("tarn", [rows])
        case = await inquest.inquiry(BRIEF, urls=[page], collections=["tarn"], engines=["collection"])
    assert "/inside" not in web.paths
    assert any(note.where == page for note in case.outages)
    (end,) = receiver.of("INVESTIGATION_PARTIAL")
    assert case.status is CaseStatus.PARTIAL and end["partial_reason"] == case.why != ""


def test_an_address_that_is_none_is_an_error_of_the_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="INQUEST_CALLBACK_URL"):
        load_settings(home=tmp_path, callback_url="ftp://receiver.example/x")
