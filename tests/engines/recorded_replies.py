"""Helpers for tests of engines: requests, recorded replies, and conversations answered one by one."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from inquest.domain.errors import EngineError
from inquest.domain.search import Hit, Query
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Reply, Request
from tests.engines.recorded_engines import ENGINES as ENGINES
from tests.engines.recorded_engines import NOW as NOW
from tests.engines.recorded_engines import RECORDINGS

KEYLESS = EngineAccess(url="https://social.example/")
ACCESS = EngineAccess(
    key="a-key-of-some-length",
    second_key="a-second-secret",
    url="https://social.example/",
    account="0a1b2c:vellmar",
    contact="desk@newsroom.example",
)


def recorded_reply(name: str, file: str = "results") -> Reply:
    recording = json.loads((RECORDINGS / name / f"{file}.json").read_text(encoding="utf-8"))
    response = recording["response"]
    return reply(response["body"], response["status"], url=recording["request"]["url"])


def body_of(name: str, file: str = "results") -> Any:
    return recorded_reply(name, file).json()


def reply(body: Any, status: int = 200, *, url: str = "https://service.example/", **headers: str) -> Reply:
    """A reply with this text, or with this value as JSON; names of headers have _ for -."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    text = body if isinstance(body, str) else json.dumps(body)
    return Reply(url=url, status=status, headers=named, body=text.encode(), at=NOW)


def parsed(name: str, answer: Reply) -> list[Hit]:
    engine = ENGINES[name](ACCESS)
    return engine.parsed(answer, engine.parse)


def recorded(name: str, file: str = "results") -> list[Hit]:
    return parsed(name, recorded_reply(name, file))


def sent(request: Request) -> dict[str, str]:
    """The parameters of the address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def asked(name: str, query: Query, access: EngineAccess = ACCESS) -> dict[str, str]:
    return sent(ENGINES[name](access).request(query))


def driven(name: str, query: Query, *replies: Reply, access: EngineAccess = ACCESS) -> tuple[list[Request], list[Hit]]:
    """The requests made and the hits, if each request in turn gets the next reply."""
    talk = Conversation(ENGINES[name](access), query).answer(*replies)
    assert talk.hits is not None, f"{talk.requests[-1].url} was asked and nobody answers"
    return talk.requests, talk.hits


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
                break
        return self
