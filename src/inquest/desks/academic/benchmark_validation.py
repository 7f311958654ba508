"""A reported figure beside what the passages found give for its sector (spec 002, section 8).

Only what every company of a sector can be measured by is compared: figures per unit of something, and changes. A total
hangs on a company's size; a figure of another base, scope, gas, currency or sector is refused, and the reason kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquest.claims.report.company import named_in
from inquest.desks.academic.benchmark_figures import BenchmarkFigure, FigureKind, benchmark_figures
from inquest.desks.academic.benchmarks import BenchmarkCheck, Plausibility, compare_benchmarks
from inquest.desks.academic.groups import is_intensity, is_reduction
from inquest.desks.academic.references import papers, witness_references
from inquest.desks.academic.terms import company_sector, metric_in, sector_of, technologies_in
from inquest.desks.academic.validation import Matter, Validation, clamped, details_of, rest_on, supports_claim
from inquest.desks.academic.witnesses import Witness
from inquest.domain.finding import Stance
from inquest.domain.value import JsonValue
from inquest.entailment.bases import scopes_named
from inquest.text.sentences import Span, content_words, shorten, stem

__all__ = ["Compared", "benchmark_validation", "compared_figures", "reported_figures"]

_PLAUSIBLE = 0.45
"""Below what can carry a verdict: a figure within its sector's range may still be wrong."""
_TOLD = 0.5
_QUOTED = 240


@dataclass(frozen=True, slots=True)
class Compared:
    """One reported figure beside all that was found, and who gave each."""

    reported: BenchmarkFigure
    check: BenchmarkCheck
    witnesses: tuple[Witness, ...]
    """Of `check.used`, in its order."""
    refused: tuple[Witness, ...]
    """Of `check.refused`, in its order."""


def reported_figures(text: str, year: int | None = None) -> tuple[BenchmarkFigure, ...]:
    """The figures of a claim that may be compared: per unit of something first, then changes."""
    figures = [each if each.year else replace(each, year=year) for each in benchmark_figures(text)]
    return (*filter(is_intensity, figures), *filter(is_reduction, figures))


def compared_figures(matter: Matter, reported: BenchmarkFigure, witnesses: Sequence[Witness]) -> Compared:
    """Hold one figure beside those of the witnesses that count. What a passage says of the company itself is none."""
    figures: list[BenchmarkFigure] = []
    owners: list[Witness] = []
    sectors: list[str] = []
    seen: set[tuple[str, str, str]] = set()
    for each in witnesses:
        if each.left_out:
            continue
        for figure in benchmark_figures(each.text):
            key = (each.source.story or each.source.id, figure.text, figure.sentence)
            if key in seen or not _may_serve(matter, reported, figure, each):
                continue
            seen.add(key)
            published = each.source.published
            figures.append(replace(figure, year=figure.year or (published.at.year if published else None)))
            owners.append(each)
            sectors.append(sector_of(figure.sentence) or sector_of(each.source.title))
    mine = company_sector(matter.industry, matter.text)
    check = compare_benchmarks(reported, figures, sector=mine, sectors=sectors)
    return Compared(
        reported,
        check,
        tuple(_owner(each.figure, figures, owners) for each in check.used),
        tuple(_owner(each.figure, figures, owners) for each in check.refused),
    )


def benchmark_validation(matter: Matter, witnesses: Sequence[Witness]) -> Validation:
    """Compare the claim's figures with what was found; 'unknown' where nothing may be compared."""
    reported = reported_figures(matter.text, matter.year)
    all_compared = [compared_figures(matter, each, witnesses) for each in reported]
    told = next((each for each in all_compared if each.check.used), all_compared[0] if all_compared else None)
    references = witness_references(
        [*told.witnesses, *told.refused] if told and told.witnesses else [each for each in witnesses if each.quote]
    )
    plausibility = told.check.plausibility if told else Plausibility.UNKNOWN
    stance = Stance.SUPPORTS if plausibility is Plausibility.PLAUSIBLE else Stance.NEUTRAL
    leading = told.witnesses[0] if told and told.witnesses else None
    rest = rest_on(leading, _place(leading, told)) if leading and told else None
    limitations = _limitations(matter, told)
    details = details_of(
        "benchmark_comparison",
        benchmark_range=_range(told),
        plausibility=plausibility.value,
        limitations=limitations,
        academic_references=papers(references),
        standard_references=[each for each in references if each["type"] != "academic_paper"],
        finding_sources=list(dict.fromkeys(each.source.id for each in told.witnesses)) if told else [],
        supports_claim=supports_claim(stance),
        rests_on="evidence" if rest else "rule",
        metric=metric_in(matter.text) or None,
        scopes=[*sorted(told.reported.scopes)] if told else [*sorted(scopes_named(matter.text))],
        sector=company_sector(matter.industry, matter.text) or matter.industry or None,
        year=told.reported.year if told else matter.year,
        refused=_refused(told),
        comparisons=[
            {"reported": each.reported.text, "plausibility": each.check.plausibility.value, "range": _range(each)}
            for each in all_compared
        ],
    )
    reasons = told.check.reasons if told else ("The claim gives no figure that companies can be compared by.",)
    return Validation(
        "benchmark_comparison",
        stance,
        _PLAUSIBLE if stance is Stance.SUPPORTS else clamped(_TOLD if rest else 0.3),
        _summary(matter, told, limitations),
        details,
        references,
        (
            *reasons,
            "The bounds of high, low and outlier are Inquest's own: they say what to look at, and prove nothing.",
        ),
        rest=rest,
    )


def _may_serve(matter: Matter, reported: BenchmarkFigure, figure: BenchmarkFigure, witness: Witness) -> bool:
    """Whether a figure is one of others that the reported one could at all be held against; `compare_benchmarks` then
    says which of those are of another kind."""
    if named_in(matter.company, figure.sentence):
        return False
    if is_intensity(reported):
        return is_intensity(figure) and figure.dimension is reported.dimension
    if not is_reduction(figure) or figure.substance != reported.substance:
        return False
    # One company's own cut says nothing of what is usual; a study's result does.
    if figure.kind is FigureKind.SINGLE and not witness.scholarly:
        return False
    return _one_matter(matter.text, figure.sentence)


def _one_matter(claim: str, sentence: str) -> bool:
    """Whether two changes are changes of one thing: by the technology, where the claim names one, else by the scopes
    or the words of what changes."""
    technology = set(technologies_in(claim))
    if technology:
        return bool(technology & set(technologies_in(sentence)))
    wanted, found = scopes_named(claim), scopes_named(sentence)
    if wanted or found:
        return wanted == found
    shared = {stem(word) for word in content_words(claim)} & {stem(word) for word in content_words(sentence)}
    return bool(shared & _THINGS)


_THINGS = frozenset(
    stem(word) for word in ("emissions", "energy", "electricity", "water", "waste", "fuel", "methane", "carbon")
)


def _owner(figure: BenchmarkFigure, figures: Sequence[BenchmarkFigure], owners: Sequence[Witness]) -> Witness:
    return next(owner for each, owner in zip(figures, owners, strict=True) if each is figure)


def _place(witness: Witness, told: Compared) -> Span | None:
    """The sentence of the first figure that was used, in its passage."""
    sentence = told.check.used[0].figure.sentence
    start = witness.text.find(sentence)
    return Span(start, start + len(sentence)) if start >= 0 else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def _range(told: Compared | None) -> JsonValue:
    if told is None:
        return None
    check = told.check
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
        for used, witness in zip(check.used, told.witnesses, strict=True)
    ]
    return {
        "min": _rounded(check.low),
        "max": _rounded(check.high),
        "median": _rounded(check.middle),
        "reported": _rounded(check.reported),
        "unit": check.unit,
        "citations": citations,
    }


def _refused(told: Compared | None) -> list[JsonValue]:
    if told is None:
        return []
    return [
        {"text": each.figure.text, "reason": each.reason, "source_id": witness.source.id, "url": witness.source.url}
        for each, witness in zip(told.check.refused, told.refused, strict=True)
    ]


def _limitations(matter: Matter, told: Compared | None) -> list[str]:
    if told is None:
        return ["The claim gives no figure per unit of anything and no change: a total hangs on a company's size."]
    found: list[str] = []
    if told.check.used and not company_sector(matter.industry, matter.text):
        found.append("The company's sector is not known, so that figures of other sectors may be among these.")
    if told.reported.year is None:
        found.append("The year of the reported figure is not known.")
    if told.check.refused:
        found.append(f"{len(told.check.refused)} figures that were found are of another kind and were not compared.")
    if len({each.source.id for each in told.witnesses}) == 1:
        found.append("One source alone gives the range.")
    return found


def _summary(matter: Matter, told: Compared | None, limitations: Sequence[str]) -> str:
    if told is None:
        return f"There is nothing to compare. {limitations[0]}"
    where = matter.industry or company_sector("", matter.text)
    given = f"The reported {told.reported.text}"
    if not told.check.used:
        more = f" {told.check.refused[0].reason}" if told.check.refused else ""
        return (
            f"{given} could not be compared: the evidence is insufficient, with no benchmark of its kind found.{more}"
        )
    verdict = {
        Plausibility.PLAUSIBLE: "is within what sources give",
        Plausibility.HIGH: "is above what sources give",
        Plausibility.LOW: "is below what sources give",
        Plausibility.OUTLIER: "is far from what sources give",
        Plausibility.UNKNOWN: "cannot be placed in what sources give",
    }[told.check.plausibility]
    for_sector = f" for {where}" if where else ""
    names = ", ".join(dict.fromkeys(each.name for each in told.witnesses))
    return f"{given} {verdict}{for_sector}: {told.check.reasons[0]} From {names}."
