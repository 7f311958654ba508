"""A way of counting emissions against the standards that rule it, and research on it (spec 002, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inquest.desks.academic.criteria import ASPECTS, METHODS, Alignment, Method, Point, Standing, judged, standings
from inquest.desks.academic.phrases import phrase_table
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import standard_reference, witness_references
from inquest.desks.academic.terms import sentence_with
from inquest.desks.academic.validation import BY_RULE, CheckReport, Ruling, TechnicalClaim, by_evidence, conclude
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import FindingDraft
from inquest.sources.standards import NamedStandard, named_standards
from inquest.sources.standards_book import Rule, Standard, standards_book
from inquest.text.sentences import shorten

_KNOWN_METHOD = 0.5
"""Confidence where only the book says that a method is recognised: that it was followed is another question."""
_LIMITS = phrase_table("methodology")["limits"]
_QUOTED = 220
_CHECKED = frozenset(("accounting", "project", "product", "verification", "neutrality", "inventory", "target"))
_STATED = {Standing.MET: "stated", Standing.OPEN: "missing", Standing.NOT_MET: "contradicted"}


@dataclass(frozen=True, slots=True)
class MethodologyCheck:
    """The result for a statement of method. `alignment` is of the statement's words: evidence has to answer whether the
    method was followed."""

    named: tuple[NamedStandard, ...]
    against: tuple[Standard, ...]
    """The standards it was compared with: those it names, or that its scopes belong to."""
    methods: tuple[Method, ...]
    points: tuple[Point, ...]
    alignment: Alignment
    reasons: tuple[Reason, ...]

    @property
    def limitations(self) -> tuple[Reason, ...]:
        """What is known against the methods, and what the statement leaves out."""
        known = [reason("method_limit", note=each.note) for each in self.methods if each.limit]
        return (*known, *(reason("not_stated", aspect=ASPECTS[each.asks].name) for each in self.points if each.lacking))


def check_methodology(text: str) -> MethodologyCheck:
    """Compare a statement with the standards it names; of Scopes without a standard, with the GHG Protocol."""
    named = tuple(each for each in named_standards(text) if each.standard.kind in _CHECKED)
    scopes = scopes_named(text)
    standards, how = _standards(named, scopes)
    methods = tuple(method for method in METHODS if method.words.search(text))
    points = tuple(point for standard in standards for point in _points(text, standard, scopes, named))
    alignment, code = _alignment(points, methods)
    counts = {name: sum(point.standing is standing for point in points) for standing, name in _STATED.items()}
    counts["missing"] = sum(point.lacking for point in points)
    reasons = (
        *how,
        *(reason("method_known", name=method.name, note=method.note) for method in methods),
        reason(code, **counts),
        *(point.reason for point in points if point.standing is not Standing.OPEN or point.lacking),
    )
    return MethodologyCheck(named, standards, methods, points, alignment, reasons)


def _standards(
    named: tuple[NamedStandard, ...], scopes: frozenset[str]
) -> tuple[tuple[Standard, ...], tuple[Reason, ...]]:
    found: dict[str, Standard] = {}
    reasons: list[Reason] = []
    for each in named:
        members = _members(each.standard, scopes)
        found |= {member.id: member for member in members}
        if members != (each.standard,):
            reasons.append(reason("family", text=each.text, members=[member.name for member in members]))
    if not found and scopes:
        found = {member.id: member for member in _members(standards_book()["ghg-protocol"], scopes)}
        reasons.append(reason("by_scopes"))
    if not found:
        reasons.append(reason("no_standard"))
    return tuple(found.values()), tuple(reasons)


def _members(standard: Standard, scopes: frozenset[str]) -> tuple[Standard, ...]:
    book = standards_book()
    if standard.id == "ghg-protocol":
        wanted = [("ghg-protocol-corporate", not scopes or "1" in scopes or scopes == {"2"})]
        wanted += [("ghg-protocol-scope-2", "2" in scopes), ("ghg-protocol-scope-3", "3" in scopes)]
        return tuple(book[name] for name, is_meant in wanted if is_meant)
    return (book["iso-14064-1"],) if standard.id == "iso-14064" else (standard,)


def _points(text: str, standard: Standard, scopes: frozenset[str], named: tuple[NamedStandard, ...]) -> list[Point]:
    written = {each.edition for each in named if each.standard.id == standard.id} - {""}
    return [
        judged(text, standard, rule)
        for rule in standard.rules
        if rule.asks in ASPECTS
        and not (rule.when and scopes and not scopes & set(rule.when))
        and not (rule.editions and written and not written & set(rule.editions))
    ]


def _alignment(points: tuple[Point, ...], methods: tuple[Method, ...]) -> tuple[Alignment, str]:
    """The alignment, and the code of why."""
    found = standings(points)
    if Standing.NOT_MET in found:
        return Alignment.NOT, "breaks_standard"
    if not points or (Standing.MET not in found and not methods):
        return Alignment.UNKNOWN, "says_too_little"
    if any(point.lacking for point in points):
        return Alignment.PARTIALLY, "stated_in_part"
    return Alignment.ALIGNED, "all_stated"


def methodology_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's method with its standard by its own words, and report what judged works say of it."""
    check = check_methodology(claim.text)
    speaking = [each for each in witnesses if each.scholarly or each.official]
    bearing = bearing_of(speaking)
    limits = _limits(check, speaking)
    cited = [
        standard_reference(standard, rule=_rule_of(check, standard.id), until=claim.day) for standard in check.against
    ]
    methods = [each.name for each in check.methods]
    standards = list(dict.fromkeys(each.standard.name for each in check.named))
    name = f"{', '.join(methods)} ({', '.join(standards)})" if methods and standards else ", ".join(methods + standards)
    return conclude(
        "methodology_validation",
        _ruling(check, bearing),
        bearing,
        CheckReport(
            summary=_summary(check, name, bearing, limits),
            reasons=check.reasons,
            limitations=(*check.limitations, *limits),
        ),
        references=(*cited, *witness_references(speaking)),
        methodology_name=name or None,
        standard_alignment=check.alignment.value,
        standard_references=cited,
        requirements=[
            {"standard": each.standard.name, "rule": each.rule.id, "said": _STATED[each.standing]}
            for each in check.points
            if each.standard is not None
        ],
    )


def _ruling(check: MethodologyCheck, bearing: Bearing) -> Ruling:
    breaks = check.alignment is Alignment.NOT and bool(check.named)
    if bearing.stance is Stance.SUPPORTS and breaks:
        return Ruling(Stance.NEUTRAL, 0.5, reason("works_support_what_breaks"))
    rule = Ruling(Stance.NEUTRAL, 0.3, reason("undecided"))
    if breaks:
        rule = Ruling(Stance.CONTRADICTS, BY_RULE, reason("own_words_break_standard"))
    elif check.named and check.alignment is Alignment.ALIGNED:
        rule = Ruling(Stance.SUPPORTS, BY_RULE, reason("recognised_method"))
    elif check.named and check.methods and check.alignment is Alignment.PARTIALLY:
        rule = Ruling(Stance.SUPPORTS, _KNOWN_METHOD, reason("recognised_method"))
    return by_evidence(bearing, rule)


def _rule_of(check: MethodologyCheck, standard_id: str) -> Rule | None:
    """The rule to cite of a standard: one that is broken before one that is met; None where none is touched."""
    mine = [each for each in check.points if each.standard is not None and each.standard.id == standard_id]
    touched = [each.rule for standing in (Standing.NOT_MET, Standing.MET) for each in mine if each.standing is standing]
    return touched[0] if touched else None


def _limits(check: MethodologyCheck, witnesses: Sequence[AcademicEvidence]) -> list[Reason]:
    """What scholarly passages say against a method by its name, in their own words."""
    found: dict[str, Reason] = {}
    for each in witnesses:
        if each.left_out or not each.scholarly or each.source.id in found:
            continue
        spans = (sentence_with(each.text, method.words) for method in check.methods)
        span = next((span for span in spans if span is not None and _LIMITS.search(span.of(each.text))), None)
        if span is not None:
            found[each.source.id] = reason("limit", quote=shorten(span.of(each.text), _QUOTED), source=each.source.id)
    return list(found.values())


def _summary(check: MethodologyCheck, name: str, bearing: Bearing, limits: Sequence[Reason]) -> list[Reason]:
    held = [each.name for each in check.against]
    name = name or "as it is stated"
    alignment = check.alignment if held else Alignment.UNKNOWN
    parts = [reason(f"method_{alignment.value}", name=name, standards=held)]
    parts += [each.reason for each in check.points if each.standing is Standing.NOT_MET][:1]
    missing = sum(each.lacking for each in check.points)
    if missing and check.alignment is Alignment.PARTIALLY:
        parts.append(reason("requirements_missing", number=missing))
    parts.append(bearing.consensus or reason("no_works"))
    parts += [reason("limits_named", quote=each.data["quote"]) for each in limits[:1]]
    return [*parts, reason("disagree")] if bearing.support and bearing.against else parts
