"""How the door behaves: what it waits for and takes in, how often it tries, how it treats the sites it visits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from urllib.parse import urlsplit

from inquest.kit.exchange import Purpose

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """The ceilings of one exchange. Times in seconds, sizes in bytes."""

    connect: float = 10.0
    first_byte: float
    """From the start of the request to the end of the reply's header."""
    idle: float
    """Between one piece of the body and the next."""
    total: float
    slowest: int
    """Bytes a second, on average over the body after `grace`; less is a drip that would hold the place for ever."""
    grace: float = 10.0
    packed: int
    """On the wire."""
    unpacked: int
    """After the content coding is undone."""

    def within(self, seconds: float) -> Ceilings:
        """The same for an exchange that may take no longer than this in all."""
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
    # A model is cut where nothing comes for a minute. One that streams may write for longer; no drip is too slow.
    Purpose.MODEL: Ceilings(
        first_byte=60.0, idle=60.0, total=300.0, slowest=0, packed=20 * MEGABYTE, unpacked=20 * MEGABYTE
    ),
    # Whoever asks says how large it may be; a slow line may take hours for two gigabytes.
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
    """Whether a page of that media type can be read: HTML, XML and feeds, text, PDF, JSON, CSV, Markdown.

    A server that names no type, or only 'bytes', is believed by the ending of the path; with no ending, a page without
    a type is taken for one.
    """
    media = content_type.partition(";")[0].strip().lower()
    if media in ("", "application/octet-stream", "binary/octet-stream", "application/download", "unknown/unknown"):
        path = urlsplit(url).path.lower()
        return path.endswith(_SUFFIXES) or (media == "" and "." not in path.rpartition("/")[2])
    if media in _READABLE or media.endswith(("+xml", "+json")):
        return not media.startswith("image/")  # image/svg+xml
    return media.startswith("text/") and media not in _NOT_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """The figures. Times in seconds."""

    ceilings: Mapping[Purpose, Ceilings] = field(default_factory=lambda: CEILINGS)

    attempts: int = 3
    """The first one included (requirement N3)."""
    first_wait: float = 1.0
    """Before the second attempt; it doubles with each."""
    jitter: float = 0.5
    """At most this much is added to a wait, by chance, so that many clients do not come back all at once."""
    longest_wait: float = 30.0
    """A Retry-After beyond this is not waited for: the reply is passed on as it is."""

    obey_robots: bool = True
    robots_age: timedelta = timedelta(hours=24)
    """How long a robots.txt is believed (RFC 9309, 2.4: not more than 24 h)."""
    page_interval: float = 0.5
    """Between two requests to one host; hosts of the user's own are not spared."""
    page_concurrency: int = 2
    """At once, to one host."""
    model_concurrency: int = 32
    """At once, to one model: all sources of a case are read at the same time."""
    max_redirects: int = 10

    breaker_threshold: int = 3
    """Failures in a row, each after all attempts, after which an engine, a model or a site is left alone ..."""
    breaker_rest: float = 60.0
    """... for this long."""
