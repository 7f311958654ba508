"""Which paragraphs of IFRS S1 and S2 a claim's wording points to; by words alone, so not whether they are met."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inquest.domain.claim import Disclosure
from inquest.text.regex import regex

_AT_MOST = 5
"""Paragraphs a claim. One that points to more speaks of everything and so of nothing."""


class _DisclosureRow(NamedTuple):
    standard: str
    number: str
    subject: str
    any: re.Pattern[str]
    also: tuple[re.Pattern[str], ...]
    none: tuple[re.Pattern[str], ...]


def disclosures(text: str) -> tuple[Disclosure, ...]:
    """The paragraphs, in the order of the table (`data/disclosures.toml`), each with the words that point to it."""
    found = []
    for row in _rows():
        words = row.any.search(text)
        if words is None or not all(each.search(text) for each in row.also) or any(x.search(text) for x in row.none):
            continue
        spoken = " ".join(words.group().split())
        found.append(
            Disclosure(standard=row.standard, paragraph=row.number, subject=row.subject, reason=f"it says ‘{spoken}’")
        )
    return tuple(found[:_AT_MOST])


@cache
def _rows() -> tuple[_DisclosureRow, ...]:
    table = tomllib.loads((files("inquest.claims.report") / "disclosures.toml").read_text(encoding="utf-8"))
    return tuple(
        _DisclosureRow(
            row["standard"],
            row["number"],
            row["subject"],
            _pattern(rf"(?<!\w)(?:{row['any']})"),
            tuple(_pattern(each) for each in row.get("also", ())),
            tuple(_pattern(each) for each in row.get("not", ())),
        )
        for row in table["paragraph"]
    )


def _pattern(words: str) -> re.Pattern[str]:
    return regex(words, re.IGNORECASE)
