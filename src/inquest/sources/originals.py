"""Addresses of originals: behind the links of search engines, on the pages of aggregators, and in the lists of captures
that web archives return.

The functions for links take an absolute URL; a link that is not a redirect is its own target."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from inquest.domain.document import Document
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.urls import is_web_url, registrable_domain

_TARGETS = ("url", "u", "q", "target", "source", "redirect")
"""Query parameters in which aggregators pass on the address of the original."""


def duckduckgo_target(url: str) -> str | None:
    """Target of `duckduckgo.com/l/?uddg=...`; None for links to DuckDuckGo itself, such as its advertisements."""
    if not _on(url, "duckduckgo.com"):
        return url
    return _parameter(url, "uddg") if urlsplit(url).path.startswith("/l/") else None


def bing_target(url: str) -> str | None:
    """Target of Bing's click counter, `bing.com/news/apiclick.aspx?url=...`; None if it holds no address."""
    if _on(url, "bing.com") and urlsplit(url).path.lower().endswith("/apiclick.aspx"):
        return _parameter(url, "url")
    return url


def google_news_target(url: str) -> str | None:
    """Target of a Google News link of the form in use until July 2024; None for later ones, which only Google can read.
    The id at the end of the path is base64 of a protocol buffer whose field 4 (tag 0x22) holds the address, after its
    length in one or two bytes of seven bits each."""
    if not _on(url, "news.google.com"):
        return url
    identifier = urlsplit(url).path.rpartition("/")[2]
    try:
        message = base64.urlsafe_b64decode(identifier + "=" * (-len(identifier) % 4))
        if message[:3] != b"\x08\x13\x22":
            return None
        length, start = message[3], 4
        if length & 0x80:
            length, start = (length & 0x7F) | message[4] << 7, 5
        target = message[start : start + length].decode("utf-8")
    except (binascii.Error, ValueError, IndexError):
        return None
    return target if len(target.encode()) == length and is_web_url(target) else None


def origin_named_by(document: Document) -> tuple[str, str] | None:
    """Return the original that an aggregator's page names: its URL, and the part of the page that names it. This is a
    claim of the page: it may show that two sources share a story, but does not raise the page's rating."""
    domain = registrable_domain(document.url)
    if document.canonical_url and _is_original(document.canonical_url, domain):
        return document.canonical_url, "its canonical address"
    try:
        parameters = dict(parse_qsl(urlsplit(document.url).query))
    except ValueError:
        return None
    targets = (parameters.get(name, "") for name in _TARGETS)
    return next(((target, "the address in its own") for target in targets if _is_original(target, domain)), None)


def _is_original(url: str, aggregator: str) -> bool:
    if not is_web_url(url) or registrable_domain(url) == aggregator:
        return False
    row = built_in_ratings().find(url)
    return row is None or row.category not in (Category.AGGREGATOR, Category.SOCIAL)


def _on(url: str, domain: str) -> bool:
    host = (urlsplit(url).hostname or "").lower()
    return host == domain or host.endswith("." + domain)


def _parameter(url: str, name: str) -> str | None:
    values = parse_qs(urlsplit(url).query).get(name)
    return values[0] if values and is_web_url(values[0]) else None


_COLUMNS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")


def captures_of_text(text: str) -> list[dict[str, Any]]:
    """Parse the lines of a CDX index, of seven columns each; the key of the next page follows a blank line. Raises
    ValueError for a page of HTML."""
    if text.startswith("<"):
        raise ValueError("a page instead of a list of captures")
    return [dict(zip(_COLUMNS, line.split(" "), strict=False)) for line in text.split("\n\n")[0].splitlines()]


def captures_of_json(data: Any) -> list[dict[str, Any]]:
    """Parse the JSON of a CDX index (a table with a header), or the closest capture of the availability service. Raises
    TypeError, KeyError or AttributeError for anything else."""
    if isinstance(data, list):
        return [dict(zip(data[0], row, strict=False)) if isinstance(row, list) else {} for row in data[1:]]
    closest = data["archived_snapshots"].get("closest")
    if not closest:
        return []
    original = re.sub(r"^https?://web\.archive\.org/web/\d+[a-z_]*/", "", closest["url"])
    return [{"timestamp": closest["timestamp"], "original": original, "statuscode": closest.get("status")}]


def earliest_capture(url: str) -> Query:
    """Build the query for the oldest capture of an address, for any archive engine."""
    return Query(text=url, kinds=(EngineKind.ARCHIVE,), purpose="the earliest capture", limit=1)


def earliest_of(hits: Iterable[Hit]) -> Hit | None:
    """Return the oldest dated capture."""
    return min((hit for hit in hits if hit.published), key=_when, default=None)


def closest_of(hits: Iterable[Hit], moment: datetime) -> Hit | None:
    """Return the dated capture closest to the moment, the earlier of two at the same distance."""
    dated = sorted((hit for hit in hits if hit.published), key=_when)
    return min(dated, key=lambda hit: abs(_when(hit)[0] - utc(moment)), default=None)


def _when(hit: Hit) -> tuple[datetime, str]:
    if hit.published is None:
        raise ValueError("a capture without a date")
    return utc(hit.published.at), hit.url


_ARCHIVED = pattern(__name__, "archived")


def original_of(capture: str) -> str | None:
    """Return the captured address from a capture's address in the form that most archives share. An example is
    `https://archive.example/web/20200102030405/https://page.example/`; None for other forms."""
    match = _ARCHIVED.fullmatch(capture)
    return match["original"] if match else None


def mementos_of_json(data: Any) -> list[dict[str, Any]]:
    """Parse a Memento aggregator's JSON, a TimeMap (`list`) or a look-up by date (first, closest, last, ...). Each
    capture is {"uri", "datetime", "original"}; of one capture at several archives the first is taken. Raises TypeError
    or KeyError for anything else."""
    mementos, original = data["mementos"], data.get("original_uri")
    rows = mementos.get("list") or mementos.get("all")
    if rows is None:
        rows = [mementos[role] for role in ("first", "prev", "closest", "next", "last") if role in mementos]
    if not isinstance(rows, list):
        raise TypeError(f"expected a list of captures, got {type(rows).__name__}")
    captures = []
    for row in rows:
        uri = row.get("uri") if isinstance(row, dict) else None
        first = uri[0] if isinstance(uri, list) and uri else uri
        captures.append(
            {"uri": first, "datetime": row.get("datetime"), "original": original} if isinstance(row, dict) else {}
        )
    return captures
