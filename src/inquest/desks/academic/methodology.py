"""A statement of method against what its standard requires: what is stated, what is missing, what goes against it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.methodology_words import ASPECTS, METHODS, Method, against
from inquest.desks.academic.science_targets import Alignment
from inquest.entailment.bases import scopes_named
from inquest.sources.standards import NamedStandard, named_standards
from inquest.sources.standards_book import Rule, Standard, standards_book
from inquest.text.sentences import Span

__all__ = ["MethodologyCheck", "RequirementPoint", "Said", "check_methodology"]


class Said(StrEnum):
    """What a statement says of a requirement."""

    STATED = "stated"
    MISSING = "missing"
    CONTRADICTED = "contradicted"


class RequirementPoint(NamedTuple):
    """One requirement, and what the statement says of it; `span` is where, None where it says nothing."""

    standard: Standard
    rule: Rule
    said: Said
    span: Span | None
    reason: str


@dataclass(frozen=True, slots=True)
class MethodologyCheck:
    """What a statement of method comes to. `alignment` is of the statement's words: whether it was done so is another
    question, which evidence has to answer."""

    named: tuple[NamedStandard, ...]
    against: tuple[Standard, ...]
    """The standards it was held to: those it names, or that its scopes belong to."""
    methods: tuple[Method, ...]
    points: tuple[RequirementPoint, ...]
    alignment: Alignment
    limitations: tuple[str, ...]
    reasons: tuple[str, ...]


_CHECKED = frozenset(("accounting", "project", "product", "verification", "neutrality", "inventory", "target"))


def check_methodology(text: str) -> MethodologyCheck:
    """Hold a statement to the standards it names; where it names none but speaks of Scopes, to the GHG Protocol.

    A requirement that a short statement leaves out is 'missing', which makes it partly aligned and never contradicted.
    """
    named = tuple(each for each in named_standards(text) if each.standard.kind in _CHECKED)
    scopes = scopes_named(text)
    standards, how = _standards(named, scopes)
    methods = tuple(method for method in METHODS if method.words.search(text))
    points = tuple(point for standard in standards for point in _points(text, standard, scopes, named))
    alignment, why = _alignment(points, methods)
    reasons = (*how, *(f"The {method.name} is known. {method.note}" for method in methods), why)
    reasons += tuple(point.reason for point in points if point.said is not Said.MISSING or not point.rule.optional)
    limitations = (*(method.note for method in methods if "least" in method.note or "hide" in method.note),)
    limitations += tuple(f"Not stated: {ASPECTS[point.rule.asks].named}." for point in points if _lacking(point))
    return MethodologyCheck(named, standards, methods, points, alignment, tuple(dict.fromkeys(limitations)), reasons)


def _standards(
    named: tuple[NamedStandard, ...], scopes: frozenset[str]
) -> tuple[tuple[Standard, ...], tuple[str, ...]]:
    book = standards_book()
    found: dict[str, Standard] = {}
    reasons: list[str] = []
    for each in named:
        members = _members(each.standard, scopes)
        for member in members:
            found[member.id] = member
        if members != (each.standard,):
            names = ", ".join(member.name for member in members)
            reasons.append(f"'{each.text}' is a family; held to {names}, by the scopes that are named.")
    if not found and scopes:
        for member in _members(book["ghg-protocol"], scopes):
            found[member.id] = member
        reasons.append("No standard is named; Scopes are the GHG Protocol's, so its standards are taken.")
    if not found:
        reasons.append("No standard is named and none can be told.")
    return tuple(found.values()), tuple(reasons)


def _members(standard: Standard, scopes: frozenset[str]) -> tuple[Standard, ...]:
    book = standards_book()
    if standard.id == "ghg-protocol":
        wanted = [("ghg-protocol-corporate", not scopes or bool(scopes & {"1"}) or scopes == {"2"})]
        wanted += [("ghg-protocol-scope-2", "2" in scopes), ("ghg-protocol-scope-3", "3" in scopes)]
        return tuple(book[name] for name, is_meant in wanted if is_meant)
    if standard.id == "iso-14064":
        return (book["iso-14064-1"],)
    return (standard,)


def _points(
    text: str, standard: Standard, scopes: frozenset[str], named: tuple[NamedStandard, ...]
) -> list[RequirementPoint]:
    written = {each.edition for each in named if each.standard.id == standard.id} - {""}
    found: list[RequirementPoint] = []
    for rule in standard.rules:
        if rule.asks not in ASPECTS or (rule.when and scopes and not scopes & set(rule.when)):
            continue
        if rule.editions and written and not written & set(rule.editions):
            continue
        aspect = ASPECTS[rule.asks]
        wrong = against(rule.asks, text)
        if wrong is not None:
            reason = f"{standard.name}: {rule.text} {wrong.reason}"
            found.append(RequirementPoint(standard, rule, Said.CONTRADICTED, wrong.span, reason))
            continue
        match = aspect.words.search(text)
        said = Said.STATED if match else Said.MISSING
        span = Span(*match.span()) if match else None
        verb = "stated" if match else "not stated"
        found.append(RequirementPoint(standard, rule, said, span, f"{standard.name} asks for {aspect.named}: {verb}."))
    return found


def _lacking(point: RequirementPoint) -> bool:
    return point.said is Said.MISSING and not point.rule.optional


def _alignment(points: tuple[RequirementPoint, ...], methods: tuple[Method, ...]) -> tuple[Alignment, str]:
    stated = sum(point.said is Said.STATED for point in points)
    missing = sum(_lacking(point) for point in points)
    wrong = sum(point.said is Said.CONTRADICTED for point in points)
    counted = f"{stated} stated, {missing} missing, {wrong} contradicted"
    if wrong:
        return Alignment.NOT, f"The statement contradicts its standard ({counted})."
    if not points or (not stated and not methods):
        return Alignment.UNKNOWN, f"The statement says too little to tell ({counted})."
    if missing:
        return Alignment.PARTIALLY, f"What is stated fits, and it is not all ({counted})."
    return Alignment.ALIGNED, f"All that is required is stated ({counted})."
