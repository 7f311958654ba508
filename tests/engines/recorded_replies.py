"""What tests of engines share: recorded replies, and an engine's conversation answered one by one."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from inquest.domain.errors import (
    EngineError,
)
from inquest.domain.search import Hit, Query
from inquest.kit.discover import engines
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Reply, Request

RECORDINGS = Path(__file__).parent / "recordings"
ENGINES = engines("inquest.engines")
NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
ACCESS = EngineAccess(key="a-key-of-some-length", second_key="a-second-secret", url="https://social.example/")
KEYLESS = EngineAccess(url="https://social.example/")


def body_of(name: str, file: str = "results") -> Any:
    recorded = json.loads((RECORDINGS / name / f"{file}.json").read_text(encoding="utf-8"))
    return json.loads(recorded["response"]["body"])


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(url="https://a.example/", status=status, headers=named, body=json.dumps(body).encode(), at=NOW)


def recorded(name: str, file: str = "results") -> list[Hit]:
    engine = ENGINES[name](ACCESS)
    return engine.parsed(reply(body_of(name, file)), engine.parse)


def asked(name: str, query: Query, access: EngineAccess = ACCESS) -> dict[str, str]:
    found = parse_qs(urlsplit(ENGINES[name](access).request(query).url).query)
    return {key: values[0] for key, values in found.items()}


class Conversation:
    """An engine's search, answered reply by reply."""

    def __init__(self, engine: Engine, query: Query) -> None:
        self.flow: Generator[Request, Reply, list[Hit]] = engine.search(query)
        self.requests = [next(self.flow)]
        self.hits: list[Hit] | None = None

    def answer(self, *replies: Reply | EngineError) -> Conversation:
        for one in replies:
            try:
                step = self.flow.throw(one) if isinstance(one, EngineError) else self.flow.send(one)
                self.requests.append(step)
            except StopIteration as end:
                self.hits = end.value
        return self
