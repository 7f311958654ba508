"""Checks of climate targets by the criteria of the Science Based Targets initiative when they were set (spec 002, 7).

The criteria change (`sources/data/standards/sbti.toml`). If the version is unknown, a point on which the versions
differ is open. A target counts as validated only by pages other than the company's; the initiative's own weighs most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import NamedTuple

from inquest.desks.academic.science_targets_reading import (
    STATUSES,
    ClimateTarget,
    StatusFound,
    claims_validation,
    status_found,
    targets_in,
)
from inquest.desks.academic.terms import Alignment, Point, Standing, company_sector, reason
from inquest.desks.academic.validation import (
    BY_RULE,
    Ruling,
    TechnicalClaim,
    by_evidence,
    conclude,
    rest_on,
    standard_reference,
    witness_references,
)
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, bearing_of, quoted_rows, rows_in
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft
from inquest.sources.standards import Edition, Rule, named_standards, standards_book
from inquest.text.sentences import fold

PATHWAYS = {"1.5 °C": "pathway_1_5", "well below 2 °C": "pathway_wb2c"}
_RATES = frozenset(("rate_1_2", "rate_3", "rate_all", "rate_flag", "net_zero_year"))
_AMBITION = _RATES | {"long_term_cut", "no_offsets"}
"""Points on ambition and credits; the others are on form and coverage."""
_DUE_ROUNDING = 0.5
_ACROSS_SECTORS = 0.5
"""Confidence that a target misses its pathway, by the rate across sectors alone."""


class TargetCheck(NamedTuple):
    """The result for one target, with a reason for each point."""

    target: ClimateTarget
    editions: tuple[Edition, ...]
    """The editions of the criteria by which it may have been set."""
    version: Reason
    points: tuple[Point, ...]
    alignment: Alignment

    @property
    def missed(self) -> list[Point]:
        return [point for point in self.points if point.standing == "not met"]


def check_target(target: ClimateTarget, *, until: date | None = None) -> TargetCheck:
    """Judge one target by the criteria in force by the day `until`."""
    editions, version = versions_for(target, until)
    by_edition = {edition.version: _points(target, edition) for edition in editions}
    points = (*_agreed(by_edition), *_net_zero(target))
    return TargetCheck(target, editions, version, points, _alignment(points))


def versions_for(target: ClimateTarget, until: date | None = None) -> tuple[tuple[Edition, ...], Reason]:
    """Return the near-term criteria in force in the year in which it was set; if unknown, all begun by `until`."""
    standard = standards_book()["sbti-near-term"]
    begun = tuple(each for each in standard.editions if not until or (each.in_force_from or until) <= until)
    if target.set_in is None:
        return begun or standard.editions, reason("version_unknown")
    found = standard.editions_on(date(target.set_in, 1, 1), date(target.set_in, 12, 31))
    if not found:
        return standard.editions, reason("version_none", when=str(target.set_in))
    return found, reason("version_of", when=str(target.set_in), versions=[each.version for each in found])


def _agreed(by_edition: Mapping[str, tuple[Point, ...]]) -> tuple[Point, ...]:
    """Return each point once, open if the editions differ."""
    found: list[Point] = []
    for asks in dict.fromkeys(point.asks for points in by_edition.values() for point in points):
        judged = {version: point for version, points in by_edition.items() for point in points if point.asks == asks}
        last, results = [*judged.values()][-1], {point.standing for point in judged.values()}
        if len(results) == 1 and (len(judged) == len(by_edition) or results != {"not met"}):
            found.append(last)
            continue
        each = [f"{point.standing} by {version}" for version, point in judged.items()]
        each += [f"not required by {version}" for version in by_edition if version not in judged]
        found.append(last._replace(standing="open", reason=reason("version_decides", editions=each)))
    return tuple(found)


def _alignment(points: tuple[Point, ...]) -> Alignment:
    found = {point.standing for point in points}
    missed = {point.asks for point in points if point.standing == "not met"}
    if missed:
        return "partially_aligned" if "met" in found and not missed & _AMBITION else "not_aligned"
    if not any(point.standing == "met" and point.asks in _RATES for point in points):
        return "unknown"
    return "partially_aligned" if "open" in found else "aligned"


def _points(target: ClimateTarget, edition: Edition) -> tuple[Point, ...]:
    """Judge a target with a percentage by an edition of the near-term criteria."""
    if target.reduction is None:
        return ()
    rules = {rule.asks: rule for rule in standards_book()["sbti-near-term"].rules_of(edition.version)}
    years = target.target_year - target.set_in if target.target_year and target.set_in else None
    coverage = "coverage_3" if target.scopes == {"3"} else "coverage"
    values = {
        "base_year": target.base_year,
        # For a target submitted in the second half of a year, the span counts from the next year on.
        "span_least": years if years is None or years + 1 != rules["span_least"].figure else None,
        "span_most": years if years is None or years - 1 != rules["span_most"].figure else None,
        coverage: None if target.scopes in ({"1"}, {"2"}) else target.coverage,  # the criteria ask for both
    }
    if (pathway := PATHWAYS.get(target.pathway, "")) and target.scopes != {"3"} and not target.is_flag:
        values[pathway] = _yearly(target, rules[pathway]) if target.annual_rate and not target.is_intensity else None
    found = [_figure(rules[asks], value, most=asks == "span_most") for asks, value in values.items() if asks in rules]
    absolute = target.annual_rate is not None and not target.is_intensity
    found.append(_land_ambition(target) if target.is_flag and absolute else _ambition(target, rules))
    if target.counts_credits:
        found.append(Point("no_offsets", rules["no_offsets"], "not met", reason("credits_counted")))
    return tuple(found)


def _figure(rule: Rule, value: float | None, *, most: bool = False) -> Point:
    """Compare a figure of the target with the minimum or maximum of a rule."""
    asked, code = rule.figure or 0.0, "pathway" if rule.asks in PATHWAYS.values() else rule.asks.removesuffix("_3")
    if value is None:
        return Point(rule.asks, rule, "open", reason(f"{code}_not_stated", asked=asked))
    standing: Standing = "met" if (value <= asked if most else value >= asked) else "not met"
    return Point(rule.asks, rule, standing, reason(code, value=value, asked=asked))


def _ambition(target: ClimateTarget, rules: Mapping[str, Rule]) -> Point:
    """Compare the yearly rate with the minimum for its scopes; for several scopes, only extreme values are decided."""
    rate = target.annual_rate
    low, high = rules["rate_3"], rules["rate_1_2"]
    mixed = "3" in target.scopes and len(target.scopes) > 1
    rule = low if target.scopes == {"3"} else high
    asks = "rate_all" if mixed or (rate and not target.scopes) else rule.asks
    if rate is None or target.is_intensity:
        return Point(asks, rule, "open", reason("intensity" if target.is_intensity else "no_rate"))
    least = low if mixed else rule
    if not target.scopes:
        return Point(asks, rule, "open", _rate("scopes_not_stated", target, rule))
    if _yearly(target, least) < (least.figure or 0):
        return Point(asks, least, "not met", _rate("rate_below", target, least))
    if _yearly(target, rule) < (rule.figure or 0):
        return Point(asks, rule, "open", _rate("scopes_together", target, rule))
    since = rules.get("rate_counted_from") if asks == "rate_1_2" else None
    if since is not None and since.figure and target.base_year and target.base_year > since.figure:
        due = (rule.figure or 0.0) * ((target.target_year or 0) - since.figure)
        if (target.reduction or 0) + _DUE_ROUNDING < due:
            return Point(asks, since, "open", _rate("rate_due", target, rule, due=round(due)))
    return Point(asks, rule, "met", _rate("rate_met", target, rule))


def _land_ambition(target: ClimateTarget) -> Point:
    """Compare the yearly rate with the pathway for land. A lower one is open: a commodity's pathway may ask less."""
    rule = standards_book().rule("sbti-flag", "flag-rate")
    met = _yearly(target, rule) >= (rule.figure or 0)
    why = _rate("rate_met" if met else "rate_below_flag", target, rule)
    return Point(rule.asks, rule, "met" if met else "open", why)


def _rate(name: str, target: ClimateTarget, rule: Rule, **data: int) -> Reason:
    years = {"first": str(target.base_year), "last": str(target.target_year)}
    return reason(
        name, cut=target.reduction or 0.0, rate=_yearly(target, rule), asked=rule.figure or 0.0, **years, **data
    )


def _yearly(target: ClimateTarget, rule: Rule) -> float:
    """Return the yearly rate, rounded as the rule's: '46 %' for 46.2 % is rounding, not a lack of ambition."""
    return round(target.annual_rate or 0.0, max(1, len(f"{rule.figure:g}".partition(".")[2])))


def _net_zero(target: ClimateTarget) -> tuple[Point, ...]:
    """Judge a target with a net-zero year by version 1 of the Net-Zero Standard."""
    if target.net_zero_year is None:
        return ()
    book = standards_book()
    near = book.rule("sbti-net-zero", "near-term-too")
    nearer = target.reduction is not None and (target.target_year or 9999) < target.net_zero_year
    interim = reason("interim" if nearer else "no_interim")
    cut = target.reduction if target.target_year == target.net_zero_year else None
    long_term = ("sbti-flag", "flag-long-term") if target.is_flag else ("sbti-net-zero", "long-term-cut")
    found = [
        _figure(book.rule("sbti-net-zero", "net-zero-year"), target.net_zero_year, most=True),
        Point(near.asks, near, "met" if nearer else "open", interim),
        _figure(book.rule(*long_term), cut),
    ]
    if target.counts_credits and target.reduction is None:
        found.append(Point("no_offsets", book.rule("sbti-near-term", "no-offsets"), "open", reason("credits")))
    return tuple(found)


def target_validation(claim: TechnicalClaim, witnesses: Sequence[AcademicEvidence]) -> FindingDraft:
    """Judge every target of the claim, and a claimed validation by sources other than the company."""
    checks = [check_target(each, until=claim.day) for each in targets_in(claim.text)]
    claimed = claims_validation(claim.text)
    status = status_found(claim.text, claim.company, witnesses)
    bearing = bearing_of(witnesses)
    alignment = _overall(checks)
    every = [point for each in checks for point in each.points]
    on_pathway = {point.standing for point in every if point.asks in PATHWAYS.values()}
    pathway = "aligned" if on_pathway == {"met"} else "unknown"
    if "not met" in on_pathway:
        pathway = "not_aligned"
    cited = _cited(checks, claim.day)
    sources = dict.fromkeys([*(each.source.id for each in status.witnesses), *bearing.source_ids])
    named = [each.standard.name for each in named_standards(claim.text) if each.standard.kind == "target"]
    own_word = [reason("own_word_of_validation")] if claimed and status.leading is None else []
    misses = claimed and any(each.alignment == "not_aligned" for each in checks)
    points = [point.reason for point in every if point.standing != "met"]
    stated = checks[0].target.validation if checks else ""
    rows = rows_in(witnesses, "sbti")
    return conclude(
        "sbti_validation",
        _ruling(claim, checks, status, bearing, claimed=claimed),
        bearing,
        summary=(
            status.reason if status.leading is None else reason(f"status_{STATUSES[status.stance]}"),
            *quoted_rows(rows, claim.text),
            reason(f"target_{alignment}", number=max(1, len(checks))),
            *[point.reason for each in checks for point in each.missed][:2],
            *filter(None, [claim.unregistered.get("sbti")]),
            *own_word,
            *([] if pathway == "unknown" else [reason(f"pathway_{pathway}")]),
            *filter(None, [bearing.consensus]),
        ),
        reasons=(
            *(why for each in checks for why in (each.version, *(point.reason for point in each.points))),
            status.reason,
        ),
        limitations=(*([reason("validated_and_not_aligned")] if misses else []), *own_word, *points),
        references=(*cited, *witness_references(witnesses)),
        methodology_name=", ".join(dict.fromkeys(named)) or None,
        standard_alignment=alignment,
        sbti_validation_status=STATUSES[status.stance],
        standard_references=cited,
        finding_sources=list(sources),
        claimed_status="validated" if claimed else stated or "unstated",
        pathway_alignment=pathway,
        targets=[_shown(each) for each in checks],
        rows=rows,
    )


def _overall(checks: Sequence[TargetCheck]) -> Alignment:
    found = {each.alignment for each in checks}
    if len(found) > 1:
        return "not_aligned" if "not_aligned" in found else "partially_aligned"
    return found.pop() if found else "unknown"


def _ruling(
    claim: TechnicalClaim, checks: Sequence[TargetCheck], status: StatusFound, bearing: Bearing, *, claimed: bool
) -> Ruling:
    """Decide by pages on a claimed validation, else by judged passages, else by the criteria."""
    page = status.leading
    if not claimed or page is None:
        return by_evidence(bearing, _by_rule(claim, checks, claimed=claimed))
    rest = rest_on(page.witness, page.span)
    if page.stance is Stance.CONTRADICTS:
        return Ruling(Stance.CONTRADICTS, page.confidence, reason("validation_not_supported"), rest)
    against = next((each for each in bearing.against if each.official), None)
    if against is None:
        return Ruling(Stance.SUPPORTS, page.confidence, reason("validation_supported"), rest)
    return Ruling(Stance.CONTRADICTS, against.confidence, reason("list_contradicts"), rest_on(against))


def _by_rule(claim: TechnicalClaim, checks: Sequence[TargetCheck], *, claimed: bool) -> Ruling:
    """Decide by the criteria. They apply only to a claim to be science-based or on a pathway; a validated target may
    follow its sector's pathway, which cannot be computed here."""
    if claimed:
        return Ruling(Stance.NEUTRAL, 0.3, reason("own_word_of_validation"))
    asserted = [each for each in checks if each.target.validation == "called aligned" or each.target.pathway]
    missed = {point.asks for each in asserted for point in each.missed}
    if missed & _AMBITION:
        return Ruling(Stance.CONTRADICTS, BY_RULE, reason("own_figures_break_criteria"))
    if missed & {*PATHWAYS.values()}:
        # Return True if the company's sector has its own pathway (SBTi's sectoral approach).
        words = set(fold(company_sector(claim.industry, claim.text)).split())
        if any(words & set(fold(part).split()) for part in standards_book()["sbti-sda"].parts):
            return Ruling(Stance.NEUTRAL, 0.4, reason("sector_may_ask_less"))
        return Ruling(Stance.CONTRADICTS, _ACROSS_SECTORS, reason("own_figures_break_criteria"))
    if asserted and all(each.alignment == "aligned" for each in asserted):
        return Ruling(Stance.SUPPORTS, 0.5, reason("own_figures_meet_criteria"))
    return Ruling(Stance.NEUTRAL, 0.3, reason("undecided"))


def _cited(checks: Sequence[TargetCheck], until: date) -> list[JsonObject]:
    """Return references to the latest edition used and the rules not met; without targets, to that of `until`."""
    book = standards_book()
    found = [standard_reference(book["sbti-near-term"], edition=each.editions[-1]) for each in checks[-1:]]
    if any(each.target.net_zero_year for each in checks):
        found.append(standard_reference(book["sbti-net-zero"], until=until))
    for rule in {point.rule.id: point.rule for each in checks for point in each.missed}.values():
        owner = next(each for each in book if rule in each.rules)
        found.append(standard_reference(owner, rule=rule))
    return found or [standard_reference(book["sbti-near-term"], until=until)]


def _shown(check: TargetCheck) -> dict[str, object]:
    rate = check.target.annual_rate
    return {
        **asdict(check.target),
        "scopes": sorted(check.target.scopes),
        "annual_rate": None if rate is None else round(rate, 3),
        "versions": [each.version for each in check.editions],
        "alignment": check.alignment,
    }
