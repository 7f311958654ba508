"""The names of months and weekdays in all languages of the Unicode CLDR (the library babel), and the words that its
forms of dates have beside them ('de', 'gada', 'г.'). Nothing is loaded before a date is looked for.

Names are compared as keys: folded (small letters, no accents, the digits of ASCII) and cut into words without signs, so
that 'Févr.' is 'fevr'.
"""

from __future__ import annotations

import pickle
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from inquest.text.lexicon import entries, word_set
from inquest.text.regex import regex

_PIECE = regex(r"\d+|[^\s\d!-/:-@\[-`{-~،؛·•–—’‘ʼ“”«»״׳。、⹁（）：｜]+")
_PLACEHOLDER = regex(r"'([^']*)'|([A-Za-z]+)|([^'A-Za-z]+)")
_SHORTEST = 4
_WIDTHS = ("wide", "abbreviated", "short")
_ARABIC = {"ي": "ی", "ى": "ی", "ك": "ک", "ı": "i", "ς": "σ"}
"""Letters of which pages write either."""


@dataclass(frozen=True, slots=True)
class Names:
    """What some languages call the months and weekdays. All keys are folded."""

    months: dict[str, frozenset[tuple[str, int]]] = field(default_factory=dict)
    """Calendar ('', 'solar', 'lunar') and month from 1; several where languages use one name differently."""
    weekdays: set[str] = field(default_factory=set)
    beside: set[str] = field(default_factory=set)
    """Words within dates that are no names."""
    order: str = ""
    """The letters with which the short form begins, as CLDR has them: 'd', 'M' or 'y'."""


@cache
def _folded(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    if char.isspace() or char in "\u200e\u200f\u061c\u00ad":
        return " "
    parts = unicodedata.normalize("NFD", char)
    base = parts[0] if len(parts) > 1 and all(map(unicodedata.combining, parts[1:])) else char
    small = base.lower()
    return _ARABIC.get(small, small) if len(small) == 1 else base


def fold(text: str) -> str:
    """The text in small letters without accents, its digits those of ASCII; every character keeps its place."""
    return "".join(map(_folded, text))


def pieces(folded: str, start: int = 0, end: int | None = None) -> list[tuple[str, int, int]]:
    """The words and numbers of a folded text between two places, each with its beginning and end."""
    stop = len(folded) if end is None else end
    return [(match[0], match.start(), match.end()) for match in _PIECE.finditer(folded, start, stop)]


def key(name: str) -> str:
    """The key of a name: its words, without signs."""
    return " ".join(piece for piece, _, _ in pieces(fold(unicodedata.normalize("NFC", name))))


@cache
def names_of(language: str) -> Names:
    """The names in a language (two or three letters) with all its regions and scripts; none where CLDR has none."""
    from babel import localedata
    from babel.core import get_global

    code = str(get_global("language_aliases").get(language, language)).partition("_")[0]
    # CLDR has Bokmål's names as Norwegian's.
    code = "no" if code == "nb" else code
    # The language itself comes first, and its regions after it.
    found = sorted(one for one in localedata.locale_identifiers() if one.partition("_")[0] == code)
    return _gathered(map(_own, found), hijri=code)


@cache
def names_of_main_languages() -> Names:
    """The names in the languages of which [language_names] has a name."""
    main = [names_of(language) for language in entries(__name__, "language_names")]
    months: dict[str, frozenset[tuple[str, int]]] = {}
    for said, meant in (each for names in main for each in names.months.items()):
        months[said] = months.get(said, frozenset()) | meant
    weekdays, beside = (set().union(*(getattr(names, kind) for names in main)) for kind in ("weekdays", "beside"))
    return Names(months, weekdays, beside - set(months))


@cache
def names_everywhere() -> Names:
    """The names in all languages at once. The first call takes about a second."""
    from babel import localedata

    # Regions write as their language does, but for scripts, and Arabic months from Rabat to Baghdad.
    kinds = [one for one in sorted(localedata.locale_identifiers()) if "_" not in one or len(one.split("_")[1]) == 4]
    names = _gathered(map(_own, ["root", *kinds, "ar_SY", "ar_MA", "ar_DZ", "de_AT", "en_GB"]), hijri="")
    # So many languages have some that looks like any three letters.
    for said in [each for each in names.months if len(each) < _SHORTEST and each.isascii()]:
        del names.months[said]
    return names


def _own(locale: str) -> Mapping[str, Any]:
    """What CLDR says of a locale itself. Babel's `load` gives the same joined with all that is inherited, and keeps it:
    170 MB where all languages are asked."""
    from babel import localedata

    with Path(localedata.resolve_locale_filename(locale)).open("rb") as file:
        data: Mapping[str, Any] = pickle.load(file)
    return data


def _gathered(locales: Iterable[Mapping[str, Any]], hijri: str) -> Names:
    locales = list(locales)
    short = next(filter(None, map(_short_form, locales)), "")
    names = Names(beside=set(word_set(__name__, "beside")), order=short[:1])
    months: dict[str, set[tuple[str, int]]] = {}
    for data in locales:
        patterns = [str(getattr(one, "pattern", one)) for one in _dicts(data.get("date_formats"))]
        joined = {words for pattern in patterns for words in _joined(pattern, "ML")}
        to_day = {words for pattern in patterns for words in _joined(pattern, "Ec")}
        names.beside.update(piece for pattern in patterns for piece in _literals(pattern))
        names.beside.update(
            piece for era in _leaves(data.get("eras")) for piece, _, _ in pieces(fold(era)) if not piece.isdigit()
        )
        for number, name in _numbered(data.get("months")):
            for before, after in {("", ""), *joined}:
                if said := key(f"{before}{name}{after}"):
                    months.setdefault(said, set()).add(("", number))
        days = {name for _, name in _numbered(data.get("days"))}
        forms = (key(f"{before}{name}{after}") for name in days for before, after in {("", ""), *to_day})
        names.weekdays.update(filter(None, forms))
    for calendar, number, name in _hijri_months(hijri):
        for form in (name, name.replace("'", "")):
            months.setdefault(key(form), set()).add((calendar, number))
    names.months.update({said: frozenset(of) for said, of in months.items() if not said.isdigit()})
    names.beside.difference_update(names.months)
    return names


def _short_form(data: Mapping[str, Any]) -> str:
    return str(getattr(dict(data.get("date_formats") or {}).get("short"), "pattern", ""))


def _numbered(data: Any) -> Iterator[tuple[int, str]]:
    for context in ("format", "stand-alone"):
        for width in _WIDTHS:
            forms = data.get(context, {}) if data else {}
            forms = forms.get(width) if hasattr(forms, "get") else None
            # What another width has too is an alias of it, alone or beside what differs.
            forms = forms[1] if isinstance(forms, tuple) else forms
            yield from forms.items() if isinstance(forms, dict) else ()


def _dicts(data: Any) -> list[Any]:
    return list(data.values()) if hasattr(data, "values") else []


def _leaves(data: Any) -> Iterator[str]:
    for value in _dicts(data):
        if isinstance(value, str):
            yield value
        else:
            yield from _leaves(value)


def _tokens(pattern: str) -> list[tuple[str, bool]]:
    """The parts of a CLDR pattern, and of each whether it is one of its letters ('MMMM') and no literal."""
    return [
        (match[2], True) if match[2] else (match[1] if match[1] is not None else match[3], False)
        for match in _PLACEHOLDER.finditer(pattern)
    ]


def _literals(pattern: str) -> Iterator[str]:
    written = "".join("\0" if letters else said for said, letters in _tokens(pattern))
    for literal in written.split("\0"):
        yield from (piece for piece, _, _ in pieces(fold(literal)) if not piece.isdigit())


def _joined(pattern: str, field: str) -> Iterator[tuple[str, str]]:
    """What is written onto a name, before and after it: Hebrew 'במרץ' for 'מרץ'. `field`: CLDR's letters for it."""
    tokens = _tokens(pattern)
    for place, (said, letters) in enumerate(tokens):
        if letters and said[0] in field and len(said) > 2:
            before = tokens[place - 1][0] if place and not tokens[place - 1][1] else ""
            after = tokens[place + 1][0] if place + 1 < len(tokens) and not tokens[place + 1][1] else ""
            before, after = before.split(" ")[-1], after.split(" ")[0]
            if any(map(str.isalpha, before + after)):
                yield before, after


def _hijri_months(language: str) -> Iterator[tuple[str, int, str]]:
    """The months of the solar and the lunar Hijri calendar in the language, or in all where it is ''."""
    from hijridate.locales import get_locale
    from persiantools.jdatetime import MONTH_NAMES_EN, MONTH_NAMES_FA

    for tag, names in (("fa", MONTH_NAMES_FA), ("en", MONTH_NAMES_EN)):
        if language in (tag, ""):
            yield from (("solar", number, name) for number, name in enumerate(names) if name)
    for tag in ("ar", "en", "tr", "bn"):
        if language in (tag, ""):
            yield from (("lunar", number, name) for number, name in enumerate(get_locale(tag).month_names, 1))
