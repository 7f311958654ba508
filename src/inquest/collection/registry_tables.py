"""The tables of registers that can be kept locally (`registries.toml`), and how their files are read row by row."""

from __future__ import annotations

import csv
import io
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from inquest.domain.errors import InputError
from inquest.text.regex import regex

SheetRows = Callable[[bytes, str], Iterator[tuple[str, Iterator[list[str]]]]]
"""The sheets of a workbook by name, each with its rows of cells as displayed. Raises PageUnreadable."""
_NOT_A_WORD = regex(r"[\W_]+")
_MOST_BYTES = 8 * 2**30
"""Bytes that a packed table may unpack to."""
_FIELD = 2**20


@dataclass(frozen=True)
class RegistryForm:
    """One form that a file of a table may have: its columns by what they mean."""

    name: str
    columns: dict[str, str]
    """By meaning: the head, or several parted by ' | ' of which a file has one."""
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    also: str = ""
    dated: str = ""

    def places(self, heads: Sequence[str]) -> dict[str, int]:
        """Where each meaning's column is among the heads; those that are missing are left out."""
        at = {plain(head): place for place, head in reversed(list(enumerate(heads)))}
        found = {}
        for meaning, written in self.columns.items():
            known = [at[plain(each)] for each in written.split(" | ") if plain(each) in at]
            if known:
                found[meaning] = known[0]
        return found


@dataclass(frozen=True)
class RegistryTable:
    """One table, where it is from, and what its publisher asks of whoever uses it."""

    name: str
    title: str
    publisher: str
    address: str
    homepage: str
    licence: str
    attribution: str
    forms: tuple[RegistryForm, ...]

    @property
    def command(self) -> str:
        """The command that takes the table into the data folder."""
        return f"inquest registries update {self.name}"


@dataclass(frozen=True)
class RowsOfFile:
    """The rows of one file or sheet in one form."""

    file: str
    form: RegistryForm
    heads: tuple[str, ...]
    places: dict[str, int]
    rows: Iterator[list[str]]


@cache
def registry_tables() -> dict[str, RegistryTable]:
    """Every table by name."""
    text = (files(__package__) / "registries.toml").read_text("utf-8")
    made = {}
    for name, fields in tomllib.loads(text).items():
        forms = tuple(
            RegistryForm(
                form["name"],
                form["columns"],
                names=tuple(form.get("names", ())),
                numbers=tuple(form.get("numbers", ())),
                ids=tuple(form.get("ids", ())),
                also=form.get("also", ""),
                dated=form.get("dated", ""),
            )
            for form in fields.pop("forms")
        )
        made[name] = RegistryTable(name=name, forms=forms, **fields)
    return made


def table_named(name: str) -> RegistryTable:
    """The table of that name. Raises InputError."""
    known = registry_tables()
    if name not in known:
        raise InputError(f"Invalid table '{name}': expected one of {', '.join(known)}.")
    return known[name]


def plain(head: str) -> str:
    """A column's head for comparing: 'Near term - Target Status' is 'near term target status'."""
    return _NOT_A_WORD.sub(" ", head.casefold()).strip()


def rows_of_table(table: RegistryTable, body: bytes, sheets: SheetRows) -> Iterator[RowsOfFile]:
    """Each file or sheet in the bytes (CSV, XLSX, or a ZIP file of CSV files) with its rows.

    Raises InputError for a file that is damaged, and for one of no form of the table, with the columns that are
    missing.
    """
    try:
        for name, rows in _files(table, body, sheets):
            heads = tuple(" ".join(each.split()) for each in next(rows, []))
            form = _form(table, name, heads)
            yield RowsOfFile(name, form, heads, form.places(heads), rows)
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"The file of {table.title} is damaged or incomplete ({error}).", advice="Fetch it again."
        ) from error


def _files(table: RegistryTable, body: bytes, sheets: SheetRows) -> Iterator[tuple[str, Iterator[list[str]]]]:
    if not body.startswith(b"PK\x03\x04"):
        yield "table.csv", _csv_rows(io.BytesIO(body))
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


def _form(table: RegistryTable, file: str, heads: Sequence[str]) -> RegistryForm:
    missing = {
        form.name: [head for meaning, head in form.columns.items() if meaning not in form.places(heads)]
        for form in table.forms
    }
    nearest = min(table.forms, key=lambda form: len(missing[form.name]) / len(form.columns))
    if not missing[nearest.name]:
        return nearest
    listed = ", ".join(each.replace(" | ", " or ") for each in missing[nearest.name])
    raise InputError(
        f"The columns of {table.title} have changed: {file} lacks {listed}.",
        advice="The table that is there stays in use.",
    )
