"""What an engine's hits are held to before anybody sees them: addresses, dates, and text that is only text."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

from inquest.domain.search import Hit, Query
from inquest.logic.text import shorten
from inquest.logic.urls import is_web_url

__all__ = ["in_time", "plain", "tidy"]

_MAX_URL = 2048
_MAX_TITLE = 300
_MAX_SNIPPET = 2000
_MAX_NAME = 200
_MAX_RAW = 20_000
"""Characters of a field that are looked at at all."""

_TAG = re.compile(r"<(?:[a-zA-Z/!?][^<>]{0,2000})>")
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_KEPT_FORMATS = frozenset("\u200c\u200d")
"""Zero-width joiners, which some scripts and emoji need between letters."""


def tidy(hits: Iterable[Hit], query: Query, *, own_schemes: Iterable[str] = ("collection",)) -> list[Hit]:
    """The hits that may be followed, in time, as plain text, at most as many as the query asks for; order kept.

    Hits without a date are kept (requirement N4): that a date is missing says nothing about it.
    """
    own = tuple(f"{scheme}://" for scheme in own_schemes)
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) >= query.limit:
            break
        url = hit.url.strip()
        archived = hit.snapshot is not None  # of the user's own documents, which may be files
        if len(url) > _MAX_URL or not (is_web_url(url) or archived or url.lower().startswith(own)):
            continue
        if _CONTROL.search(url) or not in_time(hit, query.since, query.until):
            continue
        url = _UNQUOTED.sub(lambda char: f"%{ord(char.group()):02X}", url)
        kept.append(
            hit.model_copy(
                update={
                    "url": url,
                    "title": plain(hit.title, _MAX_TITLE),
                    "snippet": plain(hit.snippet, _MAX_SNIPPET),
                    "author": plain(hit.author, _MAX_NAME) or None if hit.author else None,
                    "publisher": plain(hit.publisher, _MAX_NAME) or None if hit.publisher else None,
                }
            )
        )
    return kept


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_UNQUOTED = re.compile(r"[ <>\"\\]")
"""What no URL holds as it is, and what could end one where it is shown."""


def in_time(hit: Hit, since: datetime | None, until: datetime | None) -> bool:
    """Whether the hit may have been published within the range, as exactly as its date is known."""
    if hit.published is None:
        return True
    if since is not None and _utc(hit.published.latest) < _utc(since):
        return False
    return until is None or _utc(hit.published.at) <= _utc(until)


def plain(text: str, limit: int) -> str:
    """The text without tags, control, zero-width and bidirectional characters, entities resolved, at most so long.

    Tags go before entities are resolved: `&lt;b&gt;` is a text about a tag, and stays.
    """
    text = _TAG.sub(" ", _SCRIPT.sub(" ", text[:_MAX_RAW]))
    text = html.unescape(text)
    characters = []
    for place, char in enumerate(text):
        category = unicodedata.category(char)
        if char.isspace() or category == "Cc":
            characters.append(" ")
        elif category in ("Cf", "Cs", "Co", "Cn"):
            if char in _KEPT_FORMATS and 0 < place < len(text) - 1 and ord(text[place - 1]) > 0x2FF:
                characters.append(char)
        else:
            characters.append(char)
    return shorten("".join(characters), limit)


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
