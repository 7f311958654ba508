"""Settings of the door: limits of time and size, retries, and politeness to sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from urllib.parse import urlsplit

from inquest.kit.exchange import Purpose

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """Limits of one exchange. Times in seconds, sizes in bytes."""

    connect: float = 10.0
    first_byte: float
    """From the start of the request to the end of the reply's header."""
    idle: float
    """Between two pieces of the body."""
    total: float
    slowest: int
    """Minimum bytes per second over the body after `grace`, so that a slow drip cannot hold a slot forever."""
    grace: float = 10.0
    packed: int
    """On the wire."""
    unpacked: int
    """After decoding the content encoding."""

    def within(self, seconds: float) -> Ceilings:
        """Return the same limits for an exchange of at most this many seconds."""
        return replace(
            self,
            connect=min(self.connect, seconds),
            first_byte=min(self.first_byte, seconds),
            idle=min(self.idle, seconds),
            total=min(self.total, seconds),
        )


CEILINGS = {
    Purpose.PAGE: Ceilings(
        first_byte=20.0, idle=15.0, total=90.0, slowest=1024, packed=50 * MEGABYTE, unpacked=50 * MEGABYTE
    ),
    Purpose.ENGINE: Ceilings(
        first_byte=30.0, idle=15.0, total=30.0, slowest=256, packed=20 * MEGABYTE, unpacked=20 * MEGABYTE
    ),
    # A model call fails after a minute without data. One that streams may take longer, however slowly.
    Purpose.MODEL: Ceilings(
        first_byte=60.0, idle=60.0, total=300.0, slowest=0, packed=20 * MEGABYTE, unpacked=20 * MEGABYTE
    ),
    # The caller limits the size; a slow connection may take hours for two gigabytes.
    Purpose.FILE: Ceilings(
        first_byte=30.0, idle=60.0, total=6 * 3600.0, slowest=1024, packed=2000 * MEGABYTE, unpacked=2000 * MEGABYTE
    ),
}

_READABLE = frozenset(
    (
        "application/xhtml+xml application/xml application/pdf application/x-pdf application/json application/ld+json "
        "application/x-ndjson application/jsonl application/json-lines application/csv application/markdown "
        "application/rss+xml application/atom+xml application/rdf+xml"
    ).split()
)
_NOT_TEXT = frozenset(
    ("text/css", "text/javascript", "text/ecmascript", "text/vbscript", "text/vcard", "text/calendar")
)
_SUFFIXES = (".pdf", ".html", ".htm", ".xhtml", ".xml", ".txt", ".md", ".csv", ".json", ".jsonl", ".ndjson")


def is_readable(content_type: str, url: str) -> bool:
    """Return True for readable media types: HTML, XML and feeds, text, PDF, JSON, CSV, Markdown. Without a type, or
    with a generic binary one, the suffix of the path decides; without both a page is readable."""
    media = content_type.partition(";")[0].strip().lower()
    if media in ("", "application/octet-stream", "binary/octet-stream", "application/download", "unknown/unknown"):
        path = urlsplit(url).path.lower()
        return path.endswith(_SUFFIXES) or (media == "" and "." not in path.rpartition("/")[2])
    if media in _READABLE or media.endswith(("+xml", "+json")):
        return not media.startswith("image/")  # image/svg+xml
    return media.startswith("text/") and media not in _NOT_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPolicy:
    """Limits, retries and pacing. Times in seconds."""

    ceilings: Mapping[Purpose, Ceilings] = field(default_factory=lambda: CEILINGS)

    attempts: int = 3
    """Including the first one (requirement N3)."""
    first_wait: float = 1.0
    """Before the second attempt; it doubles with each."""
    jitter: float = 0.5
    """Maximum random addition to a wait, so that many clients do not return at the same moment."""
    longest_wait: float = 30.0
    """With a longer Retry-After the reply is returned without a retry."""

    obey_robots: bool = True
    robots_age: timedelta = timedelta(hours=24)
    """Maximum age of a cached robots.txt (RFC 9309, 2.4: at most 24 h)."""
    page_interval: float = 0.5
    """Between two requests to one host, except hosts on the allow-list."""
    page_concurrency: int = 2
    """Concurrent requests to one host."""
    model_concurrency: int = 48
    """Concurrent requests to one model: all sources of a case are read at the same time."""
    max_redirects: int = 10

    breaker_threshold: int = 3
    """Consecutive failures, each after all attempts, after which requests to an engine, model or site are suspended."""
    breaker_rest: float = 60.0
    """Duration of that suspension."""
