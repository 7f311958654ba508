"""What a figure is per: of revenue, of product, of area, of heads. With the units and currencies of `text/units.py`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from inquest.text.lexicon import entries, pattern, word_set
from inquest.text.numerals import either, number_of
from inquest.text.regex import regex
from inquest.text.sentences import fold, stem
from inquest.text.units import CURRENCIES, SCALES, UNITS, Dimension


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


_KINDS = {
    Dimension.MASS: BasisKind.MASS,
    Dimension.ENERGY: BasisKind.ENERGY,
    Dimension.AREA: BasisKind.AREA,
    Dimension.VOLUME: BasisKind.VOLUME,
    Dimension.LENGTH: BasisKind.DISTANCE,
}
_MONEY = either(list(CURRENCIES))
_SCALED = either([*SCALES, "M", "MM"])
_DIGITS = r"\d{1,3}(?:[,\s]\d{3})+|\d+(?:\.\d+)?"
_NUMBER = rf"(?:(?P<number>{_DIGITS})\s?)?"
_OF_MONEY = regex(
    rf"(?:(?P<money2>{_MONEY})\s?(?P<number2>{_DIGITS})\s?(?P<scale3>{_SCALED})?(?![\w])"
    rf"|{_NUMBER}(?:(?P<scale1>{_SCALED})\s*(?:of\s+)?)?(?P<money1>{_MONEY})\s?(?P<scale2>{_SCALED})?(?![\w]))"
    r"(?:\s+(?:of\s+)?(?:net\s+|total\s+|in\s+)?(?P<of>revenues?|turnover|sales|value\s+added|GDP|EBITDA))?",
    re.I,
)
_UNIT = regex(rf"{_NUMBER}(?P<unit>{either(list(UNITS))})(?![\w])")
_PER = pattern(__name__, "per")
_REVENUE = pattern(__name__, "revenue")
_COMPOUND = pattern(__name__, "compound")
_OF_WHAT = pattern(__name__, "of_what")
_HEADS = pattern(__name__, "heads")
_NOUN = pattern(__name__, "noun")
_NO_PRODUCT = word_set(__name__, "no_product")
_NO_UNIT = word_set(__name__, "no_unit")
_GENERAL = word_set(__name__, "general")
_MOVED = {short: name for name, spelled in entries(__name__, "moved").items() for short in spelled.split("|")}
"""Who or what is moved over a distance, by its short forms."""


def basis_after(text: str, start: int) -> Basis:
    """What the figure that ends at `start` is per; the whole where nothing of the kind follows."""
    per = _PER.match(text, start)
    if per is not None:
        for read in (_money, _distance, _measured, _counted):
            found = read(text, per.end())
            if found is not None:
                return found._replace(text=text[per.end() : found.end].strip())
    return Basis(BasisKind.WHOLE, end=start)


def _money(text: str, place: int) -> Basis | None:
    if bare := _REVENUE.match(text, place):
        return Basis(BasisKind.REVENUE, "", 1.0, end=bare.end())
    found = _OF_MONEY.match(text, place)
    if found is None:
        return None
    name = found["money1"] or found["money2"]
    code = next((CURRENCIES[each] for each in (name, name.upper(), name.lower()) if each in CURRENCIES), "")
    number = found["number"] or found["number2"]
    size = number_of(number, worldly=False)[0] if number else 1.0
    for scale in filter(None, (found["scale1"], found["scale2"], found["scale3"])):
        size *= 1e6 if scale in ("M", "MM") else SCALES[scale.lower()]
    return Basis(BasisKind.REVENUE, code, size, end=found.end()) if code else None


def _distance(text: str, place: int) -> Basis | None:
    found = _COMPOUND.match(text, place)
    if found is None:
        return None
    who = found["short"] or found["what"]
    mile = UNITS["mile"].factor if (found["far"] or "").startswith("mile") else 1000.0
    return Basis(BasisKind.DISTANCE, _MOVED.get(who, who), mile, end=found.end())


def _measured(text: str, place: int) -> Basis | None:
    found = _UNIT.match(text, place)
    kind = _KINDS.get(UNITS[found["unit"]].dimension) if found else None
    if found is None or kind is None:
        return None
    size = (number_of(found["number"], worldly=False)[0] if found["number"] else 1.0) * UNITS[found["unit"]].factor
    what, end = _product(text, found.end())
    return Basis(kind, what, size, end=end) if size > 0 else None


def _product(text: str, place: int) -> tuple[str, int]:
    """'of crude steel' -> 'crude steel', as stems; '' where no product follows."""
    found = _OF_WHAT.match(text, place)
    kept: list[str] = []
    for word in re.finditer(r"[a-z][\w-]*", found["what"]) if found else ():
        folded = fold(word.group())
        if found is None or folded in _NO_PRODUCT:
            break
        kept.append(stem(folded))
        place = found.start("what") + word.end()
    return " ".join(kept), place


def _counted(text: str, place: int) -> Basis | None:
    if heads := _HEADS.match(text, place):
        return Basis(BasisKind.HEAD, end=heads.end())
    found = _NOUN.match(text, place)
    noun = fold(found["noun"].split()[0]) if found else ""
    if found is None or noun in _NO_UNIT | _NO_PRODUCT - {"product"}:
        return None
    return Basis(BasisKind.UNIT, "" if noun in _GENERAL else stem(noun), end=found.end())
