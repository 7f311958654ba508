"""The rows of a register's table in an SQLite file of the data folder, found by name, number or project.

`<home>/registries/NAME.sqlite` is built beside the one in use and takes its place whole, or not at all.
"""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from functools import cache
from json.encoder import encode_basestring
from pathlib import Path

from inquest.collection.registry_tables import RegistryTable, RowsOfFile
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.domain.value import JsonObject
from inquest.text.company_names import company_name, is_wrong_lei, isin_of, lei_of
from inquest.text.regex import regex

FORMAT = 1
_BATCH = 20_000
_MONTH_FIRST = regex(r"(\d{1,2})/(\d{1,2})/(\d{4})\b")
_SAME_NAME = 500
"""Rows of one name that are looked at."""


@dataclass(frozen=True)
class RegistryFacts:
    """What is known of a table that was taken in."""

    name: str
    snapshot: str
    """The archived file."""
    source: str
    """The address or file that it came from."""
    retrieved_at: str
    rows: int
    wrong_numbers: int = 0
    """LEIs and ISINs with wrong check digits, by which no row is found."""
    format: int = FORMAT


@dataclass(frozen=True)
class RegistryRow:
    """One row as the table has it."""

    number: int
    """Of the row in its file, the heads being row 1."""
    file: str
    form: str
    cells: dict[str, str]
    """By head, in the order of the table, empty ones left out."""
    fields: dict[str, str]
    """'Head: value' by the meaning of the column; it is part of `text` as it is."""
    dated: str = ""

    @property
    def text(self) -> str:
        """The row in one line, each value behind its head."""
        return "; ".join(f"{head}: {value}" for head, value in self.cells.items())


class RegistryStore:
    """The tables under one data folder."""

    def __init__(self, home: Path) -> None:
        self._root = home / "registries"

    def path(self, name: str) -> Path:
        """Where a table is, or would be."""
        return self._root / f"{name}.sqlite"

    def has(self, name: str) -> bool:
        return self.path(name).is_file()

    def facts(self, table: RegistryTable) -> RegistryFacts:
        """What is known of a table. Raises NotFound, StorageError."""
        with closing(self._open(table)) as opened:
            return _facts(opened)

    def build(self, table: RegistryTable, parts: Iterator[RowsOfFile], facts: RegistryFacts) -> RegistryFacts:
        """Put the rows in the place of the table that is there. Raises InputError as the parts do, StorageError."""
        made = self._root / f".{table.name}-{uuid.uuid4().hex}.sqlite"
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(made)) as opened:
                found = _written(opened, parts, facts)
            if not found.rows:
                raise InputError(f"The file of {table.title} has no row.", advice="Fetch it again.")
            with made.open("rb+") as file:
                os.fsync(file.fileno())
            made.replace(self.path(table.name))
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"{table.title} cannot be written in {self._root} ({error}).",
                advice="Make room there, or choose another data folder with INQUEST_HOME.",
            ) from error
        finally:
            with suppress(OSError):
                made.unlink(missing_ok=True)
        return found

    def find(self, table: RegistryTable, asked: str, limit: int) -> list[RegistryRow]:
        """The rows of a company (name, LEI, ISIN) or of a project (name or the register's number), and the rows of the
        projects that these are about. Companies of one name are all found. Raises InputError, NotFound, StorageError.
        """
        if is_wrong_lei(asked):
            raise InputError(f"Invalid LEI {asked.strip()}: its check digits do not fit.")
        with closing(self._open(table)) as opened:
            try:
                return _found(opened, asked, limit)
            except (sqlite3.Error, ValueError) as error:
                raise self._damaged(table) from error

    def _open(self, table: RegistryTable) -> sqlite3.Connection:
        path = self.path(table.name)
        if not path.is_file():
            raise NotFound(f"{table.title} is not on this machine.", advice=f"Get it with: {table.command}")
        opened = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        try:
            if _facts(opened).format > FORMAT:
                raise StorageError(f"{path} was made by a newer version.", advice=f"Make it anew: {table.command}")
        except (sqlite3.Error, ValueError, TypeError) as error:
            opened.close()
            raise self._damaged(table) from error
        return opened

    def _damaged(self, table: RegistryTable) -> StorageError:
        return StorageError(f"{self.path(table.name)} is damaged.", advice=f"Make it anew: {table.command}")


def _facts(opened: sqlite3.Connection) -> RegistryFacts:
    (text,) = opened.execute("SELECT text FROM facts").fetchone()
    return RegistryFacts(**json.loads(text))


def _written(opened: sqlite3.Connection, parts: Iterator[RowsOfFile], facts: RegistryFacts) -> RegistryFacts:
    opened.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -64000;"
        "CREATE TABLE facts (text TEXT); CREATE TABLE parts (id INTEGER PRIMARY KEY, text TEXT);"
        "CREATE TABLE rows (id INTEGER PRIMARY KEY, part INTEGER, number INTEGER, cells TEXT);"
        "CREATE TABLE keys (key TEXT, row INTEGER);"
    )
    rows: list[tuple[int, int, int, str]] = []
    keys: list[tuple[str, int]] = []
    count = wrong = 0
    core_of = cache(lambda name: company_name.__wrapped__(name).core)

    def flush() -> None:
        opened.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", rows)
        opened.executemany("INSERT INTO keys VALUES (?, ?)", keys)
        rows.clear()
        keys.clear()

    for place, part in enumerate(parts):
        form = part.form
        described = {
            "file": part.file,
            "heads": part.heads,
            "places": part.places,
            "form": form.name,
            "names": form.names,
            "also": form.also,
            "dated": form.dated,
            "month_first": form.month_first,
            "absent": form.absent,
        }
        opened.execute("INSERT INTO parts VALUES (?, ?)", (place, json.dumps(described)))
        columns = [[part.places[meaning] for meaning in each] for each in (form.names, form.numbers, form.ids)]
        blank = [""] * (max(part.places.values()) + 1)
        for number, cells in enumerate(part.rows, part.head + 1):
            if not any(cells):
                continue
            count += 1
            cells += blank[len(cells) :]
            found, bad = _keys(cells, columns, core_of)
            wrong += bad
            keys += [(key, count) for key in found]
            rows.append((count, place, number, f"[{','.join(map(encode_basestring, cells))}]"))
            if len(rows) == _BATCH:
                flush()
    flush()
    known = RegistryFacts(**{**asdict(facts), "rows": count, "wrong_numbers": wrong})
    opened.execute("CREATE INDEX by_key ON keys (key, row)")
    opened.execute("INSERT INTO facts VALUES (?)", (json.dumps(asdict(known)),))
    opened.commit()
    return known


def _keys(cells: list[str], columns: list[list[int]], core_of: Callable[[str], str]) -> tuple[set[str], int]:
    """By what a row is found, and how many of its numbers have wrong check digits. `columns`: the places of names,
    numbers and ids."""
    names, numbers, ids = columns
    found = {f"name {core}" for name in {cells[place].casefold() for place in names} if (core := core_of(name))}
    found |= {f"id {value.upper()}" for place in ids if (value := cells[place].strip())}
    wrong = 0
    for value in [cells[place].strip() for place in numbers]:
        if code := lei_of(value) or isin_of(value):
            found.add(f"number {code}")
        else:
            wrong += len(value) in (12, 20)
    return found, wrong


def _found(opened: sqlite3.Connection, asked: str, limit: int) -> list[RegistryRow]:
    name, asked = company_name(asked), " ".join(asked.split())
    number = lei_of(asked) or isin_of(asked)
    keys = [f"number {number}"] if number else [f"id {asked.upper()}", f"name {name.core}"]
    parts = {place: json.loads(text) for place, text in opened.execute("SELECT id, text FROM parts")}
    kept: dict[int, RegistryRow] = {}
    projects: list[str] = []
    for key in keys:
        for row, place, line, text in _rows(opened, key):
            part, cells = parts[place], json.loads(text)
            if key.startswith("name ") and not any(
                name.is_of(company_name(value)) for value in _values(part, cells, part["names"])
            ):
                continue
            kept.setdefault(row, _row(part, line, cells))
            projects += _values(part, cells, [part["also"]] if part["also"] else [])
            if len(kept) >= limit:
                break
    for project in dict.fromkeys(projects):
        for row, place, line, text in _rows(opened, f"id {project.upper()}"):
            kept.setdefault(row, _row(parts[place], line, json.loads(text)))
    return list(kept.values())[:limit]


def _rows(opened: sqlite3.Connection, key: str) -> list[tuple[int, int, int, str]]:
    return opened.execute(
        "SELECT rows.id, part, number, cells FROM keys JOIN rows ON rows.id = keys.row WHERE key = ? LIMIT ?",
        (key, _SAME_NAME),
    ).fetchall()


def _values(part: JsonObject, cells: list[str], meanings: object) -> list[str]:
    places = part["places"]
    assert isinstance(places, dict) and isinstance(meanings, list)
    at = [int(str(places[meaning])) for meaning in meanings]
    return [cells[place].strip() for place in at if place < len(cells) and cells[place].strip()]


def _row(part: JsonObject, line: int, cells: list[str]) -> RegistryRow:
    heads, places = part["heads"], part["places"]
    assert isinstance(heads, list) and isinstance(places, dict)
    shown = [" ".join(cell.split()) for cell in cells]
    absent = part.get("absent") or ()
    assert isinstance(absent, list | tuple)
    named = {str(head): cell for head, cell in zip(heads, shown, strict=False) if head and cell}
    fields = {}
    for meaning, place in places.items():
        at = int(str(place))
        if at < len(shown) and shown[at] and shown[at] not in absent:
            fields[meaning] = f"{heads[at]}: {shown[at]}"
    dated = fields.get(str(part["dated"]), "").partition(": ")[2]
    if part.get("month_first") and (found := _MONTH_FIRST.match(dated)):
        dated = f"{found[3]}-{found[1]:0>2}-{found[2]:0>2}"
    return RegistryRow(line, str(part["file"]), str(part["form"]), named, fields, dated[:10])
