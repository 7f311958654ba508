"""A way of counting, against the standards that rule it and research on it (spec 002, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.academic.methodology import MethodologyCheck, Said, check_methodology
from inquest.desks.academic.references import papers, standard_reference, witness_references
from inquest.desks.academic.science_targets import Alignment
from inquest.desks.academic.terms import sentence_with
from inquest.desks.academic.validation import BY_RULE, Matter, Validation, clamped, details_of, rest_on, supports_claim
from inquest.desks.academic.witnesses import Bearing, Witness, bearing_of
from inquest.domain.finding import ContradictionType, Stance
from inquest.sources.standards_book import Rule
from inquest.text.lexicon import pattern
from inquest.text.phrases import listed
from inquest.text.sentences import shorten

__all__ = ["ALIGNED_IN_WORDS", "methodology_validation"]

ALIGNED_IN_WORDS = {
    Alignment.ALIGNED: "fits",
    Alignment.PARTIALLY: "fits in part",
    Alignment.NOT: "contradicts",
    Alignment.UNKNOWN: "cannot be held against",
}
_KNOWN_METHOD = 0.5
"""Confidence where only the book says that a method is recognised: that it was followed is another question."""
_LIMITS = pattern(__name__, "limits")
_QUOTED = 220


def methodology_validation(matter: Matter, witnesses: Sequence[Witness]) -> Validation:
    """Hold the claim's method to its standard by its own words, and tell what judged works say of it."""
    check = check_methodology(matter.text)
    speaking = [each for each in witnesses if each.scholarly or each.official]
    bearing = bearing_of(speaking)
    limits = _limits(check, speaking)
    stance, confidence, why = _stance(check, bearing)
    standards = tuple(
        standard_reference(standard, rule=_rule_of(check, standard.id), until=matter.day) for standard in check.against
    )
    references = (*standards, *witness_references(speaking))
    name = _name(check)
    consensus = bearing.consensus("work or document of a standard", "works and documents of standards")
    details = details_of(
        "methodology_validation",
        methodology_name=name or None,
        standard_alignment=check.alignment.value,
        research_consensus=consensus,
        limitations=[*check.limitations, *limits],
        academic_references=papers(references),
        standard_references=list(standards),
        finding_sources=bearing.source_ids,
        supports_claim=supports_claim(stance),
        rests_on="evidence" if bearing.leading and stance is bearing.stance else "rule",
        requirements=[
            {"standard": each.standard.name, "rule": each.rule.id, "said": each.said.value, "reason": each.reason}
            for each in check.points
        ],
    )
    leading = bearing.leading if stance is bearing.stance else None
    return Validation(
        "methodology_validation",
        stance,
        clamped(confidence),
        _summary(check, name, bearing, consensus, limits),
        details,
        references,
        (*why, *check.reasons),
        ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
        rest_on(leading) if leading else None,
    )


def _stance(check: MethodologyCheck, bearing: Bearing) -> tuple[Stance, float, tuple[str, ...]]:
    breaks = check.alignment is Alignment.NOT and bool(check.named)
    if bearing.stance is Stance.SUPPORTS and breaks:
        why = "The statement contradicts the standard it names, and judged works support it: the two do not agree."
        return Stance.NEUTRAL, 0.5, (why,)
    if bearing.stance is not Stance.NEUTRAL:
        return bearing.stance, bearing.confidence, ("It rests on judged passages.",)
    if bearing.support:
        return Stance.NEUTRAL, 0.5, ("Judged works stand on both sides.",)
    if breaks:
        why = "It rests on the claim's own words and the text of the standard that it names; no work was found on it."
        return Stance.CONTRADICTS, BY_RULE, (why,)
    if check.named and (check.methods or check.alignment is Alignment.ALIGNED):
        fits = check.alignment in (Alignment.ALIGNED, Alignment.PARTIALLY)
        if fits:
            why = "It rests on the standard alone: that the method is a recognised one, not that it was followed."
            return Stance.SUPPORTS, BY_RULE if check.alignment is Alignment.ALIGNED else _KNOWN_METHOD, (why,)
    return Stance.NEUTRAL, 0.3, ("Neither the claim's words nor what was found decide it.",)


def _name(check: MethodologyCheck) -> str:
    methods = listed([each.name for each in check.methods])
    standards = listed(list(dict.fromkeys(each.standard.name for each in check.named)))
    return f"{methods} ({standards})" if methods and standards else methods or standards


def _rule_of(check: MethodologyCheck, standard_id: str) -> Rule | None:
    """The rule to cite of a standard: one that is broken before one that is met; None where none is touched."""
    for said in (Said.CONTRADICTED, Said.STATED):
        for point in check.points:
            if point.standard.id == standard_id and point.said is said:
                return point.rule
    return None


def _limits(check: MethodologyCheck, witnesses: Sequence[Witness]) -> list[str]:
    """What scholarly passages say against a method by its name, in their own words and with where it stands."""
    found: dict[str, str] = {}
    for each in witnesses:
        if each.left_out or not each.scholarly or each.source.id in found:
            continue
        for method in check.methods:
            span = sentence_with(each.text, method.words)
            if span is not None and _LIMITS.search(span.of(each.text)):
                found[each.source.id] = f"‘{shorten(span.of(each.text), _QUOTED)}’ ({each.source.id})"
                break
    return list(found.values())


def _summary(check: MethodologyCheck, name: str, bearing: Bearing, consensus: str | None, limits: Sequence[str]) -> str:
    held = listed([each.name for each in check.against])
    subject = f"What the claim says of its method ({name})" if name else "What the claim says of its method"
    parts = [
        f"{subject} {ALIGNED_IN_WORDS[check.alignment]} {held}."
        if held and check.alignment is not Alignment.UNKNOWN
        else f"{subject} says too little to hold it to a standard."
    ]
    broken = [each for each in check.points if each.said is Said.CONTRADICTED]
    if broken:
        parts.append(broken[0].reason)
    missing = [each for each in check.limitations if each.startswith("Not stated")]
    if missing and check.alignment is Alignment.PARTIALLY:
        parts.append(f"{len(missing)} of the things that are asked for are not stated in the claim.")
    parts.append(consensus or "No peer-reviewed work that bears on it was found: the evidence on that is insufficient.")
    if limits:
        parts.append(f"Scholarly texts name limits of the method, such as {limits[0]}.")
    if bearing.support and bearing.against:
        parts.append("They do not agree.")
    return " ".join(parts)
