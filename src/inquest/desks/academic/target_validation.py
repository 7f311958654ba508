"""Climate targets: by the criteria in force, and by what others than the company say of a validation (spec 002, 7).

A target is 'validated' only where a page that is not the company's says so; the initiative's own site weighs most. What
the company says of itself is its claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from inquest.desks.academic.references import papers, standard_reference, witness_references
from inquest.desks.academic.science_targets import Alignment, TargetCheck, check_target
from inquest.desks.academic.science_targets_points import Standing
from inquest.desks.academic.science_targets_reading import ClimateTarget, Pathway, targets_in
from inquest.desks.academic.science_targets_reading import Validation as SaidOfValidation
from inquest.desks.academic.target_status import (
    OFFICIAL_WORD,
    OTHERS_WORD,
    StatusSaid,
    ValidationStatus,
    claims_validation,
    status_said,
)
from inquest.desks.academic.terms import company_sector
from inquest.desks.academic.validation import (
    BY_RULE,
    Matter,
    Rest,
    Validation,
    clamped,
    details_of,
    rest_on,
    supports_claim,
)
from inquest.desks.academic.witnesses import Bearing, Witness, bearing_of
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.value import JsonObject, JsonValue
from inquest.sources.standards import named_standards
from inquest.sources.standards_book import standards_book
from inquest.text.phrases import listed, numeral
from inquest.text.sentences import fold

__all__ = ["target_validation"]

_AMBITION = frozenset(("rate_1_2", "rate_3", "rate_all", "net_zero_year", "long_term_cut", "no_offsets"))
_PATHWAYS = frozenset(("pathway_1_5", "pathway_wb2c"))
_IN_WORDS = {
    Alignment.ALIGNED: "meets the criteria of the Science Based Targets initiative",
    Alignment.PARTIALLY: "meets some criteria of the Science Based Targets initiative; others are not met or open",
    Alignment.NOT: "does not meet the criteria of the Science Based Targets initiative",
    Alignment.UNKNOWN: "says too little to hold it to the criteria of the Science Based Targets initiative",
}
_STATUS_IN_WORDS = {
    ValidationStatus.VALIDATED: "A page of others says that the target is validated",
    ValidationStatus.NOT_VALIDATED: "A page of others says that the target is not, or not yet, validated",
    ValidationStatus.UNCLEAR: "No page but the company's own was found that says whether the target is validated",
}
_ACROSS_SECTORS = 0.5
"""Confidence that a pathway is missed by the rate across sectors alone."""


def target_validation(matter: Matter, witnesses: Sequence[Witness]) -> Validation:
    """Judge every target that the claim states, and whether somebody else bears out a validation that it speaks of."""
    checks = _checks(matter)
    said = status_said(matter.company, witnesses)
    bearing = bearing_of(witnesses)
    claimed = claims_validation(matter.text)
    alignment = _overall(checks)
    judged = _judged(matter, checks, said, bearing, claimed)
    stance, rest = judged.stance, judged.rest
    standards = _standards(checks, matter.day)
    references = (*standards, *witness_references(witnesses))
    limitations = _limitations(checks, said, claimed)
    consensus = bearing.consensus("source", "sources")
    details = details_of(
        "sbti_validation",
        methodology_name=_methods(matter.text),
        standard_alignment=alignment.value,
        sbti_validation_status=said.status.value,
        research_consensus=consensus,
        limitations=limitations,
        academic_references=papers(references),
        standard_references=list(standards),
        finding_sources=list(dict.fromkeys([*(each.source.id for each in said.witnesses), *bearing.source_ids])),
        supports_claim=supports_claim(stance),
        rests_on="evidence" if rest is not None else "rule",
        claimed_status=_claimed(checks, claimed),
        pathway_alignment=_pathway(checks),
        targets=[_told(each) for each in checks],
    )
    return Validation(
        "sbti_validation",
        stance,
        clamped(judged.confidence),
        _summary(checks, alignment, said, claimed, consensus),
        details,
        references,
        (*judged.why, *(reason for each in checks for reason in each.reasons), *said.reasons),
        ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
        rest,
    )


def _checks(matter: Matter) -> tuple[TargetCheck, ...]:
    text, until = matter.text, matter.day
    version = next(
        (each.edition for each in named_standards(text) if each.standard.family == "sbti" and each.edition), ""
    )
    return tuple(check_target(each, version=version, until=until) for each in _targets(text))


def _targets(text: str) -> tuple[ClimateTarget, ...]:
    """The targets; where the year in which one was set was read as the year it is for, read again without it."""
    targets = targets_in(text)
    year = next((each.set_in for each in targets if each.set_in and each.target_year == each.set_in), None)
    if year is None:
        return targets
    blank = f"in {year}"
    again = targets_in(text.replace(blank, " " * len(blank)))
    return tuple(replace(each, set_in=each.set_in or year) for each in again) if len(again) == len(targets) else targets


def _overall(checks: Sequence[TargetCheck]) -> Alignment:
    found = {each.alignment for each in checks}
    if Alignment.NOT in found:
        return Alignment.NOT
    if found == {Alignment.ALIGNED}:
        return Alignment.ALIGNED
    return Alignment.PARTIALLY if found & {Alignment.ALIGNED, Alignment.PARTIALLY} else Alignment.UNKNOWN


class _Judged(NamedTuple):
    stance: Stance
    confidence: float
    why: tuple[str, ...]
    rest: Rest | None = None


def _judged(
    matter: Matter, checks: Sequence[TargetCheck], said: StatusSaid, bearing: Bearing, claimed: bool
) -> _Judged:
    """What is found goes before the rule: first who says what of a validation, then judged passages, then criteria."""
    sure = OFFICIAL_WORD if said.official else OTHERS_WORD
    if claimed and said.leading is not None:
        rest = rest_on(said.leading, said.span)
        if said.status is ValidationStatus.NOT_VALIDATED:
            return _Judged(Stance.CONTRADICTS, sure, ("The validation that is claimed is not supported.",), rest)
        against = next((each for each in bearing.against if each.official), None)
        if against is None:
            return _Judged(Stance.SUPPORTS, sure, ("The validation that is claimed is supported.",), rest)
        why = "The target is listed as validated, and the list contradicts what the claim says of it."
        return _Judged(Stance.CONTRADICTS, clamped(against.confidence), (why,), rest_on(against))
    if bearing.leading is not None:
        return _Judged(bearing.stance, bearing.confidence, ("It rests on judged passages.",), rest_on(bearing.leading))
    if bearing.support:
        return _Judged(Stance.NEUTRAL, 0.5, ("Judged sources stand on both sides.",))
    return _by_rule(matter, checks, claimed)


def _by_rule(matter: Matter, checks: Sequence[TargetCheck], claimed: bool) -> _Judged:
    """Only a claim to be science-based or to keep to a pathway can be held to the criteria; a bare target cannot fail
    them. One that is said to be validated may have been so by its sector's pathway, which nothing here can work out."""
    if claimed:
        return _Judged(Stance.NEUTRAL, 0.3, ("That it is validated is the company's own statement.",))
    asserted = [each for each in checks if _asserts(each.target)]
    missed = {point.asks for each in asserted for point in each.points if point.standing is Standing.NOT_MET}
    if missed & (_AMBITION | _PATHWAYS):
        if not missed & _AMBITION and _has_a_pathway(matter):
            why = "Across sectors the pathway asks for more; that of the company's own sector may not."
            return _Judged(Stance.NEUTRAL, 0.4, (why,))
        why = "It rests on the claim's own figures and the published criteria."
        return _Judged(Stance.CONTRADICTS, BY_RULE if missed & _AMBITION else _ACROSS_SECTORS, (why,))
    if asserted and all(each.alignment is Alignment.ALIGNED for each in asserted):
        return _Judged(Stance.SUPPORTS, 0.5, ("It rests on the claim's own figures and the published criteria.",))
    return _Judged(Stance.NEUTRAL, 0.3, ("Neither the claim's figures nor what was found decide it.",))


def _asserts(target: ClimateTarget) -> bool:
    """Whether the claim says that the target is science-based or keeps to a pathway."""
    return target.validation is SaidOfValidation.ALIGNED or target.pathway in (
        Pathway.ONE_AND_A_HALF,
        Pathway.WELL_BELOW_TWO,
    )


def _has_a_pathway(matter: Matter) -> bool:
    """Whether the company's sector is one of those with a pathway of their own (SBTi's sectoral approach)."""
    sector = company_sector(matter.industry, matter.text)
    words = set(fold(sector).split())
    return bool(words) and any(words & set(fold(part).split()) for part in standards_book()["sbti-sda"].parts)


def _standards(checks: Sequence[TargetCheck], until: date | None) -> tuple[JsonObject, ...]:
    """The editions that the targets were judged by, the latest last, and the rules that are not met; where there is no
    target to judge, the edition in force by the day `until`."""
    book = standards_book()
    found: list[JsonObject] = []
    editions = {edition.version: edition for each in checks for edition in each.versions.editions}
    told = all(each.versions.told for each in checks)
    chosen = list(editions.values()) if told else list(editions.values())[-1:]
    found += [standard_reference(book["sbti-near-term"], edition=each) for each in chosen]
    if any(each.target.net_zero_year for each in checks):
        found.append(standard_reference(book["sbti-net-zero"], edition=book["sbti-net-zero"].editions[0]))
    missed = {point.rule.id: point for each in checks for point in each.points if point.standing is Standing.NOT_MET}
    for point in missed.values():
        owner = next(each for each in book if point.rule in each.rules)
        found.append(standard_reference(owner, rule=point.rule))
    return tuple(found) or (standard_reference(book["sbti-near-term"], until=until),)


def _told(check: TargetCheck) -> JsonValue:
    target = check.target
    return {
        "text": target.text,
        "kind": target.kind.value,
        "scopes": [*sorted(target.scopes)],
        "reduction": target.reduction,
        "base_year": target.base_year,
        "target_year": target.target_year,
        "net_zero_year": target.net_zero_year,
        "neutral_year": target.neutral_year,
        "annual_rate": round(target.annual_rate, 3) if target.annual_rate is not None else None,
        "coverage": target.coverage,
        "pathway_claimed": target.pathway.value,
        "set_in": target.set_in,
        "versions": [*(each.version for each in check.versions.editions)],
        "version_known": check.versions.told,
        "alignment": check.alignment.value,
        "points": [
            {"asks": each.asks, "rule": each.rule.id, "standing": each.standing.value, "reason": each.reason,
             "source": each.rule.source.url}
            for each in check.points
        ],
    }  # fmt: skip


def _claimed(checks: Sequence[TargetCheck], claimed: bool) -> str:
    """What the company itself says of a validation."""
    if claimed:
        return SaidOfValidation.VALIDATED.value
    return checks[0].target.validation.value if checks else SaidOfValidation.UNSTATED.value


def _pathway(checks: Sequence[TargetCheck]) -> str:
    standings = {point.standing for each in checks for point in each.points if point.asks in _PATHWAYS}
    if Standing.NOT_MET in standings:
        return Alignment.NOT.value
    return Alignment.ALIGNED.value if standings == {Standing.MET} else Alignment.UNKNOWN.value


def _methods(text: str) -> str | None:
    named = [each.standard.name for each in named_standards(text) if each.standard.kind == "target"]
    return listed(list(dict.fromkeys(named))) or None


def _limitations(checks: Sequence[TargetCheck], said: StatusSaid, claimed: bool) -> list[str]:
    found = [point.reason for each in checks for point in each.points if point.standing is not Standing.MET]
    if claimed and said.status is not ValidationStatus.VALIDATED:
        found.insert(0, "That the target is validated is the company's own statement.")
    if claimed and any(each.alignment is Alignment.NOT for each in checks):
        found.insert(0, "The target as it is stated does not meet the criteria by which it is said to be validated.")
    return list(dict.fromkeys(found))


def _summary(
    checks: Sequence[TargetCheck], alignment: Alignment, said: StatusSaid, claimed: bool, consensus: str | None
) -> str:
    target = "The target as it is stated" if len(checks) < 2 else f"The claim with its {numeral(len(checks))} targets"
    parts = [f"{target} {_IN_WORDS[alignment]}."]
    missed = [point.reason for each in checks for point in each.points if point.standing is Standing.NOT_MET]
    parts += missed[:2]
    status = f"{_STATUS_IN_WORDS[said.status]}."
    parts.append(status)
    if claimed and said.status is ValidationStatus.UNCLEAR:
        parts.append("The company says that it is, which is its own statement.")
    told = {"aligned": "fits", "not_aligned": "does not fit"}.get(_pathway(checks))
    if told:
        parts.append(f"The pathway that is claimed {told} the rate of the cut.")
    if consensus:
        parts.append(consensus)
    return " ".join(parts)
