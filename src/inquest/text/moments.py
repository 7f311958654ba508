"""Dates in an English text, with their place, precision and period. There is no clock here: relative dates ('last
Tuesday') are resolved only against a reference date."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from inquest.domain.document import Precision
from inquest.text.dates import MONTHS, WEEKDAYS
from inquest.text.lexicon import pattern
from inquest.text.phrases import capitalised, day
from inquest.text.regex import regex
from inquest.text.sentences import Span
from inquest.text.units import WORD_NUMBERS


@dataclass(frozen=True, slots=True)
class Moment:
    """A date in a text: the first and the last day it can mean."""

    span: Span
    start: date
    end: date
    precision: Precision
    order: str = ""  # before, after, since, until or by, if such a word precedes the date; '' otherwise
    relative: bool = False  # The date was counted from the reference date

    @property
    def iso(self) -> str:
        """ISO 8601, to the precision of the date. A quarter or a decade gives its first month or year."""
        length = {Precision.YEAR: 4, Precision.MONTH: 7}.get(self.precision, 10)
        return self.start.isoformat()[:length]

    def overlaps(self, other: Moment) -> bool:
        """True if both can mean the same day."""
        return self.start <= other.end and other.start <= self.end


_QUOTED = regex(r"([\"“][^\"”]*[\"”])")
_SOON = timedelta(days=150)  # Maximum age of a day without a year that is resolved to the nearest such day
_RELATIVE = regex(r"(?:(?:on\s+|last\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|this)$", re.I)
_DAY_MONTH = regex(r"\d{1,2}(?:st|nd|rd|th)?\s+[A-Z][a-z]+$|[A-Z][a-z]+\s+\d{1,2}(?:st|nd|rd|th)?$")
_PART_OF_DAY = regex(r"\s+(morning|afternoon|evening|night)\b")
_ON = regex(r"\b(?:on|of|since|until|by|from)\s+$")
_ORDINALS = "first second third fourth".split()
_MONTH = r"(?P<{0}>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d|21\d\d)"

# Forms are tried in this order, so that the fuller form wins.
_FORMS = {
    name: regex(form, re.IGNORECASE | re.VERBOSE)
    for name, form in {
        "iso": rf"(?<![\w-]){_YEAR}-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?![\d-])(?:T[\d:.]+Z?)?",
        "dots": rf"(?<![\w.]){_DAY}\.\s?(?P<month>0?[1-9]|1[0-2])\.\s?{_YEAR}(?!\w|\.\d)",
        "slashes": r"(?<![\w/])(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>(?:19|20)\d\d)(?![\w/])",
        "day_first": rf"(?<![\w.,])(?:{_DAY}(?:st|nd|rd|th)?\.?\s*(?:-|–|to|and|/)\s*)?"
        rf"{_DAY.replace('day', 'day2')}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH.format('name')}"
        rf"(?:,?\s+(?:in\s+)?{_YEAR}(?!\w|[.,]\d))?",
        "month_first": rf"\b{_MONTH.format('name')}\s+{_DAY}(?:st|nd|rd|th)?(?![\d%])"
        rf"(?!\s*(?:%|per\s?cent|million|billion))(?:\s*(?:-|–|to)\s*(?:[12]?\d|3[01])(?![\d]))?(?:,?\s+{_YEAR}(?!\w|[.,]\d))?",
        "month_year": rf"\b{_MONTH.format('name')},?\s+(?:of\s+)?{_YEAR}(?!\w|[.,]\d)",
        "quarter": rf"\b(?:(?:Q(?P<q>[1-4])|(?P<qw>first|second|third|fourth)\s+quarter)(?:\s+of)?[\s/-]+"
        rf"(?:FY\s?)?{_YEAR}|{_YEAR.replace('year', 'year2')}[\s-]?Q(?P<q2>[1-4]))(?!\w)",
        "decade": r"\b(?P<decade>1[5-9]\d0|20\d0)'?s\b",
        "year": rf"(?:(?<![\w.,/:#$€£+–-])|(?<=[12]\d\d\d[/–-]))(?:FY\s?)?{_YEAR}"
        r"(?!\w|[.,]\d|-\d\d\d\d\d|\s?(?:%|°|per\s?cent|percent|million|billion|thousand))",
        "bare_month": rf"\b(?:in|of|since|until|by|early|late|mid|last|next|this)[\s-]{_MONTH.format('name')}(?!\w)",
        "ago": rf"(?<![\d.,])\b(?P<count>\d{{1,3}}|{'|'.join(list(WORD_NUMBERS)[1:13])}|an?)\s+"
        r"(?P<unit>day|week|month|year)s?\s+(?:ago|earlier)\b",
        "relative": r"\b(?P<which>last|this|past|next)\s+(?P<unit>week|month|year|weekend)\b",
        "weekday": rf"\b(?P<which>last|on|this|next)\s+(?P<weekday>{'|'.join(WEEKDAYS)})\b",
        "day_word": r"\b(?P<word>yesterday|today|tomorrow|this(?=\s+(?:morning|afternoon|evening)\b))",
    }.items()
}
_ORDER = pattern(__name__, "order")
_ORDER_WORDS = {"prior to": "before", "following": "after", "till": "until"}
# Four digits before such words are a count: '2000 people' (the comma of '2,000 people' is enough by itself).
_NUMBERED_AFTER = pattern(__name__, "numbered_after")
# A number before such words is an amount even after 'of', 'to' or 'by': 'of 1600 euros', 'to 1800 kg'. After 'in' it is
# the year of the money: 'in 2010 dollars'.
_MEASURED_AFTER = pattern(__name__, "measured_after")
_MONEY_OF = regex(r"\bin\s+$", re.I)
_YEAR_BEFORE = pattern(__name__, "year_before")


def moments(text: str, reference: date | None = None) -> tuple[Moment, ...]:
    """The dates in a text, in order, without overlaps. `reference` is the day the text was written (its published
    date); without it, 'yesterday', 'last March' and '14 March' without a year are ambiguous and left out. 03/04/2024
    can be two days, so only its year is taken."""
    found = []
    for name, match in _matches(text):
        if (period := _period(name, match, reference)) is None:
            continue
        before = _ORDER.search(text[max(0, match.start() - 24) : match.start()])
        order = before.group(1).lower() if before else ""
        relative = name == "bare_month" or not any(map(match.groupdict().get, ("year", "year2", "decade")))
        order = _ORDER_WORDS.get(order, order)
        found.append(Moment(Span(*match.span()), *period, order=order, relative=relative))
    return tuple(found)


def with_days(sentence: str, reference: date | None) -> str:
    """Write out relative days ('on Thursday', '14 March'), by the day of writing, `reference`. Words in quotation marks
    and uncertain dates stay unchanged."""
    if reference is None:
        return sentence
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    for moment in reversed(moments(sentence, reference)):
        start = moment.span.start
        words = moment.span.of(sentence).rstrip(".")  # the full stop after 'March' may be the sentence's
        exact = moment.precision is Precision.DAY and moment.start == moment.end
        inside = any(first <= start < last for first, last in quoted)
        if not moment.relative or not exact or inside or not timedelta() <= reference - moment.start <= _SOON:
            continue
        written = day(datetime.combine(moment.start, time.min, UTC))
        before, after = sentence[:start], sentence[start + len(words) :]
        if part := _PART_OF_DAY.match(after):
            written, after = f"the {part.group(1)} of {written}", after[part.end() :]
        elif not (_RELATIVE.search(words) or _DAY_MONTH.search(words)):
            continue
        if _RELATIVE.search(words) and not _ON.search(before):
            written = f"on {written}"
        sentence = f"{before}{written if before.strip() else capitalised(written)}{after}"
    return sentence


def date_like_spans(text: str) -> tuple[Span, ...]:
    """Every span of a date or part of one, resolvable or not: digits that are not quantities."""
    return tuple(Span(*match.span()) for _, match in _matches(text))


_HINT = regex(
    r"\d{4}|\b(?:"
    + "|".join(MONTHS)
    + r"|ago|earlier|week|month|year|weekend|tomorrow|\w+day|morning|afternoon|evening)\b",
    re.I,
)


@lru_cache(maxsize=2048)
def _matches(text: str) -> tuple[tuple[str, re.Match[str]], ...]:
    if not _HINT.search(text):
        return ()
    found: list[tuple[str, re.Match[str]]] = []
    for name, form in _FORMS.items():
        for match in form.finditer(text):
            overlaps = any(match.start() < other.end() and other.start() < match.end() for _, other in found)
            if not overlaps and _plausible(name, match, text):
                found.append((name, match))
    return tuple(sorted(found, key=lambda item: item[1].start()))


def _plausible(name: str, match: re.Match[str], text: str) -> bool:
    if name == "year":
        if _MEASURED_AFTER.match(text, match.end()):
            return bool(_MONEY_OF.search(text[max(0, match.start() - 4) : match.start()]))
        if _YEAR_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
            return True
        return not _NUMBERED_AFTER.match(text, match.end())
    month = match.groupdict().get("name")
    return month is None or month[0].isupper()  # 'may' and 'march' in lower case are verbs


_Period = tuple[date, date, Precision]


def _period(name: str, match: re.Match[str], reference: date | None) -> _Period | None:
    groups = match.groupdict()
    year = int(groups.get("year") or groups.get("year2") or 0)
    month = MONTHS[groups["name"].lower()] if groups.get("name") else 0
    found: _Period | None = None
    match name:
        case "iso" | "dots":
            found = _day(year, int(groups["month"]), int(groups["day"]))
        case "slashes":
            first, second = int(groups["first"]), int(groups["second"])
            known = first == second or max(first, second) > 12 >= min(first, second)
            found = _day(year, *(sorted((first, second)))) if known else _months(year, 1, 12)
        case "day_first" | "month_first":
            day = int(groups.get("day2") or groups["day"])
            found = _day(year, month, day) if year else _nearest_before(month, day, reference)
        case "bare_month":
            found = _months(reference.year - (month > reference.month), month, 1) if reference else None
        case "quarter":
            quarter = groups["q"] or groups["q2"] or _ORDINALS.index(groups["qw"].lower()) + 1
            found = _months(year, 3 * int(quarter) - 2, 3)
        case "decade":
            decade = int(groups["decade"])
            found = date(decade, 1, 1), date(decade + 9, 12, 31), Precision.YEAR
        case _ if year:
            found = _months(year, month, 1) if month else _months(year, 1, 12)
        case _ if reference:
            found = _counted(name, groups, reference)
    return found


def _counted(name: str, groups: dict[str, str], reference: date) -> _Period | None:
    """The period of words relative to the reference date."""
    if name == "day_word":
        away = {"yesterday": -1, "tomorrow": 1}.get(groups["word"].lower(), 0)
        return _days(reference + timedelta(days=away))
    which = (groups.get("which") or "").lower()
    if name == "weekday":
        back = (reference.weekday() - WEEKDAYS.index(groups["weekday"].lower())) % 7
        # On a Tuesday, 'last Tuesday' is a week ago and 'on Tuesday' is today.
        away = 7 - back if which == "next" else -7 if which == "last" and back == 0 else -back
        return _days(reference + timedelta(days=away))
    unit = groups["unit"].lower()
    if name == "ago":
        written = groups["count"].lower()
        count = int(written) if written.isdigit() else int(WORD_NUMBERS.get(written, 1))
        if unit in ("day", "week"):
            day = reference - timedelta(days=count * (7 if unit == "week" else 1))
            return _days(day) if unit == "day" else _days(day - timedelta(days=3), day + timedelta(days=3))
    else:
        count = {"last": 1, "past": 1, "this": 0, "next": -1}[which]
        if unit in ("week", "weekend"):
            monday = reference - timedelta(days=reference.weekday() + 7 * count)
            return _days(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6))
    if unit == "year":
        return _months(reference.year - count, 1, 12)
    ordinal = reference.year * 12 + reference.month - 1 - count
    return _months(ordinal // 12, ordinal % 12 + 1, 1)


def _days(first: date, last: date | None = None) -> _Period:
    return first, last or first, Precision.DAY


def _day(year: int, month: int, day: int) -> _Period | None:
    return _days(date(year, month, day)) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None


def _months(year: int, month: int, count: int) -> _Period | None:
    """The period of `count` months of a year; twelve have the precision of a year."""
    if not 1 <= year <= 9999:
        return None
    last = month + count - 1
    precision = Precision.YEAR if count == 12 else Precision.MONTH
    return date(year, month, 1), date(year, last, monthrange(year, last)[1]), precision


def _nearest_before(month: int, day: int, reference: date | None) -> _Period | None:
    """The last such day up to a week after the reference: texts are about the past and the days just ahead."""
    periods = [_day(year, month, day) for year in (reference.year, reference.year - 1)] if reference else []
    return next((one for one in periods if one and reference and one[0] <= reference + timedelta(days=7)), None)
