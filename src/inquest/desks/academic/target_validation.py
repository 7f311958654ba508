"""Climate targets: by the criteria in force, and by what others than the company say of a validation (spec 002, 7).

A target is 'validated' only where a page that is not the company's says so; the initiative's own site weighs most. What
the company says of itself is its claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import standard_reference, witness_references
from inquest.desks.academic.science_targets import AMBITION, PATHWAYS, RuleStanding, TargetCheck, check_target
from inquest.desks.academic.science_targets_reading import ClimateTarget, SaidStatus, targets_in
from inquest.desks.academic.target_status import (
    StatusFound,
    ValidationStatus,
    claims_validation,
    confidence_in,
    status_found,
)
from inquest.desks.academic.terms import company_sector
from inquest.desks.academic.validation import (
    BY_RULE,
    Alignment,
    CheckReport,
    Ruling,
    TechnicalClaim,
    by_evidence,
    conclude,
    rest_on,
)
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.desk import FindingDraft
from inquest.sources.standards import named_standards
from inquest.sources.standards_book import standards_book
from inquest.text.sentences import fold

_ACROSS_SECTORS = 0.5
"""Confidence that a pathway is missed by the rate across sectors alone."""


def target_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Judge every target that the claim states, and whether somebody else proves a validation that it speaks of."""
    named = named_standards(claim.text)
    version = next((each.edition for each in named if each.standard.family == "sbti" and each.edition), "")
    checks = [check_target(each, version=version, until=claim.day) for each in targets_in(claim.text)]
    status = status_found(claim.company, witnesses)
    bearing = bearing_of(witnesses)
    claimed = claims_validation(claim.text)
    alignment = _overall(checks)
    cited = _cited(checks, claim.day)
    sources = dict.fromkeys([*(each.source.id for each in status.witnesses), *bearing.source_ids])
    names = dict.fromkeys(each.standard.name for each in named if each.standard.kind == "target")
    said = checks[0].target.validation if checks else SaidStatus.UNSTATED
    return conclude(
        "sbti_validation",
        _ruling(claim, checks, status, bearing, claimed=claimed),
        bearing,
        CheckReport(
            summary=_summary(checks, alignment, status, bearing, claimed=claimed),
            reasons=(*(why for each in checks for why in each.reasons), status.reason),
            limitations=_limitations(checks, status, claimed=claimed),
        ),
        references=(*cited, *witness_references(witnesses)),
        methodology_name=", ".join(names) or None,
        standard_alignment=alignment.value,
        sbti_validation_status=status.status.value,
        standard_references=cited,
        finding_sources=list(sources),
        claimed_status=(SaidStatus.VALIDATED if claimed else said).value,
        pathway_alignment=_pathway(checks).value,
        targets=[_shown(each) for each in checks],
    )


def _overall(checks: Sequence[TargetCheck]) -> Alignment:
    found = {each.alignment for each in checks}
    if Alignment.NOT in found:
        return Alignment.NOT
    if found == {Alignment.ALIGNED}:
        return Alignment.ALIGNED
    return Alignment.PARTIALLY if found & {Alignment.ALIGNED, Alignment.PARTIALLY} else Alignment.UNKNOWN


def _ruling(
    claim: TechnicalClaim, checks: Sequence[TargetCheck], status: StatusFound, bearing: Bearing, *, claimed: bool
) -> Ruling:
    """What is found goes before the rule: first who says what of a validation, then judged passages, then criteria."""
    if not claimed or status.leading is None:
        return by_evidence(bearing, _by_rule(claim, checks, claimed=claimed))
    rest, sure = rest_on(status.leading, status.span), confidence_in(official=status.official)
    if status.status is ValidationStatus.NOT_VALIDATED:
        return Ruling(Stance.CONTRADICTS, sure, reason("validation_not_supported"), rest)
    against = next((each for each in bearing.against if each.official), None)
    if against is None:
        return Ruling(Stance.SUPPORTS, sure, reason("validation_supported"), rest)
    return Ruling(Stance.CONTRADICTS, against.confidence, reason("list_contradicts"), rest_on(against))


def _by_rule(claim: TechnicalClaim, checks: Sequence[TargetCheck], *, claimed: bool) -> Ruling:
    """Only a claim to be science-based or to keep to a pathway can be held to the criteria; a bare target cannot fail
    them. One that is said to be validated may have been so by its sector's pathway, which nothing here can work out."""
    if claimed:
        return Ruling(Stance.NEUTRAL, 0.3, reason("own_word_of_validation"))
    asserted = [each for each in checks if _asserts(each.target)]
    missed = {point.asks for each in asserted for point in each.missed}
    if missed & AMBITION:
        return Ruling(Stance.CONTRADICTS, BY_RULE, reason("own_figures_break_criteria"))
    if missed & {*PATHWAYS.values()}:
        if _has_a_pathway(claim):
            return Ruling(Stance.NEUTRAL, 0.4, reason("sector_may_ask_less"))
        return Ruling(Stance.CONTRADICTS, _ACROSS_SECTORS, reason("own_figures_break_criteria"))
    if asserted and all(each.alignment is Alignment.ALIGNED for each in asserted):
        return Ruling(Stance.SUPPORTS, 0.5, reason("own_figures_meet_criteria"))
    return Ruling(Stance.NEUTRAL, 0.3, reason("undecided"))


def _asserts(target: ClimateTarget) -> bool:
    """True where the claim says that the target is science-based or keeps to a pathway."""
    return target.validation is SaidStatus.ALIGNED or target.pathway in PATHWAYS


def _has_a_pathway(claim: TechnicalClaim) -> bool:
    """True where the company's sector is one of those with a pathway of their own (SBTi's sectoral approach)."""
    words = set(fold(company_sector(claim.industry, claim.text)).split())
    return any(words & set(fold(part).split()) for part in standards_book()["sbti-sda"].parts)


def _cited(checks: Sequence[TargetCheck], until: date | None) -> list[JsonObject]:
    """The editions that the targets were judged by, the latest last, and the rules that are not met; where there is no
    target to judge, the edition in force by the day `until`."""
    book = standards_book()
    editions = [*{edition.version: edition for each in checks for edition in each.versions.editions}.values()]
    if not all(each.versions.known for each in checks):
        editions = editions[-1:]
    found = [standard_reference(book["sbti-near-term"], edition=each) for each in editions]
    if any(each.target.net_zero_year for each in checks):
        found.append(standard_reference(book["sbti-net-zero"], edition=book["sbti-net-zero"].editions[0]))
    found.extend(
        standard_reference(next(each for each in book if rule in each.rules), rule=rule)
        for rule in {point.rule.id: point.rule for each in checks for point in each.missed}.values()
    )
    return found or [standard_reference(book["sbti-near-term"], until=until)]


def _shown(check: TargetCheck) -> JsonValue:
    target = check.target
    points: list[JsonValue] = [
        {"asks": each.asks, "rule": each.rule.id, "standing": each.standing.value, "reason": in_words(each.reason),
         "source": each.rule.source.url}
        for each in check.points
    ]  # fmt: skip
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
        "versions": [each.version for each in check.versions.editions],
        "version_known": check.versions.known,
        "alignment": check.alignment.value,
        "points": points,
    }


def _pathway(checks: Sequence[TargetCheck]) -> Alignment:
    standings = {point.standing for each in checks for point in each.points if point.asks in PATHWAYS.values()}
    if RuleStanding.NOT_MET in standings:
        return Alignment.NOT
    return Alignment.ALIGNED if standings == {RuleStanding.MET} else Alignment.UNKNOWN


def _limitations(checks: Sequence[TargetCheck], status: StatusFound, *, claimed: bool) -> list[Reason]:
    found: list[Reason] = []
    if claimed and any(each.alignment is Alignment.NOT for each in checks):
        found.append(reason("validated_and_not_aligned"))
    if claimed and status.status is not ValidationStatus.VALIDATED:
        found.append(reason("own_word_of_validation"))
    return found + [point.reason for each in checks for point in each.points if point.standing is not RuleStanding.MET]


def _summary(
    checks: Sequence[TargetCheck], alignment: Alignment, status: StatusFound, bearing: Bearing, *, claimed: bool
) -> list[Reason]:
    parts = [reason(f"target_{alignment.value}", number=max(1, len(checks)))]
    parts += [point.reason for each in checks for point in each.missed][:2]
    parts.append(reason(f"status_{status.status.value}"))
    if claimed and status.status is ValidationStatus.UNCLEAR:
        parts.append(reason("own_word_of_validation"))
    if (pathway := _pathway(checks)) is not Alignment.UNKNOWN:
        parts.append(reason(f"pathway_{pathway.value}"))
    return [*parts, *filter(None, (bearing.consensus,))]
