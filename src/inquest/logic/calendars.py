"""Dates of calendars other than the Gregorian, as pages write them: Solar Hijri (Iran, Afghanistan), Buddhist
(Thailand), Japanese eras, and years, months and days marked with characters (2024年3月5日).

Only what names its calendar by month, era or a year that no Gregorian publication bears is taken for one of them.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

__all__ = ["ascii_digits", "other_calendar"]

_PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split()
_THAI = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม".split()
_THAI_SHORT = "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.".split()
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
"""The Gregorian year before each era's first (the year 元)."""
_SOLAR, _BUDDHIST, _BUDDHIST_AHEAD = range(1300, 1450), range(2440, 2644), 543
_YEAR_FIRST = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[\sT].{0,20})?")
_DAY_FIRST = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:\s.{0,20})?")
_PERSIAN_WRITTEN = re.compile(
    rf"(?:\S+\s+)?(\d{{1,2}})\s+({'|'.join(_PERSIAN)})\s*،?\s*(?:ماه\s*)?(\d{{4}})(?:\s.{{0,20}})?"
)
_THAI_WRITTEN = re.compile(
    rf"(?:\S+\s+)?(\d{{1,2}})\s*({'|'.join(map(re.escape, _THAI + _THAI_SHORT))})\s*"
    r"(?:พ\.ศ\.\s*)?(\d{4})(?:\s.{0,20})?"
)
_CHARACTERS = re.compile(
    rf"({'|'.join(_ERAS)})?\s*(\d{{1,4}}|元)\s*[年년](?:\s*(\d{{1,2}})\s*[月월](?:\s*(\d{{1,2}})\s*[日일])?)?(?:\s?.{{0,20}})?"
)
_NEW_YEAR_1403 = date(2024, 3, 20)


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of any script as 0 to 9: '۱۴۰۲' is '1402'."""
    return text if text.isascii() else "".join(_digit(char) for char in text)


def _digit(char: str) -> str:
    return str(unicodedata.decimal(char)) if char.isdecimal() else char


def other_calendar(text: str) -> tuple[int, ...] | None:
    """The Gregorian year, month and day (or as many of them as are known) that a date of another calendar means; None
    where it is none. `text` on one line, its digits those of ASCII."""
    if match := _YEAR_FIRST.fullmatch(text):
        return _numbers(int(match[1]), int(match[2]), int(match[3]))
    if match := _DAY_FIRST.fullmatch(text):
        return _numbers(int(match[3]), int(match[2]), int(match[1]))
    if match := _PERSIAN_WRITTEN.fullmatch(text.replace("ي", "ی")):
        return _numbers(int(match[3]), _PERSIAN.index(match[2]) + 1, int(match[1]))
    if match := _THAI_WRITTEN.fullmatch(text):
        month = (_THAI + _THAI_SHORT).index(match[2]) % 12 + 1
        return _numbers(int(match[3]), month, int(match[1])) or (int(match[3]), month, int(match[1]))
    if (match := _CHARACTERS.fullmatch(text)) and (match[1] or len(match[2]) == 4):
        year = 1 if match[2] == "元" else int(match[2])
        return (year + _ERAS.get(match[1] or "", 0), *(int(part) for part in match.groups()[2:] if part))
    return None


def _numbers(year: int, month: int, day: int) -> tuple[int, ...] | None:
    if year in _BUDDHIST:
        return year - _BUDDHIST_AHEAD, month, day
    if year in _SOLAR and 1 <= month <= 12 and 1 <= day <= (31 if month < 7 else 30):
        then = _NEW_YEAR_1403 + timedelta(days=_solar_days(year, month, day) - _solar_days(1403, 1, 1))
        return then.year, then.month, then.day
    return None


def _solar_days(year: int, month: int, day: int) -> int:
    """Days of the Solar Hijri calendar, by its cycle of 33 years with 8 leap years, from a day of its own."""
    cycle, rest = divmod(year + 1595, 33)
    months = (month - 1) * 31 if month < 7 else (month - 7) * 30 + 186
    return 365 * (year + 1595) + cycle * 8 + (rest + 3) // 4 + months + day
