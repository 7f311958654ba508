"""Lists of captures as web archives return them, and the choice of the earliest or closest capture."""

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
    """Parse the lines of a CDX index, of seven columns each; the key of the next page follows a blank line.

    Raises ValueError for a page of HTML.
    """
    if text.startswith("<"):
        raise ValueError("a page instead of a list of captures")
    return [dict(zip(_COLUMNS, line.split(" "), strict=False)) for line in text.split("\n\n")[0].splitlines()]


def captures_of_json(data: Any) -> list[dict[str, Any]]:
    """Parse the JSON of a CDX index (a table with a header), or the closest capture of the availability service.

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
    """Return the captured address from a capture's address in the form that most archives share.

    An example is `https://archive.example/web/20200102030405/https://page.example/`; None for other forms.
    """
    match = _ARCHIVED.fullmatch(capture)
    return match["original"] if match else None


def mementos_of_json(data: Any) -> list[dict[str, Any]]:
    """Parse a Memento aggregator's JSON, a TimeMap (`list`) or a look-up by date (first, closest, last, ...).

    Each capture is {"uri", "datetime", "original"}; of one capture at several archives the first is taken. Raises
    TypeError or KeyError for anything else.
    """
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
