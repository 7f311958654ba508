"""A reported figure beside figures of comparison: plausible, low, high, an outlier, or not to be told.

Figures of different kinds are refused with the reason, never converted by guess: another gas, scope, product, base or
currency. The bounds of 'high' and 'outlier' are Inquest's own, since no standard sets any: they sort what a person
should look at, and prove nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.benchmark_figures import BenchmarkFigure, FigureKind
from inquest.desks.academic.benchmark_units import BasisKind, ExchangeRates
from inquest.domain.reasons import Reason, in_words
from inquest.entailment.bases import not_comparable
from inquest.text.numerals import Bound
from inquest.text.units import Dimension

__all__ = ["BenchmarkCheck", "Plausibility", "Refused", "Used", "compare_benchmarks"]

_OUTLIER = 2.0
"""Beyond the range by this factor: an outlier."""
_AROUND_ONE = 1 / 3
"""A single average has no range; within this share of it a value is plausible, and high or low up to _FAR times."""
_FAR = 3.0
_YEARS_APART = 5
"""Years between the two figures from which the reasons say so."""


class Plausibility(StrEnum):
    """How a reported figure stands to the benchmarks (spec 002, 8.3)."""

    PLAUSIBLE = "plausible"
    HIGH = "high"
    LOW = "low"
    OUTLIER = "outlier"
    UNKNOWN = "unknown"
    """Nothing that it may be compared with."""


class Used(NamedTuple):
    """A benchmark that was compared, in the units of the reported figure as written."""

    figure: BenchmarkFigure
    low: float
    high: float


class Refused(NamedTuple):
    """A benchmark that may not be compared, and why."""

    figure: BenchmarkFigure
    reason: str


@dataclass(frozen=True, slots=True)
class BenchmarkCheck:
    """What a comparison comes to. All numbers are in `unit`, the unit of the reported figure as written; None where no
    benchmark gives them."""

    plausibility: Plausibility
    reported: float
    low: float | None
    high: float | None
    middle: float | None
    """The average of the averages and medians used."""
    unit: str
    used: tuple[Used, ...]
    refused: tuple[Refused, ...]
    reasons: tuple[str, ...]


def compare_benchmarks(
    reported: BenchmarkFigure,
    benchmarks: Sequence[BenchmarkFigure],
    *,
    sector: str = "",
    sectors: Sequence[str] = (),
    rates: ExchangeRates | None = None,
) -> BenchmarkCheck:
    """Compare one figure with others.

    `sector` is the company's, `sectors` those of the benchmarks, in their order ('' where not known): different ones
    are refused. Money of different currencies is compared only with `rates`.
    """
    used: list[Used] = []
    refused: list[Refused] = []
    reasons: list[str] = []
    for number, figure in enumerate(benchmarks):
        theirs = sectors[number] if number < len(sectors) else ""
        reason = _other_sector(sector, theirs) or _why_not(reported, figure, rates)
        if reason:
            refused.append(Refused(figure, reason))
            continue
        times = _exchange(reported, figure, rates) / reported.factor
        used.append(Used(figure, figure.low * times, figure.high * times))
        if reported.year and figure.year and abs(reported.year - figure.year) >= _YEARS_APART:
            reasons.append(f"'{figure.text}' is of {figure.year}, the reported figure of {reported.year}.")
        if rates is not None and _exchange(reported, figure, rates) != 1:
            reasons.append(f"'{figure.text}' was converted at the rates of {rates.on.isoformat()}.")
    low, high = _limits(used)
    middle = _middle(used)
    plausibility, why = _judge(reported, low, high, middle)
    why_refused = tuple(dict.fromkeys(f"Not compared with '{each.figure.text}': {each.reason}" for each in refused))
    return BenchmarkCheck(
        plausibility,
        (reported.low + reported.high) / 2 / reported.factor,
        low,
        high,
        middle,
        reported.written,
        tuple(used),
        tuple(refused),
        (why, *reasons, *why_refused),
    )


def _other_sector(mine: str, theirs: str) -> str:
    if mine and theirs and mine.casefold().strip() != theirs.casefold().strip():
        return f"It is of the sector {theirs}, the reported figure of {mine}."
    return ""


def _why_not(mine: BenchmarkFigure, theirs: BenchmarkFigure, rates: ExchangeRates | None) -> str:
    """Why the two may not be compared; '' where they may."""
    if mine.dimension is not theirs.dimension:
        return f"It is of {theirs.dimension}, the reported figure of {mine.dimension}."
    if mine.substance and theirs.substance and mine.substance != theirs.substance:
        return f"It is of {theirs.substance}, the reported figure of {mine.substance}."
    if mine.basis.kind is not theirs.basis.kind:
        return f"It is per {theirs.basis.kind}, the reported figure per {mine.basis.kind}."
    if mine.basis.kind is not BasisKind.REVENUE and _another_product(mine.basis.of, theirs.basis.of):
        return f"It is per '{theirs.basis.text}', the reported figure per '{mine.basis.text}'."
    if mine.basis.kind is BasisKind.REVENUE or mine.dimension is Dimension.MONEY:
        reason = _other_currency(mine, theirs, rates)
        if reason:
            return reason
    basis = not_comparable(_around(mine), _around(theirs))
    return in_words(Reason(code=f"entailment.basis_{basis}")) if basis else ""


def _another_product(mine: str, theirs: str) -> bool:
    """'crude steel' and 'steel' may be compared, 'steel' and 'cement' not; where one names none, the units must do."""
    one, other = set(mine.split()), set(theirs.split())
    return bool(one and other and not (one <= other or other <= one))


def _currencies(mine: BenchmarkFigure, theirs: BenchmarkFigure) -> list[tuple[str, str]]:
    pairs = [(mine.basis.of, theirs.basis.of)] if mine.basis.kind is BasisKind.REVENUE else []
    if mine.dimension is Dimension.MONEY:
        pairs.append((mine.unit, theirs.unit))
    return pairs


def _other_currency(mine: BenchmarkFigure, theirs: BenchmarkFigure, rates: ExchangeRates | None) -> str:
    for one, other in _currencies(mine, theirs):
        if not one or not other:
            return "" if one == other else "One of the two names no currency."
        if one != other and (rates is None or rates.between(one, other) is None):
            return f"It is in {other}, the reported figure in {one}, and no rate of exchange is given."
    return ""


def _exchange(mine: BenchmarkFigure, theirs: BenchmarkFigure, rates: ExchangeRates | None) -> float:
    """By what to multiply the benchmark: 1 per euro is less per dollar when a dollar buys less than a euro."""
    times = 1.0
    if mine.basis.kind is BasisKind.REVENUE and mine.basis.of != theirs.basis.of and rates is not None:
        times *= rates.between(mine.basis.of, theirs.basis.of) or 1.0
    if mine.dimension is Dimension.MONEY and mine.unit != theirs.unit and rates is not None:
        times *= rates.between(theirs.unit, mine.unit) or 1.0
    return times


def _around(figure: BenchmarkFigure) -> str:
    """The sentence without the figure: its unit and base are compared above, by value and not by words."""
    return figure.sentence if figure.dimension is Dimension.SHARE else figure.sentence.replace(figure.text, " … ")


def _limits(used: list[Used]) -> tuple[float | None, float | None]:
    lows: list[float] = []
    highs: list[float] = []
    for each in used:
        kind, bound = each.figure.kind, each.figure.bound
        if bound is Bound.RANGE or kind is FigureKind.RANGE:
            lows.append(each.low)
            highs.append(each.high)
        elif kind is FigureKind.LOW_PERCENTILE:
            lows.append(each.low)
        elif kind is FigureKind.HIGH_PERCENTILE or bound is Bound.AT_MOST:
            highs.append(each.high)
        elif bound is Bound.AT_LEAST:
            lows.append(each.low)
        elif kind is FigureKind.SINGLE:
            # Several single figures, of peers or years, span a range; one alone is a middle.
            lows.append(each.low)
            highs.append(each.high)
    singles = [each for each in used if each.figure.kind is FigureKind.SINGLE and each.figure.bound is not Bound.RANGE]
    if len(singles) == 1 and len(lows) == 1 and len(highs) == 1 and lows == highs:
        return None, None
    return min(lows, default=None), max(highs, default=None)


def _middle(used: list[Used]) -> float | None:
    middles = [each.low for each in used if each.figure.kind in (FigureKind.AVERAGE, FigureKind.MEDIAN)]
    middles = middles or [each.low for each in used if each.figure.kind is FigureKind.SINGLE]
    return sum(middles) / len(middles) if middles else None


def _judge(
    reported: BenchmarkFigure, low: float | None, high: float | None, middle: float | None
) -> tuple[Plausibility, str]:
    least = (reported.low - reported.step) / reported.factor
    most = (reported.high + reported.step) / reported.factor
    value = f"{(reported.low + reported.high) / 2 / reported.factor:g}"
    unit = reported.written
    if low is None and high is None:
        if middle is None:
            return Plausibility.UNKNOWN, "There is no benchmark that it may be compared with."
        shown = f"{value} beside {middle:.4g} {unit}, a single figure without a range"
        ends = sorted((middle * (1 - _AROUND_ONE), middle * (1 + _AROUND_ONE)))
        far = middle / _FAR, middle * _FAR
        return _place((least, most), (ends[0], ends[1]), (min(far), max(far)), shown)
    bottom, top = low, high
    shown = f"{value} beside {_range(low, high)} {unit}"
    far_low = None if bottom is None else bottom / _OUTLIER if bottom > 0 else bottom * _OUTLIER
    far_high = None if top is None else top * _OUTLIER if top > 0 else top / _OUTLIER
    return _place((least, most), (bottom, top), (far_low, far_high), shown)


_Ends = tuple[float | None, float | None]


def _place(reported: tuple[float, float], near: _Ends, far: _Ends, shown: str) -> tuple[Plausibility, str]:
    """Where the reported figure lies beside the ends of what is usual and of what is still possible."""
    (least, most), (low, high), (far_low, far_high) = reported, near, far
    if far_low is not None and most < far_low:
        return Plausibility.OUTLIER, f"{shown}: far below."
    if far_high is not None and least > far_high:
        return Plausibility.OUTLIER, f"{shown}: far above."
    if low is not None and most < low:
        return Plausibility.LOW, f"{shown}: below."
    if high is not None and least > high:
        return Plausibility.HIGH, f"{shown}: above."
    return Plausibility.PLAUSIBLE, f"{shown}: within."


def _range(low: float | None, high: float | None) -> str:
    if low is None:
        return f"at most {high:.4g}"
    return f"at least {low:.4g}" if high is None else f"{low:.4g} to {high:.4g}"
