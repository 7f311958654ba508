"""The desk's tables, read once: word lists, kinds of event, sectors, measures and brokers, each beside the code."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, NamedTuple, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from inquest.text.sentences import fold


class Table(BaseModel):
    """What is used of a table; the rest of it is other code's."""

    model_config = ConfigDict(frozen=True, defer_build=True)


_Shape = TypeVar("_Shape", bound=Table)


def table(name: str, shape: type[_Shape]) -> _Shape:
    """The table `name`.toml of this folder, read and checked as `shape` says."""
    return shape.model_validate(tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8")))


def alternatives(words: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, parted by '|', as whole words; line breaks in the list are none."""
    joined = "".join(line.strip() for line in words.splitlines())
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])")


Form = Annotated[re.Pattern[str], BeforeValidator(alternatives)]
"""Alternatives in a table, as the pattern that finds any of them."""
Words = Annotated[frozenset[str], BeforeValidator(str.split)]
"""A list of words in a table, parted by blanks."""


class _Lists(Table):
    lists: dict[str, Words]


@cache
def _lists() -> dict[str, frozenset[str]]:
    return table("words", _Lists).lists


def word_set(key: str) -> frozenset[str]:
    """A list of words of `words.toml`."""
    return _lists()[key]


# Sectors of the market: how a question names them, and what news about them is commonly about


class _Sector(NamedTuple):
    name: str
    words: Annotated[re.Pattern[str], BeforeValidator(lambda words: re.compile(rf"(?<![\w$-])(?:{words})(?!\w)"))]
    news: tuple[str, ...]


def sector_in(text: str) -> str:
    """The sector that a question or a company's name names first; '' where it names none."""
    plain = fold(text)
    hits = [(match.start(), place) for place, each in enumerate(_sectors()) if (match := each.words.search(plain))]
    return _sectors()[min(hits)[1]].name if hits else ""


def sector_terms(sector: str) -> tuple[str, ...]:
    """What news about a sector is commonly about; () for a sector that is not in the table."""
    return next((each.news for each in _sectors() if each.name == sector), ())


class _Sectors(Table):
    sector: tuple[_Sector, ...]


@cache
def _sectors() -> tuple[_Sector, ...]:
    return table("sectors", _Sectors).sector
