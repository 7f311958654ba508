"""A way of counting emissions against the standards that rule it, and research on it (spec 002, section 5).

What a standard asks for, the ways of calculating that have a name, and wordings that break a rule stand in
`methodology.toml`; the rules themselves in the book of standards. A requirement that a short statement leaves out is
'missing', which makes it partly aligned and never contradicted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import NamedTuple

from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import standard_reference, witness_references
from inquest.desks.academic.terms import sentence_with
from inquest.desks.academic.validation import (
    BY_RULE,
    Alignment,
    CheckReport,
    Ruling,
    TechnicalClaim,
    by_evidence,
    conclude,
)
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import FindingDraft
from inquest.sources.standards import NamedStandard, named_standards
from inquest.sources.standards_book import Rule, Standard, standards_book
from inquest.text.lexicon import compiled, pattern
from inquest.text.sentences import Span, shorten

_KNOWN_METHOD = 0.5
"""Confidence where only the book says that a method is recognised: that it was followed is another question."""
_LIMITS = pattern(__name__, "limits")
_QUOTED = 220
_CHECKED = frozenset(("accounting", "project", "product", "verification", "neutrality", "inventory", "target"))


class RequirementCoverage(StrEnum):
    """What a statement says of a requirement."""

    STATED = "stated"
    MISSING = "missing"
    CONTRADICTED = "contradicted"


class Method(NamedTuple):
    """A way of calculating that the standards know by name. `limit`: what a reader should weigh, where it has one."""

    name: str
    words: re.Pattern[str]
    standard_id: str
    note: str
    limit: bool


class Requirement(NamedTuple):
    """One requirement, and what the statement says of it; `span` is where, None where it says nothing."""

    standard: Standard
    rule: Rule
    coverage: RequirementCoverage
    span: Span | None
    reason: Reason

    @property
    def lacking(self) -> bool:
        return self.coverage is RequirementCoverage.MISSING and not self.rule.optional


@dataclass(frozen=True, slots=True)
class MethodologyCheck:
    """What a statement of method comes to. `alignment` is of the statement's words: whether it was done so is another
    question, which evidence has to answer."""

    named: tuple[NamedStandard, ...]
    against: tuple[Standard, ...]
    """The standards it was held to: those it names, or that its scopes belong to."""
    methods: tuple[Method, ...]
    points: tuple[Requirement, ...]
    alignment: Alignment
    reasons: tuple[Reason, ...]

    @property
    def limitations(self) -> tuple[Reason, ...]:
        """What is known against the methods, and what the statement leaves out."""
        known = [reason("method_limit", note=each.note) for each in self.methods if each.limit]
        return (*known, *(reason("not_stated", aspect=ASPECTS[each.rule.asks][1]) for each in self._lacking))

    @property
    def _lacking(self) -> list[Requirement]:
        return [each for each in self.points if each.lacking]


_TABLE = tomllib.loads((files(__package__) / "methodology.toml").read_text("utf-8"))
ASPECTS = {asks: (compiled(row["words"]), str(row["named"])) for asks, row in _TABLE["aspects"].items()}
"""Words and name of what a rule of `sources/data/standards` asks for, by its `asks`."""
METHODS = tuple(
    Method(row["name"], compiled(row["words"]), row["standard_id"], row["note"], row.get("limit", False))
    for row in _TABLE["methods"]
)
_AGAINST = tuple((row["asks"], compiled(row["words"]), str(row["reason"])) for row in _TABLE["against"])


def check_methodology(text: str) -> MethodologyCheck:
    """Hold a statement to the standards it names; where it names none but speaks of Scopes, to the GHG Protocol."""
    named = tuple(each for each in named_standards(text) if each.standard.kind in _CHECKED)
    scopes = scopes_named(text)
    standards, how = _standards(named, scopes)
    methods = tuple(method for method in METHODS if method.words.search(text))
    points = tuple(point for standard in standards for point in _points(text, standard, scopes, named))
    alignment, name = _alignment(points, methods)
    counts = {each.value: sum(point.coverage is each for point in points) for each in RequirementCoverage}
    counts["missing"] = sum(point.lacking for point in points)
    reasons = (
        *how,
        *(reason("method_known", name=method.name, note=method.note) for method in methods),
        reason(name, **counts),
        *(point.reason for point in points if point.coverage is not RequirementCoverage.MISSING or point.lacking),
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
        wanted = [("ghg-protocol-corporate", not scopes or bool(scopes & {"1"}) or scopes == {"2"})]
        wanted += [("ghg-protocol-scope-2", "2" in scopes), ("ghg-protocol-scope-3", "3" in scopes)]
        return tuple(book[name] for name, is_meant in wanted if is_meant)
    return (book["iso-14064-1"],) if standard.id == "iso-14064" else (standard,)


def _points(
    text: str, standard: Standard, scopes: frozenset[str], named: tuple[NamedStandard, ...]
) -> list[Requirement]:
    written = {each.edition for each in named if each.standard.id == standard.id} - {""}
    return [
        _requirement(text, standard, rule)
        for rule in standard.rules
        if rule.asks in ASPECTS
        and not (rule.when and scopes and not scopes & set(rule.when))
        and not (rule.editions and written and not written & set(rule.editions))
    ]


def _requirement(text: str, standard: Standard, rule: Rule) -> Requirement:
    for asks, wrong, why in _AGAINST:
        if asks == rule.asks and (match := wrong.search(text)):
            broken = reason("requirement_broken", standard=standard.name, rule=rule.text, why=why)
            return Requirement(standard, rule, RequirementCoverage.CONTRADICTED, Span(*match.span()), broken)
    words, name = ASPECTS[rule.asks]
    match = words.search(text)
    coverage = RequirementCoverage.STATED if match else RequirementCoverage.MISSING
    why_ = reason(f"requirement_{coverage.value}", standard=standard.name, aspect=name)
    return Requirement(standard, rule, coverage, Span(*match.span()) if match else None, why_)


def _alignment(points: tuple[Requirement, ...], methods: tuple[Method, ...]) -> tuple[Alignment, str]:
    """The alignment, and the code of why."""
    coverages = {point.coverage for point in points}
    if RequirementCoverage.CONTRADICTED in coverages:
        return Alignment.NOT, "breaks_standard"
    if not points or (RequirementCoverage.STATED not in coverages and not methods):
        return Alignment.UNKNOWN, "says_too_little"
    if any(point.lacking for point in points):
        return Alignment.PARTIALLY, "stated_in_part"
    return Alignment.ALIGNED, "all_stated"


def methodology_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Hold the claim's method to its standard by its own words, and tell what judged works say of it."""
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
            {"standard": each.standard.name, "rule": each.rule.id, "said": each.coverage.value} for each in check.points
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
    mine = [each for each in check.points if each.standard.id == standard_id]
    broken = [each.rule for each in mine if each.coverage is RequirementCoverage.CONTRADICTED]
    met = [each.rule for each in mine if each.coverage is RequirementCoverage.STATED]
    return next(iter((*broken, *met)), None)


def _limits(check: MethodologyCheck, witnesses: Sequence[AcademicEvidence]) -> list[Reason]:
    """What scholarly passages say against a method by its name, in their own words and with where it stands."""
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
    known = bool(held) and check.alignment is not Alignment.UNKNOWN
    parts = [
        reason(f"method_{check.alignment.value}", name=name or "as it is stated", standards=held)
        if known
        else reason("method_unknown", name=name or "as it is stated")
    ]
    parts += [each.reason for each in check.points if each.coverage is RequirementCoverage.CONTRADICTED][:1]
    missing = sum(each.lacking for each in check.points)
    if missing and check.alignment is Alignment.PARTIALLY:
        parts.append(reason("requirements_missing", number=missing))
    parts.append(bearing.consensus or reason("no_works"))
    parts += [reason("limits_named", quote=each.data["quote"]) for each in limits[:1]]
    return [*parts, reason("disagree")] if bearing.support and bearing.against else parts
