"""A reported figure beside figures of comparison: plausible, low, high, an outlier, or unknown.

Figures of different kinds are refused with the reason, never converted by guess: another gas, scope, product, base or
currency. The bounds of 'high' and 'outlier' are Inquest's own, since no standard sets any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.benchmark_figures import BenchmarkFigure, FigureKind
from inquest.desks.academic.benchmark_units import BasisKind
from inquest.desks.academic.reasons import reason
from inquest.domain.reasons import Reason, in_words
from inquest.entailment.bases import not_comparable
from inquest.text.quantities import Bound, Dimension

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


class UsedBenchmark(NamedTuple):
    """A benchmark that was compared, in the units of the reported figure as written."""

    figure: BenchmarkFigure
    low: float
    high: float


class RefusedBenchmark(NamedTuple):
    """A benchmark that may not be compared, and why."""

    figure: BenchmarkFigure
    reason: Reason


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
    used: tuple[UsedBenchmark, ...]
    refused: tuple[RefusedBenchmark, ...]
    place: Reason
    """Where the reported figure lies beside them."""
    further: tuple[Reason, ...]
    """What was refused, and which years lie far apart."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return (self.place, *self.further)

    @property
    def has_range(self) -> bool:
        """More was found than a middle: an end of what is usual."""
        return self.low is not None or self.high is not None


def compare_benchmarks(
    reported: BenchmarkFigure,
    benchmarks: Sequence[BenchmarkFigure],
    *,
    sector: str = "",
    sectors: Sequence[str] = (),
) -> BenchmarkCheck:
    """Compare one figure with others. `sector` is the company's, `sectors` those of the benchmarks, in their order (''
    where not known): different ones are refused."""
    used: list[UsedBenchmark] = []
    refused: list[RefusedBenchmark] = []
    reasons: list[Reason] = []
    for number, figure in enumerate(benchmarks):
        why = _why_not(reported, figure, (sector, sectors[number] if number < len(sectors) else ""))
        if why is not None:
            refused.append(RefusedBenchmark(figure, why))
            continue
        used.append(UsedBenchmark(figure, figure.low / reported.factor, figure.high / reported.factor))
        if reported.year and figure.year and abs(reported.year - figure.year) >= _YEARS_APART:
            reasons.append(reason("years_apart", text=figure.text, year=str(figure.year), own=str(reported.year)))
    low, high = _limits(used)
    middle = _middle(used)
    plausibility, place = _judge(reported, low, high, middle)
    reasons += [reason("refused", text=each.figure.text, why=in_words(each.reason)) for each in refused]
    value = (reported.low + reported.high) / 2 / reported.factor
    return BenchmarkCheck(
        plausibility, value, low, high, middle, reported.written, tuple(used), tuple(refused), place, tuple(reasons)
    )


def _why_not(mine: BenchmarkFigure, theirs: BenchmarkFigure, sectors: tuple[str, str]) -> Reason | None:
    """Why the two may not be compared; None where they may."""
    revenue = mine.basis.kind is BasisKind.REVENUE
    differing = (
        ("other_sector", *(each.casefold().strip() for each in sectors)),
        ("other_dimension", mine.dimension.value, theirs.dimension.value),
        ("other_substance", mine.substance, theirs.substance),
        ("other_basis", mine.basis.kind.value, theirs.basis.kind.value),
        ("other_currency", mine.basis.of if revenue else "", theirs.basis.of if revenue else ""),
        ("other_currency", *((mine.unit, theirs.unit) if mine.dimension is Dimension.MONEY else ("", ""))),
    )
    for code, one, other in differing:
        if one and other and one != other:
            return reason(code, theirs=other, mine=one)
    if revenue and bool(mine.basis.of) != bool(theirs.basis.of):
        return reason("no_currency")
    if not revenue and _another_product(mine.basis.of, theirs.basis.of):
        return reason("other_product", theirs=theirs.basis.text, mine=mine.basis.text)
    basis = not_comparable(_around(mine), _around(theirs))
    return Reason(code=f"entailment.basis_{basis}") if basis else None


def _another_product(mine: str, theirs: str) -> bool:
    """'crude steel' and 'steel' may be compared, 'steel' and 'cement' not; where one names none, the units must do."""
    one, other = set(mine.split()), set(theirs.split())
    return bool(one and other and not (one <= other or other <= one))


def _around(figure: BenchmarkFigure) -> str:
    """The sentence without the figure: its unit and base are compared above, by value and not by words."""
    return figure.sentence if figure.dimension is Dimension.SHARE else figure.sentence.replace(figure.text, " … ")


def _limits(used: list[UsedBenchmark]) -> tuple[float | None, float | None]:
    lows: list[float] = []
    highs: list[float] = []
    singles = 0
    for each in used:
        kind, bound = each.figure.kind, each.figure.bound
        is_range = bound is Bound.RANGE
        # Several single figures, of peers or years, span a range; one alone is a middle.
        single = kind is FigureKind.SINGLE and not is_range and bound not in (Bound.AT_LEAST, Bound.AT_MOST)
        singles += single
        if is_range or single or kind is FigureKind.LOW_PERCENTILE or bound is Bound.AT_LEAST:
            lows.append(each.low)
        if is_range or single or kind is FigureKind.HIGH_PERCENTILE or bound is Bound.AT_MOST:
            highs.append(each.high)
    if singles == len(lows) == len(highs) == 1:
        return None, None
    return min(lows, default=None), max(highs, default=None)


def _middle(used: list[UsedBenchmark]) -> float | None:
    middles = [each.low for each in used if each.figure.kind in (FigureKind.AVERAGE, FigureKind.MEDIAN)]
    middles = middles or [each.low for each in used if each.figure.kind is FigureKind.SINGLE]
    return sum(middles) / len(middles) if middles else None


_Ends = tuple[float | None, float | None]


def _judge(
    reported: BenchmarkFigure, low: float | None, high: float | None, middle: float | None
) -> tuple[Plausibility, Reason]:
    near: _Ends = (low, high)
    far: _Ends = (_beyond(low, 1 / _OUTLIER), _beyond(high, _OUTLIER))
    shown = f"{low:.4g} to {high:.4g}" if low is not None and high is not None else ""
    if low is None and high is None:
        if middle is None:
            return Plausibility.UNKNOWN, reason("no_benchmark")
        near = _ordered(middle * (1 - _AROUND_ONE), middle * (1 + _AROUND_ONE))
        far = _ordered(middle / _FAR, middle * _FAR)
        shown = f"{middle:.4g} (one figure, no range)"
    elif not shown:
        shown = f"at most {high:.4g}" if high is not None else f"at least {low:.4g}"
    least = (reported.low - reported.step) / reported.factor
    most = (reported.high + reported.step) / reported.factor
    plausibility, place = _place(least, most, near, far)
    value = f"{(reported.low + reported.high) / 2 / reported.factor:g}"
    return plausibility, reason(f"figure_{place}", value=value, beside=shown, unit=reported.written)


def _beyond(end: float | None, times: float) -> float | None:
    """An end of a range, further out by a factor."""
    if end is None:
        return None
    return end * times if end > 0 else end / times


def _ordered(one: float, other: float) -> _Ends:
    return min(one, other), max(one, other)


def _place(least: float, most: float, near: _Ends, far: _Ends) -> tuple[Plausibility, str]:
    """Where the reported figure lies beside the ends of what is usual and of what is still possible."""
    for ends, below, above in (
        (far, (Plausibility.OUTLIER, "far_below"), (Plausibility.OUTLIER, "far_above")),
        (near, (Plausibility.LOW, "below"), (Plausibility.HIGH, "above")),
    ):
        if ends[0] is not None and most < ends[0]:
            return below
        if ends[1] is not None and least > ends[1]:
            return above
    return Plausibility.PLAUSIBLE, "within"
