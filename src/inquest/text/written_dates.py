"""Full dates as pages print them, with their place in the text: in the languages of the Unicode CLDR, in numbers, and
in other calendars.

03/05/2024 gives a day only if the order of month and day is known, else only its year. With dots, the day comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from inquest.text.calendars import (
    ROMAN,
    Names,
    Piece,
    fold,
    gregorian,
    has_persian_digits,
    names_everywhere,
    names_of,
    other_calendars,
    pieces,
)
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_NUMBERS = tuple(
    regex(form)
    for form in (
        r"(?<![\w/.-])(?P<year>1[5-9]\d\d|20\d\d) ?(?P<sign>[-/.]) ?(?P<month>0?[1-9]|1[0-2]) ?(?P=sign) ?"
        r"(?P<day>0?[1-9]|[12]\d|3[01])(?:(?=t\d\d)|(?![a-z\d/-]))",
        r"(?<![\w/.-])(?P<one>\d{1,2}) ?(?P<sign>[-/.]) ?(?P<two>\d{1,2}|[ivx]{1,4}) ?(?P=sign) ?"
        r"(?P<year>(?:19|20)\d\d)(?![a-z\d/-]|\.\d)",
        r"(?<![\w/.:-])(?P<one>\d{1,2}) ?(?P<sign>[-/.]) ?(?P<two>\d{1,2}) ?(?P=sign) ?(?P<year>\d\d)"
        r"(?![a-z\d/:-]|[.,]\d)",
    )
)
_YEAR = regex(r"(?<!\d)(?<!\d[./])(?:1[3-9]\d\d|2[0-6]\d\d)(?!\d|[.,/]\d)")
_DAY = regex(r"(?<!\d)(?<!\d[.,/:])(?:0?[1-9]|[12]\d|3[01])(?![\d:]|/(?![^\W\d_])|\.\d|,\d(?!\d{3}(?!\d)))")
_SMALL_ROMAN = regex(r"\d\s[ivx]+\s\d")  # '20 x 2000', '5 i 2023': no month, unlike capitals
_CUT_YEAR = regex(r"(?<=['’‘])\d\d(?!\d)")
"""A year without its century: Mar 5 '24."""
_SHORT_YEAR, _BUDDHIST = regex(r"[4-9]\d"), 2500
"""Two digits after a Thai month that are a year of this Buddhist century from 2540 (1997), and its first year."""
_THAI = regex(r"[\u0e00-\u0e7f]")
_LONGEST = 6  # Words of the longest name of a month
_SUFFIX = 3  # Letters of the longest ordinal ending ('5th', '5ed')
_CENTURY = 69  # Last two-digit year of this century (POSIX)
_EARLIEST, _LATEST = 1500, 2099
_TIME = pattern(__name__, "time")
_CLOCK = regex(r"(?<![\d:.])\d\d?:\d\d:\d\d(?: ?[ap]m)?(?: ?[+-]\d\d:?\d\d| [a-z]{1,5})?(?= +\d{4}(?!\d))")
"""A time before the year, as in Unix dates: 'Wed Oct 10 20:19:24 UTC 2018'."""
_HIJRI = regex(r"(?<!\d)\d{1,2}(?:\s+[^\W\d_]+){1,2}\s+1[34]\d\d\s*[هھ]ـ?[\s.,،/–—-]*(?:الموافق\s*)?$")
"""A day of the Islamic calendar before the Gregorian one: '24 شعبان 1445هـ الموافق'."""
_LONGEST_HIJRI = 60  # Characters

# Each word or number of a text is one letter here: Day, Year, Month, Weekday, Month or Weekday (N), a word Beside them,
# Time before a year, or X for anything else; small letters are the further words of a name.
_FORMS = tuple(
    regex(form.replace("M", "[MN]m*").replace("_", "[BWw]*"))
    for form in ("(D)_(M)_T*(Y)", "(Y)_(M)_(D)", "(M)_(D)_T*(Y)", "(Y)_(D)_(M)")
)
_DAY_BEFORE, _DAY_AFTER = regex(r"[WN]w*B*$"), regex(r"B?(?:[WN]w*)?")
_LIKELY = regex(r"D[BXMNWmw]{1,5}T*Y|DT+Y|Y[BXMNWmw]{1,5}D|[XMNmB]DB?Y|YB?D[XMN]")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date with its place, which includes an adjacent weekday and time. `parts`: Gregorian year, month and day, as
    many as are known."""

    start: int
    end: int
    parts: tuple[int, ...]


def written_dates(text: str, *, month_first: bool | None = None, language: str | None = None) -> list[WrittenDate]:
    """The full dates in a text, in order, without overlaps; a month and year alone are left out. `month_first`: True if
    03/05/2024 is in March, None if unknown. `language` is the code of the language of names (besides English) and sets
    the calendar of bare years. Without it, names of all listed languages are read, except those that mean several
    months."""
    if not any(map(str.isdecimal, text)) and "年" not in text:
        return []
    plain = fold(text)
    calendar = "fa" if has_persian_digits(text) else language
    found = [WrittenDate(*date) for date in other_calendars(plain, calendar)]
    lookups: list[Callable[[], Names]] = [partial(names_of, language or "en")]
    lookups.append(partial(names_of, "en") if language else names_everywhere)
    _add(found, (date for form in _NUMBERS for date in _of_numbers(form, plain, month_first)))
    words = pieces(plain)
    for lookup in lookups:
        kinds, months = _kinds(plain, words, lookup())
        named = _of_names(plain, words, kinds, months)
        _add(found, (one for one in named if not _SMALL_ROMAN.search(text, one.start, one.end)))
        found = [_widened(one, found, (plain, text), words, kinds) for one in found]
        left = "".join("-" if _taken(found, *word[1:]) else kind for word, kind in zip(words, kinds, strict=True))
        if not _LIKELY.search(left):
            break
    return sorted((one for one in found if one.parts), key=lambda one: one.start)


def _add(found: list[WrittenDate], candidates: Iterator[WrittenDate]) -> None:
    for one in candidates:
        if not _taken(found, one.start, one.end):
            found.append(one)


def _taken(found: list[WrittenDate], start: int, end: int) -> bool:
    return any(start < other.end and other.start < end for other in found)


def _of_numbers(form: re.Pattern[str], text: str, month_first: bool | None) -> Iterator[WrittenDate]:
    for match in form.finditer(text):
        fields = match.groupdict()
        if "one" not in fields:
            parts: tuple[int, ...] | None = (int(fields["year"]), int(fields["month"]), int(fields["day"]))
        elif len(fields["year"]) == 2 and month_first is None and fields["sign"] != ".":
            parts = None  # any of the three may be the year
        else:
            year = int(fields["year"])
            year += _century(year) if len(fields["year"]) == 2 else 0
            roman = ROMAN.get(fields["two"])
            two = roman or (int(fields["two"]) if fields["two"].isdigit() else 0)
            parts = _in_order(year, int(fields["one"]), two, fields["sign"], False if roman else month_first)
        if parts and (len(parts) < 3 or gregorian("", parts[0], parts[1], parts[2])):
            yield WrittenDate(match.start(), match.end(), parts)


def _century(year: int) -> int:
    return 2000 - 100 * (year > _CENTURY)


def _in_order(year: int, one: int, two: int, sign: str, month_first: bool | None) -> tuple[int, ...] | None:
    """The year, month and day of a date whose year comes last, or only its year if either number may be the month; None
    if it is not a date."""
    if sign == ".":
        month_first = False
    if one > 12 or two > 12 or one == two:
        month_first = two > 12
    if month_first is None:
        return (year,)
    month, day = (one, two) if month_first else (two, one)
    return (year, month, day) if 1 <= month <= 12 else None


def _kinds(plain: str, words: list[Piece], names: Names) -> tuple[str, dict[int, frozenset[tuple[str, int]]]]:
    """The kinds of words, one letter each (see _FORMS), and the months of those that name one, by their place."""
    kinds: list[str] = []
    months: dict[int, frozenset[tuple[str, int]]] = {}
    clocks = [match.span() for match in _CLOCK.finditer(plain)]
    while len(kinds) < len(words):
        at = len(kinds)
        word, start, end = words[at]
        if any(begun <= start < over for begun, over in clocks):
            kinds.append("T")
            continue
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            key = " ".join(piece for piece, _, _ in words[at : at + length])
            meant = names.months.get(key)
            # 'مارس/آذار': the month in two calendars' names.
            if meant and at and kinds[-1] in "Mm" and plain[words[at - 1][2] : start].strip() == "/":
                kinds += "B" * length
                break
            if meant or key in names.weekdays:
                kinds.append(("N" if key in names.weekdays else "M") if meant else "W")
                kinds += ("m" if meant else "w") * (length - 1)
                months |= {at: meant} if meant else {}
                break
        else:
            is_suffix = at and words[at - 1][2] == start and kinds[-1] in "DY" and end - start <= _SUFFIX
            if word.isdigit():
                short = _SHORT_YEAR.fullmatch(word) and at and kinds[-1] in "Mm" and _THAI.match(words[at - 1][0])
                short = short or (at and kinds[-1] in "DBMmN" and _CUT_YEAR.match(plain, start))
                kinds.append("Y" if short or _YEAR.match(plain, start) else "D" if _DAY.match(plain, start) else "X")
            else:
                kinds.append("B" if word in names.beside or (is_suffix and word.isalpha()) else "X")
    return "".join(kinds), months


def _of_names(
    plain: str, words: list[Piece], kinds: str, months: dict[int, frozenset[tuple[str, int]]]
) -> Iterator[WrittenDate]:
    """Yield the dates with the name of a month, the more likely order of day, month and year first."""
    for form in _FORMS:
        for match in form.finditer(kinds):
            places = {kinds[match.start(group)]: match.start(group) for group in (1, 2, 3)}
            month, day = places.get("M", places.get("N", 0)), words[places["D"]][0]
            year = int(words[places["Y"]][0])
            is_cut = _CUT_YEAR.match(plain, words[places["Y"]][1])
            year += _century(year) if is_cut else _BUDDHIST * (year < 100)
            # The year decides between calendars of one name; nothing decides between several months.
            days = {gregorian(calendar, year, of, int(day)) for calendar, of in months[month]} - {None}
            parts = next(iter(days)) if len(days) == 1 else None
            if len(days) > 1 or (parts and _EARLIEST <= parts[0] <= _LATEST):
                yield WrittenDate(words[match.start()][1], words[match.end() - 1][2], parts or ())


def _widened(
    one: WrittenDate, found: list[WrittenDate], texts: tuple[str, str], words: list[Piece], kinds: str
) -> WrittenDate:
    """Extend a date by its day of the Islamic calendar before it, the weekday before or after it, and the time, which
    is not part of another date (12.03.2023)."""
    plain, text = texts
    last = sum(word[1] < one.end for word in words)
    start, end = _with_weekday(one.start, words, kinds), one.end
    if hijri := _HIJRI.search(plain, max(0, start - _LONGEST_HIJRI), start):
        start = _with_weekday(hijri.start(), words, kinds)
    after = _DAY_AFTER.match(kinds, last)
    # Only spaces and the signs of dates may come between.
    if after and after.end() > last and not plain[end : words[last][1]].strip(" ,.("):
        end = words[after.end() - 1][2]
    if (match := _TIME.match(text, end)) and not _taken(found, end, match.end()):
        end = match.end()
    return WrittenDate(start, end, one.parts)


def _with_weekday(start: int, words: list[Piece], kinds: str) -> int:
    before = _DAY_BEFORE.search(kinds[: sum(word[2] <= start for word in words)])
    return words[before.start()][1] if before else start


def month_first_in(text: str) -> set[bool]:
    """Return the orders of a text's dates with slashes, of which one number can be only the day."""
    found = (match for match in _NUMBERS[1].finditer(text) if match["sign"] == "/")
    return {int(each["two"]) > 12 for each in found if (int(each["one"]) > 12) != (int(each["two"]) > 12)}


_EITHER = frozenset(("ca", "ph", "ke", "gh", "pa"))  # Countries that use both orders
_AMERICAN = frozenset(("gov", "mil", "edu", "us"))
_NO_COUNTRY = frozenset(("tv", "io", "co", "ai", "me", "fm", "ly", "to", "cc", "ws"))
"""Country domains that are used worldwide."""


def month_comes_first(locale: str | None, host: str = "") -> bool | None:
    """True if numeric dates begin with the month, by the language tag and the host of a page; None if unknown. A
    language with a region ('en-US' does, 'en-GB' does not), and any language but English, follows CLDR. For English
    alone the country of the host decides; generic domains such as .com leave it unknown."""
    tag = (locale or "").replace("-", "_")
    language, _, region = tag.lower().partition("_")
    region = region.rpartition("_")[2]
    ending = host.lower().rstrip(".").rpartition(".")[2]
    if region in _EITHER or (not region and ending in _EITHER):
        return None
    if len(region) == 2 or language not in ("", "en"):
        from babel import Locale, UnknownLocaleError

        try:
            return region in _AMERICAN or Locale.parse(tag).date_formats["short"].pattern.startswith("M")
        except (ValueError, UnknownLocaleError):
            return names_of(language).month_first if language != "en" else False
    if ending in _AMERICAN:
        return True
    return False if len(ending) == 2 and ending.isalpha() and ending not in _NO_COUNTRY else None
