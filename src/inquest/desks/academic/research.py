"""What research says of a technology or practice, and of how much it is said to do (spec 002, section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from inquest.desks.academic.benchmark_validation import Compared, compared_figures, reported_figures
from inquest.desks.academic.benchmarks import Plausibility
from inquest.desks.academic.groups import is_reduction
from inquest.desks.academic.references import papers, witness_references
from inquest.desks.academic.terms import technologies_in
from inquest.desks.academic.validation import Matter, Validation, clamped, details_of, rest_on, supports_claim
from inquest.desks.academic.witnesses import Bearing, Witness, bearing_of
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.source import Category
from inquest.domain.value import JsonValue
from inquest.text.phrases import capitalised, listed
from inquest.text.sentences import shorten

__all__ = ["Support", "research_validation", "speaks_for_research"]

_RESEARCH_BODIES = frozenset((Category.INTERGOVERNMENTAL, Category.STATISTICS, Category.GOVERNMENT, Category.REGULATOR))
_QUOTED = 220


class Support(StrEnum):
    """How far research bears a claim out (spec 002, 9.2)."""

    SUPPORTED = "supported"
    PARTIALLY = "partially_supported"
    NOT = "not_supported"
    INSUFFICIENT = "insufficient_research"


def speaks_for_research(witness: Witness) -> bool:
    """Whether it is a scholarly work, or of a public body that reviews research, and somebody vouches for it."""
    body = witness.source.rating.category in _RESEARCH_BODIES and witness.credibility <= 2
    return (witness.scholarly or body) and not witness.left_out


def research_validation(matter: Matter, witnesses: Sequence[Witness]) -> Validation:
    """Tell from judged scholarly passages whether research bears the claim out. Tier 4 and retracted works do not
    count; where nothing else remains, research is insufficient."""
    technology = listed(list(technologies_in(matter.text))) or "the practice"
    heard = [each for each in witnesses if speaks_for_research(each)]
    bearing = bearing_of(heard)
    compared = _compared(matter, heard)
    support = _support(bearing, compared)
    stance = {Support.SUPPORTED: Stance.SUPPORTS, Support.NOT: Stance.CONTRADICTS}.get(support, Stance.NEUTRAL)
    leading = bearing.leading if stance is not Stance.NEUTRAL else None
    consensus = bearing.consensus("scholarly work", "scholarly works")
    silent = [each for each in witnesses if each.scholarly and each.barred]
    references = witness_references([*heard, *silent])
    details = details_of(
        "research_support",
        research_consensus=consensus,
        limitations=_limitations(bearing, compared, silent),
        academic_references=papers(references),
        finding_sources=bearing.source_ids,
        supports_claim=supports_claim(stance),
        rests_on="evidence" if leading else "rule",
        research_support=support.value,
        technology=technology,
        claimed_benefit=compared.reported.text if compared else None,
        research_range=_range(compared),
        for_it=[_said(each) for each in bearing.support],
        against_it=[_said(each) for each in bearing.against],
    )
    confidence = bearing.confidence if leading else 0.5 if bearing.source_ids else 0.2
    return Validation(
        "research_support",
        stance,
        clamped(confidence),
        _summary(technology, support, consensus, bearing, compared),
        details,
        references,
        (_why(support, bearing),),
        (leading.contradiction_type or ContradictionType.DIRECT) if leading and stance is Stance.CONTRADICTS else None,
        rest_on(leading) if leading else None,
    )


def _compared(matter: Matter, heard: Sequence[Witness]) -> Compared | None:
    claimed = next((each for each in reported_figures(matter.text, matter.year) if is_reduction(each)), None)
    return compared_figures(matter, claimed, heard) if claimed is not None else None


def _support(bearing: Bearing, compared: Compared | None) -> Support:
    if bearing.support and bearing.against:
        return Support.PARTIALLY
    if bearing.against:
        return Support.NOT if _vouched(bearing.against) else Support.INSUFFICIENT
    if not bearing.support:
        return Support.INSUFFICIENT
    beyond = compared is not None and compared.check.plausibility in (Plausibility.HIGH, Plausibility.OUTLIER)
    return Support.PARTIALLY if beyond or not _vouched(bearing.support) else Support.SUPPORTED


def _vouched(side: Sequence[Witness]) -> bool:
    """Whether one of them is peer-reviewed or of tier 1: preprints alone are no research that bears anything out."""
    return any(each.credibility == 1 for each in side)


def _said(witness: Witness) -> JsonValue:
    return {
        "source_id": witness.source.id,
        "title": witness.source.title,
        "quote": shorten(witness.quote, _QUOTED),
        "peer_reviewed": witness.peer_reviewed,
    }


def _range(compared: Compared | None) -> JsonValue:
    if compared is None or not compared.check.used:
        return None
    check = compared.check
    return {"min": check.low, "max": check.high, "median": check.middle, "claimed": check.reported, "unit": check.unit}


def _limitations(bearing: Bearing, compared: Compared | None, silent: Sequence[Witness]) -> list[str]:
    found = [f"{each.name} is not counted: {each.barred}." for each in silent]
    if bearing.source_ids and not _vouched((*bearing.support, *bearing.against)):
        found.append("None of the works found is peer-reviewed.")
    if len(bearing.source_ids) == 1:
        found.append("One work alone bears on it.")
    if compared is not None and compared.check.plausibility in (Plausibility.HIGH, Plausibility.OUTLIER):
        found.append(f"The claim goes beyond what research found: {compared.check.reasons[0]}")
    found += [f"Against it: ‘{shorten(each.quote, _QUOTED)}’ ({each.source.id})" for each in bearing.against]
    return found


def _why(support: Support, bearing: Bearing) -> str:
    if support is Support.INSUFFICIENT:
        return (
            "No peer-reviewed work that bears on it was found."
            if not bearing.source_ids
            else ("What was found is not peer-reviewed, and decides nothing.")
        )
    return "It rests on judged passages of scholarly works."


def _summary(
    technology: str, support: Support, consensus: str | None, bearing: Bearing, compared: Compared | None
) -> str:
    told = {
        Support.SUPPORTED: "is supported by peer-reviewed research",
        Support.PARTIALLY: "is supported by research in part",
        Support.NOT: "is not supported by peer-reviewed research",
        Support.INSUFFICIENT: "cannot be judged: there is insufficient evidence from research",
    }[support]
    parts = [f"{capitalised(f'what is claimed of {technology}')} {told}."]
    if consensus:
        parts.append(consensus)
    if compared is not None and compared.check.used:
        parts.append(f"The size of the effect: {compared.check.reasons[0]}")
    strongest = bearing.against[0] if bearing.against else None
    if strongest is not None:
        parts.append(f"{strongest.name} has it otherwise.")
    return " ".join(parts)
