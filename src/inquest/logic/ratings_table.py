"""Tables of ratings: read from CSV, and asked by URL. The most specific row speaks."""

from __future__ import annotations

import csv
import io
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from inquest.domain.errors import InputError
from inquest.logic.urls import host_of, registrable_domain, with_scheme

__all__ = ["RatingTable", "Row", "built_in_patterns", "built_in_ratings", "load_ratings", "pattern_of"]

_COLUMNS = ("domain", "score", "category", "owner", "reason")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    domain: str
    """A registrable domain, a host below one, or either with the beginning of a path."""
    score: int
    category: str
    owner: str | None
    reason: str


class Address(NamedTuple):
    """What of a URL counts for its rating: the host, and the path in lower case without dots and escapes."""

    host: str
    path: str


def address_of(url: str) -> Address:
    """`https://www.Reuters.com/a/../Investigates/x?y` -> (`www.reuters.com`, `/investigates/x`)."""
    try:
        path = unquote(urlsplit(with_scheme(url)).path)
    except ValueError:
        path = ""
    return Address(host_of(url), posixpath.normpath("/" + path.lower().strip("/")).replace("//", "/"))


class RatingTable:
    """Rows by domain. `name` is how reasons refer to the table."""

    def __init__(self, name: str, rows: dict[str, Row]) -> None:
        self.name = name
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, url: str) -> Row | None:
        """The row that says most about where the URL points: the longest host first, then the longest path.

        Domains are compared label by label, so that `ft.com` says nothing about `microsoft.com`.
        """
        address = address_of(url)
        for host in _hosts(address.host):
            for path in _beginnings(address.path):
                row = self.rows.get(host + path)
                if row is not None:
                    return row
        return None


def load_ratings(text: str, name: str) -> RatingTable:
    """A table from CSV with the columns domain, score and, if wanted, category, owner and reason; lines that begin
    with # are comments. Raises InputError naming the line that cannot be used."""
    lines = [(number, line) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1)]
    kept = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    reader = csv.reader(io.StringIO("\n".join(line for _, line in kept)))
    header = [column.strip().lower() for column in next(reader, [])]
    if header[:2] != ["domain", "score"] or not set(header) <= set(_COLUMNS) or len(set(header)) != len(header):
        raise InputError(
            f"{name} does not begin with the columns domain, score and, if wanted, category, owner, reason.",
            advice="Its first line should be: domain,score,category,owner,reason",
        )
    rows: dict[str, Row] = {}
    for (number, _), cells in zip(kept[1:], reader, strict=False):
        if len(cells) > len(header):
            raise InputError(f"Line {number} of {name} has {len(cells)} columns, but its header has {len(header)}.")
        row = _row(dict(zip(header, (cell.strip() for cell in cells), strict=False)), name, number)
        rows[row.domain] = row
    return RatingTable(name, rows)


def _row(cells: dict[str, str], name: str, number: int) -> Row:
    address = address_of(cells.get("domain", ""))
    host = address.host.removeprefix("www.")
    if "." not in host or " " in host:
        raise InputError(f"Line {number} of {name} names no domain: {cells.get('domain', '')!r}.")
    try:
        score = int(cells.get("score", ""))
    except ValueError:
        score = -1
    if not 0 <= score <= 100:
        raise InputError(f"Line {number} of {name} has no score from 0 to 100: {cells.get('score', '')!r}.")
    category = cells.get("category") or "unknown"
    return Row(
        domain=host + address.path.rstrip("/"),
        score=score,
        category=category,
        owner=cells.get("owner") or None,
        reason=cells.get("reason") or ("" if category == "unknown" else category.replace("_", " ")),
    )


def _hosts(host: str) -> Iterator[str]:
    """The host, then what remains without its first label, while two labels are left (gov.cn has a row)."""
    yield host
    while host.count(".") > 1:
        host = host.split(".", 1)[1]
        yield host


def _beginnings(path: str) -> Iterator[str]:
    """/a/b -> /a/b, /a, ''."""
    path = path.rstrip("/")
    while path:
        yield path
        path = path.rsplit("/", 1)[0]
    yield ""


def pattern_of(url: str) -> Row | None:
    """The row for names that only governments, universities and the like may register; None: it is none of them."""
    host = host_of(url)
    labels = host.split(".")
    patterns = built_in_patterns()
    if len(labels) >= 3 and len(labels[-1]) == 2:
        # Where `go.xx` is a public suffix, as in go.jp, the registry hands it out; elsewhere anybody may own it.
        row = patterns.get(labels[-2] + ".*")
        if row is not None and len(registrable_domain(url).split(".")) == 3:
            return row
    return patterns.get("." + labels[-1]) if len(labels) >= 2 else None


@lru_cache(maxsize=1)
def built_in_ratings() -> RatingTable:
    """The table that comes with Inquest (`data/ratings.csv`)."""
    return load_ratings(_data("ratings.csv"), "the table of Inquest")


@lru_cache(maxsize=1)
def built_in_patterns() -> dict[str, Row]:
    """`data/patterns.csv`: `.gov` is a top level, `gov.*` a second level under a country."""
    rows = csv.DictReader(line for line in _data("patterns.csv").splitlines() if not line.startswith("#"))
    return {
        row["domain"]: Row(row["domain"], int(row["score"]), row["category"], row["owner"] or None, row["reason"])
        for row in rows
    }


def _data(name: str) -> str:
    return (files("inquest.logic") / "data" / name).read_text(encoding="utf-8")
