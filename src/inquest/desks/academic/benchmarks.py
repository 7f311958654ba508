"""A claim's figures beside those that passages give for its sector (spec 002, section 8): plausible, low, high, an
outlier, or unknown.

Only what every company of a sector can be measured by is compared: figures per unit of something, and changes. A figure
of another gas, scope, base, product, currency or sector is refused with the reason, never converted by guess. The
bounds of 'high' and 'outlier' are Inquest's own, since no standard sets any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from inquest.claims.report.company import named_in
from inquest.desks.academic.benchmark_figures import (
    BasisKind,
    BenchmarkFigure,
    FigureKind,
    benchmark_figures,
    is_intensity,
    is_reduction,
)
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import witness_references
from inquest.desks.academic.terms import company_sector, metric_in, sector_of, technologies_in
from inquest.desks.academic.validation import (
    BY_RULE,
    CheckReport,
    Rest,
    Ruling,
    TechnicalClaim,
    conclude,
    rest_on,
)
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.value import JsonValue
from inquest.entailment.bases import not_comparable, scopes_named
from inquest.kit.desk import FindingDraft
from inquest.text.lexicon import entries
from inquest.text.quantities import Bound, Dimension
from inquest.text.sentences import Span, content_words, shorten, stem

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


_PLAUSIBLE = 0.45
"""Below what can carry a verdict: a figure within its sector's range may still be wrong."""
_ONE_SOURCE = 0.5
"""An outlier of one credible source's range: enough to keep a claim from being verified, and for no more."""
_CREDIBLE, _JOINED, _TOGETHER = 2, 3, 2
"""A source of credibility 2 counts alone, those of 3 from two on, as in `verdicts/weighing.toml`."""
_QUOTED = 240
_CHANGING = frozenset(map(stem, entries(__name__, "benchmark")["changing"].split()))


@dataclass(frozen=True, slots=True)
class Compared:
    """One reported figure beside all that was found, and who gave each."""

    reported: BenchmarkFigure
    check: BenchmarkCheck
    witnesses: tuple[AcademicEvidence, ...]
    """Of `check.used`, in its order."""
    refused: tuple[AcademicEvidence, ...]
    """Of `check.refused`, in its order."""


def reported_figures(text: str, year: int | None = None) -> tuple[BenchmarkFigure, ...]:
    """The figures of a claim that may be compared: per unit of something first, then changes."""
    figures = [each if each.year else replace(each, year=year) for each in benchmark_figures(text)]
    return (*filter(is_intensity, figures), *filter(is_reduction, figures))


def compared_figures(
    claim: TechnicalClaim, reported: BenchmarkFigure, witnesses: Sequence[AcademicEvidence]
) -> Compared:
    """Hold one figure beside those of the witnesses that count. What a passage says of the company itself is none."""
    found: list[tuple[BenchmarkFigure, AcademicEvidence]] = []
    seen: set[tuple[str, str, str]] = set()
    for each in witnesses:
        published = each.source.published.at.year if each.source.published else None
        for figure in benchmark_figures(each.text) if not each.left_out else ():
            key = (each.source.story or each.source.id, figure.text, figure.sentence)
            if key not in seen and _may_serve(claim, reported, figure, each):
                seen.add(key)
                found.append((replace(figure, year=figure.year or published), each))
    sectors = [sector_of(figure.sentence) or sector_of(owner.source.title) for figure, owner in found]
    sector = company_sector(claim.industry, claim.text)
    check = compare_benchmarks(reported, [figure for figure, _ in found], sector=sector, sectors=sectors)
    of = {id(figure): owner for figure, owner in found}
    return Compared(
        reported,
        check,
        tuple(of[id(each.figure)] for each in check.used),
        tuple(of[id(each.figure)] for each in check.refused),
    )


def benchmark_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's figures with what was found; 'unknown' where nothing may be compared."""
    every = [compared_figures(claim, each, witnesses) for each in reported_figures(claim.text, claim.report_year)]
    first = next((each for each in every if each.check.used), every[0] if every else None)
    sector = company_sector(claim.industry, claim.text)
    limitations = _limitations(first, sector)
    used = first.witnesses if first else ()
    references = witness_references([*used, *first.refused] if first and used else [w for w in witnesses if w.quote])
    return conclude(
        "benchmark_comparison",
        _ruling(first),
        None,
        CheckReport(
            summary=_summary(first, claim.industry or sector),
            reasons=(*(first.check.reasons if first else ()), reason("bounds_are_our_own")),
            limitations=limitations,
        ),
        references=references,
        benchmark_range=_range(first),
        plausibility=(first.check.plausibility if first else Plausibility.UNKNOWN).value,
        standard_references=[each for each in references if each["type"] != "academic_paper"],
        finding_sources=list(dict.fromkeys(each.source.id for each in used)),
        metric=metric_in(claim.text) or None,
        scopes=sorted(first.reported.scopes if first else scopes_named(claim.text)),
        sector=sector or claim.industry or None,
        year=first.reported.year if first else claim.report_year,
        refused=[
            {
                "text": each.figure.text,
                "reason": in_words(each.reason),
                "source_id": witness.source.id,
                "url": witness.source.url,
            }
            for each, witness in (zip(first.check.refused, first.refused, strict=True) if first else ())
        ],
        comparisons=[
            {"reported": each.reported.text, "plausibility": each.check.plausibility.value, "range": _range(each)}
            for each in every
        ],
    )


def _ruling(compared: Compared | None) -> Ruling:
    """A figure in the range supports a little; one far off the ranges of credible sources contradicts, and the surer
    where two independent ones agree. High and low decide nothing: somebody has to be the best."""
    if compared is None or not compared.check.used:
        return Ruling(Stance.NEUTRAL, 0.3, reason("nothing_compared" if compared else "no_figure"))
    rest = _rest(compared)
    check = compared.check
    if check.plausibility is Plausibility.PLAUSIBLE:
        return Ruling(Stance.SUPPORTS, _PLAUSIBLE, reason("plausible"), rest)
    tiers = {each.source.story or each.source.id: each.credibility for each in compared.witnesses}.values()
    credible, joined = (sum(tier <= least for tier in tiers) for least in (_CREDIBLE, _JOINED))
    is_outlier = check.plausibility is Plausibility.OUTLIER and check.has_range
    if not is_outlier or (not credible and joined < _TOGETHER):
        return Ruling(Stance.NEUTRAL, 0.5, reason("off_range"), rest)
    sure = BY_RULE if credible >= _TOGETHER else _ONE_SOURCE
    return Ruling(Stance.CONTRADICTS, sure, reason("outlier", number=joined), rest, ContradictionType.CONTEXTUAL)


def _may_serve(
    claim: TechnicalClaim, reported: BenchmarkFigure, figure: BenchmarkFigure, witness: AcademicEvidence
) -> bool:
    """True for one of others that the reported figure could at all be held against."""
    if named_in(claim.company, figure.sentence):
        return False
    if is_intensity(reported):
        return is_intensity(figure) and figure.dimension is reported.dimension
    # One company's own cut says nothing of what is usual; a study's result does.
    alone = figure.kind is FigureKind.SINGLE and not witness.scholarly
    if alone or not is_reduction(figure) or figure.substance != reported.substance:
        return False
    return _same_change(claim.text, figure.sentence)


def _same_change(claim: str, sentence: str) -> bool:
    """True where two changes are of one thing: by the technology, where the claim names one, else by the scopes or the
    words of what changes."""
    if technology := set(technologies_in(claim)):
        return bool(technology & set(technologies_in(sentence)))
    wanted, found = scopes_named(claim), scopes_named(sentence)
    if wanted or found:
        return wanted == found
    shared = {stem(word) for word in content_words(claim)} & {stem(word) for word in content_words(sentence)}
    return bool(shared & _CHANGING)


def _rest(compared: Compared) -> Rest | None:
    """The sentence of the first figure that was used, in its passage."""
    witness, sentence = compared.witnesses[0], compared.check.used[0].figure.sentence
    start = witness.text.find(sentence)
    return rest_on(witness, Span(start, start + len(sentence)) if start >= 0 else None)


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def _range(compared: Compared | None) -> JsonValue:
    if compared is None:
        return None
    check = compared.check
    citations: list[JsonValue] = [
        {
            "text": used.figure.text,
            "min": _rounded(used.low),
            "max": _rounded(used.high),
            "kind": used.figure.kind.value,
            "year": used.figure.year,
            "scopes": [*sorted(used.figure.scopes)],
            "source_id": witness.source.id,
            "title": witness.source.title,
            "url": witness.source.url,
            "quote": shorten(used.figure.sentence, _QUOTED),
            "source_credibility": witness.credibility,
        }
        for used, witness in zip(check.used, compared.witnesses, strict=True)
    ]
    numbers = {"min": check.low, "max": check.high, "median": check.middle, "reported": check.reported}
    return {**{name: _rounded(value) for name, value in numbers.items()}, "unit": check.unit, "citations": citations}


def _limitations(compared: Compared | None, sector: str) -> list[Reason]:
    if compared is None:
        return [reason("no_figure")]
    applies = {
        "sector_unknown": bool(compared.check.used) and not sector,
        "year_unknown": compared.reported.year is None,
        "one_source": len({each.source.id for each in compared.witnesses}) == 1,
    }
    found = [reason(name) for name, holds in applies.items() if holds]
    refused = len(compared.check.refused)
    return [*found, reason("others_refused", number=refused)] if refused else found


def _summary(compared: Compared | None, sector: str) -> list[Reason]:
    if compared is None:
        return [reason("no_figure")]
    check = compared.check
    if not check.used:
        return [reason("not_compared", figure=compared.reported.text), *(each.reason for each in check.refused[:1])]
    names = list(dict.fromkeys(each.name for each in compared.witnesses))
    of = {"figure": compared.reported.text, "sector": sector or "its sector"}
    return [
        reason(f"benchmark_{check.plausibility.value}", **of),
        check.place,
        reason("benchmarks_from", names=names),
    ]
