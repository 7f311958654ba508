"""The tables of registers that can be kept locally (`registries.toml`), and the rows of their files."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any, TypeVar

from inquest.domain.errors import InputError
from inquest.domain.value import Value
from inquest.text.regex import regex

SheetRows = Callable[[bytes, str], Iterator[tuple[str, Iterator[list[str]]]]]
"""The sheets of a workbook by name, each with its rows of cells as displayed. Raises PageUnreadable."""
_T = TypeVar("_T")
_NOT_A_WORD = regex(r"[\W_]+")
_MOST_BYTES = 8 * 2**30
"""Bytes that a packed table may unpack to."""
_FIELD = 2**20
_MOST_NOTES = 40
"""Rows at the beginning that may contain the headers."""


class RegistryForm(Value):
    """One form of a table's files: its columns by meaning."""

    name: str
    columns: dict[str, str]
    """Headers by meaning; alternatives are separated by ' | ', and an empty one makes the column optional."""
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    also: str = ""
    dated: str = ""
    month_first: bool = False
    absent: tuple[str, ...] = ()
    """Cells that mean 'no value': '-1' for a year that is not verified yet."""

    def places(self, heads: Sequence[str]) -> dict[str, int]:
        """The position of each meaning's column, if present. A column with YYYY occurs for each year: 'verified
        2022'."""
        at = {plain(head): place for place, head in reversed(list(enumerate(heads)))}
        found: dict[str, int] = {}
        for meaning, written in self.columns.items():
            for each in map(plain, reversed(written.split(" | "))):
                if "yyyy" in each:
                    years = {head: re.fullmatch(each.replace("yyyy", r"(\d{4})"), head) for head in at}
                    found |= {f"{meaning} {year[1]}": at[head] for head, year in years.items() if year}
                elif each and each in at:
                    found[meaning] = at[each]
        return found

    def missing(self, heads: Sequence[str]) -> list[str]:
        """The columns that the headers lack."""
        there = {meaning.partition(" ")[0] for meaning in self.places(heads)}
        return [head for meaning, head in self.columns.items() if meaning not in there and not head.endswith(" | ")]


class RegistryTable(Value):
    """One table, its origin, and its publisher's terms of use."""

    name: str
    title: str
    publisher: str
    address: str
    homepage: str
    licence: str
    attribution: str
    forms: tuple[RegistryForm, ...]
    publishers: tuple[dict[str, Any], ...] = ()
    """Other publishers of such files, each with headers that only its files have."""

    def of_file(self, heads: Collection[str]) -> RegistryTable:
        """The table with the title, publisher and terms of a file with these headers."""
        own = next((each for each in self.publishers if set(each["heads"]) & set(heads)), None)
        if own is None:
            return self
        terms: dict[str, Any] = {name: value for name, value in own.items() if name != "heads"}
        terms |= {"licence": "Terms of use: those of this registry", "attribution": f"Source: {own['title']}"}
        return self.model_copy(update=terms)

    @property
    def command(self) -> str:
        """The command that adds the table to the data folder."""
        return f"inquest registries update {self.name}"


@dataclass(frozen=True)
class RowsOfFile:
    """The rows of one file or sheet in one form."""

    file: str
    form: RegistryForm
    heads: tuple[str, ...]
    places: dict[str, int]
    rows: Iterator[list[str]]
    head: int = 1
    """Number of the header row, from 1."""


@cache
def registry_tables() -> dict[str, RegistryTable]:
    """Every table by name."""
    tables = tomllib.loads((files(__package__) / "registries.toml").read_text("utf-8"))
    return {name: RegistryTable(name=name, **fields) for name, fields in tables.items()}


def table_named(name: str) -> RegistryTable:
    """The table of this name. Raises InputError."""
    known = registry_tables()
    if name not in known:
        raise InputError(f"Invalid table '{name}': expected one of {', '.join(known)}.")
    return known[name]


def plain(head: str) -> str:
    """A column's header for comparison: 'Near term - Target Status' is 'near term target status'."""
    return _NOT_A_WORD.sub(" ", head.casefold()).strip()


def rows_of_table(table: RegistryTable, body: bytes, sheets: SheetRows) -> Iterator[RowsOfFile]:
    """Each file or sheet in the bytes (CSV, XLSX, or a ZIP file of CSV files) with its rows, without notes above the
    headers and without other sheets. Raises InputError for a damaged file, and for one without columns of the table."""
    notes: list[InputError] = []
    found = False
    for name, rows in _readable(table, _files(table, body, sheets)):
        part = _part(table, name, _readable(table, rows))
        if isinstance(part, RowsOfFile):
            found = True
            yield part
        else:
            notes.append(part)
    if notes and not found:
        raise notes[0]


def _readable(table: RegistryTable, items: Iterator[_T]) -> Iterator[_T]:
    """The items. Raises InputError if they cannot be read to their end."""
    try:
        yield from items
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"The file of {table.title} is damaged or incomplete ({error}).", advice="Fetch it again."
        ) from error


def _files(table: RegistryTable, body: bytes, sheets: SheetRows) -> Iterator[tuple[str, Iterator[list[str]]]]:
    if not body.startswith(b"PK\x03\x04"):
        yield "table.csv", _whole(_csv_rows(io.BytesIO(body)), ends=body.endswith((b"\n", b"\r")))
        return
    with zipfile.ZipFile(io.BytesIO(body)) as opened:
        if "[Content_Types].xml" in opened.namelist():
            yield from sheets(body, table.address)
            return
        inside = [each for each in opened.infolist() if each.filename.lower().endswith(".csv")]
        if sum(each.file_size for each in inside) > _MOST_BYTES:
            raise InputError(f"The file of {table.title} unpacks to more than {_MOST_BYTES // 2**30} GB.")
        if not inside:
            raise InputError(f"Invalid file of {table.title}: expected CSV files in the ZIP file.")
        for each in inside:
            with opened.open(each) as stream:
                yield each.filename, _csv_rows(stream)


def _csv_rows(stream: Iterable[bytes]) -> Iterator[list[str]]:
    csv.field_size_limit(_FIELD)
    text = io.TextIOWrapper(stream, "utf-8-sig", newline="")  # type: ignore[type-var]
    yield from csv.reader(text)


def _whole(rows: Iterator[list[str]], *, ends: bool) -> Iterator[list[str]]:
    """The rows of a file. Raises EOFError if the last line has no end and fewer cells than the one before."""
    width = last = 0
    for cells in rows:
        width, last = last, len(cells)
        yield cells
    if not ends and last < width:
        raise EOFError("the last line is incomplete")


def _part(table: RegistryTable, file: str, rows: Iterator[list[str]]) -> RowsOfFile | InputError:
    """The rows under the headers. Returns an error for a sheet without the table's headers; raises it if only some are
    missing."""
    nearest = (1.0, list[str]())
    for number, cells in enumerate(islice(rows, _MOST_NOTES), 1):
        heads = tuple(" ".join(each.split()) for each in cells)
        for form in table.forms:
            missing = form.missing(heads)
            if not missing:
                return RowsOfFile(file, form, heads, form.places(heads), rows, number)
            nearest = min(nearest, (len(missing) / len(form.columns), missing), key=lambda each: each[0])
    listed = ", ".join(each.replace(" | ", " or ") for each in nearest[1])
    error = InputError(
        f"The columns of {table.title} have changed: {file} lacks {listed or 'all of them'}.",
        advice="An earlier table, if there is one, stays in use.",
    )
    if nearest[1]:
        raise error
    return error
