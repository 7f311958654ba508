"""Reading the fields of somebody else's JSON, any of which may be missing, null, of another type or empty.

What an engine cannot do without (the address of a hit) raises ValueError, and `Engine.hits` leaves that item out; all
else becomes an empty value, and the hit is kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit

from inquest.domain.document import Published
from inquest.domain.value import JsonObject, JsonValue
from inquest.text.dates import parse_date
from inquest.text.markup import plain
from inquest.text.urls import doi_of as doi_of
from inquest.text.urls import is_web_url

_LONGEST_URL = 8_000


def dig(value: object, *path: str | int) -> Any:
    """What appears at the path, None where anything on the way is missing: `dig(item, "author", 0, "name")`."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def as_text(value: object) -> str:
    """A string's plain text on one line, a number as it is written, '' for anything else; of a list, its first."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def each(value: object, *path: str | int) -> list[Any]:
    """What appears at the path in each item of a list; [] for anything that is no list."""
    return [dig(item, *path) for item in listing(value)]


def listed(value: object) -> list[Any]:
    """The list of results, which a service may leave out or give as null where it found nothing. Raises TypeError for
    anything else, so that a form that has changed is not taken for 'nothing found'."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise TypeError(f"expected a list of results, got {type(value).__name__}")
    return value


def number(value: object) -> float | None:
    """A finite number, written as one or as a string; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def whole(value: object) -> int | None:
    """A whole number that any database can hold; None for anything else."""
    found = number(value)
    return int(found) if found is not None and found == int(found) and abs(found) < 2**53 else None


def mapping(value: object) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[Any]:
    """The value if it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else []


def web_url(value: object) -> str:
    """An absolute http or https URL. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"an address is {type(value).__name__}, not text")
    url = value.strip()
    if url.startswith("//"):
        url = "https:" + url
    url = url.replace(" ", "%20")
    if len(url) > _LONGEST_URL or any(ord(char) < 33 or 0x7F <= ord(char) < 0xA0 or char.isspace() for char in url):
        raise ValueError("an address with control characters in it, or a very long one")
    url.encode("utf-8")  # a lone surrogate is a UnicodeEncodeError, which is a ValueError
    parts = urlsplit(url)
    if not is_web_url(url) or parts.port == 0 or re.search(r"[%<>\"{}|\\^`]", parts.netloc):
        raise ValueError("not an absolute http or https address")
    return url


def doi_url(doi: str | None, otherwise: object) -> str:
    """The address of a DOI, spelt in one way so that two engines' hits on one work are seen to be one; where there is
    no DOI, the other address. Raises ValueError where that is none."""
    return "https://doi.org/" + quote(doi, safe="/:;()._-,+@!*~'=", errors="replace") if doi else web_url(otherwise)


def dated(
    fields: object, *names: str, now: datetime, how: str = "engine", month_first: bool | None = None
) -> Published | None:
    """The first of the named fields that holds a plausible date; `now` is when the reply came."""
    dates = (parse_date(dig(fields, name), now=now, how=how, month_first=month_first) for name in names)
    return next((date for date in dates if date), None)


def people(names: Iterable[object], *, most: int = 10) -> str | None:
    """The names as one line, the first ten of many; None if absent."""
    found = [name for name in (as_text(name) for name in names) if name]
    if not found:
        return None
    return ", ".join(found[:most]) + (f" and {len(found) - most} others" if len(found) > most else "")


def uninverted(index: object, *, most: int = 3000) -> str:
    """The text of an index of words, `{"word": [positions]}`; of a very long one its first words. The positions are a
    stranger's, so they are only compared, never used as a size."""
    found = [
        (position, word)
        for word, positions in mapping(index).items()
        for position in listing(positions)
        if isinstance(position, int)
    ]
    return as_text(" ".join(word for _, word in sorted(found)[:most]))


def present(**values: JsonValue | Sequence[str]) -> JsonObject:
    """The details that say something: None, '' and empty lists are left out."""
    return {
        name: list(value) if isinstance(value, tuple) else value  # type: ignore[misc]
        for name, value in values.items()
        if value not in (None, "", [], (), {})
    }
