"""What research says of a technology or practice, and of how much it is said to do (spec 002, section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from inquest.desks.academic.benchmark_figures import is_reduction
from inquest.desks.academic.benchmarks import Compared, Plausibility, compared_figures, reported_figures
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import witness_references
from inquest.desks.academic.terms import technologies_in
from inquest.desks.academic.validation import CheckReport, Ruling, TechnicalClaim, by_evidence, conclude
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.source import Category
from inquest.domain.value import JsonValue
from inquest.kit.desk import FindingDraft
from inquest.text.sentences import shorten

_RESEARCH_BODIES = frozenset((Category.INTERGOVERNMENTAL, Category.STATISTICS, Category.GOVERNMENT, Category.REGULATOR))
_QUOTED = 220


class Support(StrEnum):
    """How far research supports a claim (spec 002, 9.2)."""

    SUPPORTED = "supported"
    PARTIALLY = "partially_supported"
    NOT = "not_supported"
    INSUFFICIENT = "insufficient_research"


def speaks_for_research(witness: AcademicEvidence) -> bool:
    """True for a scholarly work, or one of a public body that reviews research, that somebody vouches for."""
    body = witness.source.rating.category in _RESEARCH_BODIES and witness.credibility <= 2
    return (witness.scholarly or body) and not witness.left_out


def research_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Tell from judged scholarly passages whether research supports the claim. Tier 4 and retracted works do not count;
    where nothing else remains, research is insufficient."""
    technology = ", ".join(technologies_in(claim.text)) or "the practice"
    heard = [each for each in witnesses if speaks_for_research(each)]
    bearing = bearing_of(heard)
    compared = _compared(claim, heard)
    support = _support(bearing, compared)
    barred = [each for each in witnesses if each.scholarly and each.barred]
    return conclude(
        "research_support",
        _ruling(support, bearing),
        bearing,
        CheckReport(
            summary=_summary(technology, support, bearing, compared),
            limitations=_limitations(bearing, compared, barred),
        ),
        references=witness_references([*heard, *barred]),
        research_support=support.value,
        technology=technology,
        claimed_benefit=compared.reported.text if compared else None,
        research_range=_range(compared),
    )


def _compared(claim: TechnicalClaim, heard: Sequence[AcademicEvidence]) -> Compared | None:
    claimed = next((each for each in reported_figures(claim.text, claim.report_year) if is_reduction(each)), None)
    return compared_figures(claim, claimed, heard) if claimed is not None else None


def _beyond(compared: Compared | None) -> bool:
    return compared is not None and compared.check.plausibility in (Plausibility.HIGH, Plausibility.OUTLIER)


def _support(bearing: Bearing, compared: Compared | None) -> Support:
    if bearing.support and bearing.against:
        return Support.PARTIALLY
    if bearing.against:
        return Support.NOT if _vouched(bearing.against) else Support.INSUFFICIENT
    if not bearing.support:
        return Support.INSUFFICIENT
    return Support.PARTIALLY if _beyond(compared) or not _vouched(bearing.support) else Support.SUPPORTED


def _vouched(side: Sequence[AcademicEvidence]) -> bool:
    """True where one of them is peer-reviewed or of tier 1: preprints alone support nothing."""
    return any(each.credibility == 1 for each in side)


def _ruling(support: Support, bearing: Bearing) -> Ruling:
    if support in (Support.SUPPORTED, Support.NOT):
        return by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.2, reason("no_works")))
    if not bearing.source_ids:
        return Ruling(Stance.NEUTRAL, 0.2, reason("no_works"))
    why = "not_peer_reviewed" if support is Support.INSUFFICIENT else "supported_in_part"
    return Ruling(Stance.NEUTRAL, 0.5, reason(why))


def _range(compared: Compared | None) -> JsonValue:
    if compared is None or not compared.check.used:
        return None
    check = compared.check
    return {"min": check.low, "max": check.high, "median": check.middle, "claimed": check.reported, "unit": check.unit}


def _limitations(bearing: Bearing, compared: Compared | None, barred: Sequence[AcademicEvidence]) -> list[Reason]:
    found = [reason("not_counted", name=each.name, why=in_words(each.barred)) for each in barred if each.barred]
    both = (*bearing.support, *bearing.against)
    found += [reason("none_peer_reviewed")] if both and not _vouched(both) else []
    found += [reason("one_work")] if len(both) == 1 else []
    found += [reason("beyond_research"), compared.check.place] if compared and _beyond(compared) else []
    quotes = ((shorten(each.quote, _QUOTED), each.source.id) for each in bearing.against)
    return found + [reason("against_it", quote=quote, source=source) for quote, source in quotes]


def _summary(technology: str, support: Support, bearing: Bearing, compared: Compared | None) -> list[Reason]:
    parts = [reason(f"research_{support.value}", technology=technology), *filter(None, (bearing.consensus,))]
    if compared is not None and compared.check.used:
        parts += [reason("size_of_effect"), compared.check.place]
    return parts + [reason("has_it_otherwise", name=each.name) for each in bearing.against[:1]]
