"""A way of counting emissions against the standards that rule it, and research on it (spec 002, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.desks.academic.criteria import ASPECTS, METHODS, Alignment, Method, Point, Standing, judged, standings
from inquest.desks.academic.references import standard_reference, witness_references
from inquest.desks.academic.terms import phrase_table, reason, sentence_with
from inquest.desks.academic.validation import BY_RULE, Account, Ruling, TechnicalClaim, by_evidence, conclude
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
_QUOTED = 220
_CHECKED = frozenset(("accounting", "project", "product", "verification", "neutrality", "inventory", "target"))


class MethodologyCheck(NamedTuple):
    """The result for a statement of method. `alignment` is of the statement's words: evidence has to answer whether the
    method was followed."""

    named: tuple[NamedStandard, ...]
    against: tuple[Standard, ...]
    """The standards it was compared with: those it names, or that its scopes belong to."""
    methods: tuple[Method, ...]
    points: tuple[Point, ...]
    alignment: Alignment

    @property
    def reasons(self) -> list[Reason]:
        """What is known of the methods, and the result of each rule."""
        how = [] if self.named else [reason("by_scopes" if self.against else "no_standard")]
        known = [_known(each) for each in self.methods]
        return how + known + [each.reason for each in self.points if each.standing is not Standing.OPEN or each.lacking]

    @property
    def limitations(self) -> list[Reason]:
        """What is known against the methods, and what the statement leaves out."""
        known = [_known(each) for each in self.methods if each.limit]
        return known + [each.reason for each in self.points if each.lacking]

    @property
    def name(self) -> str:
        """The methods and the standards as they are named; ''."""
        methods = ", ".join(each.name for each in self.methods)
        standards = ", ".join(dict.fromkeys(each.standard.name for each in self.named))
        return f"{methods} ({standards})" if methods and standards else methods or standards


def _known(method: Method) -> Reason:
    return reason("method_known", name=method.name, note=method.note)


def check_methodology(text: str) -> MethodologyCheck:
    """Compare a statement with the standards it names; of Scopes without a standard, with the GHG Protocol."""
    named = tuple(each for each in named_standards(text) if each.standard.kind in _CHECKED)
    scopes = scopes_named(text)
    standards = [member for each in named for member in _members(each.standard, scopes)]
    if not named and scopes:
        standards = _members(standards_book()["ghg-protocol"], scopes)
    against = tuple({each.id: each for each in standards}.values())
    methods = tuple(method for method in METHODS if method.words.search(text))
    points = tuple(point for standard in against for point in _points(text, standard, scopes, named))
    return MethodologyCheck(named, against, methods, points, _alignment(points, methods))


def _members(standard: Standard, scopes: frozenset[str]) -> list[Standard]:
    """The standards of a family that rule the scopes; another standard alone."""
    book = standards_book()
    if standard.id == "ghg-protocol":
        wanted = [("ghg-protocol-corporate", not scopes or "1" in scopes or scopes == {"2"})]
        wanted += [("ghg-protocol-scope-2", "2" in scopes), ("ghg-protocol-scope-3", "3" in scopes)]
        return [book[name] for name, is_meant in wanted if is_meant]
    return [book["iso-14064-1"]] if standard.id == "iso-14064" else [standard]


def _points(text: str, standard: Standard, scopes: frozenset[str], named: tuple[NamedStandard, ...]) -> list[Point]:
    written = {each.edition for each in named if each.standard.id == standard.id} - {""}
    return [
        judged(text, standard, rule)
        for rule in standard.rules
        if rule.asks in ASPECTS
        and not (rule.when and scopes and not scopes & set(rule.when))
        and not (rule.editions and written and not written & set(rule.editions))
    ]


def _alignment(points: tuple[Point, ...], methods: tuple[Method, ...]) -> Alignment:
    found = standings(points)
    if Standing.NOT_MET in found:
        return Alignment.NOT
    if not points or (Standing.MET not in found and not methods):
        return Alignment.UNKNOWN
    return Alignment.PARTIALLY if any(point.lacking for point in points) else Alignment.ALIGNED


def methodology_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Compare the claim's method with its standard by its own words, and report what judged works say of it."""
    check = check_methodology(claim.text)
    speaking = [each for each in witnesses if each.scholarly or each.official]
    bearing = bearing_of(speaking)
    limits = _limits(check, speaking)
    cited = [standard_reference(each, rule=_touched(check, each), until=claim.day) for each in check.against]
    missing = sum(each.lacking for each in check.points)
    broken = [each.reason for each in check.points if each.standing is Standing.NOT_MET]
    standards = [each.name for each in check.against]
    partial = check.alignment is Alignment.PARTIALLY
    summary = (
        reason(f"method_{check.alignment.value}", name=check.name or "as it is stated", standards=standards),
        *broken[:1],
        *([reason("requirements_missing", number=missing)] if missing and partial else []),
        bearing.consensus or reason("no_works"),
        *(reason("limits_named", quote=each.data["quote"]) for each in limits[:1]),
        *([reason("disagree")] if bearing.support and bearing.against else []),
    )
    return conclude(
        "methodology_validation",
        _ruling(check, bearing),
        bearing,
        Account(
            summary=summary,
            reasons=check.reasons,
            limitations=(*check.limitations, *limits),
        ),
        references=(*cited, *witness_references(speaking)),
        methodology_name=check.name or None,
        standard_alignment=check.alignment.value,
        standard_references=cited,
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


def _touched(check: MethodologyCheck, standard: Standard) -> Rule | None:
    """The rule to cite of a standard: one that is broken before one that is met; None where none is touched."""
    mine = [each for each in check.points if each.standard == standard]
    rules = [each.rule for standing in (Standing.NOT_MET, Standing.MET) for each in mine if each.standing is standing]
    return next(iter(rules), None)


def _limits(check: MethodologyCheck, witnesses: Sequence[AcademicEvidence]) -> list[Reason]:
    """What scholarly passages say against a method by its name, in their own words."""
    limiting = phrase_table("methodology")["limits"]
    found: dict[str, Reason] = {}
    for each in witnesses:
        for method in check.methods if each.scholarly and not each.left_out else ():
            span = sentence_with(each.text, method.words)
            quote = span.of(each.text) if span is not None else ""
            if limiting.search(quote):
                found.setdefault(each.source.id, reason("limit", quote=shorten(quote, _QUOTED), source=each.source.id))
    return list(found.values())
