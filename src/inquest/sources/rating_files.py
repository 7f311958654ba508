"""Rating files that users bring: CSV in the forms in which such lists are really passed around.

Wanted are a column of domains and one of scores; the header says which, in any order and case. Known forms:
`domain,score` with 0 to 100, `domain,pc1` with 0 to 1 (the form in which public domain quality ratings are published),
either with a leaning, a category, an owner, a reason, and columns that are of no use here. Comma, semicolon or tab;
decimal point or comma.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import NoReturn

from inquest.domain.errors import InputError
from inquest.domain.source import Category
from inquest.sources.ratings_table import RatingTable, Row, address_of
from inquest.text.lexicon import entries
from inquest.text.phrases import listed

MOST_ROWS = 200_000
"""The largest public list has some 12,000; what is much longer is another kind of file."""

_NAMES = {
    "domain": ("domain", "host", "hostname", "site", "website", "url", "source_domain"),
    "score": ("score", "pc1", "rating", "quality", "credibility", "reliability"),
    "category": ("category", "type", "kind"),
    "owner": ("owner", "owned_by", "publisher_group"),
    "reason": ("reason", "reasons", "note", "notes", "comment"),
    "leaning": ("leaning", "bias", "political_bias", "political_leaning", "lean", "bias_rating"),
}
"""What a column may be called; the first that is there is taken."""
_SHARES = frozenset(("pc1",))
"""Columns that are 0 to 1 by definition."""
_SPELLINGS = entries(__name__, "category_spellings")
"""How others write a category of ours."""
_MOST_NAMED = 5


def category_of(text: str) -> str:
    """A category in our spelling: 'Fact-check' and 'factcheck' -> 'fact_check'. A word of the user's own stays."""
    word = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    return _SPELLINGS.get(word, word) or Category.UNKNOWN.value


def load_ratings(text: str, name: str) -> RatingTable:
    """The table of a rating file; lines that begin with # are comments, a byte order mark is skipped.

    Raises InputError in one sentence: no such columns, no rows, too many rows, scores out of range or missing, lines
    that name no domain, and one domain with two different scores, each with the numbers of the lines.
    """
    lines = _lines(text, name)
    number, first = next(lines, (0, ""))
    if not number:
        raise InputError(f"{name} is empty.", advice="Its first line should be: domain,score,category,owner,reason")
    separator, columns = _header(first, name)
    kept = list(lines)
    if not kept:
        raise InputError(f"{name} has a header but no ratings.")
    if len(kept) > MOST_ROWS:
        raise InputError(
            f"{name} has {len(kept)} rows; at most {MOST_ROWS} are taken.",
            advice="Leave out the domains that do not matter to you.",
        )
    reader = csv.reader(io.StringIO("\n".join(line for _, line in kept)), delimiter=separator)
    try:
        read = list(reader)
    except csv.Error as error:
        raise InputError(f"{name} cannot be read as CSV ({error}).") from error
    if len(read) != len(kept):
        raise InputError(f"{name} has quotation marks that are not closed.")
    numbers = [number for number, _ in kept]
    width = len(_names_in(first, separator))
    if wide := next(((number, row) for number, row in zip(numbers, read, strict=True) if any(row[width:])), None):
        raise InputError(f"Line {wide[0]} of {name} has {len(wide[1])} columns, but its header has {width}.")
    cells = [{column: row[at].strip() for column, at in columns.items() if at < len(row)} for row in read]
    scores = _scores([each.get("score", "") for each in cells], numbers, name, share=_is_share(first, separator))
    return RatingTable(name, _table(cells, scores, numbers, name))


def _lines(text: str, name: str) -> Iterator[tuple[int, str]]:
    if "\x00" in text[:10_000]:
        raise InputError(f"{name} is no text file.", advice="Save it as CSV.")
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _header(line: str, name: str) -> tuple[str, dict[str, int]]:
    """The separator, and where each column that we know stands."""
    for separator in ",;\t":
        found = _names_in(line, separator)
        columns = {
            column: found.index(spelling)
            for column, spellings in _NAMES.items()
            if (spelling := next((each for each in spellings if each in found), None)) is not None
        }
        if "domain" in columns and "score" in columns:
            return separator, columns
    raise InputError(
        f"{name} does not begin with the columns domain, score and, if wanted, category, owner, reason, leaning.",
        advice="Its first line should be: domain,score,category,owner,reason",
    )


def _names_in(line: str, separator: str) -> list[str]:
    cells = next(csv.reader([line], delimiter=separator), [])
    return [cell.strip().lower().replace(" ", "_").replace("-", "_") for cell in cells]


def _is_share(header: str, separator: str) -> bool:
    found = _names_in(header, separator)
    return next((each for each in _NAMES["score"] if each in found), "") in _SHARES


def _scores(cells: list[str], numbers: list[int], name: str, *, share: bool) -> list[int]:
    """Whole scores of 0 to 100. Where every figure is of 0 to 1 and one lies between, all are shares of one."""
    found = [_figure(cell) for cell in cells]
    known = [figure for figure in found if figure is not None]
    share = share or (all(figure <= 1 for figure in known) and any(0 < figure < 1 for figure in known))
    most = 1 if share else 100
    wrong = [
        (number, cell)
        for number, cell, figure in zip(numbers, cells, found, strict=True)
        if figure is None or not 0 <= figure <= most
    ]
    if wrong:
        _refuse(wrong, name, f"no score from 0 to {most}")
    # mypy: those without a figure have been refused.
    return [round(figure * 100 / most) for figure in known]


def _figure(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ".") if cell.isascii() and "_" not in cell else "")
    except ValueError:
        return None


def _table(cells: list[dict[str, str]], scores: list[int], numbers: list[int], name: str) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    first: dict[str, int] = {}
    wrong: list[tuple[int, str]] = []
    for each, score, number in zip(cells, scores, numbers, strict=True):
        domain = _domain(each.get("domain", ""))
        if domain is None:
            wrong.append((number, each.get("domain", "")))
            continue
        if domain in rows and rows[domain].score != score:
            raise InputError(
                f"Lines {first[domain]} and {number} of {name} give {domain} different scores, "
                f"{rows[domain].score} and {score}.",
                advice="Keep one of them.",
            )
        first.setdefault(domain, number)
        rows[domain] = _row(domain, score, each)
    if wrong:
        _refuse(wrong, name, "no domain")
    return rows


def _domain(cell: str) -> str | None:
    address = address_of(cell)
    host = address.host.removeprefix("www.")
    return host + address.path.rstrip("/") if "." in host and " " not in host else None


def _row(domain: str, score: int, cells: Mapping[str, str]) -> Row:
    category = category_of(cells.get("category", ""))
    reason = cells.get("reason") or ("" if category == Category.UNKNOWN else category.replace("_", " "))
    return Row(domain, score, category, cells.get("owner") or None, reason, cells.get("leaning") or None)


def _refuse(wrong: list[tuple[int, str]], name: str, what: str) -> NoReturn:
    """The lines that cannot be used, the first few of them by what stands there."""
    if len(wrong) == 1:
        [(number, cell)] = wrong
        verb = "has" if "score" in what else "names"
        raise InputError(f"Line {number} of {name} {verb} {what}: {cell[:60]!r}.")
    named = [f"{number} ({cell[:30]!r})" for number, cell in wrong[:_MOST_NAMED]]
    if len(wrong) > _MOST_NAMED:
        named.append(f"{len(wrong) - _MOST_NAMED} more")
    verb = "have" if "score" in what else "name"
    raise InputError(f"Lines {listed(named)} of {name} {verb} {what}.")
