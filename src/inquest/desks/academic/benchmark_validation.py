"""A claim's figures beside what the passages found give for its sector (spec 002, section 8).

Only what every company of a sector can be measured by is compared: figures per unit of something, and changes. A total
hangs on a company's size; a figure of another base, scope, gas, currency or sector is refused, and the reason kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquest.claims.report.company import named_in
from inquest.desks.academic.benchmark_figures import (
    BenchmarkFigure,
    FigureKind,
    benchmark_figures,
    is_intensity,
    is_reduction,
)
from inquest.desks.academic.benchmarks import BenchmarkCheck, Plausibility, compare_benchmarks
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
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import FindingDraft
from inquest.text.lexicon import word_set
from inquest.text.sentences import Span, content_words, shorten, stem

_PLAUSIBLE = 0.45
"""Below what can carry a verdict: a figure within its sector's range may still be wrong."""
_ONE_SOURCE = 0.5
"""An outlier of one credible source's range: enough to keep a claim from being verified, and for no more."""
_CREDIBLE, _JOINED, _TOGETHER = 2, 3, 2
"""A source of credibility 2 counts alone, those of 3 from two on, as in `verdicts/weighing.toml`."""
_QUOTED = 240
_CHANGING = frozenset(stem(word) for word in word_set(__name__, "changing"))


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
    figures: list[BenchmarkFigure] = []
    owners: list[AcademicEvidence] = []
    seen: set[tuple[str, str, str]] = set()
    for each in witnesses:
        for figure in benchmark_figures(each.text) if not each.left_out else ():
            key = (each.source.story or each.source.id, figure.text, figure.sentence)
            if key not in seen and _may_serve(claim, reported, figure, each):
                seen.add(key)
                published = each.source.published.at.year if each.source.published else None
                figures.append(replace(figure, year=figure.year or published))
                owners.append(each)
    sectors = [
        sector_of(figure.sentence) or sector_of(owner.source.title)
        for figure, owner in zip(figures, owners, strict=True)
    ]
    check = compare_benchmarks(reported, figures, sector=company_sector(claim.industry, claim.text), sectors=sectors)
    of = {id(figure): owner for figure, owner in zip(figures, owners, strict=True)}
    return Compared(
        reported,
        check,
        tuple(of[id(each.figure)] for each in check.used),
        tuple(of[id(each.figure)] for each in check.refused),
    )


def benchmark_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's figures with what was found; 'unknown' where nothing may be compared."""
    every = [compared_figures(claim, each, witnesses) for each in reported_figures(claim.text, claim.year)]
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
        year=first.reported.year if first else claim.year,
        refused=_refused(first),
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
    rest = _place(compared)
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
    """True for one of others that the reported figure could at all be held against; `compare_benchmarks` then says
    which of those are of another kind."""
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


def _place(compared: Compared) -> Rest | None:
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


def _refused(compared: Compared | None) -> list[JsonValue]:
    return [
        {
            "text": each.figure.text,
            "reason": in_words(each.reason),
            "source_id": witness.source.id,
            "url": witness.source.url,
        }
        for each, witness in (zip(compared.check.refused, compared.refused, strict=True) if compared else ())
    ]


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
