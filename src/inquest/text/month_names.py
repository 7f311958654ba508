"""Names of months and weekdays in the languages of the Unicode CLDR (babel), and the words that its forms of dates have
beside them ('de', 'gada', 'г.').

Names are compared as keys: folded (small letters, no accents, the digits of ASCII) and cut into words without signs, so
that 'Févr.' is 'fevr'.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from inquest.text.lexicon import word_set
from inquest.text.regex import regex

_PIECE = regex(r"\d+|[|;:]|[^\s\d!-/:-@\[-`{-~،؛·•–—’‘ʼ“”«»״׳。、⹁（）：｜]+")
_TOKEN = regex(r"'([^']*)'|([A-Za-z]+)|([^'A-Za-z]+)")
_SHORTEST = 4
"""Letters of a name that is read in a text whose language is not known."""
_LIKE = {"ي": "ی", "ى": "ی", "ك": "ک", "ı": "i", "ς": "σ"}
"""Letters of which pages write either."""

Piece = tuple[str, int, int]
"""A word, a number or a sign that parts, and its place."""


@dataclass(frozen=True, slots=True)
class Names:
    """What one or more languages call the months and weekdays. All keys are folded."""

    months: dict[str, frozenset[tuple[str, int]]]
    """Calendar ('' or 'solar') and month from 1; several where languages use one name differently."""
    weekdays: frozenset[str]
    beside: frozenset[str]
    """Words within dates that are no names."""
    month_first: bool = False
    """The short form of CLDR begins with the month."""


@cache
def _folded(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    if char.isspace() or char in "\u200e\u200f\u061c\u00ad":
        return " "
    parts = unicodedata.normalize("NFD", char)
    base = parts[0] if len(parts) > 1 and all(map(unicodedata.combining, parts[1:])) else char
    small = base.lower()
    return _LIKE.get(small, small) if len(small) == 1 else base


def fold(text: str) -> str:
    """The text in small letters without accents, its digits those of ASCII; every character keeps its place."""
    return "".join(map(_folded, text))


def pieces(folded: str) -> list[Piece]:
    """The words, numbers and parting signs of a folded text, each with its place. No number begins with 0."""
    return [(match[0].lstrip("0") or match[0], match.start(), match.end()) for match in _PIECE.finditer(folded)]


@cache
def _key(name: str) -> str:
    return " ".join(piece for piece, _, _ in pieces(fold(unicodedata.normalize("NFC", name))))


def _words(text: str) -> set[str]:
    return {piece for piece, _, _ in pieces(fold(text)) if piece[0].isalpha()}


@cache
def names_of(language: str) -> Names:
    """The names in a language (two or three letters) with its scripts and listed regions; none where CLDR has none."""
    from babel import localedata
    from babel.core import get_global

    code = str(get_global("language_aliases").get(language, language)).partition("_")[0]
    # CLDR has Bokmål's names as Norwegian's.
    code = "no" if code == "nb" else code
    every = sorted(one for one in localedata.locale_identifiers() if one.partition("_")[0] == code)
    listed = word_set(__name__, "languages")
    return _gathered(*(one for one in every if one in listed or one == code or len(one.split("_")[1]) > 2))


@cache
def names_everywhere() -> Names:
    """The names in all listed languages at once. The first call takes about half a second."""
    names = _gathered(*sorted(word_set(__name__, "languages")))
    # So many languages have some name that looks like any three letters.
    for key in [each for each in names.months if len(each) < _SHORTEST and each.isascii()]:
        del names.months[key]
    return names


def _gathered(*identifiers: str) -> Names:
    from babel import Locale

    months: dict[str, set[tuple[str, int]]] = {}
    weekdays: set[str] = set()
    beside = set(word_set(__name__, "beside"))
    found = [Locale.parse(one) for one in identifiers]
    for locale in found:
        forms = [*locale.date_formats.values(), *locale.datetime_skeletons.values()]
        patterns = {one for form in forms if "d" in (one := str(getattr(form, "pattern", form))) and "y" in one}
        beside.update(
            *map(_literals, patterns), *(_words(each) for era in locale.eras.values() for each in era.values())
        )
        for number, written in _spelled(locale.months, patterns, "ML"):
            months.setdefault(_key(written), set()).add(("", number))
        weekdays.update(_key(written) for _, written in _spelled(locale.days, patterns, "Ec"))
    if "fa" in identifiers or "en" in identifiers:
        from persiantools.jdatetime import MONTH_NAMES_EN, MONTH_NAMES_FA

        for names in (MONTH_NAMES_FA, MONTH_NAMES_EN):
            for number, name in enumerate(names):
                months.setdefault(_key(name or ""), set()).add(("solar", number))
    named = {key: frozenset(of) for key, of in months.items() if key and not key.isdigit()}
    month_first = bool(found) and found[0].date_formats["short"].pattern.startswith("M")
    return Names(named, frozenset(weekdays - {""}), frozenset(beside - set(months)), month_first)


def _spelled(data: Any, patterns: set[str], field: str) -> Iterator[tuple[int, str]]:
    """The names of months or weekdays, bare and with what the patterns write onto them: Hebrew 'במרץ' for 'מרץ'.
    `field`: CLDR's letters for them."""
    onto = {("", ""), *(each for pattern in patterns for each in _joined(pattern, field))}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated", "short"):
            for number, name in data[context].get(width, {}).items():
                yield from ((number, f"{before}{name}{after}") for before, after in onto)


def _tokens(pattern: str) -> list[tuple[str, bool]]:
    """The parts of a CLDR pattern, and of each whether it is one of its letters ('MMMM') and no literal."""
    return [(match[2] or match[1] or match[3] or "", bool(match[2])) for match in _TOKEN.finditer(pattern)]


@cache
def _literals(pattern: str) -> set[str]:
    return _words("".join(" " if letters else part for part, letters in _tokens(pattern)))


@cache
def _joined(pattern: str, field: str) -> tuple[tuple[str, str], ...]:
    """What is written onto a name, before and after it."""
    tokens = [("", False), *_tokens(pattern), ("", False)]
    around = zip(tokens, tokens[1:], tokens[2:], strict=False)
    onto = [
        (before.split(" ")[-1], after.split(" ")[0])
        for (before, _), (part, letters), (after, _) in around
        if letters and part[0] in field and len(part) > 2
    ]
    return tuple(each for each in onto if any(map(str.isalpha, "".join(each))))
