"""What a sentence of a filing or of the news measures: which quantity, for which period, on which basis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from inquest.desks.market.filing_scopes import is_amount_of_change, scope_of, starts_at
from inquest.text.quantities import Bound, Dimension, Quantity, quantities
from inquest.text.sentences import Span, fold

__all__ = ["Measured", "measured_in", "measures_named", "periods_in"]

_MEASURES = {
    "gross margin": "gross margins?",
    "operating margin": "operating margins?|ebit margins?",
    "free cash flow": "free cash flow",
    "capital spending": "capital (?:spending|expenditures?)|capex",
    "earnings per share": "earnings per share|eps|profit per share",
    "operating profit": "operating (?:profit|income)|ebit",
    "net income": "net (?:income|profit|loss)",
    "ebitda": "ebitda",
    "deliveries": "deliver(?:y|ies|ed|s|ing)?(?! on\\b)",
    "shipments": "ship(?:ments?|ped)",
    "production": "produc(?:tion|e|es|ed|ing)|output|manufactur(?:e|ed|ing)",
    "revenue": "revenues?|turnover|net sales|(?<!same-store )(?<!unit )sales",
    "same-store sales": "same-store sales|comparable sales|like-for-like sales",
    "subscribers": "subscribers?|paying users",
    "headcount": "headcount|workforce|jobs|employees",
    "stores": "stores|outlets|restaurants",
    "orders": "orders|bookings|backlog",
    "capacity": "capacity",
    "dividend": "dividends?",
    "buyback": "buybacks?|share repurchases?",
    "costs": "(?:operating |total )?costs|expenses",
}
_PERIOD_YEAR = re.compile(
    r"(?<![\w$€£.,-])(?:(?P<fiscal>fiscal(?: year)?|fy)\s?['’]?)?(?P<year>20\d\d)(?![\w%]|[.,]\d)", re.I
)
_QUARTER = re.compile(
    r"\b(?:Q(?P<q>[1-4])|(?P<w>first|second|third|"
    r"fourth)(?:[- ]fiscal)?[- ]quarter)(?:\s+of)?(?:\s+(?:fiscal\s+)?(?P<y>20\d\d))?",
    re.I,
)
_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SPOKEN = re.compile(r"\b(?P<which>this|next|last|full|current)[- ](?P<unit>year|quarter)\b", re.I)
_DATES = re.compile(
    r"\b(?:in|on|since|by|of|until)?\s*(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?\s+(?:\d{1,2},?\s+)?20\d\d\b",
    re.I,
)
_COMPARED = re.compile(
    r"\b(?:over|from|against|versus|vs\.?|than(?: in)?|compared (?:with|to)|relative to|above|"
    r"below)\s+(?:fiscal\s+|FY\s?)?"
    r"(?:Q[1-4]\s+)?20\d\d\b",
    re.I,
)
_TO = re.compile(r"\s*(?:to|and|-|–)\s*")
_GLUED = re.compile(r"(?<=\d)\s?(?P<scale>M|mn|B|bn)\b(?=\s+[a-z]|[.,;)]|$)")
_PER_SHARE = re.compile(r"\s+(?:per|a|each)\s+(?:common |ordinary )?share\b", re.I)
_BASES = (
    ("adjusted", re.compile(r"\b(?:adjusted|non-gaap|underlying|pro forma|excluding (?:items|one-offs))\b")),
    ("as reported (GAAP)", re.compile(r"(?<!non-)\bgaap\b|\breported basis\b|\bunder ifrs\b")),
    ("constant currency", re.compile(r"\b(?:constant|comparable|fixed) currenc(?:y|ies)\b|\bcurrency[- ]neutral\b")),
    ("authorised", re.compile(r"\b(?:authori[sz]\w+|approv(?:ed|es|al))\b")),
    ("organic", re.compile(r"\borganic(?:ally)?\b")),
)


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
    found = {name for name, form in _forms() if form.search(plain)}
    if "same-store sales" in found and not re.search(r"\brevenues?\b|\bnet sales\b", plain):
        found.discard("revenue")
    return frozenset(found)


def measured_in(text: str, company: str = "") -> tuple[Measured, ...]:
    """The quantities that a sentence gives, each with the measure named nearest to it; those with none are left out.
    `company`: whose they are, as far as it is known."""
    spelled = _GLUED.sub(lambda match: " million" if match["scale"][0].lower() == "m" else " billion", text)
    plain = fold(spelled)
    if len(plain) != len(spelled):
        plain = spelled.lower()
    places = [(match.start(), match.end(), name) for name, form in _forms() for match in form.finditer(plain)]
    places = [(start, end, name) for start, end, name in places if name in measures_named(spelled)]
    basis = frozenset(name for name, form in _BASES if form.search(plain))
    found = []
    for quantity in _ranged(spelled, quantities(spelled)):
        if not places or quantity.dimension is Dimension.DURATION:
            continue
        clause = [place for place in places if not _apart(plain, place, quantity)]
        start, end, name = min(clause or places, key=lambda place: _distance(place, quantity))
        if _distance((start, end, name), quantity) > 80 or not _fits(name, quantity):
            continue
        percent = quantity.dimension in (Dimension.SHARE, Dimension.POINTS)
        change = (percent and "margin" not in name) or is_amount_of_change(spelled, quantity.span)
        if quantity.bound is Bound.EXACT and starts_at(spelled, quantity.span):
            quantity = replace(quantity, bound=Bound.AT_LEAST)
        if _PER_SHARE.match(spelled[quantity.span.end :]) and "per share" not in name:
            name = f"{name} per share"
        scope = scope_of(spelled, Span(start, end), quantity.span, company)
        found.append(Measured(name, quantity, change, basis, scope))
    return tuple(found)


def periods_in(text: str, said: date | None) -> frozenset[str]:
    """The periods of accounts that a sentence names: '2026', '2026-Q1'. `said`: the day it was written, for 'this
    year'.

    A day or month of the calendar is no period of accounts.
    """
    plain = _COMPARED.sub(" ", _DATES.sub(" ", text))
    found: set[str] = set()
    for match in _QUARTER.finditer(plain):
        number = match["q"] or _WORDS[match["w"].lower()]
        years = [match["y"]] if match["y"] else [each["year"] for each in _PERIOD_YEAR.finditer(plain)]
        found.add(f"{years[0]}-Q{number}" if years else f"?-Q{number}")
    if found:
        return frozenset(found)
    found = {match["year"] for match in _PERIOD_YEAR.finditer(plain)}
    if not found and said is not None:
        for match in _SPOKEN.finditer(plain):
            which, unit = match["which"].lower(), match["unit"].lower()
            step = {"next": 1, "last": -1}.get(which, 0)
            if unit == "year":
                found.add(str(said.year + step))
            else:
                place = said.year * 4 + (said.month - 1) // 3 + step
                found.add(f"{place // 4}-Q{place % 4 + 1}")
    return frozenset(found)


def _ranged(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """'$24 billion to $26 billion' and '12% to 14%' as the one range that each is; 'from 22 to 24' is a change."""
    merged: list[Quantity] = []
    for quantity in found:
        last = merged[-1] if merged else None
        if (
            last is not None
            and _TO.fullmatch(text[last.span.end : quantity.span.start])
            and (last.dimension, last.bound) == (quantity.dimension, Bound.EXACT)
            and (last.unit == quantity.unit or not last.unit)
            and last.low < quantity.high
            and not re.search(r"\bfrom\s+$", text[: last.span.start], re.I)
        ):
            span = Span(last.span.start, quantity.span.end)
            merged[-1] = replace(quantity, span=span, text=span.of(text), low=last.low, bound=Bound.RANGE)
        else:
            merged.append(quantity)
    return merged


def _fits(name: str, quantity: Quantity) -> bool:
    dimension = quantity.dimension
    if "margin" in name:
        return dimension in (Dimension.SHARE, Dimension.POINTS)
    if name in ("deliveries", "shipments", "production", "subscribers", "headcount", "stores", "capacity", "orders"):
        return dimension is not Dimension.FACTOR
    return dimension in (Dimension.MONEY, Dimension.SHARE, Dimension.POINTS)


def _apart(plain: str, place: tuple[int, int, str], quantity: Quantity) -> bool:
    """Whether a clause ends between the two."""
    between = plain[min(place[1], quantity.span.end) : max(place[0], quantity.span.start)]
    return bool(re.search(r"[;:]|, (?:and|while|but|with|representing)\b| while | but ", between))


def _distance(place: tuple[int, int, str], quantity: Quantity) -> int:
    before, after = quantity.span.start - place[1], place[0] - quantity.span.end
    return max(0, before) if before >= 0 else max(0, after)


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?<![\w-])(?:{words})(?!\w)")) for name, words in _MEASURES.items())
