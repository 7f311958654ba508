"""The parts and exports of a case, single judgements, collections and topics, over REST."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from inquest import Inquest
from tests.app.conftest import over_the_rows
from tests.collection.upload_files import message, word_document
from tests.faces_api.conftest import CHECK, connected, served, until


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A data folder with a check that was made over REST, and the check's document."""

    async def work() -> tuple[Path, dict[str, Any]]:
        folder = tmp_path_factory.mktemp("checked")
        async with over_the_rows(folder) as inquest, served(inquest) as api, connected(api) as client:
            case_id = (await client.post("/api/v1/cases", json=CHECK)).json()["case_id"]
            return folder / "home", await until(client, case_id, "completed", "partial")

    return asyncio.run(work())


@pytest.fixture
async def inquest(checked: tuple[Path, dict[str, Any]], tmp_path: Path) -> AsyncIterator[Inquest]:
    shutil.copytree(checked[0], tmp_path / "home")
    async with Inquest(home=tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def case(checked: tuple[Path, dict[str, Any]]) -> dict[str, Any]:
    return checked[1]


async def test_every_part_is_read_page_by_page_and_a_quote_where_it_stands_in_the_archived_page(
    client: httpx2.AsyncClient, case: dict[str, Any]
) -> None:
    base = f"/api/v1/cases/{case['case_id']}"
    for part in ("sources", "claims", "findings", "verdicts", "timeline", "citations", "outages"):
        page = (await client.get(f"{base}/{part}")).json()
        assert page["items"] == case[part] and page["total"] == len(case[part])
    first = (await client.get(f"{base}/findings", params={"limit": 1})).json()
    assert first["items"] == case["findings"][:1]
    assert (await client.get(f"{base}/bias")).json()["bias"] == case["bias"]
    assert (await client.get(f"{base}/secrets")).status_code == 422
    finding = next(each for each in case["findings"] if each["quote"])
    span = {"start": finding["start"], "end": finding["end"]}
    shown = (await client.get(f"{base}/pages/{finding['snapshot']}", params=span)).json()
    assert shown["span"] == finding["quote"]
    assert (await client.get(f"{base}/pages/{finding['snapshot']}", params={"end": 10**8})).status_code == 422
    assert (await client.get(f"{base}/pages/sha256:{'0' * 64}")).status_code == 404


async def test_reports_and_exports_come_in_every_form(client: httpx2.AsyncClient, case: dict[str, Any]) -> None:
    base = f"/api/v1/cases/{case['case_id']}"
    page = await client.get(f"{base}/report", params={"form": "html"})
    assert page.headers["content-type"].startswith("text/html") and "sandbox" in page.headers["Content-Security-Policy"]
    assert (await client.get(f"{base}/report", params={"form": "md"})).text.startswith("#")
    told = await client.get(f"{base}/report", params={"form": "json"})
    assert told.json()["case_id"] == case["case_id"]
    wacz = await client.get(f"{base}/export/wacz")
    assert "datapackage.json" in zipfile.ZipFile(io.BytesIO(wacz.content)).namelist()
    for form in ("warc", "json", "claimreview", "csv", "bibtex", "csl"):
        got = await client.get(f"{base}/export/{form}")
        assert got.status_code == 200 and got.content and "attachment" in got.headers["Content-Disposition"], form


async def test_a_deleted_case_is_gone(client: httpx2.AsyncClient, case: dict[str, Any]) -> None:
    url = f"/api/v1/cases/{case['case_id']}"
    assert (await client.delete(url)).status_code == 204
    for path in ("", "/events", "/findings"):
        assert (await client.get(url + path)).status_code == 404
    lines = (await client.get("/api/v1/audit")).json()["lines"]
    assert [line["what"] for line in lines if line["action"] == "case deleted"] == [case["case_id"]]


async def test_chat_and_agent_events_have_the_markers_and_names_of_the_specification(
    client: httpx2.AsyncClient, case: dict[str, Any]
) -> None:
    lines = (await client.get(f"/api/v1/cases/{case['case_id']}/chat")).text
    assert "[INVESTIGATION_STARTED]" in lines and "[PROGRESS]" in lines
    second = lines.split("id: ")[2].split()[0]
    url = f"/api/v1/cases/{case['case_id']}/chat"
    again = (await client.get(url, headers={"Last-Event-ID": second})).text
    assert again == lines[lines.index(f"id: {second}") :].partition("\r\n\r\n")[2], "what was seen is not told again"
    assert (
        lines.rstrip().splitlines()[-1].startswith(("data: [INVESTIGATION_COMPLETE]", "data: [INVESTIGATION_PARTIAL]"))
    )

    events = (await client.get(f"/api/v1/cases/{case['case_id']}/agent-events")).json()["events"]
    names = {each["event_type"] for each in events}
    assert {"agent_started", "search_executed", "agent_completed"} <= names
    assert all(set(each) == {"event_type", "agent_name", "data", "timestamp"} for each in events)


async def test_a_pair_is_assessed_and_a_source_rated(client: httpx2.AsyncClient) -> None:
    passage = "The Air Authority fined the operator 150,000 euros."
    judged = (
        await client.post("/api/v1/assess", json={"claim": "The fine was 150,000 euros.", "passage": passage})
    ).json()
    assert judged["stance"] == "supports" and passage[judged["start"] : judged["end"]] == judged["quote"]
    rated = (
        await client.post("/api/v1/tier", json={"urls": ["https://www.reuters.com/world/", "nowhere.example"]})
    ).json()
    assert [each["known"] for each in rated["ratings"]] == [True, False]


async def test_no_page_inside_the_network_is_read(client: httpx2.AsyncClient) -> None:
    for url in ("http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:1/x", "file:///etc/passwd"):
        for path in ("read", "sources/analyse"):
            reply = await client.post(f"/api/v1/{path}", json={"url": url})
            reached = reply.status_code == 200 and reply.json()["is_reachable"]
            assert reply.status_code in (422, 424) or not reached, reply.text


async def test_a_collection_is_filled_searched_and_removed(client: httpx2.AsyncClient) -> None:
    rows = json.dumps({"url": "https://a.example/1", "title": "Ferry", "text": "The ferry Alma sank near Orkney."})
    url = "/api/v1/collections/boats"
    added = await client.post(f"{url}/documents", files={"files": ("rows.jsonl", rows.encode(), "application/json")})
    assert added.status_code == 200 and added.json()["added"]["documents"] == 1, added.text
    assert (await client.get("/api/v1/collections")).json()["collections"] == ["boats", "tarn"]
    assert (await client.get(url)).json()["info"]["documents"] == 1
    found = (await client.get(f"{url}/search", params={"q": "Alma"})).json()["results"]
    assert [each["url"] for each in found] == ["https://a.example/1"]
    assert (await client.delete(url)).status_code == 204
    assert (await client.get(url)).status_code == 404


async def test_office_documents_messages_and_web_archives_are_taken_in_by_upload(client: httpx2.AsyncClient) -> None:
    gone = b"WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: https://n.example/\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    sent = {"memo.docx": word_document("The crane fell."), "mail.eml": message("The crane rose."), "n.warc": gone}
    files = [("files", (name, body)) for name, body in [*sent.items(), ("film.mp4", b"\0\1\2")]]
    added = (await client.post("/api/v1/collections/desk/documents", files=files)).json()["added"]
    assert (added["documents"], added["unreadable"], added["left_out"]) == (3, 1, 2)
    assert added["records"] == [{"record": "request", "outcome": "left out", "count": 1}]
    assert added["in_words"] == "Records of web archives - left out: 1 request."
    for film in ("film.mp4", "mail.eml > film.mp4"):
        sentence = f"uploads/desk/{film}: is of an unsupported type (.mp4); PDF, "
        assert any(each.startswith(sentence) for each in added["problems"])
    found = (await client.get("/api/v1/collections/desk/search", params={"q": "crane"})).json()["results"]
    assert {each["url"].rsplit("/", 1)[-1] for each in found} == {"memo.docx", "mail.eml", "note.txt"}


async def test_a_topic_is_taken_in_investigated_and_reviewed(client: httpx2.AsyncClient) -> None:
    row = {
        "title": "Dust at Tarn Bridge works twice the limit",
        "text": "Dust at the Tarn Bridge works reached 84 micrograms per cubic metre in August 2023.",
        "discovery_date": "2023-09-05",
        "newsworthiness_score": 70,
    }
    added = (await client.post("/api/v1/topics", json={"topics": [row, {}]})).json()
    assert len(added["added"]) == 1 and added["refused"][0]["where"] == "topic 2"
    topic_id = added["added"][0]["topic_id"]
    wanted = (await client.get("/api/investigations/candidates")).json()["topics"]
    assert [each["topic_id"] for each in wanted] == [topic_id]
    begun = await client.post("/api/investigations/", json={"topic_id": topic_id, "priority": "high"})
    assert begun.status_code == 202 and begun.json()["status"] == "started", begun.text
    again = await client.post("/api/investigations/", json={"topic_id": topic_id})
    assert again.status_code == 409
    url = f"/api/investigations/{begun.json()['investigation_id']}"
    shown = (await client.get(url)).json()
    assert shown["topic_id"] == topic_id and "verification_upgraded" in shown
    async with asyncio.timeout(60):
        while (await client.get(url)).json()["status"] == "started":
            await asyncio.sleep(0.02)
    (case,) = (await client.get("/api/v1/cases?kind=topic")).json()["cases"]
    assert (await client.get(url)).json()["case_id"] == case["case_id"], "one case has one investigation"
    assert (await client.get("/api/v1/stats")).json()["investigations"]["investigations"] == 1
    watched = await client.put(f"/api/v1/topics/{topic_id}/watch", json={"every": "7d"})
    assert watched.status_code == 200
    assert len((await client.get("/api/v1/watches")).json()["watches"]) == 1
    assert (await client.delete(f"/api/v1/topics/{topic_id}/watch")).status_code == 204
    assert (await client.get("/api/v1/stats")).json()["cases"]["total"] >= 1
