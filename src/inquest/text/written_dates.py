"""Full dates as pages print them, in the languages of the Unicode CLDR, in numbers, and in other calendars, with their
place in the text.

In numbers, 03/05/2024 means a day only for who knows which of the two comes first; else it gives the year and no more.
Dots are set between numbers only where the day comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from inquest.text.calendars import gregorian, has_persian_digits, other_calendars
from inquest.text.lexicon import pattern
from inquest.text.month_names import Names, fold, names_everywhere, names_of, names_of_main_languages, pieces
from inquest.text.regex import regex

_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_AFTER = r"(?![\w/-]|[.,]\d)"
_NUMBERS = tuple(
    regex(form)
    for form in (
        r"(?<![\w/.-])(?P<year>1[5-9]\d\d|20\d\d)(?P<sign>[-/.]) ?(?P<month>0?[1-9]|1[0-2])(?P=sign) ?"
        rf"{_DAY}(?:(?=t\d\d)|(?![\w/-]))",
        r"(?<![\w/.-])(?P<one>\d{1,2})(?P<sign>[-/.]) ?(?P<two>\d{1,2})(?P=sign) ?(?P<year>(?:19|20)\d\d)"
        r"(?![\w/-]|\.\d)",
        r"(?<![\w/.:-])(?P<one>\d{1,2})(?P<sign>[-/.]) ?(?P<two>\d{1,2})(?P=sign) ?(?P<short>\d{1,2})"
        r"(?![\w/:-]|[.,]\d)",
    )
)
_ROMAN = {name: number for number, name in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), 1)}
_YEAR = regex(rf"(?<!\d)(?<!\d[.,/])(?:1[3-9]\d\d|2[0-6]\d\d)(?!\d|[.,/]\d)|(?<=\D)\d\d{_AFTER}(?!:)")
_DAY_NUMBER = regex(r"(?<!\d)(?<!\d[.,/:])(?:0?[1-9]|[12]\d|3[01])(?![\d/:]|[.,]\d)")
_REACH = 45
"""Characters within which the day and year of one date lie."""
_WORDS = 6
"""Words between two numbers of one date, and words of the longest name of a month."""
_CENTURY = 69
"""The last two digits up to which a year lies in this century (POSIX)."""
_EARLIEST, _LATEST = 1500, 2099
_APART = regex(r"[\n|;:]")
"""Signs that part a date from what is no part of it."""
_ALONE = regex(r"\.?\s*(?:$|[|,;)·–—-]|\d\d?[:.]\d\d)")
"""What follows a year of two digits, and no number of something."""
_TIME = pattern(__name__, "time")

Piece = tuple[str, int, int]
"""A word or number and its place."""


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date and where it stands, the weekday and the time beside it included. `parts`: year, month and day of the
    Gregorian calendar, as many as are known."""

    start: int
    end: int
    parts: tuple[int, ...]


def written_dates(text: str, *, month_first: bool | None = None, language: str | None = None) -> list[WrittenDate]:
    """The full dates in a text, in order, without overlaps; a month and year alone are none of them.

    `month_first`: whether 03/05/2024 is in March; None: not known. `language` (its code) says in which language names
    are read first and in which calendar a bare year is counted. Names that its languages do not have are looked for in
    the main languages, then in all; one that means several months there is none.
    """
    if not any(map(str.isdecimal, text)):
        return []
    persian = language == "fa" or has_persian_digits(text)
    plain = fold(text)
    known = names_of(language) if language else None
    found: list[WrittenDate] = []
    candidates = [WrittenDate(*each) for each in other_calendars(plain, persian=persian)]
    year_first = bool(known and known.order == "y")
    candidates += [each for form in _NUMBERS for each in _of_numbers(form, plain, month_first, year_first)]
    _add(found, candidates)
    words = pieces(plain)
    for lookup in (partial(names_of, language or ""), names_of_main_languages, names_everywhere):
        pairs = [pair for pair in _pairs(plain, words) if not any(_taken(found, *words[at][1:]) for at in pair)]
        if not pairs:
            break
        _add(found, _of_names(text, plain, words, pairs, lookup()))
    return sorted((_widened(one, text, plain, words, known) for one in found), key=lambda one: one.start)


def _add(found: list[WrittenDate], candidates: list[WrittenDate]) -> None:
    for one in candidates:
        if not _taken(found, one.start, one.end):
            found.append(one)


def _taken(found: list[WrittenDate], start: int, end: int) -> bool:
    return any(start < other.end and other.start < end for other in found)


def _of_numbers(form: re.Pattern[str], text: str, month_first: bool | None, year_first: bool) -> Iterator[WrittenDate]:
    for match in form.finditer(text):
        fields = match.groupdict()
        if fields.get("short"):
            numbers = (int(fields["one"]), int(fields["two"]), int(fields["short"]))
            parts = _of_short_year(numbers, fields["short"], fields["sign"] == ".", month_first, year_first)
        elif "one" in fields:
            year, one, two = (int(fields[name]) for name in ("year", "one", "two"))
            parts = _in_order(year, one, two, fields["sign"] == ".", month_first)
        else:
            parts = (int(fields["year"]), int(fields["month"]), int(fields["day"]))
        if parts and (len(parts) < 3 or gregorian("", parts[0], parts[1], parts[2])):
            yield WrittenDate(match.start(), match.end(), parts)


def _of_short_year(
    numbers: tuple[int, int, int], last: str, dots: bool, month_first: bool | None, year_first: bool
) -> tuple[int, ...] | None:
    """The day of three numbers of one or two digits; None where any of them may be the year."""
    one, two, three = numbers
    if year_first:
        return (_whole(one), two, three) if (dots or one > 31) and two <= 12 else None
    if len(last) < 2 or (month_first is None and not dots):
        return None
    return _in_order(_whole(three), one, two, dots, month_first)


def _in_order(year: int, one: int, two: int, dots: bool, month_first: bool | None) -> tuple[int, ...] | None:
    if dots:
        month_first = False
    if one > 12 or two > 12 or one == two:
        month_first = two > 12
    if month_first is None:
        return (year,)
    month, day = (one, two) if month_first else (two, one)
    return (year, month, day) if 1 <= month <= 12 else None


def _whole(short: int) -> int:
    return short + (2000 if short <= _CENTURY else 1900)


def _pairs(text: str, words: list[Piece]) -> list[tuple[int, int]]:
    """The places among the words of years, each with that of a number near it that may be the day."""
    years = {match.start() for match in _YEAR.finditer(text)}
    days = {match.start() for match in _DAY_NUMBER.finditer(text)}
    found = []
    for place, (_, start, end) in enumerate(words):
        if start in years:
            for other in range(max(place - _WORDS, 0), min(place + _WORDS + 1, len(words))):
                _, first, last = words[other]
                between = text[end:first] if other > place else text[last:start]
                if other != place and first in days and len(between) <= _REACH and not _APART.search(between):
                    found.append((place, other))
    return found


def _of_names(
    text: str, plain: str, words: list[Piece], pairs: list[tuple[int, int]], names: Names
) -> list[WrittenDate]:
    """The dates of these pairs of year and day that have the name of a month between or beside them; what is more
    likely to be meant by numbers and names in a row first."""
    found: list[tuple[int, WrittenDate]] = []
    for year, day in pairs:
        first, last = min(year, day), max(year, day)
        for rank, (start, end) in _spans(words, first, last, day, names):
            said = " ".join(word for word, _, _ in words[start:end])
            meant = names.months.get(said) or _roman(text[words[start][1] : words[end - 1][2]])
            among = [word for at, (word, _, _) in enumerate(words) if first < at < last and not start <= at < end]
            short = len(words[year][0]) == 2 and not (rank == 0 and day < year)
            if short or not meant or not all(word in names.beside or word in names.weekdays for word in among):
                continue
            low, high = min(first, start), max(last + 1, end)
            parts = _day_of(meant, plain, words[year], int(words[day][0]))
            if parts and not _APART.search(plain[words[low][1] : words[high - 1][2]]):
                found.append((rank, WrittenDate(words[low][1], words[high - 1][2], parts)))
                break
    return [one for _, one in sorted(found, key=lambda each: (each[0], each[1].start))]


def _spans(words: list[Piece], first: int, last: int, day: int, names: Names) -> Iterator[tuple[int, tuple[int, int]]]:
    """Where the month may be named, longest first, with a rank: between the two numbers, before a day that comes first,
    after one that comes last."""
    for length in range(min(last - first - 1, _WORDS), 0, -1):
        for start in range(first + 1, last - length + 1):
            yield (0 if day == first else 2), (start, start + length)
    for length in range(_WORDS, 0, -1):
        if day == first:
            end = first
            while end and words[end - 1][0] in names.beside:
                end -= 1
            for stop in range(first, end - 1, -1):
                if stop >= length:
                    yield 1, (stop - length, stop)
        elif last + length < len(words):
            yield 3, (last + 1, last + 1 + length)


def _roman(said: str) -> frozenset[tuple[str, int]]:
    return frozenset((("", _ROMAN[said]),)) if said in _ROMAN else frozenset()


def _day_of(meant: frozenset[tuple[str, int]], text: str, written: Piece, day: int) -> tuple[int, int, int] | None:
    year, end = int(written[0]), written[2]
    if len(written[0]) == 2:
        if not _ALONE.match(text, end):
            return None
        year = _whole(year)
    # Names of several calendars are told apart by the year; those of several months say nothing.
    days = {gregorian(calendar, year, month, day) for calendar, month in meant} - {None}
    (one,) = days if len(days) == 1 else (None,)
    return one if one and _EARLIEST <= one[0] <= _LATEST else None


def _widened(one: WrittenDate, text: str, plain: str, words: list[Piece], names: Names | None) -> WrittenDate:
    known = [names_of_main_languages(), *([names] if names else [])]
    beside = names.beside if names else ()
    before = [word for word in words if word[2] <= one.start][-3:]
    after = [word for word in words if word[1] >= one.end][:3]
    start, end = one.start, one.end
    for length in range(len(before), 0, -1):
        said = " ".join(word for word, _, _ in before[-length:])
        if any(said in each.weekdays for each in known):
            start = before[-length][1]
            break
    for length in range(len(after), 0, -1):
        said = " ".join(word for word, _, _ in after[:length])
        if (said in beside or any(said in each.weekdays for each in known)) and not plain[end : after[0][1]].strip(
            " ,.("
        ):
            end = after[length - 1][2]
            break
    if match := _TIME.match(text, end):
        end = match.end()
    return WrittenDate(start, end, one.parts)


_MONTH_FIRST_REGIONS = frozenset(("us", "fm", "mh", "pw", "pr", "gu"))
"""Where a numeric date begins with the month (CLDR); Canada, Kenya and the Philippines write both ways."""
_EITHER = frozenset(("ca", "ph", "ke", "gh", "pa"))
_AMERICAN = frozenset(("gov", "mil", "edu", "us"))
_NO_COUNTRY = frozenset(("tv", "io", "co", "ai", "me", "fm", "ly", "to", "cc", "ws"))
"""Endings that belong to a country and are used by everybody."""


def month_comes_first(locale: str | None, host: str = "") -> bool | None:
    """Whether numeric dates begin with the month, by the language tag of a page and its host; None: not known.

    'en-US' does, 'en-GB' does not; other languages without a region are as CLDR has them. English alone says nothing;
    then the country of the host decides, and of .com and the like nothing is known.
    """
    language, _, region = (locale or "").replace("_", "-").lower().partition("-")
    region = region.rpartition("-")[2]
    ending = host.lower().rstrip(".").rpartition(".")[2]
    if region in _EITHER or (not region and ending in _EITHER):
        return None
    if len(region) == 2:
        return region in _MONTH_FIRST_REGIONS
    if language and language != "en":
        return names_of(language).order == "M"
    if ending in _AMERICAN:
        return True
    return False if len(ending) == 2 and ending.isalpha() and ending not in _NO_COUNTRY else None
