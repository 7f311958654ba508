"""Read the fields of a service's JSON, any of which may be missing, null, empty or of another type.

A missing required field (the address of a hit) raises ValueError, and `Engine.hits` leaves the item out; any other
becomes an empty value, and the hit is kept.
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

Fields = dict[str, Any]
"""A JSON object."""
_LONGEST_URL = 8_000


def dig(value: object, *path: str | int) -> Any:
    """Return the value at the path, None if any step is missing: `dig(item, "author", 0, "name")`."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def as_text(value: object) -> str:
    """Return a string's plain text on one line, a number as text, the text of a list's first item, or ''."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def each(value: object, *path: str | int) -> list[Any]:
    """Return the value at the path in each item of a list; [] for anything else."""
    return [dig(item, *path) for item in listing(value)]


def listed(value: object) -> list[Any]:
    """Return the list of results, [] for None, as services omit it if they found nothing. Raises TypeError for anything
    else, so that a changed format is not mistaken for 'nothing found'."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise TypeError(f"expected a list of results, got {type(value).__name__}")
    return value


def number(value: object) -> float | None:
    """Return a finite number, also from a string; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def whole(value: object) -> int | None:
    """Return a whole number below 2**53; None for anything else."""
    found = number(value)
    return int(found) if found is not None and found == int(found) and abs(found) < 2**53 else None


def mapping(value: object) -> Fields:
    """Return the value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[Any]:
    """Return the value if it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else []


def web_url(value: object) -> str:
    """Return an absolute http or https URL. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"expected an address, got {type(value).__name__}")
    url = value.strip()
    if url.startswith("//"):
        url = "https:" + url
    url = url.replace(" ", "%20")
    if len(url) > _LONGEST_URL or any(ord(char) < 33 or 0x7F <= ord(char) < 0xA0 or char.isspace() for char in url):
        raise ValueError("an address that is too long or has control characters")
    url.encode("utf-8")  # a lone surrogate is a UnicodeEncodeError, which is a ValueError
    parts = urlsplit(url)
    if not is_web_url(url) or parts.port == 0 or re.search(r"[%<>\"{}|\\^`]", parts.netloc):
        raise ValueError("not an absolute http or https address")
    return url


def doi_url(doi: str | None, otherwise: object) -> str:
    """Return a DOI's address in one spelling, so that hits of two engines on one work match; without a DOI, the other
    address. Raises ValueError if that is not an address."""
    return "https://doi.org/" + quote(doi, safe="/:;()._-,+@!*~'=", errors="replace") if doi else web_url(otherwise)


def dated(
    fields: object, *names: str, now: datetime, how: str = "engine", month_first: bool | None = None
) -> Published | None:
    """Return the first plausible date of the named fields; `now` is the time of the reply."""
    dates = (parse_date(dig(fields, name), now=now, how=how, month_first=month_first) for name in names)
    return next((date for date in dates if date), None)


def people(names: Iterable[object], *, most: int = 10) -> str | None:
    """Return the first names on one line; None without names."""
    found = texts(names)
    return ", ".join(found[:most]) + (f" and {len(found) - most} others" if len(found) > most else "") or None


def full_name(person: object, first: str, last: str, whole: str = "") -> str:
    """Return a person's full name by the names of its fields; that of `whole` if the name is not split."""
    return " ".join(texts((dig(person, first), dig(person, last)))) or as_text(dig(person, whole))


def texts(values: Iterable[object]) -> list[str]:
    """Return the texts of the values, without empty ones."""
    return [text for text in map(as_text, values) if text]


def first_text(*values: object) -> str:
    """Return the first text that is not empty, else ''."""
    return next(iter(texts(values)), "")


def uninverted(index: object, *, most: int = 3000) -> str:
    """Return the first words of the text of an index, `{"word": [positions]}`. Positions are not trusted: they are only
    compared, never used as a size."""
    found = [
        (position, word)
        for word, positions in mapping(index).items()
        for position in listing(positions)
        if isinstance(position, int)
    ]
    return as_text(" ".join(word for _, word in sorted(found)[:most]))


def present(**values: JsonValue | Sequence[str]) -> JsonObject:
    """Return the details without None, '' and empty collections."""
    return {
        name: list(value) if isinstance(value, tuple) else value  # type: ignore[misc]
        for name, value in values.items()
        if value not in (None, "", [], (), {})
    }
