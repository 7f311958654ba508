"""Cases over REST: opened, decided on, stopped, listed; every problem in one form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.domain.event import Stage
from tests.app.conftest import BRIEF
from tests.faces_api.conftest import CHECK, INQUIRY, connected, served, until


async def test_an_inquiry_waits_for_its_plan_to_be_approved_and_then_runs_to_its_end(
    client: httpx2.AsyncClient,
) -> None:
    made = await client.post("/api/v1/cases", json=INQUIRY)
    assert made.status_code == 201
    case_id = made.json()["case_id"]
    assert made.headers["Location"] == f"/api/v1/cases/{case_id}"
    await until(client, case_id, "planned")
    plan = (await client.get(f"/api/v1/cases/{case_id}/plan")).json()
    assert plan["plan"]["engines"] == ["collection"] and plan["approvals"] == []

    decided = await client.post(f"/api/v1/cases/{case_id}/decision", json={"words": "yes", "revision": 1})
    assert decided.status_code == 202 and decided.json()["decision"] == "approve"
    case = await until(client, case_id, "completed", "partial")
    assert case["schema"] == "inquest/case/1"
    assert case["citations"] and all(citation["quote"] for citation in case["citations"])
    assert case["plan"]["approved"]["how"] == "api"

    lines = (await client.get(f"/api/v1/cases/{case_id}/events", headers={"Accept": "application/json"})).json()
    types = [event["type"] for event in lines["events"]]
    assert types[0] == "case_created" and types[-1] == "case_finished" and lines["ended"]
    assert types.count("case_created") == 1

    chat = (await client.get(f"/api/v1/cases/{case_id}/chat")).text
    ends = "INVESTIGATION_COMPLETE" if case["status"] == "completed" else "INVESTIGATION_PARTIAL"
    markers = ("PLAN_APPROVAL_REQUIRED", "INVESTIGATION_STARTED", "PROGRESS", "TIMELINE_SKIPPED", ends)
    places = [chat.find(f"[{marker}]") for marker in markers]
    assert -1 not in places and places == sorted(places)


async def test_a_plan_is_answered_once_and_a_change_makes_another_revision(client: httpx2.AsyncClient) -> None:
    case_id = (await client.post("/api/v1/cases", json=INQUIRY)).json()["case_id"]
    await until(client, case_id, "planned")
    url = f"/api/v1/cases/{case_id}/decision"
    stale = await client.post(url, json={"words": "yes", "revision": 7})
    assert stale.status_code == 409 and "revision 1" in stale.json()["detail"]
    await client.post(url, json={"words": "Leave out the appeal."})
    second = await client.post(url, json={"words": "reject", "revision": 1})
    assert second.status_code == 409
    assert second.headers["content-type"] == "application/problem+json"
    while (await client.get(f"/api/v1/cases/{case_id}/plan")).json()["plan"]["revision"] == 1:
        pass
    for unclear in ({}, {"words": "yes", "decision": "reject"}, {"decision": "revise"}):
        assert (await client.post(url, json=unclear)).status_code == 422
    assert (await client.post(url, json={"decision": "reject", "revision": 2})).json()["decision"] == "reject"
    await until(client, case_id, "cancelled")
    for what in ("decision", "cancel", "resume"):
        body = {"words": "yes"} if what == "decision" else None
        late = await client.post(f"/api/v1/cases/{case_id}/{what}", json=body)
        assert late.status_code == 409, late.text


async def test_a_check_that_is_approved_beforehand_tells_its_events_as_they_come(client: httpx2.AsyncClient) -> None:
    case_id = (await client.post("/api/v1/cases", json=CHECK)).json()["case_id"]
    stream = (await client.get(f"/api/v1/cases/{case_id}/events")).text
    ids = [int(line[3:]) for line in stream.splitlines() if line.startswith("id:")]
    assert ids == sorted(set(ids)) and "event: case_finished" in stream
    case = await until(client, case_id, "completed", "partial")
    assert len(case["verdicts"]) == 1 and case["findings"]
    rest = await client.get(f"/api/v1/cases/{case_id}/events", headers={"Last-Event-ID": str(ids[-2])})
    assert [line for line in rest.text.splitlines() if line.startswith("id:")] == [f"id: {ids[-1]}"]
    future = await client.get(f"/api/v1/cases/{case_id}/events", headers={"Last-Event-ID": str(ids[-1] + 5)})
    assert future.status_code == 422
    whole = await client.get(f"/api/v1/cases/{case_id}")
    unchanged = await client.get(f"/api/v1/cases/{case_id}", headers={"If-None-Match": whole.headers["ETag"]})
    assert unchanged.status_code == 304 and not unchanged.content
    for path, body in (("decision", {"words": "approve", "revision": 1}), ("resume", None), ("cancel", None)):
        assert (await client.post(f"/api/v1/cases/{case_id}/{path}", json=body)).status_code == 409, path


async def test_a_list_is_filtered_and_read_page_by_page(client: httpx2.AsyncClient) -> None:
    made = [(await client.post("/api/v1/cases", json=INQUIRY)).json()["case_id"] for _ in range(3)]
    for case_id in made:
        await until(client, case_id, "planned")
    seen: list[str] = []
    after = ""
    while True:
        page = (await client.get("/api/v1/cases", params={"limit": 2, "after": after, "kind": "inquiry"})).json()
        seen += [case["case_id"] for case in page["cases"]]
        if page["next"] is None:
            break
        after = page["next"]
    assert sorted(seen) == sorted(made) and len(set(seen)) == 3
    assert (await client.get("/api/v1/cases", params={"q": "TARN dust"})).json()["cases"]
    assert not (await client.get("/api/v1/cases", params={"q": "100%"})).json()["cases"]
    assert not (await client.get("/api/v1/cases", params={"status": "completed"})).json()["cases"]


async def test_a_stopped_case_goes_on_when_it_is_told_to(client: httpx2.AsyncClient) -> None:
    case_id = (await client.post("/api/v1/cases", json={**INQUIRY, "approve": True})).json()["case_id"]
    stopped = await client.post(f"/api/v1/cases/{case_id}/cancel", params={"then": "nothing"})
    assert stopped.status_code == 202
    await until(client, case_id, "cancelled")
    assert (await client.post(f"/api/v1/cases/{case_id}/resume")).status_code == 202
    await until(client, case_id, "completed", "partial")


async def test_an_uploaded_report_is_checked_and_its_place_on_the_server_is_not_told(
    client: httpx2.AsyncClient,
) -> None:
    text = "Calder Stone sustainability report 2023. In 2023 we reduced dust emissions by 40 percent compared to 2020."
    made = await client.post(
        "/api/v1/cases/upload",
        data={"company": "Calder Stone", "approve": "true", "collections": "tarn"},
        files={"report": ("../../re port.txt", text.encode(), "text/plain")},
    )
    assert made.status_code == 201, made.text
    case = await until(client, made.json()["case_id"], "completed", "partial", "failed")
    assert "/tmp" not in str(case["input"])


BAD: list[tuple[Any, int]] = [
    ([], 422),
    ({"kind": "inquiry", "brief": "  "}, 422),
    ({"kind": "inquiry", "brief": BRIEF, "brif": 1}, 422),
    ({"kind": "inquiry", "brief": BRIEF, "collections": ["none such"]}, 404),
    ({"kind": "inquiry", "brief": BRIEF, "urls": ["file:///etc/passwd"]}, 422),
    ({"kind": "claims", "report": "/etc/passwd", "company": "X"}, 422),
    ({"kind": "topic", "topic": "999"}, 404),
    ({"kind": "topic", "topic": "/etc/passwd"}, 422),
    ({"kind": "market", "question": "Why?", "filings": ["/etc/passwd"]}, 422),
    ({"kind": "no such"}, 422),
]


async def test_what_cannot_be_used_is_one_sentence_and_no_case(client: httpx2.AsyncClient) -> None:
    for body, status in BAD:
        reply = await client.post("/api/v1/cases", json=body)
        assert reply.status_code == status, reply.text
        told = reply.json()
        assert reply.headers["content-type"] == "application/problem+json"
        assert told["status"] == status and told["detail"].strip() and "\n" not in told["detail"]
    assert (await client.get("/api/v1/cases")).json()["cases"] == []


async def test_only_this_machine_itself_is_let_in_without_a_sign_in(client: httpx2.AsyncClient) -> None:
    for headers in ({"X-Forwarded-For": "203.0.113.9"}, {"Host": "rebound.example"}):
        refused = await client.get("/api/v1/cases", headers=headers)
        assert refused.status_code == 401 and refused.json()["detail"] == "You are not signed in."


async def test_a_request_that_is_sent_again_with_its_key_opens_one_case(client: httpx2.AsyncClient) -> None:
    headers = {"Idempotency-Key": "8c1f"}
    first = await client.post("/api/v1/cases", json=INQUIRY, headers=headers)
    again = await client.post("/api/v1/cases", json=INQUIRY, headers=headers)
    assert first.status_code == again.status_code == 201 and first.json() == again.json()
    other = await client.post("/api/v1/cases", json={**INQUIRY, "mode": "detailed"}, headers=headers)
    assert other.status_code == 409
    wrong = {**INQUIRY, "brief": " "}
    for _ in range(2):  # a failed request may be sent again
        assert (await client.post("/api/v1/cases", json=wrong, headers={"Idempotency-Key": "x"})).status_code == 422
    assert len((await client.get("/api/v1/cases")).json()["cases"]) == 1


async def test_the_docs_and_the_metrics_need_nothing_from_elsewhere(client: httpx2.AsyncClient) -> None:
    page = await client.get("/api/docs")
    assert page.status_code == 200 and "/api/v1/cases/{case_id}/decision" in page.text
    assert "<script" not in page.text and 'src="' not in page.text and 'href="http' not in page.text
    await client.post("/api/v1/cases", json=INQUIRY)
    told = (await client.get("/metrics")).text
    assert 'inquest_cases{kind="planned"} 1.0' in told and "\ninquest_longest_wait_seconds " in told


async def test_what_a_page_calls_itself_comes_out_as_text_and_never_as_a_script(
    client: httpx2.AsyncClient, inquest: Inquest, tmp_path: Path
) -> None:
    title = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    text = f"Calder Stone Ltd was fined 150,000 euros in September 2023. {title}"
    row = {"url": "https://a.example/1", "title": title, "date": "2023-09-05", "text": text}
    rows = tmp_path / "hostile.jsonl"
    rows.write_text(json.dumps(row))
    await inquest.app.collections.add("hostile", [rows])
    case_id = (await client.post("/api/v1/cases", json={**CHECK, "collections": ["hostile"]})).json()["case_id"]
    await until(client, case_id, "completed", "partial")
    url = f"/api/v1/cases/{case_id}"
    page = (await client.get(f"{url}/report", params={"form": "html"})).text
    assert "alert(1)" in page and "<script>alert" not in page and "<img src=x" not in page
    assert "<script>" not in (await client.get(f"{url}/export/claimreview")).text
    for path in (url, f"{url}/sources", f"{url}/export/json", f"{url}/export/csv", f"{url}/report?form=md"):
        reply = await client.get(path)
        assert not reply.headers["content-type"].startswith("text/html")
        assert reply.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_defect_is_told_as_one_and_nothing_else_of_it(api: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    async def defect(*args: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("inquest.app.service.looking.list_cases", defect)
    async with connected(api, raise_app_exceptions=False) as client:
        reply = await client.get("/api/v1/cases")
    assert reply.status_code == 500 and reply.headers["content-type"] == "application/problem+json"
    assert "secret" not in reply.text


async def test_a_server_that_ends_leaves_its_cases_to_the_next_and_tells_nobody_that_they_ended(
    inquest: Inquest,
) -> None:
    async with served(inquest) as first, connected(first) as client:
        case_id = (await client.post("/api/v1/cases", json={**INQUIRY, "approve": True})).json()["case_id"]
        async for event in inquest.events(case_id):
            if event.stage is Stage.SOURCES:  # it is at work
                break
    async with served(inquest) as second, connected(second) as client:
        await until(client, case_id, "completed", "partial")
        await client.get(f"/api/v1/cases/{case_id}/events")  # until the last one is reported
    told = [event.type.value for event in await inquest.app.events_of(case_id)]
    assert [each for each in told if each.startswith("case_")] == [
        "case_created",
        "case_started",
        "case_resumed",
        "case_finished",
    ]
