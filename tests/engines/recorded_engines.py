"""Every engine that is found, its recordings, and ways to give it a reply."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import Hit, Query
from inquest.kit.discover import engines
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Purpose, Reply, Request

RECORDINGS = Path(__file__).parent / "recordings"
FILES = sorted(RECORDINGS.glob("*/*.json"))
ENGINES = engines("inquest.engines")
KEY = "k3y&with=odd/characters+and-length"
ACCESS = EngineAccess(
    key=KEY,
    url="https://searx.example/",
    account="0a1b2c:vellmar",
    second_key="an0ther+secret-of/some-length",
    collections=("vellmar", "Case files/2"),
    tables=("sbti", "offsets", "eutl"),
    contact="desk@newsroom.example",
)
KEY_NAMES = r"[A-Z][A-Z0-9_]*_(?:API_KEY|BEARER_TOKEN|ACCESS_TOKEN|CLIENT_ID)"
TOKEN = b'{"access_token": "t0ken", "token_type": "bearer", "expires_in": 86400}'
NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
ERRORS = {"key": EngineKeyRefused, "quota": EngineQuota, "unavailable": EngineUnavailable, "format": EngineFormat}


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def engine_of(path: Path) -> Engine:
    return ENGINES[path.parent.name](ACCESS)


def reply_of(path: Path) -> Reply:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    response = recorded["response"]
    return Reply(
        url=recorded["request"]["url"],
        status=response["status"],
        headers=(("content-type", response["content_type"]),),
        body=response["body"].encode(),
        at=NOW,
    )


class Says:
    """A door that always gives the same reply, except to sign-in requests; it records the requests."""

    def __init__(self, body: bytes, content_type: str) -> None:
        self.body, self.type = body, content_type
        self.asked: list[Request] = []

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        self.asked.append(request)
        body = TOKEN if request.url.endswith("/access_token") else self.body
        return Reply(url=request.url, status=200, headers=(("content-type", self.type),), body=body, at=NOW)


def results_of(name: str) -> tuple[str, str]:
    """The recorded results of an engine: the body and its content type."""
    response = json.loads((RECORDINGS / name / "results.json").read_text(encoding="utf-8"))["response"]
    return response["body"], response["content_type"]


def drive(engine: Engine, reply: Reply, query: Query | None = None, entities: bytes = b"") -> list[Hit]:
    """Run the engine's generator, answering every request with the same reply. A sign-in succeeds, and the engine of a
    table that queries GLEIF gets `entities`, by default its recorded results."""
    flow = engine.search(query or Query(text="Vellmar dredging", limit=50))
    try:
        request = next(flow)
        while True:
            answer = reply
            if request.url.endswith("/access_token") and reply.status < 300:
                answer = replace(reply, body=TOKEN)
            elif engine.name in ACCESS.tables and urlsplit(request.url).netloc == "api.gleif.org":
                answer = replace(reply, status=200, body=entities or results_of("gleif")[0].encode())
            request = flow.send(answer)
    except StopIteration as end:
        hits: list[Hit] = end.value
        return hits


def assert_sound(hits: list[Hit], engine: Engine) -> None:
    for rank, hit in enumerate(hits, 1):
        assert (hit.rank, hit.engine) == (rank, engine.name)
        assert urlsplit(hit.url).scheme in ("http", "https", "collection", "file")
        assert urlsplit(hit.url).netloc or urlsplit(hit.url).scheme == "file"
        assert not re.search(r"[<>\x00-\x1f]", hit.url)
        assert "<b>" not in hit.title + hit.snippet
        assert "\x00" not in hit.title + hit.snippet
        assert Hit.model_validate_json(hit.model_dump_json()) == hit, "a hit survives being stored"


def hits_or_typed_error(engine: Engine, reply: Reply) -> list[Hit] | None:
    """Check that any reply leads to hits or a typed error; anything else fails the test."""
    try:
        hits = drive(engine, reply)
    except EngineError as error:
        assert error.who == engine.name
        assert KEY not in error.sentence
        return None
    assert_sound(hits, engine)
    return hits
