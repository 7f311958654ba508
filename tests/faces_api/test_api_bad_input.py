"""Invalid input: one sentence, the right status, and nothing is started."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from inquest import Inquest
from inquest.app.service import dispatching
from inquest.app.service.dispatching import work_on
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case
from inquest.domain.errors import StorageError
from tests.faces_api.conftest import CHECK, until


async def test_an_upload_that_is_no_report_is_refused(client: httpx2.AsyncClient) -> None:
    text = b"Calder Stone cut its emissions by 40 percent in 2023."
    for body in (b"", b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n" + bytes(100), text):
        reply = await client.post(
            "/api/v1/cases/upload",
            data={"company": "Calder Stone"},
            files={"report": ("report.pdf", body, "application/pdf")},
        )
        assert reply.status_code == 422, reply.text
        assert reply.json()["detail"].count("\n") == 0 and "/tmp" not in reply.text
    assert "report.pdf is not a PDF" in reply.json()["detail"]
    reply = await client.post("/api/v1/cases/upload", data={"company": "Calder Stone"})
    assert reply.status_code == 422 and reply.json()["errors"][0]["where"][-1] == "report"
    assert (await client.get("/api/v1/cases")).json()["cases"] == []


async def test_values_that_nothing_can_be_made_of_are_refused(client: httpx2.AsyncClient) -> None:
    check = json.dumps(CHECK)
    for body in (
        *(json.dumps(CHECK | {"as_of": day}) for day in ("0001-01-01T00:00:00+14:00", "0001-06", "9999-12-31")),
        json.dumps(CHECK | {"deadline": "9" * 400}),
        json.dumps(CHECK | {"claims": ["\ud800"]}),
        json.dumps({"kind": "topic", "topic": "9" * 50}),
        json.dumps({"kind": "topic", "topic": "\u00b2"}),
        check[:-1] + ', "budget_usd": 1e999}',
    ):
        reply = await client.post("/api/v1/cases", content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code in (404, 422), reply.text
    for kind in ("text/plain", "multipart/form-data", "application/json"):
        reply = await client.post("/api/v1/cases", content=b"<case/>", headers={"Content-Type": kind})
        assert reply.status_code in (400, 415, 422), reply.text
        assert reply.headers["content-type"] == "application/problem+json"
    assert (await client.get("/api/v1/cases")).json()["cases"] == []


async def test_null_characters_and_secrets_in_an_address_are_refused(client: httpx2.AsyncClient) -> None:
    for address in ("cases/%00", "cases?q=%00", "cases/a%00b/events"):
        assert (await client.get(f"/api/v1/{address}")).status_code == 400
    for asked in ("token=x", "access_token=x", "API_KEY=x", "Auth_Token=x", "password=x", "q=inq_0123456789"):
        reply = await client.get(f"/api/v1/cases?{asked}")
        assert reply.status_code == 400 and "secret" in reply.json()["detail"]
    for url in ("0" * 3_000, "~nobody-of-this-name/x"):
        reply = await client.post("/api/v1/read", json={"url": url})
        assert reply.status_code == 422 and "Invalid web address" in reply.json()["detail"]


PROBLEMS: list[tuple[tuple[str, str, dict[str, Any]], int, str, str]] = [
    (("POST", "cases", {}), 422, "The request has no body.", "application/json"),
    (("POST", "cases", {"content": b"x", "headers": {"Content-Type": "text/csv"}}), 415, "as text/csv", "docs"),
    (("POST", "cases/upload", {"data": {"company": "X", "report": "x"}}), 422, "'report' is not a file.", "docs"),
    (("POST", "tier", {"json": {}}), 422, "Invalid 'urls': it is missing.", "docs"),
    (("POST", "cases", {"json": CHECK | {"budget_usd": -1}}), 422, "Invalid 'budget_usd': expected at least 0", "docs"),
    (("POST", "cases", {"json": {"kind": "claims"}}), 422, "There is nothing to check.", "at least one claim"),
    (("GET", "cases?kind=poem", {}), 422, "Invalid 'kind.0': expected 'inquiry', 'claims'", "docs"),
    (("PUT", "cases", {}), 405, "This address does not allow PUT.", "It allows"),
    (("POST", "cases", {"json": CHECK | {"team_id": 99}}), 404, "There is no team 99 here.", "/teams"),
]


async def test_a_problem_says_what_is_wrong_and_what_to_do_over_http(client: httpx2.AsyncClient) -> None:
    for (method, path, sent), status, detail, advice in PROBLEMS:
        reply = await client.request(method, f"/api/v1/{path}", **sent)
        told = reply.json()
        assert reply.status_code == status == told["status"], reply.text
        assert detail in told["detail"] and advice in told["advice"], told
        assert reply.headers["content-type"] == "application/problem+json"
    cut_off = await client.post("/api/v1/tier", content=b'{"urls": [', headers={"Content-Type": "application/json"})
    assert cut_off.status_code == 422 and cut_off.json()["detail"].startswith("The body is not JSON: ")
    cut_off = await client.post("/api/v1/tier", content=b'{"url', headers={"Content-Type": "application/json"})
    assert "Unterminated string starting at character 1." in cut_off.json()["detail"]


async def test_a_full_queue_refuses_new_cases_and_says_when_to_come_again(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    inquest.app.settings = inquest.app.settings.model_copy(update={"most_waiting": 1})
    made = [await client.post("/api/v1/cases", json=CHECK) for _ in range(3)]
    refused = next(each for each in made if each.status_code != 201)
    assert made[0].status_code == 201
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) > 0
    await until(client, made[0].json()["case_id"], "completed", "partial")


async def test_a_server_with_a_full_disk_is_not_ready_and_says_so(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await client.get("/readyz")).status_code == 200
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=3 * 2**20))
    reply = await client.get("/readyz")
    assert reply.status_code == 503 and "3.0 MB are free" in reply.json()["detail"]
    assert (await client.get("/healthz")).status_code == 200


async def test_a_case_goes_on_by_itself_once_the_disk_has_room_again(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = iter([True, True])

    async def on_a_full_disk(app: Resources, case_id: str, **how: Any) -> Case:
        if next(full, False):
            raise StorageError("The disk is full: inquest.db could not be written.")
        return await work_on(app, case_id, **how)

    monkeypatch.setattr(dispatching, "work_on", on_a_full_disk)
    monkeypatch.setattr(dispatching, "FIRST_PAUSE", 0.01)
    case_id = (await client.post("/api/v1/cases", json=CHECK)).json()["case_id"]
    await until(client, case_id, "completed", "partial")
    assert next(full, None) is None
