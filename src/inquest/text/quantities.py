"""Quantities in a text: numbers with their units, scales, ranges, bounds and counted things; and their comparison.

Years, dates, clock times, telephone numbers, paragraph numbers, identifiers and the locants of chemical names are not
quantities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import inf
from typing import NamedTuple

from inquest.text import units
from inquest.text.moments import date_like_spans
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, fold, stem
from inquest.text.units import (
    ACCOUNT_UNITS,
    CURRENCIES,
    CURRENCY,
    FACTORS,
    SCALE,
    SCALES,
    SHARED_NAMES,
    UNIT,
    UNITS,
    WORD_NUMBERS,
    Unit,
    bound_before,
    number_of,
)
from inquest.text.units import Bound as Bound
from inquest.text.units import Dimension as Dimension


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount: `low` to `high` base units of a dimension (the same for a single number)."""

    span: Span
    text: str
    dimension: Dimension
    low: float
    high: float
    unit: str  # Symbol of the base unit; a currency's code; for counts, the noun as written ('residents') or ''
    bound: Bound = Bound.EXACT
    step: float = 0.0  # Half a unit of the last written digit, in base units: '2.4 million' is accurate to 0.05 million
    nouns: tuple[str, ...] = ()  # For counts, the stems of the words after the number, the head noun last
    spelled: bool = False  # Written as a word ('three', 'a third', 'doubled')

    @property
    def value(self) -> float:
        """The middle, in base units."""
        return (self.low + self.high) / 2


_SYMBOL_BEFORE = regex(rf"{units.MONEY}\s?\($")
_AND = regex(r"\s+(?:and\s+)?", re.I)
_NOUN = regex(r"[ \u00a0]([^\W\d_][\w'’-]*)")
_BETWEEN = regex(r"\b(?:between|from|zwischen|von)\s+$", re.I)
_FROM = regex(r"\bfrom\s+(?:\w+\s+)?$", re.I)
_BENEATH = regex(r"\b(?:under|below)\s+ of $", re.I)  # 'under 90 centimetres of water' limits nothing
_SHORT_SCALE = regex(r"(?:m|bn|k)\b")
_LIMITING = 200  # Characters before a number that are searched for words that limit it
_PEOPLE = frozenset("people person children men women police staff residents sheep fish aircraft species".split())
_COUNTED_STOP = STOP_WORDS | frozenset("percent per times and or have has had one ones".split())


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities in a text, in order, without overlaps."""
    masked = list(date_like_spans(text))
    for form in (units.PHONE, units.LOCANTS):
        masked += [Span(*match.span()) for match in form.finditer(text)]
    masked += [Span(*match.span()) for match in units.NOTE_MARK.finditer(text) if match[0][-1] == "]"]
    found: list[Quantity] = []

    def keep(quantity: Quantity | None) -> None:
        if quantity and not _ALL_BUT.search(text, 0, quantity.span.start):
            found.append(quantity)
            masked.append(quantity.span)

    for match in units.RATIO.finditer(text):
        if not _overlaps(masked, *match.span()):
            keep(_from_ratio(text, match))
    for match in _numbers(text, tuple(masked)):
        keep(_from_digits(text, match, masked))
    for match in units.SPELLED.finditer(text):
        if not _overlaps(masked, *match.span()):
            keep(_from_words(text, match))
    joined: list[Quantity] = []
    for one in sorted(found, key=lambda quantity: quantity.span):
        last = joined[-1] if joined else None
        if last and _in_parts(last, one) and _AND.fullmatch(text, last.span.end, one.span.start):
            span, (low, high) = Span(last.span.start, one.span.end), (last.low + one.low, last.high + one.high)
            joined[-1] = replace(last, span=span, text=span.of(text), low=low, high=high, step=one.step)
        else:
            joined.append(one)
    return tuple(joined)


def _in_parts(one: Quantity, other: Quantity) -> bool:
    """True for a duration in two units: '1 hour 15 minutes'."""
    return one.dimension is other.dimension is Dimension.DURATION and one.low == one.high > other.low == other.high


@lru_cache(maxsize=8_192)
def has_figure(sentence: str) -> bool:
    """True if the sentence states a quantity. Cached, because many claims are compared with the same sentences."""
    return bool(quantities(sentence))


def _numbers(text: str, dates: Sequence[Span]) -> Iterator[re.Match[str]]:
    """The numbers outside dates; of '2019 to 30,000 tonnes' the second one."""
    for match in units.DIGITS.finditer(text):
        if not _overlaps(dates, match.start("number"), match.end("number")):
            yield match
            continue
        second = units.DIGITS.match(text, match.start("second")) if match["second"] else None
        if second and not _overlaps(dates, *second.span("number")):
            yield second


def _overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(start < span.end and span.start < end for span in spans)


def _from_digits(text: str, match: re.Match[str], masked: list[Span]) -> Quantity | None:
    start, end = match.span()
    money = bool(match["money"])
    before = text[max(0, start - 24) : start]
    second = match["second"]
    # '5 to 7 %' is a range; '5 and 7' are two numbers, unless 'between' says otherwise.
    two = second and match["dash"].strip().lower() == "and" and not _BETWEEN.search(before)
    if second and (two or _overlaps(masked, *match.span("second"))):
        second, end = None, match.end("number")
    # Letters directly after the digits are a unit or scale ('2.4bn', '40kg'), or the number is a name ('3D', '5G').
    glued = any(form.match(text, end) for form in (UNIT, SCALE, _SHORT_SCALE))
    if second is None and (units.CLOCK.match(text, end) or (text[end : end + 1].isalpha() and not glued)):
        return None
    if not money and (units.NAMED.search(before) or units.NAMED_SUFFIX.search(before)):
        return None
    if units.REFERENCE.match(text, match.start("number")):
        return None
    decimal_comma = bool(units.DECIMAL_COMMA.match(text, end))
    bracketed = second is None and _is_bracketed(text, start, end, money=money)
    end += bracketed
    if mark := units.NOTE_MARK.match(text, end):
        end = mark.end()
    scale, end = _scaled(text, end, money=money)
    value, step = number_of(match["number"], decimal_comma=decimal_comma)
    values: tuple[float, ...] = (-abs(value) if match["sign"] or bracketed else value,)
    bound = bound_before(text[max(0, start - _LIMITING) : start])
    is_score = False
    if second is not None:
        other, other_step = number_of(second, decimal_comma=decimal_comma)
        is_score = other <= value and not _FROM.search(before)  # a range is written upwards
        values, step, bound = (*values, other), max(step, other_step), Bound.RANGE
    elif scale > 1 and step >= 0.5 and value % 10 == 0:
        step = max(step, _ROUND_SHARE * abs(value))  # '10 million' is usually a round figure
    number = _Number(start - bracketed, end, values, step, scale, bound, spelled=False)
    priced = _SYMBOL_BEFORE.search(text[:start]) if bracketed else None
    symbol = (match["money"] or (priced["money"] if priced else "")).strip()
    quantity = _priced(text, number, symbol) if symbol else _measured(text, number)
    if is_score and quantity.dimension is Dimension.COUNT and scale == 1:
        return replace(quantity, dimension=Dimension.SCORE, unit="", nouns=())
    return quantity


def _from_ratio(text: str, match: re.Match[str]) -> Quantity | None:
    """The share of a ratio such as 'one in four'; None if it is not part of a whole: 'two in five years'."""
    part, whole = (float(word) if word.isdigit() else units.worded_number(word) for word in match.group(1, 2))
    if not 0 < part < whole or UNIT.match(text, match.end()):
        return None
    start, value = match.start(), 100 * part / whole
    bound = bound_before(text[max(0, start - _LIMITING) : start])
    span, step = Span(*match.span()), min(2.0, 0.1 * value)
    return Quantity(span, match[0], Dimension.SHARE, value, value, "%", bound, step, spelled=True)


def _is_bracketed(text: str, start: int, end: int, *, money: bool) -> bool:
    """True for a negative figure in accounts: '(4,945) thousand euros', '€ (4.9) million'."""
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return False
    priced = money or _SYMBOL_BEFORE.search(text[:start]) is not None
    return priced or any(form.match(text, end + 1) for form in (SCALE, CURRENCY, UNIT))


def _scaled(text: str, end: int, *, money: bool) -> tuple[float, int]:
    scale = 1.0
    while found := SCALE.match(text, end):
        word = found["scale"].lower()
        # 'm', 'k' and 'b' are million, thousand and billion after money; elsewhere 'm' is the metre.
        if word in ("m", "k", "b") and not (money or (word == "k" and found.start("scale") == end)):
            break
        scale, end = scale * SCALES[word], found.end()
    return scale, end


def _from_words(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    bound = bound_before(text[max(0, start - _LIMITING) : start])
    if match["factor"]:
        return _factor(match, FACTORS[match["factor"].lower()], bound)
    if match["whole"]:
        value = units.worded_number(match["whole"]) + _fraction(match["part"].removeprefix("a ")) / 100
        scale, end = _scaled(text, end, money=False)
        return _measured(text, _Number(start, end, (value,), 0.0, scale, bound, spelled=True))
    if match["share"]:
        return _from_share(text, match, bound)
    scale = SCALES[match["one"].lower()] if match["one"] else 1.0
    value = units.worded_number(match["word"]) if match["word"] else 1.0
    if "dozen" in match[0].lower() and bound is Bound.EXACT:
        bound = Bound.ABOUT
    quantity = _measured(text, _Number(start, end, (value,), 0.0, scale, bound, spelled=True))
    # 'one' is usually a pronoun.
    counts = quantity.dimension is Dimension.COUNT and scale == 1
    return None if counts and (value == 1 or not quantity.nouns) else quantity


def _from_share(text: str, match: re.Match[str], bound: Bound) -> Quantity | None:
    """The share of 'a third', or the amount of 'half a tonne'; None for halves of a year or match."""
    start, end = match.span()
    value = min(100.0, _fraction(match["share"]))
    if article := _OF_A.match(text, end):
        scale, last = _scaled(text, article.end(), money=False)
        part_of = _measured(text, _Number(start, last, (value / 100,), 0.0, scale, bound, spelled=True))
        if scale > 1 or part_of.dimension is not Dimension.COUNT:
            return part_of
    if _AS_MUCH.match(text, end):
        return _factor(match, value / 100, bound)
    if match["share"].lower() == "half" and re.match(r"\s+(?:a|an|of the (?:year|match|game))\b", text[end:]):
        return None
    return Quantity(Span(start, end), match[0], Dimension.SHARE, value, value, "%", bound, 2.0, spelled=True)


def _fraction(spelled: str) -> float:
    """Parse 'half', 'a third' or 'two-thirds', in per cent."""
    *count, part = re.split(r"[\s-]", spelled.lower())
    return WORD_NUMBERS.get("".join(count), 1.0) * units.FRACTIONS[part]


def _factor(match: re.Match[str], value: float, bound: Bound) -> Quantity:
    step = 0.0 if bound in LIMITS else 0.05 * value  # 'more than doubled' is not 1.95 times
    return Quantity(Span(*match.span()), match[0], Dimension.FACTOR, value, value, "x", bound, step, spelled=True)


class _Number(NamedTuple):
    """A number as written, without its unit or currency."""

    start: int
    end: int
    values: tuple[float, ...]
    step: float
    scale: float
    bound: Bound
    spelled: bool


def _measured(text: str, number: _Number) -> Quantity:
    """The quantity of a number with the unit or currency after it; a count if there is neither."""
    unit = UNIT.match(text, number.end)
    if unit and unit["unit"] != "in":
        return _quantity(text, number._replace(end=unit.end()), unit=UNITS[unit["unit"]])
    if money := CURRENCY.match(text, number.end):
        scale = SCALES.get(money["scale"].lower(), 1e3) if money["scale"] else 1.0
        return _priced(text, number._replace(end=money.end(), scale=number.scale * scale), money["money"])
    return _quantity(text, number)


def _priced(text: str, number: _Number, money: str) -> Quantity:
    """The quantity of a number of some currency, as written."""
    currency, factor = ACCOUNT_UNITS.get(money) or (CURRENCIES[money], 1.0)
    return _quantity(text, number._replace(scale=number.scale * factor), currency=currency)


def _quantity(text: str, number: _Number, *, unit: Unit | None = None, currency: str | None = None) -> Quantity:
    start, end, bound, step = number.start, number.end, number.bound, number.step * number.scale
    amounts = sorted(value * number.scale for value in number.values)
    if text[end : end + 1] == "+" and len(number.values) == 1 and not number.spelled:
        bound, end = Bound.AT_LEAST, end + 1
    nouns: tuple[str, ...] = ()
    if unit is not None:
        amounts = sorted(amount * unit.factor + unit.offset for amount in amounts)
        dimension, base, step = unit.dimension, unit.base, step * unit.factor
        if (
            dimension is Dimension.LENGTH
            and bound is Bound.AT_MOST
            and _BENEATH.search(text[:start] + text[end : end + 4])
        ):
            bound = Bound.ABOUT
    elif currency:
        dimension, base = Dimension.MONEY, currency
    else:
        dimension = Dimension.COUNT
        base, nouns = _counted(text, end)
    span = Span(start, end)
    return Quantity(span, span.of(text), dimension, amounts[0], amounts[-1], base, bound, step, nouns, number.spelled)


_ALL_BUT = regex(r"\b(?:all|any(?:thing|one)?|every\w*)\s+but\s+(?:the\s+)?$", re.IGNORECASE)
_AS_MUCH = regex(r"\s+as\s+\w+\s+as\b", re.IGNORECASE)
_OF_A = regex(r"\s+(?:of\s+)?an?(?=\s)", re.IGNORECASE)
_PART_OF = regex(
    rf"\s+of\s+(?:(?:(?:the\s+)?[\w.-]+['’]s?|the|its|their)(?!\w)(?:\s+(?:\d+|{'|'.join(WORD_NUMBERS)})(?=\s))?|(?:\d+|{'|'.join(WORD_NUMBERS)})(?=\s))",
    re.IGNORECASE,
)
"""'two of the eleven wells', 'three of 40 samples': both numbers count the same thing."""


def _counted(text: str, end: int) -> tuple[str, tuple[str, ...]]:
    """The thing that a number counts: the first plural within the next four words, or else the next word."""
    following: list[str] = []
    part_of = _PART_OF.match(text, end)
    place = part_of.end() if part_of else end
    while len(following) < 4 and (match := _NOUN.match(text, place)):
        word = match.group(1)
        folded = fold(word)
        if folded in _COUNTED_STOP:
            break
        following.append(word)
        place = match.end()
        if folded in _PEOPLE or (folded.endswith("s") and not folded.endswith(("ss", "us", "is", "ous"))):
            return word, tuple(stem(item) for item in following)
    return (following[0], (stem(following[0]),)) if following else ("", ())


class Relation(StrEnum):
    """The relation of a claim's number or date to a passage's."""

    SAME = "same"  # As written, rounded, or in another unit; of dates, if both can mean the same day
    DIFFERS = "differs"  # Another value of the same thing, or another date of the same event
    NOT_COMPARABLE = "not comparable"  # Of another kind, scope, method or base year, or per unit of output
    ABSENT = "absent"


LIMITS = (Bound.AT_LEAST, Bound.AT_MOST)  # Bounds that leave one side open
_ABOUT_SHARE = 0.1
_ROUND_SHARE = 0.06


def compare(claim: Quantity, passage: Quantity) -> Relation:
    """Compare two quantities, after conversion, to the precision that each is written with. 'about' allows a tenth of
    the value; 'more than' and 'up to' agree with any amount on their side. Counts are compared only if they count the
    same thing, money only in one currency (exchange rates have dates)."""
    if _are_of_different_things(claim, passage):
        return Relation.NOT_COMPARABLE
    if {claim.bound, passage.bound} == set(LIMITS):
        most, least = sorted((claim, passage), key=lambda one: one.bound is Bound.AT_LEAST)
        return Relation.DIFFERS if least.low > most.high else Relation.NOT_COMPARABLE
    at, other = _points(claim), _points(passage)
    # 2.4 million is 2 million, rounded; 2 is not 3, though both may be 2.5 rounded.
    near = _meet(at, (passage.low, passage.high)) or _meet((claim.low, claim.high), other)
    if claim.dimension is Dimension.SCORE:
        near = (claim.low, claim.high) == (passage.low, passage.high)
    limited = claim.bound in LIMITS or passage.bound in LIMITS
    reached = _reach(claim, at)
    beyond = passage.low > claim.high if claim.bound is Bound.AT_MOST else passage.high < claim.low
    if limited and near and beyond:
        return Relation.NOT_COMPARABLE  # both may be rounded
    # 412 agrees with 'more than 300', but not the reverse.
    plain = passage.bound in (Bound.EXACT, Bound.ABOUT, Bound.RANGE, claim.bound)
    if near or (limited and plain and reached[0] <= other[0] and other[1] <= reached[1]):
        return Relation.SAME
    return Relation.NOT_COMPARABLE if limited and _meet(reached, _reach(passage, other)) else Relation.DIFFERS


def _are_of_different_things(claim: Quantity, passage: Quantity) -> bool:
    if claim.dimension is not passage.dimension:
        return True
    if claim.dimension is Dimension.MONEY:
        return not (_may_be(claim, passage) or _may_be(passage, claim))
    counted = claim.dimension is Dimension.COUNT and claim.nouns and passage.nouns
    return bool(counted) and claim.nouns[-1] not in passage.nouns and passage.nouns[-1] not in claim.nouns


def _may_be(money: Quantity, other: Quantity) -> bool:
    """True if an amount may be in the other's currency: '$5' also in Canadian dollars, unless it says 'US'."""
    is_bare = "US" not in money.text
    return money.unit == other.unit or (is_bare and other.unit in SHARED_NAMES.get(money.unit, ()))


def _points(quantity: Quantity) -> tuple[float, float]:
    """The range of values that the number can mean by its precision."""
    step = quantity.step
    if quantity.dimension is Dimension.COUNT and quantity.high < 10:
        step = 0.0  # small counts are exact
    if quantity.bound is Bound.ABOUT:
        step = max(step, _ABOUT_SHARE * abs(quantity.value))
    slack = 1e-9 * abs(quantity.value)
    return quantity.low - step - slack, quantity.high + step + slack


def _reach(quantity: Quantity, at: tuple[float, float]) -> tuple[float, float]:
    """The range `at` (see `_points`), extended by a one-sided bound."""
    if quantity.bound is Bound.AT_LEAST:
        return at[0], inf
    if quantity.bound is Bound.AT_MOST:
        return -inf, at[1]
    return at


def _meet(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def shown(quantity: Quantity) -> str:
    """The quantity in the words of the text, with its bound: 'more than 412 residents'."""
    words = " ".join(quantity.text.split())
    if quantity.dimension is Dimension.LIMIT and quantity.bound in LIMITS and int(quantity.value) == 1:
        return "within the limit" if quantity.bound is Bound.AT_MOST else "above the limit"
    if quantity.dimension is Dimension.COUNT and quantity.unit:
        words = f"{words} {quantity.unit}"
    return words if quantity.bound in (Bound.EXACT, Bound.RANGE) else f"{quantity.bound} {words}"
