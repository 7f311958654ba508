"""Figures of comparison in a text: ranges, averages and limits, with unit, scope, year and what they are of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from inquest.desks.academic.benchmark_units import Basis, basis_after
from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import pattern
from inquest.text.moments import date_like_spans
from inquest.text.numerals import CURRENCY, DECIMAL_COMMA, DIGITS, SCALE, Bound, bound_before, number_of
from inquest.text.sentences import Span, sentences
from inquest.text.units import CURRENCIES, SCALES, UNITS, Dimension

__all__ = ["BenchmarkFigure", "FigureKind", "benchmark_figures"]


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


_NAMES = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
# A unit may be glued to its gas ('kgCO2e'), and followed by a stroke, which elsewhere would make it another unit.
_UNIT = re.compile(rf"[\s\u00a0-]?(?P<unit>{_NAMES})(?![\w²³])")
_GAS = pattern(__name__, "gas")
_CARRIER = pattern(__name__, "carrier")
"""What an amount of energy came as, where it stands between the figure and what it is per."""
_AGAIN = re.compile(r"\s?(?:to|-|–|and|bis)\s?(?P<second>\d+(?:[.,]\d+)?)", re.I)
_GASES = {
    "co₂": "CO2",
    "co2": "CO2",
    "carbon dioxide": "CO2",
    "ch₄": "CH4",
    "ch4": "CH4",
    "methane": "CH4",
    "n2o": "N2O",
    "nox": "NOx",
    "sox": "SOx",
}
_KINDS = (
    (FigureKind.LOW_PERCENTILE,
 r"\b(?:10|20|25)th\s+percentile|\b(?:lower|first|bottom|1st)\s+(?:quartile|decile)"
 r"|\bbest[\s-](?:practice|in[\s-]class|available)"),
    (FigureKind.HIGH_PERCENTILE, r"\b(?:75|80|90)th\s+percentile|\b(?:upper|third|top|3rd)\s+(?:quartile|decile)"),
    (FigureKind.MEDIAN, r"\bmedian\b|\b50th\s+percentile"),
    (FigureKind.AVERAGE, r"\b(?:average[sd]?|averaging|mean|typical(?:ly)?|durchschnitt\w*|avg)\b|⌀|Ø"),
)  # fmt: skip
_YEAR = re.compile(r"(?<![\d-])(?:19[89]\d|20[0-4]\d)(?![\d])")
_CHANGE = (
    (
        "reduction",
        re.compile(r"\b(?:reduc\w*|cuts?|decreas\w*|fell|fall\w*|declin\w*|lower\w*|sav(?:e|es|ed|ings?))\b", re.I),
    ),
    ("increase", re.compile(r"\b(?:increas\w*|grew|grow\w*|ris(?:e|es|en|ing)|rose|higher)\b", re.I)),
    ("share", re.compile(r"\b(?:share|proportion|recycled|renewable|efficiency|rate)\b", re.I)),
)


def benchmark_figures(text: str) -> tuple[BenchmarkFigure, ...]:
    """The figures of a text that something can be compared with, in order. Counts without a unit and years are none."""
    masked = tuple(date_like_spans(text))
    found: list[BenchmarkFigure] = []
    for span in sentences(text):
        end = span.start
        for match in DIGITS.finditer(text, span.start, span.end):
            if match.start() < end or any(
                match.start("number") < each.end and each.start < match.end("number") for each in masked
            ):
                continue
            figure = _figure(text, span, match)
            if figure is not None:
                found.append(figure)
                end = max(figure.span.end, figure.basis.end)
    return tuple(found)


def _figure(text: str, around: Span, match: re.Match[str]) -> BenchmarkFigure | None:
    before = text[max(around.start, match.start() - 30) : match.start()]
    second = match["second"]
    dash = (match["dash"] or "").strip().lower()
    place = match.end() if second else match.end("number")
    if second and dash == "and" and not re.search(r"\b(?:between|from|zwischen|von)\s+$", before, re.I):
        second, place = None, match.end("number")
    if second is None and (unit := _UNIT.match(text, place)):
        # '0.8 t to 1.9 t': the unit stands with both numbers.
        again = _AGAIN.match(text, unit.end())
        and_between = again is not None and "and" in again.group() and not re.search(r"\b(?:between|from)\s+$", before)
        same = again and re.match(rf"[\s\u00a0-]?{re.escape(unit['unit'])}(?!\w)", text[again.end() :])
        if again is not None and same and not and_between:
            second, place = again["second"], again.end()
    worldly = bool(DECIMAL_COMMA.match(text, place))
    scale, place = _scaled(text, place, money=bool(match["money"]))
    measured = _measure(text, place, match["money"])
    if measured is None:
        return None
    dimension, factor, base, start_of_unit, place = measured
    gas, place = _substance(text, place)
    if dimension is Dimension.ENERGY:
        gas, place = _carrier(text, place)
    basis = basis_after(text, place)
    place = max(place, basis.end)
    if not gas and dimension is Dimension.MASS:
        gas, place = _substance(text, place)
    values = [number_of(match["number"], worldly=worldly)]
    if second:
        values.append(number_of(second, worldly=worldly))
    if match["sign"]:
        values = [(-value, step) for value, step in values]
    per = factor * scale / basis.size
    amounts = sorted(value * per for value, _ in values)
    sentence = around.of(text)
    bound = Bound.RANGE if second else bound_before(before)
    context = text[around.start : match.start()]
    return BenchmarkFigure(
        Span(match.start(), place),
        text[match.start() : place],
        sentence,
        amounts[0],
        amounts[-1],
        dimension,
        base,
        gas or _change(dimension, sentence),
        basis,
        _kind(context, text[place : around.end], bound),
        bound,
        max(step for _, step in values) * per,
        scopes_named(sentence),
        _year(text, around, Span(match.start(), place)),
        " ".join(text[start_of_unit:place].split()),
        per,
    )


def _scaled(text: str, place: int, *, money: bool) -> tuple[float, int]:
    found = SCALE.match(text, place)
    if found is None:
        return 1.0, place
    word = found["scale"].lower()
    if word in ("m", "k", "b") and not money:
        return 1.0, place
    return SCALES[word], found.end()


def _measure(text: str, place: int, money: str | None) -> tuple[Dimension, float, str, int, int] | None:
    """Dimension, size in base units, base unit, and where the unit begins and ends."""
    if money:
        return Dimension.MONEY, 1.0, CURRENCIES[money.strip()], place, place
    if found := _UNIT.match(text, place):
        unit = UNITS[found["unit"]]
        if found["unit"] in ("in", "x", "times", "a") or unit.offset:
            return None
        return unit.dimension, unit.factor, unit.base, found.start("unit"), found.end()
    if currency := CURRENCY.match(text, place):
        return Dimension.MONEY, 1.0, CURRENCIES[currency["currency"]], currency.start("currency"), currency.end()
    return None


def _substance(text: str, place: int) -> tuple[str, int]:
    # A gas glued to its unit ('tCO2e') lies before the place.
    glued = re.search(r"CO[2₂](?P<e>e?)$", text[max(0, place - 6) : place])
    if glued:
        return ("CO2e" if glued["e"] else "CO2"), place
    found = _GAS.match(text, place)
    if found is None:
        return "", place
    name = re.sub(r"\s+", " ", found["gas"]).lower()
    if found["equivalent"] or re.match(r"co[2₂][\s-]?e", name) or name.startswith(("ghg", "greenhouse")):
        return "CO2e", found.end()
    return _GASES.get(name, name), found.end()


def _carrier(text: str, place: int) -> tuple[str, int]:
    """'5.2 MWh of electricity per tonne': 'electricity'; '' where it is energy of any kind."""
    found = _CARRIER.match(text, place)
    if found is None:
        return "", place
    name = found["carrier"].lower()
    return "" if name == "energy" else "electricity" if name.endswith("power") else name.rstrip("s"), found.end()


def _change(dimension: Dimension, sentence: str) -> str:
    if dimension is not Dimension.SHARE:
        return ""
    return next((name for name, words in _CHANGE if words.search(sentence)), "")


def _kind(before: str, after: str, bound: Bound) -> FigureKind:
    """What the nearest word of the kind says: mostly before the figure, else in brackets or straight after it."""
    nearest: tuple[int, FigureKind] | None = None
    clause = re.split(r"[;]|,\s(?=\w+\s\w+)|\band\b(?=[^,;]*$)", before)[-1] if bound is not Bound.RANGE else before
    for part, weight in ((clause, 1), (after[:25] if re.match(r"\s*\(|,?\s+on\s+", after) else "", 2)):
        for kind, words in _KINDS:
            for match in re.finditer(words, part, re.I):
                far = (len(part) - match.end() if weight == 1 else match.start()) * weight
                if nearest is None or far < nearest[0]:
                    nearest = far, kind
    if bound is Bound.RANGE:
        return FigureKind.RANGE
    if nearest is not None:
        return nearest[1]
    return FigureKind.LIMIT if bound in (Bound.AT_LEAST, Bound.AT_MOST) else FigureKind.SINGLE


def _year(text: str, around: Span, figure: Span) -> int | None:
    """The year nearest to the figure in its sentence, else None."""
    years = [
        (min(abs(match.start() - figure.end), abs(figure.start - match.end())), int(match.group()))
        for match in _YEAR.finditer(text, around.start, around.end)
        if not (figure.start <= match.start() < figure.end)
    ]
    return min(years)[1] if years else None
