"""Years, months and days of calendars other than the Gregorian, as Gregorian ones: Solar Hijri (Iran, Afghanistan),
lunar Hijri, Buddhist (Thailand), Japanese eras, the Republic of China's years.

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
_HIJRI, _BUDDHIST, _BUDDHIST_AHEAD = range(1300, 1500), range(2440, 2644), 543
_SIGN = r"\s*(?:هـ|ه(?!\w)|A\.?H\.?(?!\w))"
_YEAR_FIRST = regex(rf"(?<![\w/.-])(\d{{4}})([/.-])(\d{{1,2}})\2(\d{{1,2}})(?![\d/-])({_SIGN})?")
_DAY_FIRST = regex(rf"(?<![\w/.-])(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}})(?![\d/-])({_SIGN})?")
_HAN = "〇零一二三四五六七八九十"
_CHARACTERS = regex(
    rf"(?:中[華华]|佛[曆历])?({'|'.join(_ERAS)})?\s*(?<![\d{_HAN}])(\d{{1,4}}|元|[{_HAN}]{{1,4}})\s*[年년]"
    rf"(?:\s*(\d{{1,2}}|[{_HAN}]{{1,3}})\s*[月월](?:\s*(\d{{1,2}}|[{_HAN}]{{1,3}})\s*[日號号일])?)?"
)
_LETTERS = {"r": 2018, "h": 1988, "s": 1925}
_OF_A_LETTER = regex(r"(?<!\w)([rhs])(\d{1,2})([./-])(\d{1,2})\3(\d{1,2})(?![\w/-])")


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of any script as 0 to 9: '۱۴۰۲' is '1402'."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def has_persian_digits(text: str) -> bool:
    """Whether a number in the text is written as in Iran and Afghanistan."""
    return any("\u06f0" <= char <= "\u06f9" for char in text)


def gregorian(calendar: str, year: int, month: int, day: int) -> tuple[int, int, int] | None:
    """The Gregorian day of a day of a calendar: 'solar' and 'lunar' Hijri, or any other for the Gregorian and Buddhist;
    None where it has none.

    Lunar days are those of the Umm al-Qura calendar (the library hijridate), by which Saudi Arabia dates; where months
    begin when their moon is seen, a day can lie one or two off.
    """
    try:
        if calendar == "solar" and year in _HIJRI:
            from persiantools.jdatetime import JalaliDate

            then: date = JalaliDate(year, month, day).to_gregorian()  # type: ignore[no-untyped-call]
        elif calendar == "lunar" and year in _HIJRI:
            from hijridate import Hijri

            then = Hijri(year, month, day).to_gregorian()
        elif calendar in ("solar", "lunar"):
            return None
        else:
            then = date(year - _BUDDHIST_AHEAD * (year in _BUDDHIST), month, day)
    except (ValueError, OverflowError):
        return None
    return then.year, then.month, then.day


def other_calendars(text: str, language: str | None = None) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The dates of other calendars in a text that are written without a month's name, each with its beginning, its end
    and its Gregorian year, month and day, or as many of them as are known; the text is folded (month_names.fold).

    `language`: 'fa' where the page's language or digits are Persian, so that a year from 1300 to 1499 is one of the
    Solar Hijri calendar; 'ja', so that R6 is one of Reiwa.
    """
    for form, order in ((_YEAR_FIRST, (1, 3, 4)), (_DAY_FIRST, (4, 3, 1))):
        for match in form.finditer(text):
            year, month, day = (int(match[place]) for place in order)
            calendar = "lunar" if match[5] else "buddhist" if year in _BUDDHIST else "solar" if language == "fa" else ""
            if calendar and (parts := gregorian(calendar, year, month, day)):
                yield match.start(), match.end(), parts
    for match in _CHARACTERS.finditer(text):
        # Three digits and a month are a year of the Republic of China, whose name pages of Taiwan leave out.
        era = _ERAS.get(match[1] or ("民國" if len(match[2]) == 3 and match[4] else ""), 0)
        year, *known = (_number(part) for part in match.groups()[1:] if part)
        if (era or len(match[2]) == 4) and (parts := gregorian("", year + era, *(*known, 1, 1)[:2])):
            yield match.start(), match.end(), parts[: 1 + len(known)]
    for match in _OF_A_LETTER.finditer(text) if language == "ja" else ():
        if parts := gregorian("", _LETTERS[match[1]] + int(match[2]), int(match[4]), int(match[5])):
            yield match.start(), match.end(), parts


def _number(said: str) -> int:
    """A number in digits or in Chinese characters, as 二〇二四 or 二十三."""
    if said.isdecimal() or said == "元":
        return 1 if said == "元" else int(said)
    tens, ten, ones = said.rpartition("十")
    digits = [int("".join(f"{unicodedata.numeric(char):.0f}" for char in part) or 0) for part in (tens, ones)]
    return (digits[0] or 1) * 10 + digits[1] if ten else digits[1]
