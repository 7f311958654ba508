"""Figures of comparison in a text: ranges, averages and limits, with unit, scope, year and what they are per and of.

Numbers and units are those of `text/quantities.py`; read here is what makes of them a benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.phrases import phrase_table
from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import entries
from inquest.text.numerals import SCALE
from inquest.text.quantities import Bound, Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, fold, sentences, stem
from inquest.text.units import SCALES, UNITS


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


_DIVISORS = {
    Dimension.MASS: BasisKind.MASS,
    Dimension.ENERGY: BasisKind.ENERGY,
    Dimension.AREA: BasisKind.AREA,
    Dimension.VOLUME: BasisKind.VOLUME,
    Dimension.LENGTH: BasisKind.DISTANCE,
    Dimension.MONEY: BasisKind.REVENUE,
}
_PER = regex(r"\s*/\s*|\s+(?:per|for\s+(?:each|every)|for\s+1|a|each)\s+", re.I)
_REVENUE = regex(
    r"\s*(?:(?:unit\s+)?of\s+)?(?:net\s+|total\s+|in\s+)?(?:revenues?|turnover|sales|value\s+added|GDP)\b", re.I
)
_HEADS = regex(r"(?:employee|FTE|full[\s-]time\s+(?:employee|equivalent)|head|capita|person|worker)s?\b", re.I)
_NOUN = regex(r"(?P<noun>[a-z][\w-]*)(?:\s+(?:produced|sold|manufactured|made))?", re.I)
_COMPOUND = regex(
    r"(?P<who>passenger|pax|tonne|ton|t|vehicle|p|v|seat|person)[\s.-]?(?P<far>kilomet(?:re|er)s?|km|miles?)\b|"
    r"(?P<short>pkm|tkm|vkm|RPK|RTK|ASK)\b"
)
_MOVED = {
    short: name
    for name, spelled in {
        "passenger": "pax p person pkm RPK",
        "seat": "ASK",
        "vehicle": "v vkm",
        "tonne": "ton t tkm RTK",
    }.items()
    for short in spelled.split()
}
_SHORT_MONEY = regex(
    r"(?P<currency>[$€£])(?P<after>k|m|M|bn)\b|(?P<before>k|m|M|bn)\s?(?P<symbol>[$€£]|EUR\b|USD\b|GBP\b)"
)
_SHORT_SCALES = {"k": "thousand", "m": "million", "M": "million", "bn": "billion"}
_OF_WHAT = regex(r"\s+(?:of\s+)?(?P<what>(?:[a-z][\w-]*\s+)?[a-z][\w-]*)")
_BENCHMARK = entries(__name__, "benchmark")
_NO_PRODUCT, _NO_UNIT = (frozenset(_BENCHMARK[name].split()) for name in ("no_product", "no_unit"))
_GENERAL = frozenset(("unit", "units", "product", "products", "item", "piece"))
_TAIL = 60
"""Characters after 'per' in which its unit is."""


def basis_after(text: str, start: int) -> Basis:
    """What the figure that ends at `start` is per; the whole where nothing of the kind follows."""
    per = _PER.match(text, start)
    for read in (_revenue, _moved, _measured, _counted) if per is not None else ():
        found = read(text, per.end()) if per is not None else None
        if found is not None and per is not None:
            return found._replace(text=text[per.end() : found.end].strip())
    return Basis(BasisKind.WHOLE, end=start)


def _revenue(text: str, place: int) -> Basis | None:
    bare = _REVENUE.match(text, place)
    return Basis(BasisKind.REVENUE, end=bare.end()) if bare else None


def _moved(text: str, place: int) -> Basis | None:
    found = _COMPOUND.match(text, place)
    if found is None:
        return None
    who = found["short"] or found["who"]
    mile = UNITS["mile"].factor if (found["far"] or "").startswith("mile") else 1000.0
    return Basis(BasisKind.DISTANCE, _MOVED.get(who, who), mile, end=found.end())


def _measured(text: str, place: int) -> Basis | None:
    """The measure at a place, with the number that may go before it."""
    tail = text[place : place + _TAIL]
    if short := _SHORT_MONEY.match(tail):
        scale = _SHORT_SCALES[short["after"] or short["before"]]
        written, end = f"1 {scale} {short['currency'] or short['symbol']}", place + short.end()
        measured = next(iter(quantities(written)), None)
    else:
        measured, end = None, place
        for lead in ("", "1 "):
            first = next(iter(quantities(lead + tail)), None)
            if measured is None and first is not None and first.span.start == 0 and first.dimension in _DIVISORS:
                measured, end = first, place + first.span.end - len(lead)
    if measured is None or measured.low <= 0:
        return None
    kind = _DIVISORS[measured.dimension]
    if kind is BasisKind.REVENUE:
        more = _REVENUE.match(text, end)
        return Basis(kind, measured.unit, measured.low, end=more.end() if more else end)
    what, end = _product(text, end)
    return Basis(kind, what, measured.low, end=end)


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
    noun = fold(found["noun"]) if found else ""
    if found is None or noun in _NO_UNIT | _NO_PRODUCT - {"product"}:
        return None
    return Basis(BasisKind.UNIT, "" if noun in _GENERAL else stem(noun), end=found.end())


class FigureKind(StrEnum):
    """What a figure says of many: their middle, their limits, or one of them."""

    AVERAGE = "average"
    MEDIAN = "median"
    LOW_PERCENTILE = "low percentile"
    HIGH_PERCENTILE = "high percentile"
    RANGE = "range"
    LIMIT = "limit"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class BenchmarkFigure:
    """`low` to `high` base units of `dimension` (kg, J, m3, %, a currency's unit) per base unit of `basis`; the same
    for a single number. `bound` AT_MOST has no lower end, AT_LEAST no upper one."""

    span: Span
    text: str
    sentence: str
    low: float
    high: float
    dimension: Dimension
    unit: str
    """Symbol of the base unit, or a currency's code."""
    substance: str
    """'CO2e', 'CO2', 'CH4', 'water', 'electricity', 'reduction', ...; '' where none is named."""
    basis: Basis
    kind: FigureKind
    bound: Bound
    step: float
    """Half of what the last written digit is worth, in the same units."""
    scopes: frozenset[str]
    year: int | None
    written: str
    """The unit as written: 't CO2e per tonne of steel'."""
    factor: float
    """Base units in one written unit: divide by it to show a value as the text would."""


_SUBSTANCE = regex(
    r"[\s.-]*(?:of\s+)?(?:(?:primary|final|total|thermal|purchased|grid)\s+)?(?P<what>(?:CO[2₂]|carbon\s+dioxide)"
    r"(?P<equivalent>[\s-]?e(?:q|quivalents?)?\b)?|CH[4₄]|methane|N[2₂]O|NOx|SOx|water|waste|GHGs?|"
    r"greenhouse\s+gas(?:es)?(?:\s+emissions)?|electricity|power|heat|steam|fuels?|energy)(?!\w)",
    re.I,
)
_GLUED = regex(r"CO[2₂](?P<e>e?)$")
_SUBSTANCES = {"co₂": "CO2", "co2": "CO2", "carbon dioxide": "CO2", "methane": "CH4", "ch4": "CH4", "ch₄": "CH4"}
_SUBSTANCES |= {"n2o": "N2O", "n₂o": "N2O", "nox": "NOx", "sox": "SOx", "power": "electricity", "energy": ""}
_KINDS = {FigureKind[name]: words for name, words in phrase_table("figure_kinds").items()}
_CHANGES = phrase_table("changes")
_YEAR = regex(r"(?<![\d-])(?:19[89]\d|20[0-4]\d)(?![\d])")
_NO_MEASURE = frozenset((Dimension.COUNT, Dimension.FACTOR, Dimension.TEMPERATURE, Dimension.DURATION))
_NAMES = sorted(UNITS, key=len, reverse=True)


def is_intensity(figure: BenchmarkFigure) -> bool:
    """True where a figure is per something, so that companies of any size may be compared by it."""
    return figure.basis.kind is not BasisKind.WHOLE and figure.dimension is not Dimension.MONEY


def is_reduction(figure: BenchmarkFigure) -> bool:
    """True where a figure is a share by which something fell or rose."""
    return figure.dimension is Dimension.SHARE and figure.substance in ("reduction", "increase")


def benchmark_figures(text: str) -> tuple[BenchmarkFigure, ...]:
    """The figures of a text that something can be compared with, in order. Counts without a unit and years are none."""
    # A stroke after a unit says what it is per, and is read there.
    measured = list(_joined(text, quantities(text.replace("/", " "))))
    found: list[BenchmarkFigure] = []
    for around in sentences(text):
        end = around.start
        for each in measured:
            if end <= each.span.start < around.end:
                found.append(_figure(text, around, each))
                end = max(found[-1].span.end, found[-1].basis.end)
    return tuple(found)


def _joined(text: str, every: tuple[Quantity, ...]) -> Iterator[Quantity]:
    """Those that measure something; '0.8 t to 1.9 t' is one range."""
    held: Quantity | None = None
    for each in every:
        if each.spelled or each.dimension in _NO_MEASURE:
            continue
        if held is not None and _is_range(text, held, each):
            ends = sorted((held.low, each.high))
            span = Span(held.span.start, each.span.end)
            held = replace(held, span=span, text=span.of(text), low=ends[0], high=ends[1], bound=Bound.RANGE)
            continue
        if held is not None:
            yield held
        held = each
    if held is not None:
        yield held


def _is_range(text: str, one: Quantity, other: Quantity) -> bool:
    between = text[one.span.end : other.span.start].strip().lower()
    same = (one.unit, one.dimension) == (other.unit, other.dimension)
    both = between == "and" and re.search(r"\b(?:between|from)\s+$", text[: one.span.start], re.I) is not None
    return same and Bound.RANGE not in (one.bound, other.bound) and (both or between in ("to", "-", "–"))


def _figure(text: str, around: Span, measured: Quantity) -> BenchmarkFigure:
    start, place = measured.span
    unit = "" if measured.dimension is Dimension.MONEY else next((x for x in _NAMES if measured.text.endswith(x)), "")
    start_of_unit = place - len(unit)
    scale = SCALE.search(measured.text.removesuffix(unit)) if measured.dimension is not Dimension.SHARE else None
    factor = (SCALES[scale["scale"].lower()] if scale else 1.0) * (UNITS[unit].factor if unit else 1.0)
    substance, place = _substance(text, place)
    basis = basis_after(text, place)
    place = max(place, basis.end)
    if not substance and measured.dimension is Dimension.MASS:
        substance, place = _substance(text, place)
    sentence = around.of(text)
    if measured.dimension is Dimension.SHARE and not substance:
        substance = next((name for name, words in _CHANGES.items() if words.search(sentence)), "")
    span = Span(start, place)
    return BenchmarkFigure(
        span,
        span.of(text),
        sentence,
        measured.low / basis.size,
        measured.high / basis.size,
        measured.dimension,
        measured.unit,
        substance,
        basis,
        _kind(text[around.start : start], text[place : around.end], measured.bound),
        measured.bound,
        measured.step / basis.size,
        scopes_named(sentence),
        _year(text, around, span),
        " ".join(text[start_of_unit:place].split()),
        factor / basis.size,
    )


def _substance(text: str, place: int) -> tuple[str, int]:
    # A gas glued to its unit ('tCO2e') lies before the place.
    if glued := _GLUED.search(text[max(0, place - 6) : place]):
        return ("CO2e" if glued["e"] else "CO2"), place
    found = _SUBSTANCE.match(text, place)
    if found is None:
        return "", place
    name = " ".join(found["what"].lower().split())
    if found["equivalent"] or name.startswith(("ghg", "greenhouse")):
        return "CO2e", found.end()
    return _SUBSTANCES.get(name, name.removesuffix("s")), found.end()


def _kind(before: str, after: str, bound: Bound) -> FigureKind:
    """What the nearest word of the kind says: mostly before the figure, else in brackets or straight after it."""
    if bound is Bound.RANGE:
        return FigureKind.RANGE
    clause = re.split(r"[;]|,\s(?=\w+\s\w+)|\band\b(?=[^,;]*$)", before)[-1]
    following = after[:25] if re.match(r"\s*\(|,?\s+on\s+", after) else ""
    near = [(len(clause) - each.end(), kind) for kind, words in _KINDS.items() for each in words.finditer(clause)]
    near += [(2 * each.start(), kind) for kind, words in _KINDS.items() for each in words.finditer(following)]
    if near:
        return min(near, key=lambda each: each[0])[1]
    return FigureKind.LIMIT if bound in (Bound.AT_LEAST, Bound.AT_MOST) else FigureKind.SINGLE


def _year(text: str, around: Span, figure: Span) -> int | None:
    """The year nearest to the figure in its sentence, else None."""
    years = [
        (min(abs(match.start() - figure.end), abs(figure.start - match.end())), int(match.group()))
        for match in _YEAR.finditer(text, around.start, around.end)
        if not (figure.start <= match.start() < figure.end)
    ]
    return min(years)[1] if years else None
