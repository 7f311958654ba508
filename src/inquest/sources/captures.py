"""Web archives' lists of captures, in the forms in which archives give them, and the two questions asked most."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.text.dates import utc
from inquest.text.lexicon import pattern

_COLUMNS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")


def captures_of_text(text: str) -> list[dict[str, Any]]:
    """The captures of a CDX index as lines of seven columns. After a blank line comes the key of the next page.

    Raises ValueError for a page of HTML.
    """
    if text.startswith("<"):
        raise ValueError("a page instead of a list of captures")
    return [dict(zip(_COLUMNS, line.split(" "), strict=False)) for line in text.split("\n\n")[0].splitlines()]


def captures_of_json(data: Any) -> list[dict[str, Any]]:
    """The captures of a CDX index as JSON (a table with a head), or the closest one of the availability service.

    Raises TypeError, KeyError or AttributeError for anything else.
    """
    if isinstance(data, list):
        return [dict(zip(data[0], row, strict=False)) if isinstance(row, list) else {} for row in data[1:]]
    closest = data["archived_snapshots"].get("closest")
    if not closest:
        return []
    original = re.sub(r"^https?://web\.archive\.org/web/\d+[a-z_]*/", "", closest["url"])
    return [{"timestamp": closest["timestamp"], "original": original, "statuscode": closest.get("status")}]


def earliest_capture(url: str) -> Query:
    """The question which capture of an address is the oldest, for any archive engine."""
    return Query(text=url, kinds=(EngineKind.ARCHIVE,), purpose="the earliest capture", limit=1)


def earliest_of(hits: Iterable[Hit]) -> Hit | None:
    """The oldest of the captures that several archives gave; None: none is dated."""
    return min((hit for hit in hits if hit.published), key=_when, default=None)


def closest_of(hits: Iterable[Hit], moment: datetime) -> Hit | None:
    """The capture closest to the moment; of two as close the earlier. None: none is dated."""
    dated = sorted((hit for hit in hits if hit.published), key=_when)
    return min(dated, key=lambda hit: abs(_when(hit)[0] - utc(moment)), default=None)


def _when(hit: Hit) -> tuple[datetime, str]:
    if hit.published is None:
        raise ValueError("a capture without a date")
    return utc(hit.published.at), hit.url


_ARCHIVED = pattern(__name__, "archived")


def original_of(capture: str) -> str | None:
    """The address that was captured, of a capture's address in the form that most archives share
    (`https://archive.example/web/20200102030405/https://page.example/`); None: in another form."""
    match = _ARCHIVED.fullmatch(capture)
    return match["original"] if match else None


_ROLES = ("first", "prev", "closest", "next", "last")


def mementos_of_json(data: Any) -> list[dict[str, Any]]:
    """The captures of a Memento aggregator's JSON, a TimeMap (`list`) or a look-up by date (first, closest, last, ...).

    Each as {"uri", "datetime", "original"}; an aggregator that gives one capture at several archives is taken at its
    first. Raises TypeError or KeyError for anything else.
    """
    mementos, original = data["mementos"], data.get("original_uri")
    rows = mementos.get("list") or mementos.get("all")
    if rows is None:
        rows = [mementos[role] for role in _ROLES if role in mementos]
    if not isinstance(rows, list):
        raise TypeError(f"expected a list of captures, got {type(rows).__name__}")
    return [_memento(row, original) for row in rows]


def _memento(row: Any, original: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        return {}
    uri = row.get("uri")
    return {
        "uri": uri[0] if isinstance(uri, list) and uri else uri,
        "datetime": row.get("datetime"),
        "original": original,
    }
