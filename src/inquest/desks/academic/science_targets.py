"""A climate target against the criteria of the Science Based Targets initiative in force when it was set (spec 002, 7).

The criteria change (`sources/data/standards/sbti.toml`). Where the version is not known, a point is judged only if all
versions judge it alike, and is open otherwise. A target is 'validated' only where a page that is not the company's says
so; the initiative's own site weighs most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from inquest.desks.academic.criteria import Alignment, Point, Standing, standings
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import standard_reference, witness_references
from inquest.desks.academic.science_targets_reading import ClimateTarget, Pathway, SaidStatus, TargetKind, targets_in
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
from inquest.sources.standards_book import Edition, Rule, standards_book
from inquest.text.sentences import fold


class Versions(NamedTuple):
    """The editions a target may have been set by. `known` False: neither time nor text narrows them down."""

    editions: tuple[Edition, ...]
    known: bool
    reason: Reason


@dataclass(frozen=True, slots=True)
class TargetCheck:
    """What a target comes to, with a reason for every point."""

    target: ClimateTarget
    versions: Versions
    points: tuple[Point, ...]
    alignment: Alignment

    @property
    def reasons(self) -> tuple[Reason, ...]:
        status = reason(f"text_{self.target.validation.name.lower()}")
        return (self.versions.reason, *(point.reason for point in self.points), status)

    @property
    def missed(self) -> list[Point]:
        return [point for point in self.points if point.standing is Standing.NOT_MET]


Rules = Mapping[str, Rule]
AMBITION = frozenset(("rate_1_2", "rate_3", "rate_all", "net_zero_year", "long_term_cut", "no_offsets"))
"""Points of ambition and of credits; the others are of form and reach."""
PATHWAYS = {Pathway.ONE_AND_A_HALF: "pathway_1_5", Pathway.WELL_BELOW_TWO: "pathway_wb2c"}
_REACHED = frozenset(("rate_1_2", "rate_3", "rate_all", "net_zero_year"))
_ROUNDING = 0.05
"""Percentage points a year: '46 %' for 46.2 % is the rounding of a sentence, not a lack of ambition."""


def check_target(
    target: ClimateTarget, *, set_on: date | None = None, version: str = "", until: date | None = None
) -> TargetCheck:
    """Judge one target. `set_on`: the day it was set or submitted, where known from outside the text; `until`: the day
    of the check, by criteria of after which nothing is judged."""
    versions = versions_for(target, set_on, version, until)
    year = set_on.year if set_on else target.set_in
    by_edition = [(edition.version, _points(target, edition, year)) for edition in versions.editions]
    points = (*_agreed(by_edition), *_net_zero(target))
    return TargetCheck(target, versions, points, _alignment(points))


def versions_for(
    target: ClimateTarget, set_on: date | None = None, version: str = "", until: date | None = None
) -> Versions:
    """The near-term criteria to judge by: the version named, else those in force on the day (or in the year that the
    text names) when the target was set or submitted, else all of them that were in force by the day `until`."""
    standard = standards_book()["sbti-near-term"]
    named = tuple(each for each in standard.editions if version and _is_version(each.version, version))
    if named:
        return Versions(named, True, reason("version_named", version=version))
    if set_on is None and target.set_in is None:
        begun = tuple(each for each in standard.editions if not until or (each.in_force_from or until) <= until)
        return Versions(begun or standard.editions, False, reason("version_unknown"))
    first = set_on or date(target.set_in or 0, 1, 1)
    when = set_on.isoformat() if set_on else str(target.set_in)
    found = standard.editions_on(first, set_on or date(first.year, 12, 31))
    if not found:
        return Versions(standard.editions, False, reason("version_none", when=when))
    return Versions(found, True, reason("version_of", when=when, versions=[each.version for each in found]))


def _is_version(edition: str, named: str) -> bool:
    return edition == named or edition.split(" ")[0] == named or (edition == "4.x" and named.split(".")[0] == "4")


def _agreed(by_edition: list[tuple[str, tuple[Point, ...]]]) -> tuple[Point, ...]:
    """Each point once: as all editions judge it, or open where they differ."""
    found: list[Point] = []
    for asks in dict.fromkeys(point.asks for _, points in by_edition for point in points):
        judged = {version: point for version, points in by_edition for point in points if point.asks == asks}
        last = [*judged.values()][-1]
        found_ = standings(judged.values())
        if len(found_) == 1 and (len(judged) == len(by_edition) or found_ != {Standing.NOT_MET}):
            found.append(last)
            continue
        each = [f"{point.standing.value} by {version}" for version, point in judged.items()]
        each += [f"not asked by {version}" for version, _ in by_edition if version not in judged]
        found.append(last._replace(standing=Standing.OPEN, reason=reason("version_decides", editions=each)))
    return tuple(found)


def _alignment(points: tuple[Point, ...]) -> Alignment:
    found = standings(points)
    missed = {point.asks for point in points if point.standing is Standing.NOT_MET}
    if missed:
        return Alignment.PARTIALLY if Standing.MET in found and not missed & AMBITION else Alignment.NOT
    if not any(point.standing is Standing.MET and point.asks in _REACHED for point in points):
        return Alignment.UNKNOWN
    return Alignment.PARTIALLY if Standing.OPEN in found else Alignment.ALIGNED


def _points(target: ClimateTarget, edition: Edition, year: int | None) -> tuple[Point, ...]:
    """The points that an edition of the near-term criteria asks of a target with a percentage, set in `year`."""
    if target.reduction is None:
        return ()
    rules = {rule.asks: rule for rule in standards_book()["sbti-near-term"].rules_of(edition.version)}
    found = [_held("base_year", rules["base_year"], target.base_year)] if "base_year" in rules else []
    found += [_span(asks, rules[asks], target, year) for asks in ("span_least", "span_most") if asks in rules]
    found.append(_ambition(target, rules))
    asks = PATHWAYS.get(target.pathway, "")
    if asks in rules and target.scopes != {"3"}:
        found.append(_pathway(asks, rules[asks], target))
    found.append(_reach(target, rules))
    if target.counts_credits:
        found.append(Point("no_offsets", rules["no_offsets"], Standing.NOT_MET, reason("credits_counted")))
    return tuple(found)


def _held(asks: str, rule: Rule, value: float | None, *, most: bool = False) -> Point:
    """A figure of the target against the rule's: at least it, or at most."""
    asked = rule.figure or 0.0
    if value is None:
        return Point(asks, rule, Standing.OPEN, reason(f"{asks}_not_stated", asked=asked))
    met = value <= asked if most else value >= asked
    return Point(asks, rule, Standing.MET if met else Standing.NOT_MET, reason(asks, value=value, asked=asked))


def _span(asks: str, rule: Rule, target: ClimateTarget, year: int | None) -> Point:
    limit = int(rule.figure or 0)
    if target.target_year is None or year is None:
        missing = "the target year" if target.target_year is None else "when the target was set"
        return Point(asks, rule, Standing.OPEN, reason(f"{asks}_not_stated", asked=limit, missing=missing))
    # Submitted in the second half of a year, the span counts from the next year on: one year either way is open.
    years = target.target_year - year
    beyond = limit - years if asks == "span_least" else years - limit
    standing = Standing.MET if beyond <= 0 else Standing.OPEN if beyond == 1 else Standing.NOT_MET
    why = reason(asks, years=years, first=str(year), last=str(target.target_year), asked=limit)
    return Point(asks, rule, standing, why)


def _ambition(target: ClimateTarget, rules: Rules) -> Point:
    asks = "rate_3" if target.scopes == {"3"} else "rate_1_2"
    rule, rate = rules[asks], target.annual_rate
    if rate is None or target.kind is TargetKind.INTENSITY:
        return Point(
            asks, rule, Standing.OPEN, reason("no_rate" if target.kind is not TargetKind.INTENSITY else "intensity")
        )
    if not target.scopes:
        return Point("rate_all", rule, Standing.OPEN, _rate("scopes_not_stated", target, rule.figure))
    if "3" in target.scopes and len(target.scopes) > 1:
        return _of_all_scopes(target, rules, rate)
    if rate + _ROUNDING < (rule.figure or 0):
        return Point(asks, rule, Standing.NOT_MET, _rate("rate_below", target, rule.figure))
    since = rules.get("rate_counted_from") if asks == "rate_1_2" else None
    if since is not None and since.figure and target.base_year and target.base_year > since.figure:
        due = (rule.figure or 0.0) * ((target.target_year or 0) - since.figure)
        if (target.reduction or 0) + 0.5 < due:
            return Point(asks, since, Standing.OPEN, _rate("rate_due", target, rule.figure, due=round(due)))
    return Point(asks, rule, Standing.MET, _rate("rate_met", target, rule.figure))


def _of_all_scopes(target: ClimateTarget, rules: Rules, rate: float) -> Point:
    """Scopes together: each part has its own minimum, so only the extremes are known."""
    high, low = rules["rate_1_2"], rules["rate_3"]
    if rate + _ROUNDING >= (high.figure or 0):
        return Point("rate_all", high, Standing.MET, _rate("rate_met", target, high.figure))
    if rate + _ROUNDING < (low.figure or 0):
        return Point("rate_all", low, Standing.NOT_MET, _rate("rate_below", target, low.figure))
    return Point("rate_all", high, Standing.OPEN, _rate("scopes_together", target, high.figure))


def _rate(name: str, target: ClimateTarget, asked: float | None, **data: int) -> Reason:
    years = {"first": str(target.base_year), "last": str(target.target_year)}
    rate = round(target.annual_rate or 0.0, 2)
    return reason(name, cut=target.reduction or 0.0, rate=rate, asked=asked or 0.0, **years, **data)


def _pathway(asks: str, rule: Rule, target: ClimateTarget) -> Point:
    if target.annual_rate is None or target.kind is TargetKind.INTENSITY:
        return Point(asks, rule, Standing.OPEN, reason("pathway_open", pathway=target.pathway.value))
    met = target.annual_rate + _ROUNDING >= (rule.figure or 0)
    data = {"asked": rule.figure or 0.0, "rate": round(target.annual_rate, 2)}
    why = reason("pathway_met" if met else "pathway_missed", pathway=target.pathway.value, **data)
    return Point(asks, rule, Standing.MET if met else Standing.NOT_MET, why)


def _reach(target: ClimateTarget, rules: Rules) -> Point:
    asks = "coverage_3" if target.scopes == {"3"} else "coverage"
    if target.scopes in ({"1"}, {"2"}):
        return Point(asks, rules[asks], Standing.OPEN, reason("one_scope", scope=next(iter(target.scopes))))
    return _held("coverage", rules[asks], target.coverage)._replace(asks=asks)


def _net_zero(target: ClimateTarget) -> tuple[Point, ...]:
    """What the Net-Zero Standard, version 1, asks of a target with a net-zero year."""
    if target.net_zero_year is None:
        return ()
    book = standards_book()
    near = book.rule("sbti-net-zero", "near-term-too")
    nearer = target.reduction is not None and (target.target_year or 9999) < target.net_zero_year
    interim = reason("interim" if nearer else "no_interim")
    cut = target.reduction if target.target_year == target.net_zero_year else None
    found = [
        _held("net_zero_year", book.rule("sbti-net-zero", "net-zero-year"), target.net_zero_year, most=True),
        Point(near.asks, near, Standing.MET if nearer else Standing.OPEN, interim),
        _held("long_term_cut", book.rule("sbti-net-zero", "long-term-cut"), cut),
    ]
    if target.counts_credits and target.reduction is None:
        found.append(Point("no_offsets", book.rule("sbti-near-term", "no-offsets"), Standing.OPEN, reason("credits")))
    return tuple(found)


_ACROSS_SECTORS = 0.5
"""Confidence that a pathway is missed by the rate across sectors alone."""


def target_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Judge every target that the claim states, and whether somebody else proves a validation that it speaks of."""
    named = named_standards(claim.text)
    version = next((each.edition for each in named if each.standard.family == "sbti" and each.edition), "")
    checks = [check_target(each, version=version, until=claim.day) for each in targets_in(claim.text)]
    claimed = claims_validation(claim.text)
    status = status_found(claim.text, claim.company, witnesses)
    bearing = bearing_of(witnesses)
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
        pathway_alignment=_pathway_alignment(checks).value,
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
    """The editions judged by, the latest last, and rules not met; without a target the edition in force at `until`."""
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


def _pathway_alignment(checks: Sequence[TargetCheck]) -> Alignment:
    found = standings(point for each in checks for point in each.points if point.asks in PATHWAYS.values())
    if Standing.NOT_MET in found:
        return Alignment.NOT
    return Alignment.ALIGNED if found == {Standing.MET} else Alignment.UNKNOWN


def _limitations(checks: Sequence[TargetCheck], status: StatusFound, *, claimed: bool) -> list[Reason]:
    found: list[Reason] = []
    if claimed and any(each.alignment is Alignment.NOT for each in checks):
        found.append(reason("validated_and_not_aligned"))
    if claimed and status.status is not ValidationStatus.VALIDATED:
        found.append(reason("own_word_of_validation"))
    return found + [point.reason for each in checks for point in each.points if point.standing is not Standing.MET]


def _summary(
    checks: Sequence[TargetCheck], alignment: Alignment, status: StatusFound, bearing: Bearing, *, claimed: bool
) -> list[Reason]:
    parts = [reason(f"target_{alignment.value}", number=max(1, len(checks)))]
    parts += [point.reason for each in checks for point in each.missed][:2]
    parts.append(reason(f"status_{status.status.value}"))
    if claimed and status.status is ValidationStatus.UNCLEAR:
        parts.append(reason("own_word_of_validation"))
    if (pathway := _pathway_alignment(checks)) is not Alignment.UNKNOWN:
        parts.append(reason(f"pathway_{pathway.value}"))
    return [*parts, *filter(None, (bearing.consensus,))]
