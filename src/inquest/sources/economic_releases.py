"""The subject of a question to an economic calendar: a country, and the statistics it names."""

from __future__ import annotations

import re
from functools import cache

from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold

_COUNTRIES = entries(__name__, "economies")
_NAMED = {
    code: regex(rf"(?<![\w.])(?:{names.replace('.', chr(92) + '.')})(?!\w)") for code, names in _COUNTRIES.items()
}
_CODE = regex(rf"\b(?:{'|'.join(_COUNTRIES)})\b")
_AMBIGUOUS = frozenset("IT IN NO AT BE ID".split())
"""Codes that are words as well: they count only if they are the whole text."""
_NO_COUNTRY = frozenset(("Georgia", "World"))  # Names of CLDR that are also a state's, or no country's
_LONG = entries(__name__, "statistics")
_SYNONYMS = entries(__name__, "statistics_otherwise")


def country_in(text: str) -> str | None:
    """Return the only country that a text names, by name or by its code in capitals; None for none or several."""
    found = {code for code, names in _NAMED.items() if names.search(fold(text))}
    alone = text.strip()
    found |= {code for code in _CODE.findall(text) if code not in _AMBIGUOUS or code == alone}
    return found.pop() if len(found) == 1 else None


def country_called(name: str) -> str:
    """Return the ISO 3166 code of a country by its name alone, in English or German, or by its code; '' if unknown."""
    plain = fold(name).strip(" .")
    known = _called().get(plain) or _called().get(plain.partition(",")[0])
    return known or ("" if "," in name else country_in(name) or "")


@cache
def _called() -> dict[str, str]:
    """Codes by code and by name in CLDR."""
    from babel import Locale

    names = [(code, name) for language in ("de", "en") for code, name in Locale(language).territories.items()]
    found = {fold(each): code for code, name in names for each in (code, name) if len(code) == 2 and code.isalpha()}
    return {name: "GB" if code == "UK" else code for name, code in found.items()}


def countries_in(text: str) -> list[tuple[int, int, str]]:
    """Return the start, end and code of each country that a text names, also by a large city."""
    places, codes = _places()
    found = [(*match.span(), code) for code, names in _NAMED.items() for match in names.finditer(text.lower())]
    return sorted([*found, *((*match.span(), codes[match.group()]) for match in places.finditer(text))])


@cache
def _places() -> tuple[re.Pattern[str], dict[str, str]]:
    """The other countries and the cities that name time zones (CLDR), with the codes of the countries."""
    from babel import Locale
    from babel.core import get_global

    zones = get_global("zone_territories").items()
    codes = {zone.split("/")[1].replace("_", " "): code for zone, code in zones if zone.count("/") == 1}
    others = [each for each in Locale("en").territories.items() if each[0].isalpha() and each[0] not in _COUNTRIES]
    codes |= {name: code for code, name in others if name not in _NO_COUNTRY}
    names = sorted(codes, key=len, reverse=True)
    return regex(rf"\b(?:{'|'.join(map(re.escape, names))})(?!\w)"), codes


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
