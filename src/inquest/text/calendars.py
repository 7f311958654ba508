"""Days of the Solar Hijri and the Buddhist calendar, of Japanese eras and of the Republic of China, as Gregorian ones.

Only what names its calendar by month, era or sign is taken for one of them, and numbers alone where the digits or the
language of the page are Persian, or the year is one that no Gregorian publication bears.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import date

from inquest.text.regex import regex

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}
"""The Gregorian year before each era's first (the year 元)."""
_SOLAR, _BUDDHIST, _BUDDHIST_AHEAD = range(1300, 1500), range(2440, 2644), 543
_NUMBERS = regex(
    r"(?<![\w/.-])(?:(?P<year>\d{4})([/.-])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"
    r"|(?P<day_>\d{1,2})([/.-])(?P<month_>\d{1,2})\6(?P<year_>\d{4}))(?![\d/-])"
)
_HAN = "〇零一二三四五六七八九十"
_CHARACTERS = regex(
    rf"(?:中[華华]|佛[曆历])?({'|'.join(_ERAS)})?\s*(?<![\d{_HAN}])(\d{{1,4}}|元|[{_HAN}]{{1,4}})\s*[年년]"
    rf"(?:\s*(\d{{1,2}}|[{_HAN}]{{1,3}})\s*[月월](?:\s*(\d{{1,2}}|[{_HAN}]{{1,3}})\s*[日號号일])?)?"
)


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of any script as 0 to 9: '۱۴۰۲' is '1402'."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def has_persian_digits(text: str) -> bool:
    """Whether a number in the text is written as in Iran and Afghanistan."""
    return any("\u06f0" <= char <= "\u06f9" for char in text)


def gregorian(calendar: str, year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """The Gregorian day of a day of the 'solar' Hijri calendar, or of any other: the Gregorian and the Buddhist; None
    where there is no such day."""
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
    """The dates of other calendars in a folded text (month_names.fold) that are written without a month's name: their
    beginning, their end and their Gregorian year, month and day, or as many of them as are known.

    `language`: 'fa' where the page's language or digits are Persian: then years from 1300 to 1499 are Solar Hijri.
    """
    for match in _NUMBERS.finditer(text):
        year, month, day = (int(match[name] or match[f"{name}_"]) for name in ("year", "month", "day"))
        calendar = "buddhist" if year in _BUDDHIST else "solar" if language == "fa" else ""
        if calendar and (parts := gregorian(calendar, year, month, day)):
            yield match.start(), match.end(), parts
    for match in _CHARACTERS.finditer(text):
        # Three digits and a month are a year of the Republic of China, whose name pages of Taiwan leave out.
        era = _ERAS.get(match[1] or ("民國" if len(match[2]) == 3 and match[4] else ""), 0)
        year, *known = (_number(part) for part in match.groups()[1:] if part)
        if (era or len(match[2]) == 4) and (parts := gregorian("", year + era, *(*known, 1, 1)[:2])):
            yield match.start(), match.end(), parts[: 1 + len(known)]


def _number(written: str) -> int:
    """A number in digits or in Chinese characters, as 二〇二四 or 二十三."""
    if written.isdecimal() or written == "元":
        return 1 if written == "元" else int(written)
    tens, ten, ones = written.rpartition("十")
    digits = [int("".join(f"{unicodedata.numeric(char):.0f}" for char in part) or 0) for part in (tens, ones)]
    return (digits[0] or 1) * 10 + digits[1] if ten else digits[1]
