"""Figures of comparison in a text: ranges, averages and limits, with unit, scope, year and what they are per and of.

Numbers and units are those of `text/quantities.py`; read here is what makes of them a benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from inquest.desks.academic.benchmark_units import Basis, BasisKind, basis_after
from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.numerals import SCALE
from inquest.text.quantities import Bound, Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences
from inquest.text.units import SCALES, UNITS


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
    """'CO2e', 'CO2', 'CH4', 'water', 'reduction', ...; '' where none is named."""
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


_GAS = pattern(__name__, "gas")
_CARRIER = pattern(__name__, "carrier")
"""What an amount of energy came as, where it stands between the figure and what it is per."""
_GLUED = regex(r"CO[2₂](?P<e>e?)$")
_RANGE = regex(r"\s?(?:to|-|–|bis)\s?", re.I)
_BETWEEN = regex(r"\b(?:between|from|zwischen|von)\s+$", re.I)
_GASES = {name: tuple(words.split("|")) for name, words in entries(__name__, "gases").items()}
_KINDS = {FigureKind[name]: compiled(words) for name, words in entries(__name__, "figure_kinds").items()}
_CHANGES = {name: compiled(words) for name, words in entries(__name__, "changes").items()}
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
    between = text[one.span.end : other.span.start]
    same = (one.unit, one.dimension) == (other.unit, other.dimension)
    both = between.strip() == "and" and _BETWEEN.search(text[: one.span.start]) is not None
    return same and Bound.RANGE not in (one.bound, other.bound) and (both or _RANGE.fullmatch(between) is not None)


def _figure(text: str, around: Span, measured: Quantity) -> BenchmarkFigure:
    start, place = measured.span
    unit = "" if measured.dimension is Dimension.MONEY else next((x for x in _NAMES if measured.text.endswith(x)), "")
    start_of_unit = place - len(unit)
    scale = SCALE.search(measured.text.removesuffix(unit)) if measured.dimension is not Dimension.SHARE else None
    factor = (SCALES[scale["scale"].lower()] if scale else 1.0) * (UNITS[unit].factor if unit else 1.0)
    substance, place = _substance(text, place)
    if measured.dimension is Dimension.ENERGY:
        substance, place = _carrier(text, place)
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
    found = _GAS.match(text, place)
    if found is None:
        return "", place
    name = re.sub(r"\s+", " ", found["gas"]).lower()
    if found["equivalent"] or re.match(r"co[2₂][\s-]?e|ghg|greenhouse", name):
        return "CO2e", found.end()
    return next((gas for gas, names in _GASES.items() if name in names), name), found.end()


def _carrier(text: str, place: int) -> tuple[str, int]:
    """'5.2 MWh of electricity per tonne': 'electricity'; '' where it is energy of any kind."""
    found = _CARRIER.match(text, place)
    if found is None:
        return "", place
    name = found["carrier"].lower()
    return "" if name == "energy" else "electricity" if name.endswith("power") else name.rstrip("s"), found.end()


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
