"""The desk's tables, read once: word lists, kinds of event, sectors, measures and brokers, each beside the code."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inquest.text.sentences import fold


@cache
def table(name: str) -> dict[str, object]:
    """The table `name`.toml of this folder."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def word_set(key: str, section: str = "") -> frozenset[str]:
    """A list of words of `words.toml`, parted by blanks."""
    found = table("words")
    part = found[section] if section else found
    assert isinstance(part, dict)
    return frozenset(str(part[key]).split())


def alternatives(words: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, parted by '|', as whole words; line breaks in the list are none."""
    joined = "".join(line.strip() for line in words.splitlines())
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])")


# Sectors of the market: how a question names them, and what news about them is commonly about


class _Sector(NamedTuple):
    name: str
    form: re.Pattern[str]
    news: tuple[str, ...]


def sector_in(text: str) -> str:
    """The sector that a question or a company's name names first; '' where it names none."""
    plain = fold(text)
    hits = [(match.start(), place) for place, each in enumerate(_sectors()) if (match := each.form.search(plain))]
    return _sectors()[min(hits)[1]].name if hits else ""


def sector_terms(sector: str) -> tuple[str, ...]:
    """What news about a sector is commonly about; () for a sector that is not in the table."""
    return next((each.news for each in _sectors() if each.name == sector), ())


@cache
def _sectors() -> tuple[_Sector, ...]:
    rows = table("sectors")["sector"]
    assert isinstance(rows, list)
    return tuple(
        _Sector(row["name"], re.compile(rf"(?<![\w$-])(?:{row['words']})(?!\w)"), tuple(row["news"])) for row in rows
    )
