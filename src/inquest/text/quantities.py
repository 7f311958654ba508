"""Numbers in a text with what they measure: units, scales, ranges, approximations, and what is counted.

Years, dates, clock times, telephone numbers, paragraph numbers, identifiers and the locants of chemical names are no
quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import NamedTuple

from inquest.text.moments import date_like_spans
from inquest.text.numerals import (
    CLOCK,
    CURRENCY,
    DECIMAL_COMMA,
    DIGITS,
    FACTORS,
    FRACTIONS,
    LOCANTS,
    NAMED,
    NAMED_SUFFIX,
    NOTE_MARK,
    PHONE,
    SCALE,
    SPELLED,
    UNIT,
    WORD_NUMBERS,
    Bound,
    bound_before,
    either,
    number_of,
    worded_number,
)
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, fold, stem
from inquest.text.units import CURRENCIES, SCALES, UNITS, Dimension, Unit

__all__ = ["LIMITS", "Bound", "Comparison", "Dimension", "Quantity", "Relation", "compare", "quantities", "shown"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount: `low` to `high` base units of a dimension (the same for a single number)."""

    span: Span
    text: str
    dimension: Dimension
    low: float
    high: float
    unit: str
    """Symbol of the base unit; a currency's code; for counts, the noun as written ('residents') or ''."""
    bound: Bound = Bound.EXACT
    step: float = 0.0
    """Half of what the last written digit is worth, in base units: '2.4 million' is good to 0.05 million."""
    nouns: tuple[str, ...] = ()
    """For counts, the stems of the words the number stands before, the head noun last."""
    spelled: bool = False
    """Written as a word ('three', 'a third', 'doubled')."""

    @property
    def value(self) -> float:
        """The middle, in base units."""
        return (self.low + self.high) / 2


_SYMBOL_BEFORE = regex(rf"(?P<money>{either(CURRENCIES)})\s?\($")
_NOUN = regex(r"[ \u00a0]([^\W\d_][\w'’-]*)")
_LIMITING = 60
"""Characters before a number in which words limit it."""
_PEOPLE = frozenset("people person children men women police staff residents sheep fish aircraft species".split())
_COUNTED_STOP = STOP_WORDS | frozenset("percent per times and or have has had one ones".split())


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities in a text, in order, without overlaps."""
    masked = list(date_like_spans(text)) + [Span(*match.span()) for match in PHONE.finditer(text)]
    masked += [Span(*match.span()) for match in LOCANTS.finditer(text)]
    masked += [Span(*match.span()) for match in NOTE_MARK.finditer(text) if match.group().endswith("]")]
    found: list[Quantity] = []
    for match in _numbers(text, tuple(masked)):
        quantity = _from_digits(text, match, masked)
        if quantity is not None:
            found.append(quantity)
            masked.append(quantity.span)
    for match in SPELLED.finditer(text):
        if not _overlaps(masked, *match.span()):
            quantity = _from_words(text, match)
            if quantity is not None:
                found.append(quantity)
                masked.append(quantity.span)
    return tuple(sorted(found, key=lambda quantity: quantity.span))


def _numbers(text: str, dates: Sequence[Span]) -> Iterator[re.Match[str]]:
    """The numbers that are in no date; of '2019 to 30,000 tonnes' the second one."""
    for match in DIGITS.finditer(text):
        if not _overlaps(dates, match.start("number"), match.end("number")):
            yield match
            continue
        second = DIGITS.match(text, match.start("second")) if match["second"] else None
        if second and not _overlaps(dates, *second.span("number")):
            yield second


def _overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(start < span.end and span.start < end for span in spans)


def _from_digits(text: str, match: re.Match[str], masked: list[Span]) -> Quantity | None:
    start, end = match.start(), match.end()
    before = text[max(0, start - 24) : start]
    second = match["second"]
    if second is not None and _overlaps(masked, match.start("second"), match.end("second")):
        second, end = None, match.end("number")
    is_between = bool(re.search(r"\b(?:between|from|zwischen|von)\s+$", before, re.I))
    if second is not None and match["dash"].strip().lower() == "and" and not is_between:
        # '5 to 7 %' is a range; '5 and 7' are two numbers, unless 'between' says otherwise.
        second, end = None, match.end("number")
    if (
        second is None
        and text[match.end("number") : match.end("number") + 1].isalpha()
        and not _glued(text, match.end("number"))
    ):
        return None
    if not match["money"] and (NAMED.search(before) or NAMED_SUFFIX.search(before)):
        return None
    if second is None and CLOCK.match(text, end):
        return None
    digits_end = end
    bracketed = second is None and _is_bracketed(text, start, end, money=bool(match["money"]))
    end += bracketed
    if mark := NOTE_MARK.match(text, end):
        end = mark.end()
    scale, end = _scaled(text, end, money=bool(match["money"]))
    worldly = bool(DECIMAL_COMMA.match(text, digits_end))
    values, step = _written_value(match, second, scale, worldly=worldly)
    if bracketed:
        values = tuple(-abs(value) for value in values)
    number = _Number(start - bracketed, end, values, step, scale, _bound(text, start), spelled=False)
    if second is not None:
        number = number._replace(bound=Bound.RANGE)
    priced = _SYMBOL_BEFORE.search(text[:start]) if bracketed else None
    currency = CURRENCIES.get((match["money"] or (priced["money"] if priced else "")).strip())
    return _quantity(text, number, currency=currency) if currency else _measured(text, number)


def _is_bracketed(text: str, start: int, end: int, *, money: bool) -> bool:
    """True for a negative figure as accounts print it: '(4,945) thousand euros', '€ (4.9) million'."""
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return False
    after = end + 1
    priced = money or _SYMBOL_BEFORE.search(text[:start]) is not None
    return priced or bool(SCALE.match(text, after) or CURRENCY.match(text, after) or UNIT.match(text, after))


def _written_value(
    match: re.Match[str], second: str | None, scale: float, *, worldly: bool
) -> tuple[tuple[float, ...], float]:
    """The numbers of a match, and half of what the last digit is worth."""
    value, step = number_of(match["number"], worldly=worldly)
    if second is not None:
        other, other_step = number_of(second, worldly=worldly)
        return (-value if match["sign"] else value, other), max(step, other_step)
    if scale > 1 and step >= 0.5 and value % 10 == 0:
        step = max(step, _ROUND_SHARE * abs(value))  # '10 million' is mostly a round figure
    return (-value if match["sign"] else value,), step


def _bound(text: str, start: int) -> Bound:
    return bound_before(text[max(0, start - _LIMITING) : start])


def _glued(text: str, end: int) -> bool:
    """Whether letters straight after the digits are a unit or scale ('2.4bn', '40kg'), not a name ('3D', '5G')."""
    return bool(UNIT.match(text, end) or SCALE.match(text, end) or re.match(r"(?:m|bn|k)\b", text[end:]))


def _scaled(text: str, end: int, *, money: bool) -> tuple[float, int]:
    scale = 1.0
    while found := SCALE.match(text, end):
        word = found["scale"]
        glued = found.start("scale") == end
        # 'm', 'k' and 'b' are million, thousand and billion after money; elsewhere 'm' is the metre.
        if word.lower() in ("m", "k", "b") and not (money or (word.lower() == "k" and glued)):
            break
        scale, end = scale * SCALES[word.lower()], found.end()
    return scale, end


def _from_words(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    bound = _bound(text, start)
    if match["factor"]:
        value = FACTORS[match["factor"].lower()]
        return Quantity(
            Span(start, end),
            text[start:end],
            Dimension.FACTOR,
            value,
            value,
            "x",
            bound,
            step=value * 0.05,
            spelled=True,
        )
    if match["share"]:
        parts = re.split(r"[\s-]", match["share"].lower())
        times = 1.0 if len(parts) == 1 or parts[0] in ("a", "one") else WORD_NUMBERS[parts[0]]
        value = min(100.0, times * FRACTIONS[parts[-1]])
        if parts[-1] == "half" and re.match(r"\s+(?:a|an|of the (?:year|match|game))\b", text[end:]):
            return None
        return Quantity(
            Span(start, end), text[start:end], Dimension.SHARE, value, value, "%", bound, step=2.0, spelled=True
        )
    scale = 1.0
    if match["one"]:
        values, scale = [1.0], SCALES[match["one"].lower()]
    else:
        values = [worded_number(match["word"])]
        if "dozen" in match["word"].lower() and bound is Bound.EXACT:
            bound = Bound.ABOUT
    quantity = _measured(text, _Number(start, end, tuple(values), 0.0, scale, bound, spelled=True))
    if quantity.dimension is Dimension.COUNT and values == [1.0] and scale == 1:
        return None  # 'one' is mostly a pronoun, and as a number says little
    if quantity.dimension is Dimension.COUNT and not quantity.nouns and scale == 1:
        return None
    return quantity


class _Number(NamedTuple):
    """A number as written, before what it measures is taken into account."""

    start: int
    end: int
    values: tuple[float, ...]
    step: float
    scale: float
    bound: Bound
    spelled: bool


def _measured(text: str, number: _Number) -> Quantity:
    """The quantity of a number with the unit or currency that follows it; without one it counts something."""
    end = number.end
    unit_match, money = UNIT.match(text, end), CURRENCY.match(text, end)
    if unit_match and (number.spelled or unit_match["unit"] != "in"):
        return _quantity(text, number._replace(end=unit_match.end()), unit=UNITS[unit_match["unit"]])
    if money:
        return _quantity(text, number._replace(end=money.end()), currency=CURRENCIES[money["currency"]])
    return _quantity(text, number)


def _quantity(text: str, number: _Number, *, unit: Unit | None = None, currency: str | None = None) -> Quantity:
    start, end, scale = number.start, number.end, number.scale
    amounts = sorted(value * scale for value in number.values)
    step = number.step * scale
    bound = number.bound
    if text[end : end + 1] == "+" and len(number.values) == 1 and not number.spelled:
        bound, end = Bound.AT_LEAST, end + 1
    nouns: tuple[str, ...] = ()
    if unit is not None:
        amounts = sorted(amount * unit.factor + unit.offset for amount in amounts)
        dimension, base, step = unit.dimension, unit.base, step * unit.factor
    elif currency:
        dimension, base = Dimension.MONEY, currency
    else:
        dimension = Dimension.COUNT
        base, nouns = _counted(text, end)
    span = Span(start, end)
    return Quantity(span, span.of(text), dimension, amounts[0], amounts[-1], base, bound, step, nouns, number.spelled)


_PART_OF = regex(
    rf"\s+of\s+(?:(?:the|its|their)\b(?:\s+(?:\d+|{'|'.join(WORD_NUMBERS)})(?=\s))?|(?:\d+|{'|'.join(WORD_NUMBERS)})(?=\s))",
    re.IGNORECASE,
)
"""'two of the eleven wells', 'three of 40 samples': the first number counts what the second one does."""


def _counted(text: str, end: int) -> tuple[str, tuple[str, ...]]:
    """What a number counts: the first plural within the next four words, or else the next word."""
    following: list[str] = []
    place = end
    if of_match := _PART_OF.match(text, end):
        place = of_match.end()
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
    """How a claim's number stands to a passage's."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_COMPARABLE = "not comparable"


class Comparison(NamedTuple):
    """A relation, and why, as a person would say it."""

    relation: Relation
    reason: str


LIMITS = (Bound.AT_LEAST, Bound.AT_MOST)
"""Bounds that leave one side open."""
_ABOUT_SHARE = 0.1
_ROUND_SHARE = 0.06


def compare(claim: Quantity, passage: Quantity) -> Comparison:
    """Whether two quantities agree, after conversion, to the precision that each is written with.

    'about' allows a tenth of the value; 'more than' and 'up to' are agreed with by what lies on their side. Counts are
    compared only if they count the same thing, money only in one currency (exchange rates have dates).
    """
    if (apart := _of_different_things(claim, passage)) is not None:
        return Comparison(Relation.NOT_COMPARABLE, apart)
    names = f"the claim says {shown(claim)}, the passage says {shown(passage)}"
    at, other = _points(claim), _points(passage)
    # 2.4 million is 2 million, rounded; 2 is not 3, though both may stand for 2.5.
    near = _meet(at, (passage.low, passage.high)) or _meet((claim.low, claim.high), other)
    limited = claim.bound in LIMITS or passage.bound in LIMITS
    reached = _reach(claim, at)
    # 412 agrees with 'more than 300', but not the reverse.
    plain = passage.bound in (Bound.EXACT, Bound.ABOUT, Bound.RANGE, claim.bound)
    if near or (limited and plain and _within(other, reached)):
        return Comparison(Relation.SAME, names)
    if not limited or not _meet(reached, _reach(passage, other)):
        return Comparison(Relation.DIFFERS, names)
    return Comparison(Relation.NOT_COMPARABLE, f"{names}, which is only a limit")


def _of_different_things(claim: Quantity, passage: Quantity) -> str | None:
    """Why two quantities cannot be compared; None: they can."""
    if claim.dimension is not passage.dimension:
        return f"{claim.dimension} and {passage.dimension} are different measures"
    if claim.dimension is Dimension.MONEY and claim.unit != passage.unit:
        return f"{claim.unit} and {passage.unit} are different currencies"
    counted = claim.dimension is Dimension.COUNT and claim.nouns and passage.nouns
    if counted and not _same_thing(claim, passage):
        return f"{claim.unit} and {passage.unit} are different things"
    return None


def _same_thing(claim: Quantity, passage: Quantity) -> bool:
    return claim.nouns[-1] in passage.nouns or passage.nouns[-1] in claim.nouns


def _points(quantity: Quantity) -> tuple[float, float]:
    """What the number can mean by its own precision."""
    step = quantity.step
    if quantity.dimension is Dimension.COUNT and quantity.high < 10:
        step = 0.0  # nobody rounds three to about three
    if quantity.bound is Bound.ABOUT:
        step = max(step, _ABOUT_SHARE * abs(quantity.value))
    slack = 1e-9 * abs(quantity.value)
    return quantity.low - step - slack, quantity.high + step + slack


def _reach(quantity: Quantity, at: tuple[float, float]) -> tuple[float, float]:
    """As `_points`, with an open limit where there is one."""
    if quantity.bound is Bound.AT_LEAST:
        return at[0], inf
    if quantity.bound is Bound.AT_MOST:
        return -inf, at[1]
    return at


def _meet(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _within(inner: tuple[float, float], outer: tuple[float, float]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def shown(quantity: Quantity) -> str:
    """The quantity in the text's own words, with its bound: 'more than 412 residents'."""
    words = " ".join(quantity.text.split())
    if quantity.dimension is Dimension.COUNT and quantity.unit:
        words = f"{words} {quantity.unit}"
    return words if quantity.bound in (Bound.EXACT, Bound.RANGE) else f"{quantity.bound} {words}"
