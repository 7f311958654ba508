"""Calendars: names of months and weekdays in the languages of the Unicode CLDR (babel), and dates of the Solar Hijri
and Buddhist calendars, of Japanese eras and of the Republic of China as Gregorian ones.

Names are compared as keys: folded (lower case, no accents, ASCII digits) and cut into words without signs, so that
'Févr.' is 'fevr'. A date belongs to another calendar only if its month, era or sign names that calendar; bare numbers
do if the digits or the language of the page are Persian, or if no Gregorian publication can have the year."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from inquest.text.lexicon import word_set
from inquest.text.regex import regex

_PIECE = regex(r"\d+|[|;:]|[^\s\d!-/:-@\[-`{-~،؛·•–—’‘ʼ“”«»״׳。、⹁（）：｜]+")
_SHORTEST = 4  # Letters of the shortest name that is read in a text of unknown language
_LIKE = {"ي": "ی", "ى": "ی", "ك": "ک", "ı": "i", "ς": "σ"}  # Letters that pages use interchangeably
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))  # Some keyboards leave them out.
ROMAN = {name: month for month, name in enumerate("i ii iii iv v vi vii viii ix x xi xii".split(), 1)}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}
"""The Gregorian year before each era's first (the year 元)."""
_SOLAR, _BUDDHIST, _BUDDHIST_AHEAD = range(1300, 1500), range(2440, 2644), 543
_NUMBERS = regex(
    r"(?<![\w/.-])(?:(?P<year>\d{4})([/.-])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"
    r"|(?P<day_>\d{1,2})([/.-])(?P<month_>\d{1,2})\6(?P<year_>\d{4}))(?![\d/-])"
)
_HAN = "〇零一二三四五六七八九十"
_REPUBLIC = regex(r"(?<![\w/.-])(1[0-4]\d)([/.-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?![\w/-]|\.\d)")
_CHARACTERS = regex(
    rf"(?:中[華华]|佛[曆历])?({'|'.join(_ERAS)})?\s*(?<![\d{_HAN}])(\d{{1,4}}|元|[{_HAN}]{{1,4}})\s*[年년]"
    rf"(?:\s*(\d{{1,2}}|[{_HAN}]{{1,3}})\s*[月월](?:\s*(\d{{1,2}}|[{_HAN}]{{1,3}})\s*[日號号일])?)?"
)

Piece = tuple[str, int, int]  # A word, a number or a separating sign, with its place


@dataclass(frozen=True, slots=True)
class Names:
    """Names of months and weekdays in one or more languages. All keys are folded."""

    months: dict[str, frozenset[tuple[str, int]]]
    """Calendar ('' or 'solar') and month from 1; several if languages use one name differently."""
    weekdays: frozenset[str]
    beside: frozenset[str]  # Words within dates that are not names ('de', 'gada', 'г.')
    month_first: bool = False  # The short form of CLDR begins with the month


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
    """The text in lower case, without accents and with ASCII digits; every character keeps its place."""
    return "".join(map(_folded, text))


def pieces(folded: str) -> list[Piece]:
    """The words, numbers and separating signs of a folded text, without leading zeros and the joiners within words."""
    found = ((match, match[0].translate(_JOINERS).lstrip("0")) for match in _PIECE.finditer(folded))
    return [(word or match[0], *match.span()) for match, word in found]


@cache
def _key(name: str) -> str:
    return " ".join(piece for piece, _, _ in pieces(fold(unicodedata.normalize("NFC", name))))


def _words(text: str) -> set[str]:
    return {piece for piece, _, _ in pieces(fold(text)) if piece[0].isalpha()}


@cache
def names_of(language: str) -> Names:
    """The names in a language (two or three letters) with its scripts and listed regions; none if CLDR lacks it."""
    from babel import localedata
    from babel.core import get_global

    code = str(get_global("language_aliases").get(language, language)).partition("_")[0]
    code = "no" if code == "nb" else code  # CLDR has the names of Bokmål as those of Norwegian.
    every = sorted(one for one in localedata.locale_identifiers() if one.partition("_")[0] == code)
    listed = word_set(__name__, "languages")
    return _gathered(*(one for one in every if one in listed or one == code or len(one.split("_")[1]) > 2))


@cache
def names_everywhere() -> Names:
    """The names in all listed languages at once. The first call takes about half a second."""
    names = _gathered(*sorted(word_set(__name__, "languages")))
    # With so many languages, almost any three letters look like a name in one of them.
    for key in [key for key in names.months if len(key) < _SHORTEST and key.isascii()]:
        del names.months[key]
    return names


def _gathered(*identifiers: str) -> Names:
    from babel import Locale

    months: dict[str, set[tuple[str, int]]] = {}
    weekdays: set[str] = set()
    beside = set(word_set(__name__, "beside"))
    locales = [Locale.parse(identifier) for identifier in identifiers]
    for locale in locales:
        forms = [*locale.date_formats.values(), *locale.datetime_skeletons.values()]
        patterns = {one for form in forms if "d" in (one := str(getattr(form, "pattern", form))) and "y" in one}
        beside.update(
            *(_words("".join(literal or " " for literal, _ in _tokens(each))) for each in patterns),
            *(_words(name) for era in locale.eras.values() for name in era.values()),
        )
        for number, written in _spelled(locale.months, patterns, "ML"):
            months.setdefault(_key(written), set()).add(("", number))
        weekdays.update(_key(written) for _, written in _spelled(locale.days, patterns, "Ec"))
    # Mongolian also spells the ordinal ending of a figure out, or leaves it out: '3-р', '3 дугаар', '3 сарын'.
    figures = [(key, of) for key, of in months.items() if " р сар" in key]
    months |= {key.replace(" р ", each): of for key, of in figures for each in (" ", " дугаар ", " дүгээр ")}
    if "fa" in identifiers or "en" in identifiers:
        from persiantools.jdatetime import MONTH_NAMES_EN, MONTH_NAMES_FA

        for names in (MONTH_NAMES_FA, MONTH_NAMES_EN):
            for number, name in enumerate(names):
                months.setdefault(_key(name or ""), set()).add(("solar", number))
    if identifiers[:1] in (("pl",), ("hu",)):  # '17 X 2023', '2023. X. 17.'
        months |= {key: {("", number)} for key, number in ROMAN.items()}
    named = {key: frozenset(of) for key, of in months.items() if key and not key.isdigit()}
    month_first = bool(locales) and locales[0].date_formats["short"].pattern.startswith("M")
    return Names(named, frozenset(weekdays - {""}), frozenset(beside - set(months)), month_first)


def _spelled(data: Any, patterns: set[str], fields: str) -> Iterator[tuple[int, str]]:
    """Yield the names of months or weekdays, bare and with the affixes of the patterns: Hebrew 'במרץ' for 'מרץ'.
    `fields`: CLDR's letters for them."""
    affixes = {("", ""), *(pair for pattern in patterns for pair in _affixes(pattern, fields))}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated", "short"):
            for number, name in data[context].get(width, {}).items():
                yield from ((number, f"{before}{name}{after}") for before, after in affixes)


@cache
def _tokens(pattern: str) -> list[tuple[str, str]]:
    """The parts of a CLDR pattern: literals first, fields ('MMMM') second, the other one empty."""
    from babel.dates import tokenize_pattern

    tokens: list[Any] = tokenize_pattern(pattern)
    return [(value, "") if kind == "chars" else ("", value[0] * value[1]) for kind, value in tokens]


@cache
def _affixes(pattern: str, fields: str) -> tuple[tuple[str, str], ...]:
    """The letters that a pattern writes directly before and after a name."""
    tokens = [("", ""), *_tokens(pattern), ("", "")]
    affixes = [
        (before.split(" ")[-1], after.split(" ")[0])
        for (before, _), (_, field), (after, _) in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if len(field) > 2 and field[0] in fields
    ]
    return tuple(pair for pair in affixes if any(map(str.isalpha, "".join(pair))))


def ascii_digits(text: str) -> str:
    """The text with decimal digits of any script as 0 to 9: '۱۴۰۲' is '1402'."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def has_persian_digits(text: str) -> bool:
    """True if the text has a digit as written in Iran and Afghanistan."""
    return any("\u06f0" <= char <= "\u06f9" for char in text)


def gregorian(calendar: str, year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """The Gregorian day of a day of the 'solar' Hijri calendar, or of the Gregorian or Buddhist one (any other name);
    None if the day does not exist."""
    try:
        if calendar == "solar":
            from persiantools.jdatetime import JalaliDate

            if year not in _SOLAR:
                return None
            then: date = JalaliDate(year, month, day).to_gregorian()  # type: ignore[no-untyped-call]
        else:
            then = date(year - _BUDDHIST_AHEAD * (year in _BUDDHIST), month, day)
    except (ValueError, OverflowError):
        return None
    return then.year, then.month, then.day


def other_calendars(text: str, language: str | None = None) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the dates of other calendars in a folded text that have no name of a month: start, end, and Gregorian year,
    month and day, as many as are known. `language`: 'fa' if the page's language or digits are Persian: then years from
    1300 to 1499 are Solar Hijri; on Chinese pages ('zh') years from 100 to 149 are those of the Republic."""
    for match in _NUMBERS.finditer(text):
        year, month, day = (int(match[name] or match[f"{name}_"]) for name in ("year", "month", "day"))
        calendar = "buddhist" if year in _BUDDHIST else "solar" if language == "fa" else ""
        if calendar and (parts := gregorian(calendar, year, month, day)):
            yield *match.span(), parts
    for match in _REPUBLIC.finditer(text) if language == "zh" else ():
        if parts := gregorian("", int(match[1]) + _ERAS["民國"], int(match[3]), int(match[4])):
            yield *match.span(), parts
    for match in _CHARACTERS.finditer(text):
        # Three digits and a month are a year of the Republic of China, whose name pages of Taiwan leave out.
        era = _ERAS.get(match[1] or ("民國" if len(match[2]) == 3 and match[4] else ""), 0)
        year, *known = (_number(part) for part in match.groups()[1:] if part)
        if (era or len(match[2]) == 4) and (parts := gregorian("", year + era, *(*known, 1, 1)[:2])):
            yield *match.span(), parts[: 1 + len(known)]


def _number(written: str) -> int:
    """A number in digits or in Chinese characters, such as 二〇二四 or 二十三."""
    if written.isdecimal() or written == "元":
        return 1 if written == "元" else int(written)
    tens, ten, ones = written.rpartition("十")
    digits = [int("".join(f"{unicodedata.numeric(char):.0f}" for char in part) or 0) for part in (tens, ones)]
    return (digits[0] or 1) * 10 + digits[1] if ten else digits[1]
