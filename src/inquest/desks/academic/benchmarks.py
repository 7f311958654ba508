"""A claim's figures beside those that passages give for its sector (spec 002, section 8): plausible, low, high, an
outlier, or unknown; and what research says of a technology or practice, and of how much it is said to do (section 9).

Only figures per unit of something, and changes, are compared. A figure of another gas, scope, base, product, currency
or sector is refused with the reason. The bounds of 'high' and 'outlier' are Inquest's own, since no standard sets any.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from inquest.claims.report.company import named_in
from inquest.desks.academic.benchmark_figures import BenchmarkFigure, benchmark_figures
from inquest.desks.academic.terms import company_sector, metric_in, reason, sector_of, technologies_in
from inquest.desks.academic.validation import (
    BY_RULE,
    Ruling,
    TechnicalClaim,
    by_evidence,
    conclude,
    rest_on,
    witness_references,
)
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.source import Category
from inquest.domain.value import JsonValue
from inquest.entailment.bases import not_comparable, scopes_named
from inquest.kit.desk import FindingDraft
from inquest.text.lexicon import entries
from inquest.text.quantities import Bound, Dimension
from inquest.text.sentences import Span, content_words, shorten, stem

_OUTLIER = 2.0
"""Beyond the range by this factor: an outlier."""
_AROUND, _FAR = 1 / 3, 3.0
"""A single average has no range; within this share of it a value is plausible, and high or low up to _FAR times."""
_PLAUSIBLE = 0.45
"""Below what can carry a verdict: a figure within its sector's range may still be wrong."""
_ONE_SOURCE = 0.5
"""An outlier of one credible source's range: enough to keep a claim from being verified, and for no more."""
_CREDIBLE, _JOINED, _TOGETHER = 2, 3, 2
"""A source of credibility 2 counts alone, those of 3 from two on, as in `verdicts/weighing.toml`."""
_QUOTED = 240
_CHANGING = frozenset(map(stem, entries(__name__, "benchmark")["changing"].split()))


class Plausibility(StrEnum):
    """How a reported figure compares with the benchmarks (spec 002, 8.3)."""

    PLAUSIBLE = "plausible"
    HIGH = "high"
    LOW = "low"
    OUTLIER = "outlier"
    UNKNOWN = "unknown"
    """Nothing that it may be compared with."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A figure of others, who gives it, and why it may not be compared; `refused` None: it was."""

    figure: BenchmarkFigure
    witness: AcademicEvidence
    refused: Reason | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One reported figure beside all that was found. All numbers are in the unit of the reported figure as written;
    None where no benchmark gives them."""

    reported: BenchmarkFigure
    used: tuple[Benchmark, ...]
    refused: tuple[Benchmark, ...]
    low: float | None
    high: float | None
    middle: float | None
    """The average of the averages and medians used."""
    plausibility: Plausibility
    place: Reason
    """Where the reported figure lies beside them."""

    @property
    def value(self) -> float:
        """The reported figure."""
        return (self.reported.low + self.reported.high) / 2 / self.reported.factor

    @property
    def witnesses(self) -> list[AcademicEvidence]:
        return [each.witness for each in self.used]

    def range(self, name: str) -> dict[str, JsonValue]:
        """The numbers as details of a finding, with the reported figure under a name."""
        numbers = {"min": self.low, "max": self.high, "median": self.middle, name: self.value}
        rounded = {key: None if value is None else float(f"{value:.6g}") for key, value in numbers.items()}
        return {**rounded, "unit": self.reported.written}


def compare(
    reported: BenchmarkFigure, found: Sequence[tuple[BenchmarkFigure, AcademicEvidence]], sector: str = ""
) -> Comparison:
    """Compare one figure of a company of a sector ('' where not known) with others."""
    every = [Benchmark(figure, owner, _why_not(reported, figure, owner, sector)) for figure, owner in found]
    used = tuple(each for each in every if each.refused is None)
    low, high = _ends(reported, [each.figure for each in used])
    middles = [each.figure.low for each in used if each.figure.kind in ("average", "median")]
    middles = middles or [each.figure.low for each in used if each.figure.kind == "single"]
    middle = sum(middles) / len(middles) / reported.factor if middles else None
    plausibility, place = _judge(reported, low, high, middle)
    refused = tuple(each for each in every if each.refused is not None)
    return Comparison(reported, used, refused, low, high, middle, plausibility, place)


def _why_not(mine: BenchmarkFigure, theirs: BenchmarkFigure, owner: AcademicEvidence, sector: str) -> Reason | None:
    """Why the two may not be compared; None where they may."""
    revenue = mine.basis.kind == "money"
    money = mine.dimension is Dimension.MONEY
    currencies = (mine.basis.of or "none", theirs.basis.of or "none") if revenue else (mine.unit, theirs.unit)
    differing = (
        ("other_kind", sector, sector_of(theirs.sentence) or sector_of(owner.source.title)),
        ("other_kind", mine.dimension.value, theirs.dimension.value),
        ("other_kind", mine.substance, theirs.substance),
        ("other_basis", mine.basis.kind or "the whole", theirs.basis.kind or "the whole"),
        ("other_currency", *(currencies if revenue or money else ("", ""))),
    )
    for code, one, other in differing:
        if one and other and one != other:
            return reason(code, theirs=other, mine=one)
    products = [set(each.basis.of.split()) for each in (mine, theirs)]
    # 'crude steel' and 'steel' may be compared, 'steel' and 'cement' not; where one names none, the units must do.
    if not revenue and all(products) and not (products[0] <= products[1] or products[1] <= products[0]):
        return reason("other_product", theirs=theirs.basis.text, mine=mine.basis.text)
    basis = not_comparable(_around(mine), _around(theirs))
    return Reason(code=f"entailment.basis_{basis}") if basis else None


def _around(figure: BenchmarkFigure) -> str:
    """The sentence without the figure: its unit and base are compared by value."""
    return figure.sentence if figure.dimension is Dimension.SHARE else figure.sentence.replace(figure.text, " … ")


def _ends(reported: BenchmarkFigure, used: Sequence[BenchmarkFigure]) -> tuple[float | None, float | None]:
    """The least and the most that the figures give, in the reported unit. Several single figures, of peers or years,
    span a range; one alone is a middle."""
    bounds = (Bound.AT_LEAST, Bound.AT_MOST, Bound.RANGE)
    singles = [each for each in used if each.kind == "single" and each.bound not in bounds]
    ranges = [each for each in used if each.bound is Bound.RANGE]
    lows = [each for each in used if each.kind == "low percentile" or each.bound is Bound.AT_LEAST]
    highs = [each for each in used if each.kind == "high percentile" or each.bound is Bound.AT_MOST]
    if len(singles) > 1 or ranges or lows or highs:
        ranges += singles
    return (
        min((each.low / reported.factor for each in (*lows, *ranges)), default=None),
        max((each.high / reported.factor for each in (*highs, *ranges)), default=None),
    )


def _judge(
    reported: BenchmarkFigure, low: float | None, high: float | None, middle: float | None
) -> tuple[Plausibility, Reason]:
    """Where the reported figure lies beside the ends of what is usual and of what is still possible."""
    if low is None and high is None:
        if middle is None:
            return Plausibility.UNKNOWN, reason("no_benchmark")
        near = sorted((middle * (1 - _AROUND), middle * (1 + _AROUND)))
        far = sorted((middle / _FAR, middle * _FAR))
        shown = f"{middle:.4g} (one figure, no range)"
    else:
        near = [-math.inf if low is None else low, math.inf if high is None else high]
        far = [_further(near[0], 1 / _OUTLIER), _further(near[1], _OUTLIER)]
        shown = f"at most {high:.4g}" if low is None else f"at least {low:.4g}"
        if low is not None and high is not None:
            shown = f"{low:.4g} to {high:.4g}"
    least = (reported.low - reported.step) / reported.factor
    most = (reported.high + reported.step) / reported.factor
    plausibility, place = Plausibility.PLAUSIBLE, "within"
    for ends, below, above, distance in (
        (near, Plausibility.LOW, Plausibility.HIGH, ""),
        (far, Plausibility.OUTLIER, Plausibility.OUTLIER, "far_"),
    ):
        if most < ends[0]:
            plausibility, place = below, f"{distance}below"
        elif least > ends[1]:
            plausibility, place = above, f"{distance}above"
    value = f"{(reported.low + reported.high) / 2 / reported.factor:g}"
    return plausibility, reason(f"figure_{place}", value=value, beside=shown, unit=reported.written)


def _further(end: float, times: float) -> float:
    """An end of a range, further out by a factor."""
    return end * times if end > 0 else end / times


def reported_figures(text: str, year: int | None = None) -> tuple[BenchmarkFigure, ...]:
    """The figures of a claim that may be compared: per unit of something first, then changes."""
    figures = [each if each.year else replace(each, year=year) for each in benchmark_figures(text)]
    return (*(each for each in figures if each.is_intensity), *(each for each in figures if each.is_change))


def compared_figures(
    claim: TechnicalClaim, reported: BenchmarkFigure, witnesses: Sequence[AcademicEvidence]
) -> Comparison:
    """Compare one figure with those of the witnesses that count, without what a passage says of the company itself."""
    found: dict[tuple[str, str, str], tuple[BenchmarkFigure, AcademicEvidence]] = {}
    for each in witnesses:
        published = each.source.published.at.year if each.source.published else None
        for figure in benchmark_figures(each.text) if not each.left_out else ():
            if _may_serve(claim, reported, figure, each):
                key = (each.source.story or each.source.id, figure.text, figure.sentence)
                found.setdefault(key, (replace(figure, year=figure.year or published), each))
    return compare(reported, [*found.values()], company_sector(claim.industry, claim.text))


def _may_serve(
    claim: TechnicalClaim, reported: BenchmarkFigure, figure: BenchmarkFigure, witness: AcademicEvidence
) -> bool:
    """True for one of others that the reported figure could at all be compared with."""
    if named_in(claim.company, figure.sentence):
        return False
    if reported.is_intensity:
        return figure.is_intensity and figure.dimension is reported.dimension
    # One company's own cut says nothing of what is usual; a study's result does.
    alone = figure.kind == "single" and not witness.scholarly
    if alone or not figure.is_change or figure.substance != reported.substance:
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
    changing = [{stem(word) for word in content_words(each)} & _CHANGING for each in (claim, sentence)]
    return not changing[0].isdisjoint(changing[1])


def benchmark_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's figures with what was found; 'unknown' where nothing may be compared."""
    every = [compared_figures(claim, each, witnesses) for each in reported_figures(claim.text, claim.report_year)]
    first = next((each for each in every if each.used), every[0] if every else None)
    sector = company_sector(claim.industry, claim.text)
    used = first.used if first else ()
    refused = first.refused if first else ()
    cited = [each.witness for each in (*used, *refused)] if used else [each for each in witnesses if each.quote]
    references = witness_references(cited)
    why = [each.refused for each in refused if each.refused]
    reasons = [reason("refused", text=each.figure.text, why=in_words(each.refused)) for each in refused if each.refused]
    return conclude(
        "benchmark_comparison",
        _ruling(first),
        None,
        summary=_summary(first, claim.industry or sector or "its sector", why),
        reasons=(*((first.place, *reasons) if first else ()), reason("bounds_are_our_own")),
        limitations=_limitations(first, sector),
        references=references,
        benchmark_range={**first.range("reported"), "citations": [*map(_citation, first.used)]} if first else None,
        plausibility=(first.plausibility if first else Plausibility.UNKNOWN).value,
        standard_references=[each for each in references if each["type"] != "academic_paper"],
        finding_sources=list(dict.fromkeys(each.witness.source.id for each in used)),
        metric=metric_in(claim.text) or None,
        scopes=sorted(first.reported.scopes if first else scopes_named(claim.text)),
        sector=sector or claim.industry or None,
        year=first.reported.year if first else claim.report_year,
        refused=[
            {"text": each.figure.text, "reason": in_words(each.refused), "source_id": each.witness.source.id}
            for each in refused
            if each.refused
        ],
    )


def _ruling(compared: Comparison | None) -> Ruling:
    """A figure in the range supports a little; one far off the ranges of credible sources contradicts, and the surer
    where two independent ones agree. High and low decide nothing: somebody has to be the best."""
    if compared is None or not compared.used:
        return Ruling(Stance.NEUTRAL, 0.3, reason("nothing_compared" if compared else "no_figure"))
    first = compared.used[0]
    start = first.witness.text.find(first.figure.sentence)
    rest = rest_on(first.witness, Span(start, start + len(first.figure.sentence)) if start >= 0 else None)
    if compared.plausibility is Plausibility.PLAUSIBLE:
        return Ruling(Stance.SUPPORTS, _PLAUSIBLE, reason("plausible"), rest)
    tiers = {each.source.story or each.source.id: each.credibility for each in compared.witnesses}.values()
    credible, joined = (sum(tier <= least for tier in tiers) for least in (_CREDIBLE, _JOINED))
    has_range = compared.low is not None or compared.high is not None
    is_outlier = compared.plausibility is Plausibility.OUTLIER and has_range
    if not is_outlier or (not credible and joined < _TOGETHER):
        return Ruling(Stance.NEUTRAL, 0.5, reason("off_range"), rest)
    sure = BY_RULE if credible >= _TOGETHER else _ONE_SOURCE
    return Ruling(Stance.CONTRADICTS, sure, reason("outlier", number=joined), rest, ContradictionType.CONTEXTUAL)


def _citation(used: Benchmark) -> JsonValue:
    figure, source = used.figure, used.witness.source
    return {
        "text": figure.text,
        "kind": figure.kind,
        "year": figure.year,
        "source_id": source.id,
        "title": source.title,
        "url": source.url,
        "quote": shorten(figure.sentence, _QUOTED),
        "source_credibility": used.witness.credibility,
    }


def _limitations(compared: Comparison | None, sector: str) -> list[Reason]:
    if compared is None:
        return [reason("no_figure")]
    applies = {
        "sector_unknown": bool(compared.used) and not sector,
        "one_source": len({each.source.id for each in compared.witnesses}) == 1,
    }
    return [reason(name) for name, holds in applies.items() if holds]


def _summary(compared: Comparison | None, sector: str, why_not: Sequence[Reason]) -> list[Reason]:
    if compared is None:
        return [reason("no_figure")]
    figure = compared.reported.text
    if not compared.used:
        return [reason("not_compared", figure=figure), *why_not[:1]]
    names = list(dict.fromkeys(each.name for each in compared.witnesses))
    placed = reason(f"benchmark_{compared.plausibility.value}", figure=figure, sector=sector)
    return [placed, compared.place, reason("benchmarks_from", names=names)]


_RESEARCH_BODIES = frozenset((Category.INTERGOVERNMENTAL, Category.STATISTICS, Category.GOVERNMENT, Category.REGULATOR))


class Support(StrEnum):
    """How far research supports a claim (spec 002, 9.2)."""

    SUPPORTED = "supported"
    PARTIALLY = "partially_supported"
    NOT = "not_supported"
    INSUFFICIENT = "insufficient_research"


def research_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Whether judged scholarly passages support the claim. Tier 4 and retracted works do not count; where nothing else
    remains, research is insufficient."""
    technology = ", ".join(technologies_in(claim.text)) or "the practice"
    counted = [each for each in witnesses if _is_research(each)]
    barred = [each for each in witnesses if each.scholarly and each.barred]
    bearing = bearing_of(counted)
    claimed = next((each for each in reported_figures(claim.text, claim.report_year) if each.is_change), None)
    compared = compared_figures(claim, claimed, counted) if claimed is not None else None
    beyond = compared is not None and compared.plausibility in (Plausibility.HIGH, Plausibility.OUTLIER)
    support = _support(bearing, beyond=beyond)
    effect = [reason("size_of_effect"), compared.place] if compared and compared.used else []
    both = (*bearing.support, *bearing.against)
    return conclude(
        "research_support",
        _support_ruling(support, bearing),
        bearing,
        summary=(
            reason(f"research_{support.value}", technology=technology),
            *([bearing.consensus] if bearing.consensus else []),
            *effect,
            *(reason("has_it_otherwise", name=each.name) for each in bearing.against[:1]),
        ),
        limitations=(
            *(reason("not_counted", name=each.name, why=in_words(each.barred)) for each in barred if each.barred),
            *([reason("none_peer_reviewed")] if both and not _vouched(both) else []),
            *([reason("one_work")] if len(both) == 1 else []),
            *([reason("beyond_research"), *effect[1:]] if beyond else []),
            *(reason("against_it", quote=shorten(x.quote, _QUOTED), source=x.source.id) for x in bearing.against),
        ),
        references=witness_references([*counted, *barred]),
        research_support=support.value,
        technology=technology,
        claimed_benefit=claimed.text if claimed else None,
        research_range=compared.range("claimed") if compared and compared.used else None,
    )


def _is_research(witness: AcademicEvidence) -> bool:
    """True for a scholarly work, or one of a public body that reviews research, that somebody vouches for."""
    body = witness.source.rating.category in _RESEARCH_BODIES and witness.credibility <= 2
    return (witness.scholarly or body) and not witness.left_out


def _support(bearing: Bearing, *, beyond: bool) -> Support:
    if bearing.support and bearing.against:
        return Support.PARTIALLY
    if bearing.against:
        return Support.NOT if _vouched(bearing.against) else Support.INSUFFICIENT
    if not bearing.support:
        return Support.INSUFFICIENT
    return Support.PARTIALLY if beyond or not _vouched(bearing.support) else Support.SUPPORTED


def _vouched(side: Sequence[AcademicEvidence]) -> bool:
    """True where one of them is peer-reviewed or of tier 1: preprints alone support nothing."""
    return any(each.credibility == 1 for each in side)


def _support_ruling(support: Support, bearing: Bearing) -> Ruling:
    if support in (Support.SUPPORTED, Support.NOT) or not bearing.source_ids:
        return by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.2, reason("no_works")))
    why = "not_peer_reviewed" if support is Support.INSUFFICIENT else "supported_in_part"
    return Ruling(Stance.NEUTRAL, 0.5, reason(why))
