"""Sectors of the market: how a question names them, and what news about them is commonly about (`sectors.toml`)."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from inquest.desks.market.words import table
from inquest.text.sentences import fold

__all__ = ["sector_in", "sector_terms"]


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
