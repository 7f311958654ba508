"""What a question to an economic calendar is about: a country, and the statistics it names."""

from __future__ import annotations

import re

from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold

_COUNTRIES = entries(__name__, "economies")
_NAMED = {
    code: regex(rf"(?<![\w.])(?:{names.replace('.', chr(92) + '.')})(?!\w)") for code, names in _COUNTRIES.items()
}
_CODE = regex(rf"\b(?:{'|'.join(_COUNTRIES)})\b")
_AMBIGUOUS = frozenset("IT IN NO AT BE ID".split())
"""Codes that are words as well: they count only where nothing else is written."""
_SAME = entries(__name__, "statistics")
_SAID_OTHERWISE = entries(__name__, "statistics_otherwise")


def country_in(text: str) -> str | None:
    """The one country that a text names, by name or by its code in capitals; None: none, or several."""
    found = {code for code, names in _NAMED.items() if names.search(fold(text))}
    alone = text.strip()
    found |= {code for code in _CODE.findall(text) if code not in _AMBIGUOUS or code == alone}
    return found.pop() if len(found) == 1 else None


def of_event(title: str, text: str) -> bool:
    """Whether a release ('US: Inflation Rate (yoy)') is one that the text names by a word of its name."""
    name = title.partition(": ")[2] or title
    return bool(_words(name) & _words(text))


def same_statistic(one: str, other: str) -> bool:
    """Whether two texts speak of one statistic, under whichever of its names ('CPI', 'consumer prices')."""
    return bool(_words(one) & _words(other))


def _words(text: str) -> set[str]:
    plain = fold(text)
    more = [long for short, long in _SAME.items() if re.search(rf"\b{short}\b", plain)]
    more += [short for long, short in _SAID_OTHERWISE.items() if long in plain]
    return set(content_words(" ".join([plain, *more]))) - _COMMON


_COMMON = frozenset(content_words("rate index change total final preliminary sales mom yoy qoq data economic calendar"))
"""Words of so many releases that they name none."""
