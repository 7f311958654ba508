"""Full dates as pages print them, in many languages, in numbers, and in other calendars, with their place in the text.

In numbers, 03/05/2024 means a day only for who knows which of the two comes first; else it gives the year and no more.
Dots are set between numbers only where the day comes first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from inquest.text.calendars import ascii_digits, has_persian_digits, other_calendars
from inquest.text.lexicon import word_lists
from inquest.text.regex import regex


def _bare(name: str) -> str:
    """Without accents, as many pages write it."""
    return "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))


MONTH_NAMES = {
    form: number
    for row in word_lists(__name__, "month_names").values()
    for number, forms in enumerate(row, 1)
    for name in forms.split("/")
    for form in (name, _bare(name))
}
"""Every name of a Gregorian month to 1..12, in lower case."""
_MONTH = r"(?P<name>" + "|".join(sorted(map(re.escape, MONTH_NAMES), key=len, reverse=True)) + r")(?!\w)\.?"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)(?![\w]|[.,]\d)"
_FORMS = tuple(
    regex(form, re.IGNORECASE)
    for form in (
        rf"(?<![\w.,/-]){_DAY}(?:st|nd|rd|th|er|º|°|ª|\.)?[\s-]*(?:de\s+|d['’]|of\s+)?{_MONTH},?[\s-]*(?:de\s+|del\s+|of\s+)?{_YEAR}",
        rf"(?<!\w){_MONTH}\s+{_DAY}(?:st|nd|rd|th|º)?\s*,?\s+(?:de\s+)?{_YEAR}",
        rf"(?<![\w/-]){_YEAR}\.?\s+{_MONTH}\s+{_DAY}(?!\d)",
        r"(?<![\w/.-])(?P<year>1[5-9]\d\d|20\d\d)(?P<sign>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=sign)"
        r"(?P<day>0?[1-9]|[12]\d|3[01])(?![\w/-])",
        r"(?<![\w/.-])(?P<one>\d{1,2})(?P<sign>[-/.])\s?(?P<two>\d{1,2})(?P=sign)\s?(?P<year>(?:19|20)\d\d)(?![\w/-]|\.\d)",
    )
)


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date and where it stands. `parts`: year, month and day of the Gregorian calendar, as many as are known."""

    start: int
    end: int
    parts: tuple[int, ...]


def written_dates(text: str, *, month_first: bool | None = None, language: str | None = None) -> list[WrittenDate]:
    """The full dates in a text, in order, without overlaps; a month and year alone are none of them.

    `month_first`: whether 03/05/2024 is in March; None: not known. `language`, of two letters, tells in which calendar
    a bare year is counted.
    """
    persian = language == "fa" or has_persian_digits(text)
    plain = ascii_digits(text)
    found: list[WrittenDate] = []
    candidates = [WrittenDate(*each) for each in other_calendars(plain, persian=persian)]
    candidates += [each for form in _FORMS for each in _of(form, plain, month_first)]
    for one in candidates:
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.start)


def _of(form: re.Pattern[str], text: str, month_first: bool | None) -> Iterator[WrittenDate]:
    for match in form.finditer(text):
        fields = match.groupdict()
        year = int(fields["year"])
        if "one" in fields:
            parts = _in_order(year, int(fields["one"]), int(fields["two"]), fields["sign"] == ".", month_first)
        else:
            month = MONTH_NAMES[fields["name"].lower()] if fields.get("name") else int(fields["month"])
            parts = (year, month, int(fields["day"]))
        if parts and (len(parts) < 3 or _exists(*parts)):
            yield WrittenDate(match.start(), match.end(), parts)


def _in_order(year: int, one: int, two: int, dots: bool, month_first: bool | None) -> tuple[int, ...] | None:
    if dots:
        month_first = False
    if one > 12 or two > 12 or one == two:
        month_first = two > 12
    if month_first is None:
        return (year,)
    month, day = (one, two) if month_first else (two, one)
    return (year, month, day) if 1 <= month <= 12 else None


def _exists(year: int, month: int, day: int) -> bool:
    try:
        return bool(date(year, month, day))
    except ValueError:
        return False


_MONTH_FIRST_REGIONS = frozenset(("us", "fm", "mh", "pw", "pr", "gu"))
"""Where a numeric date begins with the month (CLDR); Canada, Kenya and the Philippines write both ways."""
_EITHER = frozenset(("ca", "ph", "ke", "gh", "pa"))
_AMERICAN = frozenset(("gov", "mil", "edu", "us"))
_NO_COUNTRY = frozenset(("tv", "io", "co", "ai", "me", "fm", "ly", "to", "cc", "ws"))
"""Endings that belong to a country and are used by everybody."""


def month_comes_first(locale: str | None, host: str = "") -> bool | None:
    """Whether numeric dates begin with the month, by the language tag of a page and its host; None: not known.

    'en-US' does, 'en-GB' does not, and neither does any language but English without a region. English alone says
    nothing; then the country of the host decides, and of .com and the like nothing is known.
    """
    language, _, region = (locale or "").replace("_", "-").lower().partition("-")
    region = region.rpartition("-")[2]
    ending = host.lower().rstrip(".").rpartition(".")[2]
    if region in _EITHER or (not region and ending in _EITHER):
        return None
    if len(region) == 2:
        return region in _MONTH_FIRST_REGIONS
    if language and language != "en":
        return False
    if ending in _AMERICAN:
        return True
    return False if len(ending) == 2 and ending.isalpha() and ending not in _NO_COUNTRY else None
