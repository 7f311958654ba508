"""Measures in sentences of filings and news: the quantity with its period, basis and part of the business.

A contradiction with a filing is a grave accusation. Two figures that differ in one of these are 'not comparable', never
a contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from inquest.desks.market.events import forms
from inquest.entailment.changes import is_change
from inquest.text.lexicon import pattern
from inquest.text.numerals import Bound
from inquest.text.polarity import poles
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, fold

_SHARES = frozenset(("gross margin", "operating margin"))
_THINGS = frozenset(("deliveries", "production", "orders"))
_TIME = "cash runway"
DEPENDS_ON = {
    "deliveries": ("production", "orders"),
    "revenue": ("deliveries", "production", "orders"),
}
"""The quantities on which a quantity depends: less produced is less delivered."""
_YEAR = regex(r"(?<![\w$€£.,-])(?:fiscal(?: year)?\s|fy\s?['’]?)?(?P<year>20\d\d)(?![\w%]|[.,]\d)", re.I)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_QUARTER, _SPOKEN, _CALENDAR, _COMPARED, _WHOLE, _FROM, _NO_PLACE = (
    pattern(__name__, name) for name in ("quarter", "spoken", "calendar", "compared", "whole", "from", "no_place")
)
_AHEAD = pattern(__name__, "ahead")
_AS_OF = regex(rf"\b(?:at|as of|on)\s+(?:the end of\s+)?({_CALENDAR.pattern})", re.I)
_TO = regex(r"\s*(?:to|and|-|–)\s*")
_GLUED = regex(r"(?<=\d)\s?(?P<scale>M|mn|B|bn)\b(?=\s+[a-z]|[.,;)]|$)")
_PER_SHARE = regex(r"\s+(?:per|a|each)\s+(?:common |ordinary )?share\b", re.I)
_CLAUSE = regex(r"[;:]|, (?:and|while|but|with|representing)\b| while | but ")
_LESS_THAN = regex(r"^\s*(?:\w+\s+){0,2}(?:more|less|fewer|higher|lower|above|below|short of)\b")
_AXES = frozenset(("amount", "begin", "success"))
_FAR = 80
"""Maximum number of characters between a figure and its measure."""
_CUTS = regex(r"\b(?:cut|cuts|cutting|shed|add(?:s|ed)?|lay(?:s|ing)? off|laid off|hir\w+)\s+(?:about\s+|another\s+)?$")


class Measured(NamedTuple):
    """A quantity with its measure."""

    measure: str
    quantity: Quantity
    change: bool
    """A growth or cut, in percent or by an amount, not a level."""
    basis: frozenset[str]
    scope: frozenset[str] = frozenset()
    """The part of the business; empty for the whole."""


def measures_named(text: str) -> frozenset[str]:
    """The names of the measures in a sentence."""
    plain = fold(text)
    return frozenset(name for name, form in forms("quantities").items() if form.search(plain))


def measured_in(text: str, company: str = "") -> tuple[Measured, ...]:
    """The quantities in a sentence, each with the nearest measure; those without one are left out. `company`: their
    company, if known."""
    text = _GLUED.sub(lambda match: " million" if match["scale"][0].lower() == "m" else " billion", text)
    plain = fold(text) if len(fold(text)) == len(text) else text.lower()
    places = [
        (Span(*match.span()), name) for name, form in forms("quantities").items() for match in form.finditer(plain)
    ]
    basis = frozenset(name for name, form in forms("bases").items() if form.search(plain))
    found = []
    for quantity in _ranged(text, quantities(text)):
        span = quantity.span
        fitting = [place for place in places if _fits(place[1], quantity)]
        near = [each for each in fitting if not _CLAUSE.search(plain[slice(*_gap(each[0], span))])] or fitting
        place, measure = min(near, key=lambda each: _distance(each[0], span), default=(span, ""))
        if measure and _distance(place, span) <= _FAR:
            found.append(_measured(text, place, measure, quantity, basis, company))
    return tuple(found)


def _gap(one: Span, other: Span) -> tuple[int, int]:
    """The start and the end of the text between two spans."""
    return min(one.end, other.end), max(one.start, other.start)


def _distance(one: Span, other: Span) -> int:
    start, end = _gap(one, other)
    return max(0, end - start)


def _measured(
    text: str, place: Span, measure: str, quantity: Quantity, basis: frozenset[str], company: str
) -> Measured:
    before, after = text[: quantity.span.start], text[quantity.span.end :]
    percent = quantity.dimension in (Dimension.SHARE, Dimension.POINTS) and measure not in _SHARES
    change = percent or is_change(text, quantity) or bool(_LESS_THAN.match(after[:40]) or _CUTS.search(before))
    if quantity.bound is Bound.EXACT and re.search(r"\bexceed(?:s|ed|ing)?\s+(?:about\s+)?[$€£¥]?$", before):
        quantity = replace(quantity, bound=Bound.AT_LEAST)
    name = f"{measure} per share" if _PER_SHARE.match(after) and "per share" not in measure else measure
    return Measured(name, quantity, change, basis, _scope_of(text, place, quantity.span, company))


def periods_in(text: str, written: date | None) -> frozenset[str]:
    """The periods of accounts in a sentence: '2026', '2026-Q1'; without any, the day of a level. `written`: the day of
    the text, for 'this year'."""
    days = {match[1] for match in _AS_OF.finditer(text)}
    plain = _COMPARED.sub(" ", _CALENDAR.sub(" ", text))
    years = [each["year"] for each in _YEAR.finditer(plain)]
    quarters = set()
    for match in _QUARTER.finditer(plain):
        number = match["q"] or _ORDINALS[match["w"].lower()]
        quarters.add(f"{match['y'] or next(iter(years), '?')}-Q{number}")
    if quarters or years or written is None:
        return frozenset(quarters or years or days)
    found = set()
    for match in _SPOKEN.finditer(plain):
        step = {"next": 1, "last": -1}.get((match["which"] or "").lower(), 0)
        place = written.year * 4 + (written.month - 1) // 3 + step
        of_year = bool(match["annual"]) or match["unit"].lower() == "year"
        found.add(str(written.year + step) if of_year else f"{place // 4}-Q{place % 4 + 1}")
    return frozenset(found or days)


def looks_ahead(text: str) -> bool:
    """True for a sentence on what is expected or planned."""
    return bool(_AHEAD.search(text))


def direction_of(text: str) -> int:
    """+1 if a sentence reports more of something, -1 if less; 0 for neither or both."""
    signs = {pole.sign for pole in poles(text) if pole.axis in _AXES}
    return signs.pop() if len(signs) == 1 else 0


def _scope_of(text: str, place: Span, quantity: Span, company: str) -> frozenset[str]:
    """The part of the business of a figure: the word before its measure ('gaming revenue', 'China sales'), or the words
    after 'from' or 'in' behind it."""
    own = {fold(word).strip(".,") for word in company.split()}
    found: set[str] = set()
    before = re.search(r"([\w&-]+)(?:['’]s)?\s*$", text[max(0, place.start - 40) : place.start])
    if before is not None and not re.search(r"\d", before[1]) and (company or before[1][:1].islower()):
        found.add(fold(before[1]))
    for end in (place.end, quantity.end):
        after = re.sub(r"^\s+(?:revenue|sales|vehicles|units|cars)\b", "", text[end : end + 60])
        match = _FROM.match(after)
        if match and not _NO_PLACE.match(match["name"]) and not re.search(r"\d", match["name"]):
            found.add(fold(match["name"]))
    return frozenset(each for each in found - own - STOP_WORDS if not _WHOLE.fullmatch(each))


def _ranged(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """Join the ends of ranges such as '$24 billion to $26 billion' and '12% to 14%'; 'from 22 to 24' is a change."""
    merged: list[Quantity] = []
    for quantity in found:
        last = merged[-1] if merged else None
        if last is not None and _makes_range(text, last, quantity):
            span = Span(last.span.start, quantity.span.end)
            merged[-1] = replace(quantity, span=span, text=span.of(text), low=last.low, bound=Bound.RANGE)
        else:
            merged.append(quantity)
    return merged


def _makes_range(text: str, last: Quantity, quantity: Quantity) -> bool:
    alike = (last.dimension, last.bound) == (quantity.dimension, Bound.EXACT) and last.unit in (quantity.unit, "")
    joined = bool(_TO.fullmatch(text[last.span.end : quantity.span.start]))
    return alike and joined and last.low < quantity.high and not re.search(r"\bfrom\s+$", text[: last.span.start], re.I)


def _fits(measure: str, quantity: Quantity) -> bool:
    dimension = quantity.dimension
    if measure == _TIME or dimension is Dimension.DURATION:
        return measure == _TIME and dimension is Dimension.DURATION
    if measure in _THINGS:
        return dimension is not Dimension.FACTOR
    if dimension in (Dimension.SHARE, Dimension.POINTS):
        return True
    return measure not in _SHARES and dimension is Dimension.MONEY
