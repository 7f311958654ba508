"""Dates of calendars other than the Gregorian, as pages write them: Solar Hijri (Iran, Afghanistan), lunar Hijri,
Buddhist (Thailand), Japanese eras, and years, months and days marked with characters (2024年3月5日).

Only what names its calendar by month, era or sign is taken for one of them, and numbers alone where the digits or the
language of the page are Persian, or the year is one that no Gregorian publication bears.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, timedelta

from inquest.text.lexicon import entries, word_lists
from inquest.text.regex import regex

_MONTHS = word_lists(__name__, "calendar_months")
_PERSIAN = _MONTHS["persian"]
_THAI = _MONTHS["thai"]
_THAI_SHORT = _MONTHS["thai_short"]
_LUNAR = tuple(names.split("|") for names in entries(__name__, "lunar_months").values())
_LUNAR_MONTHS = {name: number for number, names in enumerate(_LUNAR, 1) for name in names}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
"""The Gregorian year before each era's first (the year 元)."""
_HIJRI, _BUDDHIST, _BUDDHIST_AHEAD = range(1300, 1450), range(2440, 2644), 543
_SIGN = r"\s*(?:هـ|ه(?!\w)|A\.?H\.?(?!\w))"
_YEAR_FIRST = regex(rf"(?<![\w/.-])(\d{{4}})([/.-])(\d{{1,2}})\2(\d{{1,2}})(?![\d/-])({_SIGN})?")
_DAY_FIRST = regex(rf"(?<![\w/.-])(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}})(?![\d/-])({_SIGN})?")
_PERSIAN_WRITTEN = regex(rf"(?<!\d)(\d{{1,2}})\s+({'|'.join(_PERSIAN)})\s*،?\s*(?:ماه\s*)?(\d{{4}})(?!\d)")
_THAI_WRITTEN = regex(
    rf"(?<!\d)(\d{{1,2}})\s*({'|'.join(map(re.escape, _THAI + _THAI_SHORT))})\s*(?:พ\.ศ\.\s*)?(\d{{4}})(?!\d)"
)
_LUNAR_WRITTEN = regex(
    rf"(?<!\d)(\d{{1,2}})\s+({'|'.join(map(re.escape, sorted(_LUNAR_MONTHS, key=len, reverse=True)))})\s*[،,]?\s*"
    r"(1[34]\d\d)(?!\d)",
    re.IGNORECASE,
)
_CHARACTERS = regex(
    rf"({'|'.join(_ERAS)})?\s*(?<!\d)(\d{{1,4}}|元)\s*[年년](?:\s*(\d{{1,2}})\s*[月월](?:\s*(\d{{1,2}})\s*[日일])?)?"
)
_NEW_YEAR_1403 = date(2024, 3, 20)
_LUNAR_EPOCH = 227_014
"""Proleptic Gregorian day (date.toordinal) of the day before 1 Muharram of the year 1, civil reckoning."""
_SIGHTING = 2
"""Days by which the month that is seen or decreed differs from the one that is reckoned."""


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of any script as 0 to 9: '۱۴۰۲' is '1402'."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def has_persian_digits(text: str) -> bool:
    """Whether a number in the text is written as in Iran and Afghanistan."""
    return any("\u06f0" <= char <= "\u06f9" for char in text)


def other_calendar(text: str, *, persian: bool = False) -> tuple[int, ...] | None:
    """The Gregorian year, month and day (or as many of them as are known) that a date of another calendar means; None
    where it is none. `text` on one line, its digits those of ASCII; a weekday before and a time after are passed over.
    """
    for start, end, parts in other_calendars(text, persian=persian):
        if len(text[:start].split()) <= 1 and len(text) - end <= 21:
            return parts
    return None


def other_calendars(text: str, *, persian: bool = False) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The dates of other calendars in a text, each with its beginning and end; its digits are those of ASCII.

    `persian`: the page's language or digits are, so that a year from 1300 to 1449 is one of the Solar Hijri calendar. A
    day of the lunar calendar is known to a day or two only, because the month begins when its moon is seen: given is
    the Gregorian month where all days that can be meant lie in one, else the year.
    """
    for form, order in ((_YEAR_FIRST, (1, 3, 4)), (_DAY_FIRST, (4, 3, 1))):
        for match in form.finditer(text):
            year, month, day = (int(match[place]) for place in order)
            if parts := _lunar(year, month, day) if match[5] else _numbers(year, month, day, persian):
                yield match.start(), match.end(), parts
    for match in _PERSIAN_WRITTEN.finditer(text.replace("ي", "ی").replace("ك", "ک")):
        if parts := _solar(int(match[3]), _PERSIAN.index(match[2]) + 1, int(match[1])):
            yield match.start(), match.end(), parts
    for match in _LUNAR_WRITTEN.finditer(text):
        if parts := _lunar(int(match[3]), _LUNAR_MONTHS[match[2].lower()], int(match[1])):
            yield match.start(), match.end(), parts
    for match in _THAI_WRITTEN.finditer(text):
        month = (_THAI + _THAI_SHORT).index(match[2]) % 12 + 1
        year = int(match[3])
        yield match.start(), match.end(), (year - _BUDDHIST_AHEAD * (year in _BUDDHIST), month, int(match[1]))
    for match in _CHARACTERS.finditer(text):
        if match[1] or len(match[2]) == 4:
            year = 1 if match[2] == "元" else int(match[2])
            known = [int(part) for part in match.groups()[2:] if part]
            yield match.start(), match.end(), (year + _ERAS.get(match[1] or "", 0), *known)


def _numbers(year: int, month: int, day: int, persian: bool) -> tuple[int, ...] | None:
    if year in _BUDDHIST:
        return year - _BUDDHIST_AHEAD, month, day
    return _solar(year, month, day) if persian else None


def _solar(year: int, month: int, day: int) -> tuple[int, ...] | None:
    if year in _HIJRI and 1 <= month <= 12 and 1 <= day <= (31 if month < 7 else 30):
        then = _NEW_YEAR_1403 + timedelta(days=_solar_days(year, month, day) - _solar_days(1403, 1, 1))
        return then.year, then.month, then.day
    return None


def _lunar(year: int, month: int, day: int) -> tuple[int, ...] | None:
    """By the reckoned calendar with 11 leap years in 30."""
    if year not in _HIJRI or not 1 <= month <= 12 or not 1 <= day <= 30:
        return None
    days = (year - 1) * 354 + (3 + 11 * year) // 30 + (59 * (month - 1) + 1) // 2 + day
    first, last = (date.fromordinal(_LUNAR_EPOCH + days + off) for off in (-_SIGHTING, _SIGHTING))
    if first.year != last.year:
        return None
    return (first.year, first.month) if first.month == last.month else (first.year,)


def _solar_days(year: int, month: int, day: int) -> int:
    """Days of the Solar Hijri calendar, by its cycle of 33 years with 8 leap years, from a day of its own."""
    cycle, rest = divmod(year + 1595, 33)
    months = (month - 1) * 31 if month < 7 else (month - 7) * 30 + 186
    return 365 * (year + 1595) + cycle * 8 + (rest + 3) // 4 + months + day
