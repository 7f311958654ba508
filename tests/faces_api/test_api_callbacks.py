"""Callbacks from the outbox: all of them, in order, signed; never to internal addresses or after a redirect."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from inquest import Inquest
from tests.app.conftest import RATINGS, ROWS
from tests.faces_api.conftest import CHECK, connected, served, until
from tests.net.loopback import Asked, LoopbackWeb, http

SECRET = "a secret between the two"
PATH = "/api/agent-callback"


class Receiver:
    """Answers with its own ids, after the given number of failures."""

    def __init__(self, web: LoopbackWeb) -> None:
        self.web, self.failures, self.told = web, 0, list[dict[str, Any]]()
        self.headers: list[dict[str, str]] = []
        web.at[PATH] = self._answer

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        if self.failures:
            self.failures -= 1
            writer.write(http(503, b"later"))
            return True
        self.told.append(json.loads(asked.body))
        self.headers.append({name.lower(): value for name, value in asked.headers.items()})
        body = asked.body
        signed = self.headers[-1]["x-inquest-signature"]
        moment, digest = (part.split("=", 1)[1] for part in signed.split(","))
        assert hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest() == digest
        name = {"SOURCE_FOUND": "source_id", "CLAIM_EXTRACTED": "claim_id"}.get(self.told[-1]["type"])
        answer = {name: f"db-{len(self.told)}"} if name else {}
        writer.write(http(200, json.dumps(answer).encode(), "application/json"))
        return True


@pytest.fixture
async def web() -> AsyncIterator[LoopbackWeb]:
    async with LoopbackWeb() as web:
        yield web


@pytest.fixture
async def client(
    web: LoopbackWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx2.AsyncClient]:
    """A server whose operator lets callbacks reach the one receiver."""
    monkeypatch.setenv("INQUEST_AGENT_SECRET", SECRET)
    rows, ratings = tmp_path / "rows.jsonl", tmp_path / "ratings.csv"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    ratings.write_text(RATINGS)
    async with Inquest(home=tmp_path / "home", allow_hosts=(f"127.0.0.1:{web.port}",)) as inquest:
        await inquest.app.collections.add("tarn", [rows], ratings=ratings)
        async with served(inquest) as api, connected(api) as opened:
            yield opened


async def settled(client: httpx2.AsyncClient, case_id: str) -> dict[str, Any]:
    """The callbacks received, once the case's end was reported or one has finally failed."""
    async with asyncio.timeout(60):
        while True:
            told: dict[str, Any] = (await client.get(f"/api/v1/cases/{case_id}/callbacks")).json()
            rows = told["callbacks"]
            if rows and (rows[-1]["type"].startswith("INVESTIGATION_C") and rows[-1]["state"] != "waiting"):
                return told
            await asyncio.sleep(0.05)


async def test_a_receiver_is_told_everything_in_order_with_its_own_ids_handed_on_though_it_fails_at_first(
    client: httpx2.AsyncClient, web: LoopbackWeb
) -> None:
    receiver = Receiver(web)
    receiver.failures = 1
    made = await client.post("/api/v1/cases", json={**CHECK, "callback_url": web.url(PATH)})
    assert made.status_code == 201, made.text
    case_id = made.json()["case_id"]
    await until(client, case_id, "completed", "partial")
    rows = (await settled(client, case_id))["callbacks"]
    types = [each["type"] for each in receiver.told]
    assert types[0] == "INVESTIGATION_STARTED" and types[-1] == "INVESTIGATION_COMPLETE"
    assert [row["type"] for row in rows] == types and rows[0]["attempts"] == 2
    theirs = {row["theirs"] for row in rows if row["type"] == "SOURCE_FOUND"}
    checked = next(each for each in receiver.told if each["type"] == "FACT_CHECKED")
    assert {each["source_id"] for each in checked["data"]["evidence"]} <= theirs
    assert all(each["x-agent-secret"] == SECRET for each in receiver.headers)

    many = len(receiver.told)
    again = await client.post(f"/api/v1/cases/{case_id}/callbacks/replay", json={"keys": [rows[-1]["key"]]})
    assert again.json() == {"callbacks": 1}
    async with asyncio.timeout(20):
        while len(receiver.told) == many:
            await asyncio.sleep(0.05)
    assert receiver.told[-1] == receiver.told[many - 1]


async def test_a_receiver_that_sends_us_elsewhere_is_not_followed(client: httpx2.AsyncClient, web: LoopbackWeb) -> None:
    seen: list[str] = []

    async def elsewhere(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        seen.append(asked.path)
        writer.write(http(307, b"", Location="/inside"))
        return True

    web.at[PATH] = web.at["/inside"] = elsewhere
    case_id = (await client.post("/api/v1/cases", json={**CHECK, "callback_url": web.url(PATH)})).json()["case_id"]
    async with asyncio.timeout(30):
        while not (await client.get(f"/api/v1/cases/{case_id}/callbacks")).json()["callbacks"]:
            await asyncio.sleep(0.05)
    (row, *_) = (await client.get(f"/api/v1/cases/{case_id}/callbacks")).json()["callbacks"]
    assert row["state"] == "waiting" and row["error"]
    assert set(seen) == {PATH}


async def test_a_receiver_inside_the_network_is_refused_and_no_case_is_opened(client: httpx2.AsyncClient) -> None:
    for url in (
        "http://169.254.169.254/latest",
        "http://10.0.0.5/hook",
        "http://localhost:9/hook",
        "http://ada:secret@example.org/hook",
        "file:///etc/passwd",
        "not an address",
    ):
        reply = await client.post("/api/v1/cases", json={**CHECK, "callback_url": url})
        assert reply.status_code == 422, reply.text
    assert (await client.get("/api/v1/cases")).json()["cases"] == []
