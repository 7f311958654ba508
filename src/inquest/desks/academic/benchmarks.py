"""Checks of a claim's figures by benchmarks of its sector (spec 002, section 8), and of the effect of a technology or
practice by research (section 9).

Only intensities and changes are compared. A figure for a different gas, scope, base, product, currency or sector is
rejected with the reason. The bounds of 'high' and 'outlier' are Inquest's own, since no standard sets any.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from inquest.claims.report.company import named_in
from inquest.desks.academic.benchmark_figures import BenchmarkFigure, benchmark_figures
from inquest.desks.academic.terms import PUBLIC_BODIES, company_sector, first_named, reason, sector_of, technologies_in
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
from inquest.domain.value import JsonValue, firsts
from inquest.entailment.bases import not_comparable, scopes_named
from inquest.entailment.changes import is_change
from inquest.kit.desk import FindingDraft
from inquest.text.lexicon import entries
from inquest.text.quantities import Bound, Dimension, quantities
from inquest.text.sentences import Span, content_words, shorten, stem

_OUTLIER = 2.0
"""Factor beyond the range that makes an outlier."""
_AROUND, _FAR = 1 / 3, 3.0
"""Without a range, a value within this share of the average is plausible; up to a factor of _FAR it is high or low."""
_PLAUSIBLE = 0.45
"""Confidence of a plausible figure, too low to decide a verdict: a figure within its sector's range may still be
wrong."""
_ONE_SOURCE = 0.5
"""Confidence of an outlier according to one credible source: enough only to keep a claim from being verified."""
_CREDIBLE, _JOINED, _TOGETHER = 2, 3, 2
"""One source of credibility 2 is enough, or two of 3, as in `verdicts/weighing.toml`."""
_QUOTED = 240
_CHANGING = frozenset(map(stem, entries(__name__, "benchmark")["changing"].split()))


Plausibility = Literal["plausible", "high", "low", "outlier", "unknown"]
"""Place of a reported figure among the benchmarks (spec 002, 8.3); unknown without a comparable one."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A figure from elsewhere with its source, and the reason if it is not comparable."""

    figure: BenchmarkFigure
    witness: AcademicEvidence
    refused: Reason | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One reported figure with its benchmarks. All numbers are in the reported unit as written, None if unknown."""

    reported: BenchmarkFigure
    used: tuple[Benchmark, ...]
    refused: tuple[Benchmark, ...]
    """One for each reason."""
    low: float | None
    high: float | None
    middle: float | None
    """The median of the averages and medians used."""
    plausibility: Plausibility
    place: Reason

    def range(self, name: str) -> dict[str, JsonValue]:
        """Return the numbers as details of a finding, the reported figure under `name`."""
        numbers = {
            "min": self.low,
            "max": self.high,
            "median": self.middle,
            name: self.reported.value / self.reported.factor,
        }
        rounded = {key: None if value is None else float(f"{value:.6g}") for key, value in numbers.items()}
        return {**rounded, "unit": self.reported.written}


def compare(
    reported: BenchmarkFigure, found: Sequence[tuple[BenchmarkFigure, AcademicEvidence]], sector: str = ""
) -> Comparison:
    """Compare a figure of a company with others. `sector`: the company's, '' if unknown."""
    every = [Benchmark(figure, owner, _why_not(reported, figure, owner, sector)) for figure, owner in found]
    used = tuple(each for each in every if each.refused is None)
    low, high = _ends(reported, [each.figure for each in used])
    middles = [each.figure.low for each in used if each.figure.kind in ("average", "median")]
    middles = middles or [each.figure.low for each in used if each.figure.kind == "single"]
    middle = median(middles) / reported.factor if middles else None
    plausibility, place = _judge(reported, low, high, middle)
    refused = tuple(firsts((in_words(each.refused), each) for each in every if each.refused).values())
    return Comparison(reported, used, refused, low, high, middle, plausibility, place)


def _why_not(mine: BenchmarkFigure, theirs: BenchmarkFigure, owner: AcademicEvidence, sector: str) -> Reason | None:
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
    if theirs.kind == "theoretical":
        return reason("theoretical")
    steps = [{stem(each) for each in figure.part} for figure in (mine, theirs)]
    if steps[0] != steps[1] and not (steps[0] & steps[1]) - {stem("alone")}:
        named = [" ".join(sorted(figure.part)) or "the whole process" for figure in (mine, theirs)]
        return reason("other_kind", theirs=named[1], mine=named[0])
    products = [set(each.basis.of.split()) for each in (mine, theirs)]
    # 'crude steel' and 'steel' are comparable, 'steel' and 'cement' are not; without a product the units decide.
    if not revenue and all(products) and not (products[0] <= products[1] or products[1] <= products[0]):
        return reason("other_product", theirs=theirs.basis.text, mine=mine.basis.text)
    # Unit and base of the figure itself are compared by value: both are per output, or neither is.
    output = " per unit" if mine.basis.kind else ""
    mine_text, theirs_text = (
        (each.sentence if each.dimension is Dimension.SHARE else each.sentence.replace(each.text, " … ")) + output
        for each in (mine, theirs)
    )
    basis = not_comparable(mine_text, theirs_text)
    return Reason(code=f"entailment.basis_{basis}") if basis else None


def _ends(reported: BenchmarkFigure, used: Sequence[BenchmarkFigure]) -> tuple[float | None, float | None]:
    """Return the minimum and maximum in the reported unit; a single figure is a middle, several span a range."""
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
    """Compare the reported figure with the ends of the usual and of the possible range."""
    if low is None and high is None:
        if middle is None:
            return "unknown", reason("nothing_compared")
        near = sorted((middle * (1 - _AROUND), middle * (1 + _AROUND)))
        far = sorted((middle / _FAR, middle * _FAR))
        shown = f"{middle:.4g} (one figure, no range)"
    else:
        near = [-math.inf if low is None else low, math.inf if high is None else high]
        far = [
            end * times if end > 0 else end / times for end, times in zip(near, (1 / _OUTLIER, _OUTLIER), strict=True)
        ]
        shown = f"at most {high:.4g}" if low is None else f"at least {low:.4g}"
        if low is not None and high is not None:
            shown = f"{low:.4g} to {high:.4g}"
    least = (reported.low - reported.step) / reported.factor
    most = (reported.high + reported.step) / reported.factor
    plausibility: Plausibility = "plausible"
    if most < far[0] or least > far[1]:
        plausibility = "outlier"
    elif most < near[0] or least > near[1]:
        plausibility = "low" if most < near[0] else "high"
    ends = dict.fromkeys(f"{each / reported.factor:g}" for each in (reported.low, reported.high))
    return plausibility, reason("figure_beside", value=" to ".join(ends), beside=shown, unit=reported.written)


def reported_figures(text: str, year: int | None = None) -> tuple[BenchmarkFigure, ...]:
    """Return the comparable figures of a claim, intensities before changes."""
    figures = benchmark_figures(text)
    intensities = (each if each.year else replace(each, year=year) for each in figures if each.is_intensity)
    shares = [each for each in figures if each.is_change]
    changing = {each.span.start for each in quantities(text) if is_change(text, each)}
    # 'Every 10 percent of cullet lowers the energy by 3 percent since 2019': 3 percent, and 2019 is the base year.
    changes = [each for each in shares if each.span.start in changing] or shares
    return (*intensities, *(replace(each, year=year) for each in changes))


def compared_figures(
    claim: TechnicalClaim, reported: BenchmarkFigure, witnesses: Sequence[AcademicEvidence]
) -> Comparison:
    """Compare a figure with those of the sources that count, except figures of the company itself."""
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
    if named_in(claim.company, figure.sentence):
        return False
    if reported.is_intensity:
        return figure.is_intensity and figure.dimension is reported.dimension
    # One company's reduction is not a benchmark; the result of a study is.
    alone = figure.kind == "single" and not witness.scholarly
    if alone or not figure.is_change or figure.substance != reported.substance:
        return False
    # Return True if two changes are of the same thing: the claim's technology, else the same scopes or nouns.
    if technology := set(technologies_in(claim.text)):
        return bool(technology & set(technologies_in(figure.sentence)))
    wanted, found = scopes_named(claim.text), scopes_named(figure.sentence)
    if wanted or found:
        return wanted == found
    changing = [{stem(word) for word in content_words(each)} & _CHANGING for each in (claim.text, figure.sentence)]
    return not changing[0].isdisjoint(changing[1])


def benchmark_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's figures with benchmarks; 'unknown' if none is comparable."""
    every = [compared_figures(claim, each, witnesses) for each in reported_figures(claim.text, claim.report_year)]
    first = next((each for each in every if each.used), every[0] if every else None)
    sector = company_sector(claim.industry, claim.text)
    used = first.used if first else ()
    refused = first.refused if first else ()
    cited = [each.witness for each in (*used, *refused)] if used else [each for each in witnesses if each.quote]
    references = witness_references(cited, [each.witness for each in used])
    sources = list(dict.fromkeys(each.witness.source.id for each in used))
    limits = {"no_figure": not first, "sector_unknown": bool(used) and not sector, "one_source": len(sources) == 1}
    why = [(each.figure.text, each.witness.source.id, each.refused) for each in refused if each.refused]
    reasons = [reason("refused", text=text, source=source, why=refusal) for text, source, refusal in why]
    citations: list[JsonValue] = [
        {
            "text": each.figure.text,
            "kind": each.figure.kind,
            "year": each.figure.year,
            "source_id": each.witness.source.id,
            "title": each.witness.source.title,
            "url": each.witness.source.url,
            "quote": shorten(each.figure.sentence, _QUOTED),
            "source_credibility": each.witness.credibility,
        }
        for each in used
    ]
    summary = [reason("not_compared", figure=first.reported.text) if first else reason("no_figure")]
    if first and used:
        names = list(dict.fromkeys(each.witness.name for each in used))
        of = {"figure": first.reported.text, "sector": claim.industry or sector or "its sector"}
        summary = [reason(f"benchmark_{first.plausibility}", **of), first.place]
        summary.append(reason("benchmarks_from", names=names))
    return conclude(
        "benchmark_comparison",
        _ruling(first),
        None,
        summary=summary,
        reasons=(*((first.place, *reasons) if first else ()), *([reason("bounds_are_our_own")] if used else [])),
        limitations=[reason(name) for name, holds in limits.items() if holds],
        references=references,
        benchmark_range={**first.range("reported"), "citations": citations} if first else None,
        plausibility=first.plausibility if first else "unknown",
        standard_references=[each for each in references if each["type"] != "academic_paper"],
        finding_sources=sources,
        metric=first_named("metrics", claim.text) or None,
        scopes=sorted(first.reported.scopes if first else scopes_named(claim.text)),
        sector=sector or claim.industry or None,
        year=first.reported.year if first else claim.report_year,
        refused=[{"text": text, "reason": in_words(refusal), "source_id": source} for text, source, refusal in why],
    )


def _ruling(compared: Comparison | None) -> Ruling:
    """Support a figure within the range weakly; contradict one far outside the ranges of credible sources, with more
    confidence if two agree. High and low decide nothing: some company is the best."""
    if compared is None or not compared.used:
        return Ruling(Stance.NEUTRAL, 0.3, reason("nothing_compared" if compared else "no_figure"))
    first = compared.used[0]
    start = first.witness.text.find(first.figure.sentence)
    rest = rest_on(first.witness, Span(start, start + len(first.figure.sentence)) if start >= 0 else None)
    if compared.plausibility == "plausible":
        return Ruling(Stance.SUPPORTS, _PLAUSIBLE, reason("plausible"), rest)
    witnesses = [each.witness for each in compared.used]
    tiers = {each.source.story or each.source.id: each.credibility for each in witnesses}.values()
    credible, joined = (sum(tier <= least for tier in tiers) for least in (_CREDIBLE, _JOINED))
    has_range = compared.low is not None or compared.high is not None
    is_outlier = compared.plausibility == "outlier" and has_range
    if not is_outlier or (not credible and joined < _TOGETHER):
        return Ruling(Stance.NEUTRAL, 0.5, reason("off_range"), rest)
    sure = BY_RULE if credible >= _TOGETHER else _ONE_SOURCE
    return Ruling(Stance.CONTRADICTS, sure, reason("outlier", number=joined), rest, ContradictionType.CONTEXTUAL)


Support = Literal["supported", "partially_supported", "not_supported", "insufficient_research"]
"""Support of a claim by research (spec 002, 9.2)."""


def research_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Judge the claim by scholarly passages and those of public bodies, which review research. Tier 4 and retracted
    works do not count; without others, research is insufficient."""
    technology = ", ".join(technologies_in(claim.text)) or "the practice"
    counted = [
        each
        for each in witnesses
        if not each.left_out
        and (each.scholarly or (each.source.rating.category in PUBLIC_BODIES and each.credibility <= 2))
    ]
    barred = [each for each in witnesses if each.scholarly and each.barred and each.is_on_subject]
    bearing = bearing_of(counted)
    claimed = next((each for each in reported_figures(claim.text, claim.report_year) if each.is_change), None)
    compared = compared_figures(claim, claimed, counted) if claimed is not None else None
    beyond = compared is not None and compared.plausibility in ("high", "outlier")
    support = _support(bearing, beyond=beyond)
    effect = [reason("size_of_effect"), compared.place] if compared and compared.used else []
    ruling = by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.2, reason("no_works")))
    if support in ("partially_supported", "insufficient_research") and bearing.both:
        why = "not_peer_reviewed" if support == "insufficient_research" else "supported_in_part"
        ruling = Ruling(Stance.NEUTRAL, 0.5, reason(why))
    return conclude(
        "research_support",
        ruling,
        bearing,
        summary=(
            reason(f"research_{support}", technology=technology),
            *filter(None, [bearing.consensus]),
            *effect,
            *(reason("has_it_otherwise", name=each.name) for each in bearing.against[:1]),
        ),
        limitations=(
            *(reason("not_counted", name=each.name, why=in_words(each.barred)) for each in barred if each.barred),
            *([reason("none_peer_reviewed")] if bearing.both and not _vouched(bearing.both) else []),
            *([reason("beyond_research"), *effect[1:]] if beyond else []),
            *(reason("against_it", quote=shorten(x.quote, _QUOTED), source=x.source.id) for x in bearing.against),
        ),
        references=witness_references([*counted, *barred]),
        research_support=support,
        technology=technology,
        claimed_benefit=claimed.text if claimed else None,
        research_range=compared.range("claimed") if compared and compared.used else None,
    )


def _support(bearing: Bearing, *, beyond: bool) -> Support:
    if bearing.support and bearing.against:
        return "partially_supported"
    if bearing.against:
        return "not_supported" if _vouched(bearing.against) else "insufficient_research"
    if not bearing.support:
        return "insufficient_research"
    return "partially_supported" if beyond or not _vouched(bearing.support) else "supported"


def _vouched(side: Sequence[AcademicEvidence]) -> bool:
    """Return True if one of them is in tier 1: preprints alone support nothing."""
    return any(each.credibility == 1 for each in side)
