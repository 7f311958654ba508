"""Tables of ratings by domain and path: the built-in one, and the user's CSV files."""

from __future__ import annotations

import csv
import posixpath
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from inquest.domain.errors import InputError
from inquest.domain.source import Category
from inquest.text.lexicon import entries
from inquest.text.urls import host_of, registrable_domain, with_scheme

MOST_ROWS = 200_000  # The largest public list has about 12,000; a much longer file is something else
_ADVICE = "Its first line should be: domain,score,category,owner,reason"
_COLUMNS = {
    "domain": ("domain", "host", "hostname", "site", "website", "url", "source_domain"),
    "score": ("score", "pc1", "rating", "quality", "credibility", "reliability"),
    "category": ("category", "type", "kind"),
    "owner": ("owner", "owned_by", "publisher_group"),
    "reason": ("reason", "reasons", "note", "notes", "comment"),
    "leaning": ("leaning", "bias", "political_bias", "political_leaning", "lean", "bias_rating"),
}
"""Names of columns in public lists; the first one present is read."""
_SPELLINGS = entries(__name__, "category_spellings")


class Row(NamedTuple):
    """One line of a table."""

    domain: str  # A registrable domain or a host below one, optionally with the beginning of a path
    score: int
    category: str
    owner: str | None
    reason: str
    leaning: str | None = None


class Address(NamedTuple):
    """The parts of a URL that decide its rating: the host, and the path in lower case without dots and escapes."""

    host: str
    path: str


def address_of(url: str) -> Address:
    """Split a URL: `https://www.Reuters.com/a/../Investigates/x?y` -> (`www.reuters.com`, `/investigates/x`)."""
    try:
        path = unquote(urlsplit(with_scheme(url)).path)
    except ValueError:
        path = ""
    return Address(host_of(url), posixpath.normpath("/" + path.lower().strip("/")).replace("//", "/"))


class RatingTable:
    """Rows by domain; reasons refer to the table by its `name`."""

    def __init__(self, name: str, rows: dict[str, Row]) -> None:
        self.name = name
        self.rows = rows

    def find(self, url: str) -> Row | None:
        """Return the most specific row for a URL: the longest host first, then the longest path. Domains are compared
        label by label, so that the row of `ft.com` does not apply to `microsoft.com`."""
        host, path = address_of(url)
        steps = path.rstrip("/").split("/")
        starts = ["/".join(steps[:length]) for length in range(len(steps), 0, -1)]  # /a/b, /a, ''
        keys = (each + start for each in _hosts(host) for start in starts)
        return next((self.rows[key] for key in keys if key in self.rows), None)


def _hosts(host: str) -> Iterator[str]:
    """Yield the host, then the rest without its first label, while two labels are left (gov.cn has a row)."""
    yield host
    while host.count(".") > 1:
        host = host.split(".", 1)[1]
        yield host


def pattern_of(url: str) -> Row | None:
    """Return the row for names that only governments, universities and similar bodies may register."""
    labels = host_of(url).split(".")
    patterns = built_in_patterns()
    if len(labels) < 2:
        return None
    if len(labels) >= 3 and len(labels[-1]) == 2:
        # `go.xx` is assigned by the registry where it is a public suffix, as go.jp, or has some below it, as
        # qld.gov.au; elsewhere anybody may own it.
        row = patterns.get(labels[-2] + ".*")
        if row is not None and len(registrable_domain(url).split(".")) >= 3:
            return row
    of_a_state = patterns.get(f"{labels[-3]}.*.{labels[-1]}") if len(labels) >= 3 else None
    return of_a_state or patterns.get("." + labels[-1])


def owner_of(url: str) -> str | None:
    """Return the owner of a publisher without a row (`data/owners.csv`)."""
    return _owners().get(registrable_domain(url))


@lru_cache(maxsize=1)
def _owners() -> dict[str, str]:
    return {row[0]: row[1] for row in _data("owners.csv")}


@lru_cache(maxsize=1)
def built_in_ratings() -> RatingTable:
    """Load the table that comes with Inquest (`data/ratings.csv`)."""
    return RatingTable("the table of Inquest", _rows("ratings.csv"))


@lru_cache(maxsize=1)
def built_in_patterns() -> dict[str, Row]:
    """Load `data/patterns.csv`: `.gov` is a top level, `gov.*` a second level under a country."""
    return _rows("patterns.csv")


def _rows(name: str) -> dict[str, Row]:
    return {
        domain: Row(domain, int(score), category, owner or None, reason)
        for domain, score, category, owner, reason in _data(name)
    }


def _data(name: str) -> Iterator[list[str]]:
    """Read the rows of a built-in table, without comments and header."""
    text = (files("inquest.sources") / "data" / name).read_text(encoding="utf-8")
    lines = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    next(lines)
    return lines


def load_ratings(text: str, name: str) -> RatingTable:
    """Parse a user's CSV file: columns of domains and of scores (0 to 100, or 0 to 1), in any order. Comma, semicolon
    or tab separate; lines that begin with # are comments. Raises InputError for missing columns, no rows, too many
    rows, or a line without a domain or score."""
    if "\x00" in text[:10_000]:
        raise InputError(f"{name} is not a text file.", advice="Save it as CSV.")
    numbered = enumerate(text.lstrip("\ufeff").splitlines(), 1)
    lines = [(number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise InputError(f"{name} is empty.", advice=_ADVICE)
    header = lines.pop(0)[1]
    separator = next((each for each in ",;\t" if {"domain", "score"} <= _columns(_header(header, each)).keys()), None)
    if separator is None:
        raise InputError(
            f"{name} does not begin with the columns domain, score and, optionally, category, owner, reason, leaning.",
            advice=_ADVICE,
        )
    if not lines:
        raise InputError(f"{name} has a header but no ratings.")
    if len(lines) > MOST_ROWS:
        raise InputError(
            f"{name} has {len(lines)} rows; the limit is {MOST_ROWS}.", advice="Leave out domains that you do not need."
        )
    return RatingTable(name, _table(lines, _header(header, separator), separator, name))


def _header(line: str, separator: str) -> list[str]:
    cells = next(csv.reader([line], delimiter=separator), [])
    return [cell.strip().lower().replace(" ", "_").replace("-", "_") for cell in cells]


def _columns(header: list[str]) -> dict[str, int]:
    """The position of each known column."""
    named = {column: next((each for each in names if each in header), None) for column, names in _COLUMNS.items()}
    return {column: header.index(name) for column, name in named.items() if name}


def _table(lines: list[tuple[int, str]], header: list[str], separator: str, name: str) -> dict[str, Row]:
    columns = _columns(header)
    reader = csv.reader((line for _, line in lines), delimiter=separator, strict=True)
    read: list[tuple[int, dict[str, str]]] = []
    try:
        for row in reader:
            number = lines[reader.line_num - 1][0]
            if any(row[len(header) :]):
                raise InputError(f"Line {number} of {name} has {len(row)} columns, but its header has {len(header)}.")
            read.append((number, {each: row[at].strip() for each, at in columns.items() if at < len(row)}))
    except csv.Error as error:
        raise InputError(f"{name} cannot be read as CSV ({error}).") from error
    scores = [_number(cells.get("score", "")) for _, cells in read]
    known = [score for score in scores if score is not None]
    are_shares = all(score <= 1 for score in known) and any(0 < score < 1 for score in known)
    most = 1 if header[columns["score"]] == "pc1" or are_shares else 100
    rows: dict[str, Row] = {}
    for (number, cells), score in zip(read, scores, strict=True):
        host, path = address_of(cells.get("domain", ""))
        domain = host.removeprefix("www.") + path.rstrip("/")
        if "." not in host.removeprefix("www.") or " " in host:
            raise InputError(f"Line {number} of {name} has no domain: {cells.get('domain', '')[:60]!r}.")
        if score is None or not 0 <= score <= most:
            found = cells.get("score", "")[:60]
            raise InputError(f"Line {number} of {name} has no score from 0 to {most}: {found!r}.")
        rated = _row(domain, round(score * 100 / most), cells)
        if rows.setdefault(domain, rated).score != rated.score:
            raise InputError(
                f"Line {number} of {name} gives {domain} a second score, {rated.score} besides {rows[domain].score}.",
                advice="Keep one of them.",
            )
    return rows


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ".") if cell.isascii() and "_" not in cell else "")
    except ValueError:
        return None


def _row(domain: str, score: int, cells: dict[str, str]) -> Row:
    word = "_".join(cells.get("category", "").lower().replace("-", " ").replace("_", " ").split())
    category = _SPELLINGS.get(word, word) or Category.UNKNOWN.value
    reason = cells.get("reason") or ("" if category == Category.UNKNOWN else category.replace("_", " "))
    return Row(domain, score, category, cells.get("owner") or None, reason, cells.get("leaning") or None)
