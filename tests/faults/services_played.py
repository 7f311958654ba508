"""Search services as hosts of the simulated web: each answers from its engine's recordings, or fails as requested."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import pytest

from bench.simulated.server import Acts, Host, Told
from inquest import Inquest
from inquest.app.cases.reporting import render
from inquest.domain.case import Case
from inquest.net.policy import CEILINGS, RequestPolicy
from tests.net.loopback import Answers, Asked, drips, http, never, resets, says_and_closes

__all__ = ["FAULTS", "KEYS", "Fault", "Met", "Services", "recorded", "waiting"]

RECORDINGS = Path(__file__).parents[1] / "engines" / "recordings"
KEYS = {
    "TAVILY_API_KEY": "tvly-0123456789", "GUARDIAN_API_KEY": "guardian-0123456789", "GOOGLE_API_KEY": "g-0123456789",
    "X_BEARER_TOKEN": "x-bearer-0123456789", "REDDIT_CLIENT_ID": "reddit-id-0123",
    "REDDIT_CLIENT_SECRET": "s-0123456", "FMP_API_KEY": "fmp-0123456789", "EODHD_API_KEY": "eodhd-0123456789",
}  # fmt: skip
HOSTS: Mapping[str, tuple[str, ...]] = {
    "gdelt": ("api.gdeltproject.org",),
    "google_news": ("news.google.com",),
    "guardian": ("content.guardianapis.com",),
    "tavily": ("api.tavily.com",),
    "duckduckgo": ("html.duckduckgo.com",),
    "x": ("api.x.com",),
    "reddit": ("www.reddit.com", "oauth.reddit.com"),
    "bluesky": ("api.bsky.app", "public.api.bsky.app"),
    "wayback": ("web.archive.org", "archive.org"),
    "crossref": ("api.crossref.org",),
    "arxiv": ("export.arxiv.org",),
    "google_factcheck": ("factchecktools.googleapis.com",),
    "bing_news": ("www.bing.com",),
    "edgar": ("efts.sec.gov",),
    "edgar_current": ("www.sec.gov",),
    "fmp": ("financialmodelingprep.com",),
    "eodhd": ("eodhd.com",),
}
"""The host of each engine; the formats include JSON, RSS, Atom, HTML and plain text."""
JSON = "application/json"
NO_JSON = b"<!DOCTYPE html><html><body><p>Log in<br>to go on</body></html>"
ERROR_INSIDE = json.dumps({"error": {"code": 1, "message": "Something went wrong"}, "status": "error"}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

Fault = Told | Acts


def _does(answer: Answers) -> Acts:
    async def act(writer: asyncio.StreamWriter) -> None:
        await answer(Asked("GET", "/", {}, b""), writer)

    return act


FAULTS: Mapping[str, Fault] = {
    "reset": _does(resets),
    "hangs up": _does(says_and_closes(b"")),
    "slow first byte": _does(never),
    "slow drip": _does(drips(0.2)),
    "429": Told(429, JSON, b"{}"),
    "429 for an hour": Told(429, JSON, b"{}", (("Retry-After", "3600"),)),
    "500": Told(500, "text/html", NO_JSON),
    "503 with words": Told(503, "text/html", NO_JSON),
    "truncated": _does(says_and_closes(HEAD + b'Content-Length: 1000\r\n\r\n{"res')),
    "two lengths": _does(says_and_closes(HEAD + b"Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}  ")),
    "not gzip": Told(200, JSON, b"{}", (("Content-Encoding", "gzip"),)),
    "gzip cut short": _does(says_and_closes(http(200, gzip.compress(b"{}" * 99)[:-9], JSON, Content_Encoding="gzip"))),
    "HTML for JSON": Told(200, "text/html", NO_JSON),
    "an error inside": Told(200, JSON, ERROR_INSIDE),
    "the wrong charset": Told(200, f"{JSON}; charset=klingon", "Größe: ∅".encode("utf-16")),
}
"""The possible faults of a service that can be reached."""


def recorded(engine: str, recording: str) -> Told:
    """The recorded reply."""
    path = RECORDINGS / engine / f"{recording}.json"
    response: Any = json.loads(path.read_text(encoding="utf-8"))["response"]
    return Told(response["status"], response["content_type"], response["body"].encode())


@dataclass
class Services:
    """The services of these engines. `does`: the fault of an engine's service for every request; the others answer."""

    engines: Iterable[str]
    does: Mapping[str, Fault] = field(default_factory=dict)
    says: Mapping[str, Callable[[str], Told]] = field(default_factory=dict)
    """An engine's reply to an address, in place of an empty one."""
    asked: dict[str, int] = field(default_factory=dict)
    """The number of requests to each."""

    @property
    def hosts(self) -> dict[str, Host]:
        return {host: self._host(engine) for engine in self.engines for host in HOSTS[engine]}

    def _host(self, engine: str) -> Host:
        def told(method: str, url: str, body: bytes) -> Told | Acts:
            parts = urlsplit(url)
            if parts.path == "/robots.txt":
                return Told(404, "text/plain", b"")
            self.asked[engine] = self.asked.get(engine, 0) + 1
            if engine in self.does:
                return self.does[engine]
            if parts.path.endswith("/access_token"):
                return Told(200, JSON, b'{"access_token": "t0ken", "expires_in": 3600}')
            if engine in self.says:
                return self.says[engine](url)
            return recorded(engine, "empty_availability" if "/wayback/available" in url else "empty")

        return told


def waiting(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Retries follow at once, with a short timeout."""
    ceilings = {
        purpose: replace(each, first_byte=seconds, idle=seconds, total=1.5 * seconds)
        for purpose, each in CEILINGS.items()
    }
    hasty = partial(
        RequestPolicy, attempts=2, first_wait=0, jitter=0, page_interval=0, breaker_threshold=3, ceilings=ceilings
    )
    monkeypatch.setattr("inquest.net.policy.RequestPolicy", hasty)


@dataclass(frozen=True)
class Met:
    """A case, its report, and the services that received requests."""

    case: Case
    text: str
    asked: frozenset[str]

    @classmethod
    async def of(cls, inquest: Inquest, case: Case, services: Services) -> Self:
        """The case with its report. Its replay is the same, and makes no requests."""
        text = (await render(inquest.app, case, "md")).decode()
        calls = sum(services.asked.values())
        again = await inquest.replay(case.id)
        assert again.same, again.difference
        assert sum(services.asked.values()) == calls, "a replay asks nobody"
        return cls(case, text, frozenset(services.asked))

    @property
    def out(self) -> dict[str, str]:
        """The engines that could not be queried, each with its problem, which is a sentence and reveals no key."""
        found = {note.where: note.why for note in self.case.outages if note.what == "engine"}
        for engine, why in found.items():
            assert why.endswith((".", "?")) and "\n" not in why and ": ." not in why and "::" not in why, (engine, why)
            assert not any(key in why for key in KEYS.values())
        return found
