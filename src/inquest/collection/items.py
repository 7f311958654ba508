"""Results of reading files: documents to index, such as the rows of tables and JSON lines, and problems."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from inquest.collection.bytes_in import Lines, LineTooLong
from inquest.kit.files import Capture, NoCapture
from inquest.kit.rows import ROW_TYPE
from inquest.text.urls import is_web_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The bytes of one document and their origin."""

    where: str
    """The file and the place in it, for readers: `news.csv, row 12`."""
    body: bytes
    url: str
    content_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    parent: str = ""
    """The file it is part of: a message or archive."""
    id: str = ""
    """Its own id, if any."""
    key: str = ""
    """Identity of its versions; '': none."""
    retrieved_at: datetime | None = None
    """The time at which a web archive captured it; None: now."""
    record: str = ""
    """The type of its record in a web archive."""
    repeats: bool = False
    """True for a capture with the bytes of another document, from a different address."""
    is_cut: bool = False
    """True for a capture of only the beginning of a page."""


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """Something that could not be read, with the reason."""

    where: str
    why: str
    left_out: bool = False
    """True for an unsupported kind that the user did not name: nothing failed."""
    count: int = 1
    """The number of such problems, the first at `where`."""
    record: str = ""
    """The type of its record in a web archive."""

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass(frozen=True, slots=True)
class Records:
    """The number of records of a type in web archives with one outcome."""

    record: str
    """The type: response, request, revisit, ... or 'damaged'."""
    outcome: str
    """read, already there, seen again, left out, unreadable."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class FileDone:
    """A finished file."""

    path: str


Found = Item | ItemProblem | Records | FileDone

Unpack = Callable[[BinaryIO], Iterator[Capture | NoCapture]]
"""The captures of a web archive in order, compressed or not. Raises PageError for anything else."""


LONGEST_ROW = 20 * 2**20
"""Bytes."""
_MOST_BAD_LINES = 100
"""Lines without a JSON object at the beginning, after which the file is skipped."""

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
"""The fields of a row's document with their usual names, most likely first."""


def row_fields(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The fields of the row under our names and any others under their own, without empty values; None without text and
    title. A title alone is also the text."""
    left = {column_of(name): value for name, value in row.items() if value not in (None, "", [], {})}
    metadata = left.get("metadata")
    fields: dict[str, Any] = {}
    for field, names in FIELDS.items():
        for name in names:
            value = left.get(name) if name in left else metadata.get(name) if isinstance(metadata, dict) else None
            if found := _value_text(value, "\n\n" if field == "text" else ", "):
                fields[field] = found
                left.pop(name, None)
                break
    if not (text := fields.get("text") or fields.get("title")):
        return None
    return {**left, **fields, "text": text}


def csv_items(stream: BinaryIO, where: str, file_url: str) -> Iterator[Item | ItemProblem]:
    """The rows of a table with a header and any usual delimiter. Raises the errors of reading the stream."""
    csv.field_size_limit(LONGEST_ROW)  # the library's own limit, 128 KB, is less than a long article
    lines = Lines(stream, LONGEST_ROW)
    filled = (line for line in lines if line.strip())
    header, delimiter = next(filled, ""), ""
    if header.lower().startswith("sep=") and len(header.strip()) == 5:  # spreadsheets write this line
        delimiter, header = header.strip()[-1], next(filled, "")
    delimiter = delimiter or max(",;\t|", key=lambda sign: _known_columns(header, sign))
    columns = _cells(header, delimiter)
    if not {*FIELDS["text"], *FIELDS["title"]} & {column_of(name) for name in columns}:
        found = ", ".join(columns)[:120] or "it is empty"
        yield ItemProblem(where, f"has no column 'text' in its first line ({found})")
        return
    # Strict, so that a quotation mark that is never closed is reported and does not hide the rows after it.
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
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
    """The objects of a file with one on each line. Raises the errors of reading the stream."""
    lines = Lines(stream, LONGEST_ROW)
    good = bad = 0
    while True:
        problem = ""
        try:
            line = next(lines)
            if not line.strip():
                continue
            row = json.loads(line)
        except StopIteration:
            return
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", None) or str(error).partition("\n")[0]
            problem = why if isinstance(error, LineTooLong) else f"is not JSON ({why})"
        place = f"{where}, line {lines.number}"
        if not problem and isinstance(row, dict):
            good += 1
            yield _item(row, place, file_url, f"line={lines.number}")
            continue
        bad += 1
        yield ItemProblem(place, problem or "is not a JSON object")
        if not good and bad == _MOST_BAD_LINES:
            yield ItemProblem(where, f"was skipped: none of its first {bad} lines is a JSON object")
            return


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


def _value_text(value: Any, separator: str) -> str:
    match value:
        case str():
            return value.strip()
        case bool():
            return ""
        case int() | float():
            return str(value)
        case list():
            return separator.join(filter(None, (_value_text(part, separator) for part in value)))
        case dict():
            return _value_text(value.get("name"), separator)
    return ""


def column_of(name: str) -> str:
    """A column's name for comparison: 'Event date' is 'event_date'."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _known_columns(header: str, delimiter: str) -> int:
    names = {column_of(name) for name in _cells(header, delimiter)}
    return sum(not names.isdisjoint(known) for known in FIELDS.values())


def _cells(header: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        return []
