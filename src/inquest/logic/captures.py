"""Web archives' lists of captures, in the forms in which the Internet Archive gives them."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["captures_of_json", "captures_of_text"]

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
