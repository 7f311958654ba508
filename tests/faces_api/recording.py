"""`python -m tests.faces_api.recording`: asks each operation of the API over a small affair, and writes what was sent
and answered to `src/inquest/api/examples.json`, the examples of OpenAPI and of `/api/docs`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from inquest import Inquest
from inquest.api.docs import PATH
from inquest.api.server import create_app
from tests.app.conftest import RATINGS, ROWS
from tests.faces_api.conftest import CHECK, INQUIRY, until
from tests.net.loopback import Answers, Asked, LoopbackWeb, http

_MOST_TEXT, _MOST_ITEMS = 300, 1
_BYTES = ("application/pdf", "application/wacz", "application/warc")
_REPORT = "Calder Stone Ltd cut its Scope 1 emissions by 40 percent between 2019 and 2023.\n" * 3
_TOPIC = {
    "title": "Dust at Tarn Bridge works twice the limit",
    "text": "Dust at the Tarn Bridge works reached 84 micrograms per cubic metre in August 2023.",
    "discovery_date": "2023-09-05",
    "newsworthiness_score": 70,
}
_PAGE = "<html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{text}</p></article></body></html>"
_PAGES = ("/notices/17", "/news/dust")


@dataclass
class Recorder:
    """Sends requests and keeps the first of each operation with its reply."""

    client: httpx2.AsyncClient
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def ask(self, method: str, path: str, operation: str = "", **sent: Any) -> Any:
        """The reply's JSON, or its text. `operation`: the path as OpenAPI has it, where it differs."""
        reply = await self.client.request(method, path, **sent)
        assert reply.status_code < 400, f"{method} {path}: {reply.status_code} {reply.text}"
        kept = self.kept.setdefault(f"{method} {operation or path.partition('?')[0]}", {})
        if sent.get("json") or sent.get("files"):
            kept.setdefault("request", sent.get("json") or _form(sent))
        kind = reply.headers.get("content-type", "").partition(";")[0] if reply.content else ""
        told = reply.json() if kind.endswith("json") else reply.text
        if kind:
            kept.setdefault("replies", {}).setdefault(kind, "(bytes)" if kind in _BYTES else cut(told))
        return told


def _form(sent: dict[str, Any]) -> dict[str, Any]:
    """The fields of a form, a file by its name."""
    files = {name: [file[0]] if name == "files" else file[0] for name, file in sent["files"].items()}
    return {**sent.get("data", {}), **files}


def cut(value: Any) -> Any:
    """The value with the first item of each list, and with texts of a size to look at."""
    if isinstance(value, dict):
        return {name: cut(each) for name, each in value.items()}
    if isinstance(value, list):
        return [cut(each) for each in value[:_MOST_ITEMS]]
    if isinstance(value, str) and len(value) > _MOST_TEXT:
        return value[: value.rfind(" ", 0, _MOST_TEXT)] + " ..."
    return value


async def record(recorder: Recorder, web: LoopbackWeb) -> None:
    """All operations, in an order in which each has what it needs."""
    ask, v1 = recorder.ask, "/api/v1"
    case = f"{v1}/cases/{{case_id}}"
    for path in ("/healthz", "/readyz"):
        await ask("GET", path)
    made = await ask("POST", f"{v1}/cases", json=CHECK | {"callback_url": web.url("/hook")})
    check = f"{v1}/cases/{made['case_id']}"
    document = await until(recorder.client, made["case_id"], "completed", "partial")
    await ask("GET", check, case)
    for form in ("html", "md", "json", "pdf"):
        await ask("GET", f"{check}/report?form={form}", f"{case}/report")
    for form in ("wacz", "warc", "json", "csv", "bibtex", "csl"):
        await ask("GET", f"{check}/export/{form}", f"{case}/export/{{form}}")
    reviews = "claimreview?url=https://desk.example.org/checks/1&reviewer=The%20desk"
    await ask("GET", f"{check}/export/{reviews}", f"{case}/export/{{form}}")
    for name in ("plan", "agent-events"):
        await ask("GET", f"{check}/{name}", f"{case}/{name}")
    await ask("GET", f"{check}/findings", f"{case}/{{part}}")
    await ask("GET", f"{check}/events?limit=1", f"{case}/events", headers={"Accept": "application/json"})
    await ask("GET", f"{check}/chat", f"{case}/chat")
    finding = document["findings"][0]
    span = {"start": finding["start"], "end": finding["end"], "around": 40}
    await ask("GET", f"{check}/pages/{finding['snapshot']}", f"{case}/pages/{{snapshot}}", params=span)
    await _until_told(recorder.client, check)
    told = await ask("GET", f"{check}/callbacks", f"{case}/callbacks")
    again = {"keys": [told["callbacks"][0]["key"]]}
    await ask("POST", f"{check}/callbacks/replay", f"{case}/callbacks/replay", json=again)
    shared = await ask("POST", f"{check}/shares", f"{case}/shares", json={"name": "the lawyers", "days": 14})
    number = shared["share"]["id"]
    await ask("GET", f"{check}/shares", f"{case}/shares")
    await ask("DELETE", f"{check}/shares/{number}", f"{case}/shares/{{number}}")
    claim = document["claims"][0]["id"]
    question = {"question": "When did the permit expire?"}
    await ask("POST", f"{check}/questions", f"{case}/questions", json=question)
    more = {"words": "the regulator's own notice"}
    await ask("POST", f"{check}/claims/{claim}/further", f"{case}/claims/{{claim_id}}/further", json=more)
    await until(recorder.client, made["case_id"], "planned")
    await recorder.client.post(f"{check}/decision", json={"decision": "reject"})
    await until(recorder.client, made["case_id"], "completed", "partial")
    await ask("POST", f"{check}/further", f"{case}/further", json=more)
    await _plans(recorder)
    await _market(recorder)
    await _topics(recorder)
    await _single(recorder, web)
    await _collections(recorder)
    await _people(recorder)
    for path in (f"{v1}/stats", f"{v1}/cases", "/metrics"):
        await ask("GET", path)


async def _plans(recorder: Recorder) -> None:
    ask, v1, case = recorder.ask, "/api/v1", "/api/v1/cases/{case_id}"
    first = await ask("POST", f"{v1}/cases", json=INQUIRY)
    url = f"{v1}/cases/{first['case_id']}"
    await until(recorder.client, first["case_id"], "planned")
    await ask("POST", f"{url}/decision", f"{case}/decision", json={"decision": "approve", "revision": 1})
    await ask("POST", f"{url}/cancel", f"{case}/cancel")
    await until(recorder.client, first["case_id"], "completed", "partial", "cancelled")
    third = await ask("POST", f"{v1}/cases", json=INQUIRY | {"approve": True})
    await until(recorder.client, third["case_id"], "completed", "partial")
    await ask("GET", f"{v1}/cases/{third['case_id']}/bias", f"{case}/bias")
    second = await ask("POST", f"{v1}/cases", json=INQUIRY)
    await until(recorder.client, second["case_id"], "planned")
    await ask("POST", f"{v1}/cases/{second['case_id']}/chat", f"{case}/chat", json={"words": "APPROVED"})
    await ask("POST", f"{v1}/cases/{second['case_id']}/cancel?then=nothing", f"{case}/cancel")
    ended = await until(recorder.client, second["case_id"], "completed", "partial", "cancelled")
    if ended["status"] == "cancelled":
        await ask("POST", f"{v1}/cases/{second['case_id']}/resume", f"{case}/resume")
    files = {"report": ("report.txt", _REPORT.encode(), "text/plain")}
    await ask("POST", f"{v1}/cases/upload", data={"company": "Calder Stone Ltd"}, files=files)


async def _market(recorder: Recorder) -> None:
    question = {"kind": "market", "question": "Why is NVDA down today?", "engines": ["collection"]}
    made = await recorder.ask("POST", "/api/v1/cases", json=question)
    await until(recorder.client, made["case_id"], "completed", "partial", "failed")
    await recorder.ask("POST", f"/api/v1/cases/{made['case_id']}/save", "/api/v1/cases/{case_id}/save")


async def _topics(recorder: Recorder) -> None:
    ask, v1, case = recorder.ask, "/api/v1", "/api/v1/cases/{case_id}"
    topic_id = (await ask("POST", f"{v1}/topics", json={"topics": [_TOPIC]}))["added"][0]["topic_id"]
    await ask("GET", f"{v1}/topics")
    await ask("GET", f"{v1}/topics/{topic_id}", f"{v1}/topics/{{topic_id}}")
    await ask("GET", "/api/investigations/candidates")
    await ask("PUT", f"{v1}/topics/{topic_id}/watch", f"{v1}/topics/{{topic_id}}/watch", json={"every": "24h"})
    await ask("GET", f"{v1}/watches")
    begun = await ask("POST", "/api/investigations/", json={"topic_id": topic_id, "priority": "high"})
    shown = f"/api/investigations/{begun['investigation_id']}"
    async with asyncio.timeout(60):
        while (await recorder.client.get(shown)).json()["status"] == "started":
            await asyncio.sleep(0.05)
    await ask("GET", shown, "/api/investigations/{investigation_id}")
    (line,) = (await recorder.client.get(f"{v1}/cases?kind=topic")).json()["cases"]
    url = f"{v1}/cases/{line['case_id']}/reviews"
    await ask("POST", url, f"{case}/reviews", json={"decision": "accept", "why": "The notice itself was seen."})
    await ask("GET", url, f"{case}/reviews")


async def _single(recorder: Recorder, web: LoopbackWeb) -> None:
    ask, v1 = recorder.ask, "/api/v1"
    pair = {"claim": "The fine was 150,000 euros.", "passage": "The Air Authority fined the operator 150,000 euros."}
    await ask("POST", f"{v1}/assess", json=pair)
    await ask("POST", f"{v1}/tier", json={"urls": ["https://www.reuters.com/"]})
    page = {"url": web.url("/notices/17")}
    await ask("POST", f"{v1}/read", json=page)
    await ask("POST", f"{v1}/sources/analyse", json=page)
    await ask("POST", f"{v1}/search", json={"query": "Tarn Bridge works dust limit", "max_results": 5})


async def _collections(recorder: Recorder) -> None:
    ask, v1 = recorder.ask, "/api/v1/collections"
    row = json.dumps({"url": ROWS[0]["url"], "title": ROWS[0]["title"], "text": ROWS[0]["text"]})
    files = {"files": ("rows.jsonl", row.encode(), "application/json")}
    await ask("POST", f"{v1}/notices/documents", f"{v1}/{{name}}/documents", files=files)
    await ask("GET", v1)
    await ask("GET", f"{v1}/notices", f"{v1}/{{name}}")
    await ask("GET", f"{v1}/notices/search?q=dust", f"{v1}/{{name}}/search")
    await ask("POST", "/api/v1/teams", json={"name": "City desk"})
    await ask("PUT", f"{v1}/notices/team", f"{v1}/{{name}}/team", json={"team_id": 1})


async def _people(recorder: Recorder) -> None:
    ask, v1 = recorder.ask, "/api/v1"
    ada = {"name": "Ada", "role": "editor", "teams": ["City desk"], "password": "correct horse battery staple"}
    await ask("POST", f"{v1}/users", json=ada)
    await ask("GET", f"{v1}/users")
    await ask("PATCH", f"{v1}/users/Ada", f"{v1}/users/{{name}}", json={"role": "admin"})
    await ask("GET", f"{v1}/teams")
    await ask("POST", f"{v1}/tokens", json={"name": "nightly checks", "days": 90, "user": "Ada"})
    await ask("GET", f"{v1}/tokens")
    await ask("GET", f"{v1}/audit")
    await ask("GET", f"{v1}/me")
    await ask("POST", f"{v1}/sign-in", json={"name": "Ada", "password": ada["password"]})


async def _until_told(client: httpx2.AsyncClient, check: str) -> None:
    async with asyncio.timeout(60):
        while True:
            rows = (await client.get(f"{check}/callbacks")).json()["callbacks"]
            if rows and rows[-1]["type"].startswith("INVESTIGATION_C") and rows[-1]["state"] != "waiting":
                return
            await asyncio.sleep(0.05)


async def _answer(asked: Asked, writer: asyncio.StreamWriter) -> bool:
    writer.write(http(200, b'{"source_id": "db-1"}', "application/json"))
    return True


def _pages(web: LoopbackWeb) -> dict[str, Answers]:
    """Two pages, and a search service that finds them."""

    def giving(body: str, kind: str) -> Answers:
        async def answer(asked: Asked, writer: asyncio.StreamWriter) -> bool:
            writer.write(http(200, body.encode(), kind))
            return True

        return answer

    rows = list(zip(_PAGES, ROWS, strict=False))
    found = [{"url": web.url(path), "title": row["title"], "content": row["text"]} for path, row in rows]
    pages = {path: giving(_PAGE.format(**row), "text/html") for path, row in rows}
    return pages | {"/search": giving(json.dumps({"results": found}), "application/json")}


@asynccontextmanager
async def recorded() -> AsyncIterator[dict[str, dict[str, Any]]]:
    """What each operation was sent and answered, by method and path."""
    with tempfile.TemporaryDirectory() as folder:
        async with LoopbackWeb() as web:
            web.at.update({"/hook": _answer} | _pages(web))
            rows, ratings = Path(folder, "rows.jsonl"), Path(folder, "ratings.csv")
            rows.write_text("\n".join(json.dumps(row) for row in ROWS))
            ratings.write_text(RATINGS)
            host = f"127.0.0.1:{web.port}"
            async with Inquest(
                home=Path(folder, "home"),
                allow_hosts=(host,),
                engines="searxng,collection",
                searxng_url=f"http://{host}",
                robots=False,
            ) as inquest:
                await inquest.app.collections.add("tarn", [rows], ratings=ratings)
                api = create_app(inquest.app)
                async with api.router.lifespan_context(api):
                    transport = httpx2.ASGITransport(api)
                    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as client:
                        recorder = Recorder(client)
                        await record(recorder, web)
                recorder.kept["POST /api/v1/tokens"]["replies"]["application/json"]["token"] = "inq_..."
                link = recorder.kept["POST /api/v1/cases/{case_id}/shares"]["replies"]["application/json"]
                link["url"] = "https://inquest.example.org/shared/..."
                text = json.dumps(recorder.kept).replace(web.url(""), "https://air-authority.example")
                text = text.replace(host, "air-authority.example").replace("127.0.0.1", "air-authority.example")
                yield json.loads(text.replace(folder, ""))


async def _write() -> None:
    async with recorded() as kept:
        PATH.write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    os.environ["LOGNAME"] = "ada"
    sys.exit(asyncio.run(_write()))
