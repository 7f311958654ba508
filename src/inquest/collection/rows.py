"""Tables and lines of JSON: each row a document of its own, whatever its columns are called."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from inquest.collection.bytes_in import Lines, LineTooLong
from inquest.collection.items import Item, ItemProblem
from inquest.kit.rows import ROW_TYPE
from inquest.text.urls import is_web_url

LONGEST_ROW = 20 * 2**20
"""Bytes."""
_PATIENCE = 100
# Lines that may be no JSON object before the file is given up: it is something else under this name.

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "_id", "doc_id", "docid", "document_id"),
    "url": ("url", "link", "permalink", "source_url"),
    "title": ("title", "headline", "name"),
    "date": ("date", "published", "published_at", "publication_date", "pubdate", "published_date", "datetime"),
    "text": ("text", "body", "content", "contents", "article", "abstract", "passage", "full_text"),
    "author": ("author", "authors", "byline", "creator"),
    "language": ("language", "lang"),
    "publisher": ("publisher", "outlet", "site_name"),
}
"""The fields of a row's document, each with the names that files in the wild give it, the likeliest first."""


def row_fields(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The row under our names, what else it has under its own; None where it has no text and no title.

    A row with a title and no text is a document that says its title. Empty values are left out.
    """
    left = {column_of(name): value for name, value in row.items() if value not in (None, "", [], {})}
    within = left.get("metadata")
    fields: dict[str, Any] = {}
    for field, names in FIELDS.items():
        for name in names:
            value = left.get(name) if name in left else within.get(name) if isinstance(within, dict) else None
            if found := _as_text(value, "\n\n" if field == "text" else ", "):
                fields[field] = found
                left.pop(name, None)
                break
    if not fields.get("text"):
        if not fields.get("title"):
            return None
        fields["text"] = fields["title"]
    return {**left, **fields}


def csv_items(stream: BinaryIO, where: str, file_url: str) -> Iterator[Item | ItemProblem]:
    """The rows of a table with a header, whatever divides its columns. Raises what reading the stream raises."""
    csv.field_size_limit(LONGEST_ROW)  # The library's own limit is 128 KB, less than one long article.
    lines = Lines(stream, LONGEST_ROW)
    filled = (line for line in lines if line.strip())
    header, divider = next(filled, ""), ""
    if header.lower().startswith("sep=") and len(header.strip()) == 5:  # Spreadsheets write this line.
        divider, header = header.strip()[-1], next(filled, "")
    divider = divider or max(",;\t|", key=lambda sign: _known_columns(header, sign))
    columns = _cells(header, divider)
    known = {name for names in (FIELDS["text"], FIELDS["title"]) for name in names}
    if not known & {column_of(name) for name in columns}:
        there = ", ".join(columns)[:120] or "it is empty"
        yield ItemProblem(where, f"has no column 'text' in its first line ({there})")
        return
    # Strict, so that a quotation mark that is never closed is reported and does not swallow the rows after it unseen.
    rows = csv.reader(lines, delimiter=divider, strict=True)
    number = 0
    while True:
        number += 1
        place = f"{where}, row {number} (line {lines.number + 1})"
        try:
            values = next(rows)
        except StopIteration:
            return
        except (csv.Error, LineTooLong) as error:
            yield ItemProblem(place, f"cannot be read as a row ({error})")
            continue
        if not values:
            number -= 1
        elif len(values) > len(columns) and any(values[len(columns) :]):
            yield ItemProblem(place, f"has {len(values)} values for {len(columns)} columns")
        else:
            yield _item(dict(zip(columns, values, strict=False)), place, file_url, f"row={number}")


def jsonl_items(stream: BinaryIO, where: str, file_url: str) -> Iterator[Item | ItemProblem]:
    """The objects of a file with one on each line. Raises what reading the stream raises."""
    lines = Lines(stream, LONGEST_ROW)
    good = bad = 0
    while True:
        try:
            line = next(lines)
            if not line.strip():
                continue
            row = json.loads(line)
        except StopIteration:
            return
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", None) or str(error).partition("\n")[0]
            row, problem = None, f"is not JSON ({why})" if not isinstance(error, LineTooLong) else why
        else:
            problem = "" if isinstance(row, dict) else "is no JSON object"
        place = f"{where}, line {lines.number}"
        if problem or row is None:
            bad += 1
            yield ItemProblem(place, problem or "is no JSON object")
            if not good and bad == _PATIENCE:
                yield ItemProblem(where, f"is given up: none of its first {bad} lines is a JSON object")
                return
            continue
        good += 1
        yield _item(row, place, file_url, f"line={lines.number}")


def _item(row: Mapping[str, Any], place: str, file_url: str, fragment: str) -> Item | ItemProblem:
    fields = row_fields(row)
    if fields is None:
        return ItemProblem(place, "has no text")
    body = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")
    url = fields["url"] if is_web_url(fields.get("url", "")) else ""
    own = fields.get("id", "")
    return Item(
        where=place,
        body=body,
        # Fragments as in RFC 7111 (row) and RFC 5147 (line).
        url=url or f"{file_url}#{fragment}",
        content_type=ROW_TYPE,
        id=own,
        key=f"{file_url}#{own or url}" if own or url else "",
    )


def _as_text(value: Any, between: str) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return between.join(filter(None, (_as_text(part, between) for part in value)))
    if isinstance(value, dict):
        return _as_text(value.get("name"), between)
    return ""


def column_of(name: str) -> str:
    """A column's name as it is compared: 'Event date' is 'event_date'."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _known_columns(header: str, divider: str) -> int:
    names = {column_of(name) for name in _cells(header, divider)}
    return sum(not names.isdisjoint(known) for known in FIELDS.values())


def _cells(header: str, divider: str) -> list[str]:
    try:
        return next(csv.reader([header], delimiter=divider), [])
    except csv.Error:
        return []
