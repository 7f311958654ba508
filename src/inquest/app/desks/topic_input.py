"""Topics from users' files: rows of JSON, JSON lines or CSV, with the field names used in practice."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from inquest.app.files import readable
from inquest.app.invalid import fault_of
from inquest.collection.items import FIELDS, column_of
from inquest.domain.errors import InputError
from inquest.domain.topic import Priority, Topic
from inquest.text.dates import parse_date
from inquest.text.markup import plain
from inquest.text.phrases import listed
from inquest.text.urls import clean, host_of, is_web_url, with_scheme

MAX_FILE = 50_000_000
"""Maximum size in bytes of a file of topics."""
MAX_TITLE = 500
MAX_TEXT = 200_000
"""Characters kept of a topic's own text, many times the length of a long article: it is stored with each state of the
case and searched sentence by sentence."""

_NAMES: Mapping[str, tuple[str, ...]] = {
    "title": FIELDS["title"],
    "url": (*FIELDS["url"], "article_url"),
    "text": (*FIELDS["text"], "summary", "description"),
    "discovery_date": ("discovery_date", "discovered_at", "discovered", *FIELDS["date"], "created_at"),
    "event_date": ("event_date", "happened_at", "event_at"),
    "place": ("place", "location", "where"),
    "status": ("status",),
    "verification_status": ("verification_status", "verification_level", "level"),
    "source_count": ("source_count", "sources"),
    "newsworthiness_score": ("newsworthiness_score", "newsworthiness"),
    "priority": ("priority",),
    "investigated": ("investigated",),
    "investigation_date": ("investigation_date",),
    "investigation_confidence": ("investigation_confidence",),
    "investigation_notes": ("investigation_notes",),
    "source_plan": ("source_plan",),
    "verified_facts": ("verified_facts",),
}
"""Fields of a topic with their accepted names, preferred name first."""
_MOMENTS = ("discovery_date", "event_date", "investigation_date")
_TEXTS = ("title", "text", "place", "investigation_notes")
_OBJECTS = ("source_plan", "verified_facts")
_CHOICES = ("status", "verification_status", "priority")


@dataclass(frozen=True)
class GivenTopic:
    """A topic from a row. Without a title it has a URL from which the title can be read."""

    topic: Topic
    notes: tuple[str, ...] = ()
    """Missing fields with their consequences, and ignored fields."""


def topic_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the location and value of each row. JSON: one object, a list of them, or {"topics": [...]}; JSON lines; CSV
    with a header, which is row 1, as in a spreadsheet. An invalid row is yielded as its InputError, since the rows
    before it may be in use already. Raises InputError for a file that cannot be read at all."""
    text = _text(path)
    ending = path.suffix.lower()
    if ending == ".csv":
        yield from _csv_rows(text, path)
    elif ending in (".jsonl", ".ndjson"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"line {number}", _tried(line)
    elif ending == ".json":
        value = _parsed(text, str(path))
        rows = value.get("topics", [value]) if isinstance(value, dict) else value
        if not isinstance(rows, list):
            raise InputError(f"{path} contains no topics.", advice='Write one object, a list, or {"topics": [...]}.')
        yield from ((f"topic {number}", row) for number, row in enumerate(rows, 1))
    else:
        raise InputError(f"Unknown format: {path}.", advice="Give topics as .json, .jsonl or .csv, or as a URL.")


def given_topic(row: Any, *, now: datetime, priority: Priority | None = None) -> GivenTopic:
    """Return the topic of one row, which needs a title, or a URL to read it from; without a date the topic counts as
    discovered now. `priority` overrides the row's. Raises InputError."""
    taken, unknown = _taken(row)
    fields = {field: _read(field, value, now) for field, value in taken.items()}
    fields["title"] = plain(str(fields.get("title", "")))
    if not fields["title"] and not fields.get("url"):
        raise InputError("It has no title and no URL.", advice="Give one of them; a date and a text are optional.")
    if len(fields["title"]) > MAX_TITLE:
        raise InputError(f"Its title has {len(fields['title']):,} characters; the limit is {MAX_TITLE}.")
    notes = _completed(fields, now)
    if unknown:
        notes.append(f"These fields of it are not used: {listed(unknown)[:200]}.")
    if priority is not None:
        fields["priority"] = priority
    try:
        return GivenTopic(Topic(**fields), tuple(notes))
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"Its {first['loc'][0]} is invalid: {fault_of(first)}.") from error


def _taken(row: Any) -> tuple[dict[str, Any], list[str]]:
    """Return the row's values by field, and the names of unknown columns."""
    if not isinstance(row, Mapping):
        raise InputError(
            "It is not a JSON object.", advice='Write {"title": "...", "url": "...", "discovery_date": "..."}.'
        )
    if None in row:  # the key of values beyond the columns
        raise InputError("It has more values than columns.")
    left = {column_of(str(name)): value for name, value in row.items() if value not in (None, "", [], {})}
    taken = {}
    for field, names in _NAMES.items():
        if likeliest := next((name for name in names if name in left), None):
            taken[field] = left.pop(likeliest)
    return taken, sorted(set(left) - {"id", "topic_id"})


def _completed(fields: dict[str, Any], now: datetime) -> list[str]:
    """Fill in missing fields and cut the text; returns notes on what was done."""
    notes = []
    if len(text := str(fields.get("text", ""))) > MAX_TEXT:
        fields["text"] = text[:MAX_TEXT]
        notes.append(f"Its text has {len(text):,} characters, of which the first {MAX_TEXT:,} are taken.")
    if "discovery_date" not in fields:
        fields["discovery_date"] = now
        notes.append("It has no date, so it counts as found now; searches begin 30 days before.")
    elif fields["discovery_date"] > now:
        fields["discovery_date"] = now
        notes.append("Its date is in the future, so it counts as found now.")
    if "url" not in fields:
        notes.append("It has no URL, so nothing can be read from its own article.")
    return notes


def _read(field: str, value: Any, now: datetime) -> Any:
    """Convert a value to the type of the field of `Topic`."""
    if field in _MOMENTS:
        found = parse_date(value, now=now, how="user")
        if found is None and parse_date(value, now=_FAR, how="user") is not None:
            raise InputError(f"Its {field} '{value}' is in the future.", advice="Correct it, or leave it out.")
        if found is None:
            raise InputError(
                f"Its {field} '{value}' is not a date.", advice="Write it like 2024-03-05 or 2024-03-05T10:00Z."
            )
        return found.at
    if field in _TEXTS and not isinstance(value, str | int | float):
        raise InputError(f"Its {field} is not text.")
    if field in _TEXTS:
        return str(value).strip()
    if field in _CHOICES:
        return str(value).strip().lower()
    if field in _OBJECTS and isinstance(value, str):
        return _parsed(value, f"Its {field}")
    return _url(value) if field == "url" else value


def _url(value: Any) -> str:
    url = with_scheme(str(value))
    # Tables have "n/a", "none" or "-" if there is no URL; a host without a dot needs its scheme.
    if ("://" not in str(value) and "." not in host_of(url)) or not is_web_url(url):
        raise InputError(f"Its URL '{value}' is not a web address.", advice="Write it like https://example.org/page.")
    return clean(url)


_FAR = datetime(9000, 1, 1, tzinfo=UTC)


def _text(path: Path) -> str:
    with readable(path, missing="Check the path, or give a whole URL."):
        if path.is_dir():
            raise InputError(f"{path} is a folder.", advice="Give a file of topics, or a URL.")
        if path.stat().st_size > MAX_FILE:
            raise InputError(f"{path} is larger than {MAX_FILE // 1_000_000} MB.", advice="Split it.")
        return path.read_text("utf-8-sig")


def _parsed(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise InputError(f"{what} is empty.", advice="Each topic needs a title, or a URL.") from error
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{what} is not JSON ({place}: {error.msg}).", advice="Correct it there.") from error
    except RecursionError as error:
        raise InputError(f"{what} is nested too deeply.") from error


def _tried(line: str) -> Any:
    try:
        return _parsed(line, "It")
    except InputError as error:
        return error


def _csv_rows(text: str, path: Path) -> Iterator[tuple[str, Any]]:
    divider = max(",;\t|", key=text.lstrip("\r\n ").partition("\n")[0].count)
    csv.field_size_limit(MAX_FILE)
    known = {name for field in ("title", "url") for name in _NAMES[field]}
    columns: list[str] = []
    number = 0
    try:
        for number, values in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=divider, strict=True), 1):
            if not any(value.strip() for value in values):
                continue
            if columns:
                more = {None: values[len(columns) :]} if len(values) > len(columns) else {}
                yield f"row {number}", dict(zip(columns, values, strict=False)) | more
            elif known & {column_of(name) for name in values}:
                columns = values
            else:
                break
    except csv.Error as error:
        if not columns:
            raise InputError(f"{path} cannot be read as CSV ({error}).") from error
        what = f"It cannot be read as CSV ({error}), so nothing is taken from here on."
        yield f"row {number + 1}", InputError(what, advice="Look for a quotation mark that is not closed.")
    if not columns:
        raise InputError(f"{path} has no column 'title' or 'url' in its first line.", advice="Name the columns there.")
