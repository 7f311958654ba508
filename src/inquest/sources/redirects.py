"""Addresses of originals behind the links of search engines and on the pages of aggregators.

The functions for links take an absolute URL; a link that is not a redirect is its own target.
"""

from __future__ import annotations

import base64
import binascii
from urllib.parse import parse_qs, parse_qsl, urlsplit

from inquest.domain.document import Document
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
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
    length in one or two bytes of seven bits each.
    """
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
    """Return the original that an aggregator's page names: its URL, and the part of the page that names it.

    This is a claim of the page: it may show that two sources share a story, but does not raise the page's rating.
    """
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
