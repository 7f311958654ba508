"""The subject of a question to an economic calendar: a country, and the statistics it names."""

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
"""Codes that are words as well: they count only where they are the whole text."""
_LONG = entries(__name__, "statistics")
_SYNONYMS = entries(__name__, "statistics_otherwise")


def country_in(text: str) -> str | None:
    """Return the only country that a text names, by name or by its code in capitals; None for none or several."""
    found = {code for code, names in _NAMED.items() if names.search(fold(text))}
    alone = text.strip()
    found |= {code for code in _CODE.findall(text) if code not in _AMBIGUOUS or code == alone}
    return found.pop() if len(found) == 1 else None


def of_event(title: str, text: str) -> bool:
    """Test if the text names a release ('US: Inflation Rate (yoy)') by a word of its name."""
    name = title.partition(": ")[2] or title
    return bool(_words(name) & _words(text))


def same_statistic(one: str, other: str) -> bool:
    """Test if two texts name one statistic, by any of its names ('CPI', 'consumer prices')."""
    return bool(_words(one) & _words(other))


def _words(text: str) -> set[str]:
    plain = fold(text)
    more = [long for short, long in _LONG.items() if re.search(rf"\b{short}\b", plain)]
    more += [name for synonym, name in _SYNONYMS.items() if synonym in plain]
    return set(content_words(" ".join([plain, *more]))) - _COMMON


_COMMON = frozenset(content_words("rate index change total final preliminary sales mom yoy qoq data economic calendar"))
"""Words of so many releases that they identify none."""
