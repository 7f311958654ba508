"""What a sentence of a filing or of the news measures: which quantity, for which period, on which basis, of which part.

A contradiction with a filing is a grave thing to say of a company. So whatever differs in one of these, or cannot be
told, makes two figures 'not comparable', and never a contradiction. Words and measures stand in `measures.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import NamedTuple

from inquest.desks.market.words import Form, Table, Words, table
from inquest.text.lexicon import pattern
from inquest.text.numerals import Bound
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, fold

_YEAR = regex(r"(?<![\w$€£.,-])(?:fiscal(?: year)?\s|fy\s?['’]?)?(?P<year>20\d\d)(?![\w%]|[.,]\d)", re.I)
_QUARTER = pattern(__name__, "quarter")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SPOKEN = pattern(__name__, "spoken")
_CALENDAR = pattern(__name__, "calendar")
_AS_OF = regex(rf"\b(?:at|as of|on)\s+(?:the end of\s+)?({_CALENDAR.pattern})", re.I)
_COMPARED = pattern(__name__, "compared")
_TO = regex(r"\s*(?:to|and|-|–)\s*")
_GLUED = regex(r"(?<=\d)\s?(?P<scale>M|mn|B|bn)\b(?=\s+[a-z]|[.,;)]|$)")
_PER_SHARE = regex(r"\s+(?:per|a|each)\s+(?:common |ordinary )?share\b", re.I)
_CLAUSE = regex(r"[;:]|, (?:and|while|but|with|representing)\b| while | but ")
_CUT_FROM = regex(r"^\s*(?:\w+\s+){0,2}(?:more|less|fewer|higher|lower|above|below|short of)\b")
_FROM = pattern(__name__, "from")
_NO_PLACE = pattern(__name__, "no_place")
_FAR = 80
"""Characters between a figure and the measure it is of, at most."""


class Measure(NamedTuple):
    """A quantity that is looked for."""

    name: str
    words: Form
    kind: str = "money"
    depends_on: tuple[str, ...] = ()


class _Table(Table):
    measure: tuple[Measure, ...]
    bases: dict[str, Form]
    said: dict[str, Form]
    whole: dict[str, Words]


class Measured(NamedTuple):
    """One quantity with what it is a quantity of."""

    measure: str
    quantity: Quantity
    change: bool
    """A growth or cut, in percent or by an amount, and no level."""
    basis: frozenset[str]
    scope: frozenset[str] = frozenset()
    """The part of the business that it is of; empty for the whole."""


def measures_named(text: str) -> frozenset[str]:
    """The quantities that a sentence speaks of, by our names for them."""
    plain = fold(text)
    found = {each.name for each in measures() if each.words.search(plain)}
    if "same-store sales" in found and not re.search(r"\brevenues?\b|\bnet sales\b", plain):
        found.discard("revenue")
    return frozenset(found)


def measured_in(text: str, company: str = "") -> tuple[Measured, ...]:
    """The quantities that a sentence gives, each with the measure named nearest to it; those with none are left out.
    `company`: whose they are, as far as it is known."""
    spelled = _GLUED.sub(lambda match: " million" if match["scale"][0].lower() == "m" else " billion", text)
    plain = fold(spelled) if len(fold(spelled)) == len(spelled) else spelled.lower()
    named = measures_named(spelled)
    places = [
        (Span(*match.span()), each) for each in measures() if each.name in named for match in each.words.finditer(plain)
    ]
    basis = frozenset(name for name, form in _table().bases.items() if form.search(plain))
    found = []
    for quantity in _ranged(spelled, quantities(spelled)):
        fitting = [place for place in places if _fits(place[1], quantity)]
        near = [place for place in fitting if not _CLAUSE.search(_between(plain, place[0], quantity.span))] or fitting
        if not near:
            continue
        place, measure = min(near, key=lambda each: _distance(each[0], quantity.span))
        if _distance(place, quantity.span) <= _FAR:
            found.append(_measured(spelled, place, measure, quantity, basis, company))
    return tuple(found)


def _measured(
    text: str, place: Span, measure: Measure, quantity: Quantity, basis: frozenset[str], company: str
) -> Measured:
    before, after = fold(text[max(0, quantity.span.start - 60) : quantity.span.start]), text[quantity.span.end :]
    percent = quantity.dimension in (Dimension.SHARE, Dimension.POINTS)
    by = bool(_by().search(before) or _CUT_FROM.match(fold(after[:40])))
    if quantity.bound is Bound.EXACT and re.search(r"\bexceed(?:s|ed|ing)?\s+(?:about\s+)?[$€£¥]?$", before):
        quantity = replace(quantity, bound=Bound.AT_LEAST)
    name = f"{measure.name} per share" if _PER_SHARE.match(after) and "per share" not in measure.name else measure.name
    scope = _scope_of(text, place, quantity.span, company)
    return Measured(name, quantity, (percent and measure.kind != "share") or by, basis, scope)


def periods_in(text: str, said: date | None) -> frozenset[str]:
    """The periods of accounts that a sentence names: '2026', '2026-Q1'. `said`: the day it was written, for 'this
    year'. A day or month of the calendar is no period of accounts."""
    plain = _COMPARED.sub(" ", _CALENDAR.sub(" ", text))
    years = [each["year"] for each in _YEAR.finditer(plain)]
    quarters = set()
    for match in _QUARTER.finditer(plain):
        number = match["q"] or _ORDINALS[match["w"].lower()]
        quarters.add(f"{match['y'] or next(iter(years), '?')}-Q{number}")
    if quarters or years or said is None:
        return frozenset(quarters or years)
    found = set()
    for match in _SPOKEN.finditer(plain):
        step = {"next": 1, "last": -1}.get((match["which"] or "").lower(), 0)
        place = said.year * 4 + (said.month - 1) // 3 + step
        of_year = bool(match["annual"]) or match["unit"].lower() == "year"
        found.add(str(said.year + step) if of_year else f"{place // 4}-Q{place % 4 + 1}")
    return frozenset(found)


def days_of_levels(text: str) -> frozenset[str]:
    """The days of which a sentence gives levels: 'At December 31, 2025 we held ...'."""
    return frozenset(fold(match[1]) for match in _AS_OF.finditer(text))


def says(what: str, text: str) -> bool:
    """Whether a sentence has words of one of the lists of `measures.toml`: 'ahead', 'less', 'more', 'part_of_period',
    'possible', 'others', 'strategy'."""
    return bool(_table().said[what].search(fold(text).replace("’", "'")))


def _scope_of(text: str, place: Span, quantity: Span, company: str) -> frozenset[str]:
    """The part of the business that a figure is of: the word before its measure ('gaming revenue', 'China sales'), or
    what follows 'from' or 'in' behind it."""
    whole, own = _table().whole["words"], {fold(word).strip(".,") for word in company.split()}
    found: set[str] = set()
    before = re.search(r"([\w&-]+)(?:['’]s)?\s*$", text[max(0, place.start - 40) : place.start])
    if before is not None:
        plain = fold(before[1])
        is_name = before[1][:1].isupper() and not company
        if plain not in whole | own | STOP_WORDS and not re.search(r"\d", plain) and not is_name:
            found.add(plain)
    for end in (place.end, quantity.end):
        after = re.sub(r"^\s+(?:revenue|sales|vehicles|units|cars)\b", "", text[end : end + 60])
        if (match := _FROM.match(after)) and not _NO_PLACE.match(match["name"]) and not re.search(r"\d", match["name"]):
            name = fold(match["name"])
            found |= {name} - whole - own
    return frozenset(found)


def _ranged(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """'$24 billion to $26 billion' and '12% to 14%' as the one range that each is; 'from 22 to 24' is a change."""
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


def _fits(measure: Measure, quantity: Quantity) -> bool:
    dimension = quantity.dimension
    if measure.kind == "time" or dimension is Dimension.DURATION:
        return measure.kind == "time" and dimension is Dimension.DURATION
    if measure.kind == "things":
        return dimension is not Dimension.FACTOR
    return dimension in ((Dimension.SHARE, Dimension.POINTS) if measure.kind == "share" else (
        Dimension.MONEY, Dimension.SHARE, Dimension.POINTS))  # fmt: skip


def _between(plain: str, place: Span, quantity: Span) -> str:
    return plain[min(place.end, quantity.end) : max(place.start, quantity.start)]


def _distance(place: Span, quantity: Span) -> int:
    return max(0, quantity.start - place.end, place.start - quantity.end)


def measures() -> tuple[Measure, ...]:
    """The quantities that are looked for, in the order of the table."""
    return _table().measure


@cache
def _table() -> _Table:
    return table("measures", _Table)


@cache
def _by() -> re.Pattern[str]:
    number = (
        r"about|approximately|around|roughly|some|nearly|almost|over|more than|at least|up to|as (?:many|much) as|an?|"
    )
    return re.compile(rf"{_table().said['by'].pattern}(?:\s+(?:{number}further|additional|another|its))*\s*[$€£¥]?$")
