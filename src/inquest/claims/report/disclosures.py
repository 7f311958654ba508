"""Paragraphs of IFRS S2 that a claim's wording refers to; without a judgement of compliance."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from inquest.domain.claim import Disclosure
from inquest.domain.reasons import Reason, in_words
from inquest.text.lexicon import compiled

_AT_MOST = 5
"""Maximum number of paragraphs per claim."""


class _DisclosureRow(NamedTuple):
    standard: str
    number: str
    subject: str
    any: re.Pattern[str]
    also: tuple[re.Pattern[str], ...]


def disclosures(text: str) -> tuple[Disclosure, ...]:
    """Match the paragraphs in the order of `disclosures.toml`, each with the words that refer to it."""
    found = []
    for row in _rows():
        words = row.any.search(text)
        if words is None or not all(each.search(text) for each in row.also):
            continue
        why = Reason(code="sources.it_says", data={"words": " ".join(words.group().split())})
        said = {"reason": in_words(why), "reason_code": why}
        found.append(Disclosure(standard=row.standard, paragraph=row.number, subject=row.subject, **said))
    return tuple(found[:_AT_MOST])


@cache
def _rows() -> tuple[_DisclosureRow, ...]:
    table = tomllib.loads((files("inquest.claims.report") / "disclosures.toml").read_text(encoding="utf-8"))
    return tuple(
        _DisclosureRow(
            standard,
            number,
            row["subject"],
            compiled(rf"(?<!\w)(?:{row['any']})"),
            tuple(map(compiled, row.get("also", ()))),
        )
        for standard, paragraphs in table.items()
        for number, row in paragraphs.items()
    )
