"""Tables of ratings, asked by URL: the most specific row speaks. The table that comes with Inquest."""

from __future__ import annotations

import csv
import posixpath
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from inquest.text.urls import host_of, registrable_domain, with_scheme


class Row(NamedTuple):
    """One line of a table."""

    domain: str
    """A registrable domain, a host below one, or either with the beginning of a path."""
    score: int
    category: str
    owner: str | None
    reason: str
    leaning: str | None = None


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
        # Where `go.xx` is a public suffix, as in go.jp, or has some below it, as qld.gov.au, the registry hands it out;
        # elsewhere anybody may own it.
        row = patterns.get(labels[-2] + ".*")
        if row is not None and len(registrable_domain(url).split(".")) >= 3:
            return row
    of_a_state = patterns.get(f"{labels[-3]}.*.{labels[-1]}") if len(labels) >= 3 else None
    return of_a_state or (patterns.get("." + labels[-1]) if len(labels) >= 2 else None)


def owner_of(url: str) -> str | None:
    """Who owns a publisher that no row judges (`data/owners.csv`); None: not known."""
    return _owners().get(registrable_domain(url))


@lru_cache(maxsize=1)
def _owners() -> dict[str, str]:
    lines = csv.reader(line for line in _data("owners.csv") if not line.startswith("#"))
    return {domain: owner for domain, owner in lines if domain != "domain"}


@lru_cache(maxsize=1)
def built_in_ratings() -> RatingTable:
    """The table that comes with Inquest (`data/ratings.csv`). Its form is a test's business and not looked at again."""
    return RatingTable("the table of Inquest", _rows("ratings.csv"))


@lru_cache(maxsize=1)
def built_in_patterns() -> dict[str, Row]:
    """`data/patterns.csv`: `.gov` is a top level, `gov.*` a second level under a country."""
    return _rows("patterns.csv")


def _rows(name: str) -> dict[str, Row]:
    lines = csv.reader(line for line in _data(name) if not line.startswith("#"))
    next(lines)
    return {
        domain: Row(domain, int(score), category, owner or None, reason)
        for domain, score, category, owner, reason in lines
    }


def _data(name: str) -> list[str]:
    return (files("inquest.sources") / "data" / name).read_text(encoding="utf-8").splitlines()
