"""The address behind a search engine's own link, read from the link alone.

Each function takes an absolute URL; a link that is no redirect is its own target.
"""

from __future__ import annotations

import base64
import binascii
from urllib.parse import parse_qs, urlsplit

from inquest.text.urls import is_web_url


def duckduckgo_target(url: str) -> str | None:
    """Out of `duckduckgo.com/l/?uddg=...`; None for links to DuckDuckGo itself, such as its advertisements."""
    if not _on(url, "duckduckgo.com"):
        return url
    return _parameter(url, "uddg") if urlsplit(url).path.startswith("/l/") else None


def bing_target(url: str) -> str | None:
    """Out of Bing's click counter, `bing.com/news/apiclick.aspx?url=...`; None where it holds no address."""
    if _on(url, "bing.com") and urlsplit(url).path.lower().endswith("/apiclick.aspx"):
        return _parameter(url, "url")
    return url


def google_news_target(url: str) -> str | None:
    """Out of Google News' redirect of the form in use until July 2024; None: the later one, which only Google can read.

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


def _on(url: str, domain: str) -> bool:
    host = (urlsplit(url).hostname or "").lower()
    return host == domain or host.endswith("." + domain)


def _parameter(url: str, name: str) -> str | None:
    values = parse_qs(urlsplit(url).query).get(name)
    return values[0] if values and is_web_url(values[0]) else None
