"""What a figure is per: of revenue, of product, of area, of heads. With the units and currencies of `text/units`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.text.lexicon import pattern, word_set
from inquest.text.numerals import either, number_of
from inquest.text.sentences import fold, stem
from inquest.text.units import CURRENCIES, SCALES, UNITS, Dimension

__all__ = ["Basis", "BasisKind", "ExchangeRates", "basis_after"]


class BasisKind(StrEnum):
    """What kind of thing a figure is divided by."""

    WHOLE = "the whole"
    REVENUE = "revenue"
    MASS = "mass of product"
    ENERGY = "energy"
    AREA = "area"
    VOLUME = "volume"
    DISTANCE = "distance"
    HEAD = "head"
    UNIT = "unit of product"


class Basis(NamedTuple):
    """What one base unit of the figure is for. `size` base units (kg, J, m2, one unit of currency, one head) were
    written: 'per $1M' has the size 1,000,000."""

    kind: BasisKind
    of: str = ""
    """The currency's code, or stems of the product: 'crude steel', 'vehicl'; '' where none is named."""
    size: float = 1.0
    text: str = ""
    end: int = 0
    """Where it ends in the text."""


class ExchangeRates(NamedTuple):
    """What one unit of each currency was worth in one common currency on a day. Rates have dates: who gives none gets
    no comparison across currencies."""

    on: date
    worth: Mapping[str, float]

    def between(self, one: str, other: str) -> float | None:
        """How many units of `other` one unit of `one` was worth; None where a rate is missing or not positive."""
        first, second = self.worth.get(one), self.worth.get(other)
        return first / second if first and second and first > 0 and second > 0 else None


_KINDS = {
    Dimension.MASS: BasisKind.MASS,
    Dimension.ENERGY: BasisKind.ENERGY,
    Dimension.AREA: BasisKind.AREA,
    Dimension.VOLUME: BasisKind.VOLUME,
    Dimension.LENGTH: BasisKind.DISTANCE,
}


_MONEY = either(list(CURRENCIES))
_SCALED = either([*SCALES, "M", "MM"])
_PER = re.compile(r"\s*/\s*|[\s\u00a0]+(?:per|for\s+(?:each|every)|for\s+1|pro|a|each)\s+", re.I)
_NUMBER = r"(?:(?P<number>\d{1,3}(?:[,\s]\d{3})+|\d+(?:\.\d+)?)\s?)?"
_OF_MONEY = re.compile(
    rf"(?:(?P<money2>{_MONEY})\s?(?P<number2>\d{{1,3}}(?:[,\s]\d{{3}})+|\d+(?:\.\d+)?)\s?(?P<scale3>{_SCALED})?(?![\w])"
    rf"|{_NUMBER}(?:(?P<scale1>{_SCALED})\s*(?:of\s+)?)?(?P<money1>{_MONEY})\s?(?P<scale2>{_SCALED})?(?![\w]))"
    r"(?:\s+(?:of\s+)?(?:net\s+|total\s+|in\s+)?(?P<of>revenues?|turnover|sales|value\s+added|GDP|EBITDA))?",
    re.I,
)
_BARE_REVENUE = re.compile(r"(?:unit\s+of\s+)?(?:revenues?|turnover|sales)\b", re.I)
_COMPOUND = pattern(__name__, "compound")
_UNIT = re.compile(rf"{_NUMBER}(?P<unit>{either(list(UNITS))})(?![\w])")
_OF_WHAT = re.compile(r"\s+(?:of\s+)?(?P<what>(?:[a-z][\w-]*\s+)?[a-z][\w-]*)")
_HEADS = pattern(__name__, "heads")
_NOUN = re.compile(r"(?P<noun>[a-z][\w-]*(?:\s+(?:produced|sold|manufactured|made))?)", re.I)
_NO_PRODUCT = word_set(__name__, "no_product")
_NO_UNIT = frozenset("year annum month day week quarter hour cent result rule example".split())
_LIQUID = {"tonne": "tonne", "ton": "tonne", "t": "tonne", "tkm": "tonne", "RTK": "tonne"}


def basis_after(text: str, start: int) -> Basis:
    """What the figure that ends at `start` is per; the whole where nothing of the kind follows."""
    per = _PER.match(text, start)
    if per is None:
        return Basis(BasisKind.WHOLE, end=start)
    place = per.end()
    for read in (_money, _distance, _measured, _counted):
        found = read(text, place)
        if found is not None:
            return found._replace(text=text[place : found.end].strip())
    return Basis(BasisKind.WHOLE, end=start)


def _money(text: str, place: int) -> Basis | None:
    if bare := _BARE_REVENUE.match(text, place):
        return Basis(BasisKind.REVENUE, "", 1.0, end=bare.end())
    found = _OF_MONEY.match(text, place)
    if found is None:
        return None
    code = next((CURRENCIES[name] for name in _written(found["money1"] or found["money2"]) if name in CURRENCIES), "")
    if not code:
        return None
    number = found["number"] or found["number2"]
    size = number_of(number, worldly=False)[0] if number else 1.0
    for scale in (found["scale1"], found["scale2"], found["scale3"]):
        size *= 1e6 if scale in ("M", "MM") else SCALES[scale.lower()] if scale else 1.0
    return Basis(BasisKind.REVENUE, code, size, end=found.end())


def _written(name: str) -> tuple[str, ...]:
    return name, name.upper(), name.lower()


def _distance(text: str, place: int) -> Basis | None:
    found = _COMPOUND.match(text, place)
    if found is None:
        return None
    if found["short"]:
        who = {"pkm": "passenger", "RPK": "passenger", "ASK": "seat", "vkm": "vehicle"}.get(found["short"], "tonne")
        return Basis(BasisKind.DISTANCE, who, 1000.0, end=found.end())
    who = {"pax": "passenger", "p": "passenger", "person": "passenger", "v": "vehicle"}.get(
        found["what"], found["what"]
    )
    metres = UNITS["mile"].factor if found["far"].startswith("mile") else 1000.0
    return Basis(BasisKind.DISTANCE, _LIQUID.get(who, who), metres, end=found.end())


def _measured(text: str, place: int) -> Basis | None:
    found = _UNIT.match(text, place)
    if found is None:
        return None
    unit = UNITS[found["unit"]]
    kind = _KINDS.get(unit.dimension)
    if kind is None:
        return None
    size = (number_of(found["number"], worldly=False)[0] if found["number"] else 1.0) * unit.factor
    what, end = _product(text, found.end())
    return Basis(kind, what, size, end=end) if size > 0 else None


def _product(text: str, place: int) -> tuple[str, int]:
    """'of crude steel' -> 'crude steel', as stems; '' where no product follows."""
    found = _OF_WHAT.match(text, place)
    if found is None:
        return "", place
    kept: list[str] = []
    end = place
    for word in re.finditer(r"[a-z][\w-]*", found["what"]):
        folded = fold(word.group())
        if folded in _NO_PRODUCT:
            break
        kept.append(stem(folded))
        end = found.start("what") + word.end()
    return " ".join(kept), end


def _counted(text: str, place: int) -> Basis | None:
    if heads := _HEADS.match(text, place):
        return Basis(BasisKind.HEAD, end=heads.end())
    found = _NOUN.match(text, place)
    if found is None or fold(found["noun"].split()[0]) in _NO_UNIT | _NO_PRODUCT - {"product"}:
        return None
    noun = fold(found["noun"].split()[0])
    general = noun in ("unit", "units", "product", "products", "item", "piece")
    return Basis(BasisKind.UNIT, "" if general else stem(noun), end=found.end())
