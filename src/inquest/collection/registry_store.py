"""The rows of a register's table in an SQLite file of the data folder, found by name, number or project.

`<home>/registries/NAME.sqlite` is replaced atomically.
"""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

from inquest.collection.registry_tables import RegistryTable, RowsOfFile, registry_tables
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.text.company_names import CompanyName, company_name, is_wrong_lei, isin_of, lei_of
from inquest.text.phrases import numbers_in
from inquest.text.regex import regex

FORMAT = 3
_MONTH_FIRST = regex(r"(\d{1,2})/(\d{1,2})/(\d{4})\b")
_SAME_NAME = 500
"""The maximum number of rows compared for one name."""


@dataclass(frozen=True)
class RegistryFacts:
    """The origin and size of a local table."""

    name: str
    snapshot: str
    """The archived file."""
    source: str
    """The address or path of the file."""
    retrieved_at: str
    rows: int
    wrong_numbers: int = 0
    """LEIs and ISINs with wrong check digits, which find no row."""
    format: int = FORMAT


@dataclass(frozen=True)
class RegistryRow:
    """One row of a table."""

    number: int
    """Number of the row in its file, counting the headers as row 1."""
    file: str
    form: str
    cells: dict[str, str]
    """Values by header in the order of the table, without empty ones."""
    fields: dict[str, str]
    """'Header: value', verbatim from `text`, by the meaning of the column."""
    heads: tuple[str, ...] = ()
    """The headers of its file."""
    dated: str = ""
    unsure: str = ""
    """Its company's name, if that may be a company other than the queried one."""

    @property
    def text(self) -> str:
        """The row in one line, each value after its header."""
        return "; ".join(f"{head}: {value}" for head, value in self.cells.items())


class RegistryStore:
    """The tables under one data folder."""

    def __init__(self, home: Path) -> None:
        self._root = home / "registries"

    def path(self, name: str) -> Path:
        """The path of a table, which may not exist."""
        return self._root / f"{name}.sqlite"

    def has(self, name: str) -> bool:
        return self.path(name).is_file()

    def facts(self, table: RegistryTable) -> RegistryFacts:
        """The origin and size of a table. Raises NotFound, StorageError."""
        with closing(self._open(table)) as opened:
            return _facts(opened)

    def build(self, table: RegistryTable, parts: Iterator[RowsOfFile], facts: RegistryFacts) -> RegistryFacts:
        """Replace the table by these rows. Raises StorageError, and InputError without rows or from the parts."""
        made = self._root / f".{table.name}-{uuid.uuid4().hex}.sqlite"
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(made)) as opened:
                found = _written(opened, parts, facts)
            if not found.rows:
                raise InputError(f"The file of {table.title} has no rows.", advice="Fetch it again.")
            with made.open("rb+") as file:
                os.fsync(file.fileno())
            made.replace(self.path(table.name))
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"{table.title} cannot be written in {self._root} ({error}).",
                advice="Free some space, or choose another data folder with INQUEST_HOME.",
            ) from error
        finally:
            with suppress(OSError):
                made.unlink(missing_ok=True)
        return found

    def find(self, table: RegistryTable, query: str, limit: int, first: Sequence[str] = ()) -> list[RegistryRow]:
        """The rows of all companies (by name, LEI or ISIN) or projects (by name or the register's number) that match,
        and the rows of the companies' projects, those with numbers of `first` first. Raises InputError, NotFound,
        StorageError."""
        if is_wrong_lei(query):
            raise InputError(f"Invalid LEI {query.strip()}: its check digits are wrong.")
        with closing(self._open(table)) as opened:
            try:
                return _found(opened, query, limit, set(first))
            except (sqlite3.Error, ValueError) as error:
                raise self._damaged(table) from error

    def _open(self, table: RegistryTable) -> sqlite3.Connection:
        path = self.path(table.name)
        if not path.is_file():
            raise NotFound(f"{table.title} is not on this machine.", advice=f"Get it with: {table.command}")
        opened = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        try:
            if (made := _facts(opened).format) != FORMAT:
                other = "a newer" if made > FORMAT else "an older"
                raise StorageError(f"{path} was made by {other} version.", advice=f"Replace it: {table.command}")
        except (sqlite3.Error, ValueError, TypeError) as error:
            opened.close()
            raise self._damaged(table) from error
        return opened

    def _damaged(self, table: RegistryTable) -> StorageError:
        return StorageError(f"{self.path(table.name)} is damaged.", advice=f"Replace it: {table.command}")


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
    count = wrong = 0
    keys_of = cache(_name_keys)
    for place, part in enumerate(parts):
        form = part.form
        described = {"file": part.file, "heads": part.heads, "places": part.places, "form": form.name}
        described |= form.model_dump(include={"names", "also", "dated", "month_first", "absent"})
        opened.execute("INSERT INTO parts VALUES (?, ?)", (place, json.dumps(described)))
        every = (form.names, form.numbers, form.ids)
        columns = [[part.places[meaning] for meaning in each if meaning in part.places] for each in every]
        blank = [""] * (max(part.places.values()) + 1)
        for number, cells in enumerate(part.rows, part.head + 1):
            if not any(cells):
                continue
            count += 1
            cells += blank[len(cells) :]
            found, bad = _keys(cells, columns, keys_of)
            wrong += bad
            opened.executemany("INSERT INTO keys VALUES (?, ?)", [(key, count) for key in found])
            text = f"[{','.join(map(encode_basestring, cells))}]"
            opened.execute("INSERT INTO rows VALUES (?, ?, ?, ?)", (count, place, number, text))
    known = replace(facts, rows=count, wrong_numbers=wrong)
    opened.execute("CREATE INDEX by_key ON keys (key, row)")
    opened.execute("INSERT INTO facts VALUES (?)", (json.dumps(asdict(known)),))
    opened.commit()
    return known


def _name_keys(written: str) -> list[str]:
    name = company_name.__wrapped__(written)
    return [*(f"name {key}" for key in name.keys), *(f"like {key}" for key in name.loose | name.short)]


def _keys(cells: list[str], columns: list[list[int]], keys_of: Callable[[str], list[str]]) -> tuple[set[str], int]:
    """The keys of a row, and how many of its numbers have wrong check digits. `columns`: the places of names, numbers
    and ids."""
    names, numbers, ids = columns
    found = {key for name in {cells[place].casefold() for place in names} for key in keys_of(name)}
    found |= {f"id {value.upper()}" for place in ids if (value := cells[place].strip())}
    wrong = 0
    for value in [cells[place].strip() for place in numbers]:
        if code := lei_of(value) or isin_of(value):
            found.add(f"number {code}")
        else:
            wrong += len(value) in (12, 20)
    return found, wrong


def _found(opened: sqlite3.Connection, query: str, limit: int, first: set[str]) -> list[RegistryRow]:
    name, query = company_name(query), " ".join(query.split())
    number = lei_of(query) or isin_of(query)
    keys = [f"number {number}"] if number else [f"id {query.upper()}", *(f"name {key}" for key in sorted(name.keys))]
    kept: dict[int, RegistryRow] = {}
    projects: list[str] = []
    for key in keys:
        for row, part, line, cells in _rows(opened, key):
            if key.startswith("name ") and not any(
                name.is_of(company_name(value)) for value in _values(part, cells, part["names"])
            ):
                continue
            kept.setdefault(row, _row(part, line, cells))
            projects += _values(part, cells, [part["also"]] if part["also"] else [])
            if len(kept) >= limit and not first:
                break
    for project in dict.fromkeys(projects):
        for row, part, line, cells in _rows(opened, f"id {project.upper()}"):
            kept.setdefault(row, _row(part, line, cells))
    found = list(kept.values()) or ([] if number else _unsure(opened, name))
    return sorted(found, key=lambda row: -len(first & set(numbers_in(row.text))))[:limit] if first else found[:limit]


def _unsure(opened: sqlite3.Connection, name: CompanyName) -> list[RegistryRow]:
    """The rows of the only company whose name may be this one, marked as such; none if there are several."""
    asked = (("name", name.keys | name.loose), ("like", name.keys))
    like = sorted(f"{kind} {key}" for kind, keys in asked for key in keys)
    found: dict[int, RegistryRow] = {}
    known: list[CompanyName] = []
    for row, part, line, cells in (each for key in like for each in _rows(opened, key)):
        own = {each: company_name(each) for each in _values(part, cells, part["names"])}
        if theirs := [each for each in own if name.may_be_of(own[each])]:
            found[row] = replace(_row(part, line, cells), unsure=theirs[0])
            known += [own[each] for each in theirs]
    return list(found.values()) if all(each.is_of(known[0]) for each in known) else []


def _rows(opened: sqlite3.Connection, key: str) -> Iterator[tuple[int, dict[str, Any], int, list[str]]]:
    """The rows of a key, each with its id, the description of its file, its number there, and its cells."""
    found = opened.execute(
        "SELECT rows.id, text, number, cells FROM keys JOIN rows ON rows.id = keys.row JOIN parts ON parts.id = part "
        "WHERE key = ? LIMIT ?",
        (key, _SAME_NAME),
    )
    return ((row, json.loads(part), number, json.loads(cells)) for row, part, number, cells in found)


def _values(part: dict[str, Any], cells: list[str], meanings: list[str]) -> list[str]:
    places = [part["places"][meaning] for meaning in meanings if meaning in part["places"]]
    return [cells[place].strip() for place in places if place < len(cells) and cells[place].strip()]


def _row(part: dict[str, Any], line: int, cells: list[str]) -> RegistryRow:
    heads: list[str] = part["heads"]
    shown = [" ".join(cell.split()) for cell in cells]
    named = {head: cell for head, cell in zip(heads, shown, strict=False) if head and cell}
    fields = {
        meaning: f"{heads[place]}: {shown[place]}"
        for meaning, place in part["places"].items()
        if place < len(shown) and shown[place] and shown[place] not in part.get("absent", ())
    }
    dated = fields.get(part["dated"], "").partition(": ")[2]
    if part.get("month_first") and (found := _MONTH_FIRST.match(dated)):
        dated = f"{found[3]}-{found[1]:0>2}-{found[2]:0>2}"
    return RegistryRow(line, part["file"], part["form"], named, fields, tuple(heads), dated[:10])


def tables_in(home: Path) -> tuple[str, ...]:
    """The names of the tables in a data folder."""
    store = RegistryStore(home)
    return tuple(name for name in registry_tables() if store.has(name))
