"""What research says of a technology or practice, and of how much it is said to do (spec 002, section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from inquest.desks.academic.benchmarks import Plausibility, compared_figures, reported_figures
from inquest.desks.academic.references import witness_references
from inquest.desks.academic.terms import reason, technologies_in
from inquest.desks.academic.validation import Account, Ruling, TechnicalClaim, by_evidence, conclude
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import in_words
from inquest.domain.source import Category
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
        _ruling(support, bearing),
        bearing,
        Account(
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


def _ruling(support: Support, bearing: Bearing) -> Ruling:
    if support in (Support.SUPPORTED, Support.NOT) or not bearing.source_ids:
        return by_evidence(bearing, Ruling(Stance.NEUTRAL, 0.2, reason("no_works")))
    why = "not_peer_reviewed" if support is Support.INSUFFICIENT else "supported_in_part"
    return Ruling(Stance.NEUTRAL, 0.5, reason(why))
