"""A climate target against the criteria of the Science Based Targets initiative in force when it was set.

The criteria change (`sources/data/standards/sbti.toml`). Where the version is not known, a point is judged only if
all versions judge it alike, and is open otherwise. Whether a target is validated stands in the initiative's list alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.reasons import reason
from inquest.desks.academic.science_targets_reading import ClimateTarget, Pathway, TargetKind
from inquest.desks.academic.validation import Alignment
from inquest.domain.reasons import Reason
from inquest.sources.standards_book import Edition, Rule, standards_book


class RuleStanding(StrEnum):
    """How a target stands to one rule."""

    MET = "met"
    NOT_MET = "not met"
    OPEN = "open"
    """What is stated does not decide it."""


class Point(NamedTuple):
    """One rule, how the target stands to it, and why."""

    asks: str
    rule: Rule
    standing: RuleStanding
    reason: Reason


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
        return [point for point in self.points if point.standing is RuleStanding.NOT_MET]


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
        standings = {point.standing for point in judged.values()}
        if len(standings) == 1 and (len(judged) == len(by_edition) or standings != {RuleStanding.NOT_MET}):
            found.append(last)
            continue
        each = [f"{point.standing.value} by {version}" for version, point in judged.items()]
        each += [f"not asked by {version}" for version, _ in by_edition if version not in judged]
        found.append(last._replace(standing=RuleStanding.OPEN, reason=reason("version_decides", editions=each)))
    return tuple(found)


def _alignment(points: tuple[Point, ...]) -> Alignment:
    standings = {point.standing for point in points}
    missed = {point.asks for point in points if point.standing is RuleStanding.NOT_MET}
    if missed:
        return Alignment.PARTIALLY if RuleStanding.MET in standings and not missed & AMBITION else Alignment.NOT
    if not any(point.standing is RuleStanding.MET and point.asks in _REACHED for point in points):
        return Alignment.UNKNOWN
    return Alignment.PARTIALLY if RuleStanding.OPEN in standings else Alignment.ALIGNED


def _points(target: ClimateTarget, edition: Edition, year: int | None) -> tuple[Point, ...]:
    """The points that one edition of the near-term criteria asks of a target with a percentage. `year`: when it was
    set."""
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
        found.append(Point("no_offsets", rules["no_offsets"], RuleStanding.NOT_MET, reason("credits_counted")))
    return tuple(found)


def _held(asks: str, rule: Rule, value: float | None, *, most: bool = False) -> Point:
    """A figure of the target against the rule's: at least it, or at most."""
    asked = rule.figure or 0.0
    if value is None:
        return Point(asks, rule, RuleStanding.OPEN, reason(f"{asks}_not_stated", asked=asked))
    met = value <= asked if most else value >= asked
    return Point(asks, rule, RuleStanding.MET if met else RuleStanding.NOT_MET, reason(asks, value=value, asked=asked))


def _span(asks: str, rule: Rule, target: ClimateTarget, year: int | None) -> Point:
    limit = int(rule.figure or 0)
    if target.target_year is None or year is None:
        missing = "the target year" if target.target_year is None else "when the target was set"
        return Point(asks, rule, RuleStanding.OPEN, reason(f"{asks}_not_stated", asked=limit, missing=missing))
    # Submitted in the second half of a year, the span counts from the next year on: one year either way is open.
    years = target.target_year - year
    beyond = limit - years if asks == "span_least" else years - limit
    standing = RuleStanding.MET if beyond <= 0 else RuleStanding.OPEN if beyond == 1 else RuleStanding.NOT_MET
    why = reason(asks, years=years, first=str(year), last=str(target.target_year), asked=limit)
    return Point(asks, rule, standing, why)


def _ambition(target: ClimateTarget, rules: Rules) -> Point:
    asks = "rate_3" if target.scopes == {"3"} else "rate_1_2"
    rule, rate = rules[asks], target.annual_rate
    if rate is None or target.kind is TargetKind.INTENSITY:
        return Point(
            asks, rule, RuleStanding.OPEN, reason("no_rate" if target.kind is not TargetKind.INTENSITY else "intensity")
        )
    if not target.scopes:
        return Point("rate_all", rule, RuleStanding.OPEN, _rate("scopes_not_stated", target, rule.figure))
    if "3" in target.scopes and len(target.scopes) > 1:
        return _of_all_scopes(target, rules, rate)
    if rate + _ROUNDING < (rule.figure or 0):
        return Point(asks, rule, RuleStanding.NOT_MET, _rate("rate_below", target, rule.figure))
    since = rules.get("rate_counted_from") if asks == "rate_1_2" else None
    if since is not None and since.figure and target.base_year and target.base_year > since.figure:
        due = (rule.figure or 0.0) * ((target.target_year or 0) - since.figure)
        if (target.reduction or 0) + 0.5 < due:
            return Point(asks, since, RuleStanding.OPEN, _rate("rate_due", target, rule.figure, due=round(due)))
    return Point(asks, rule, RuleStanding.MET, _rate("rate_met", target, rule.figure))


def _of_all_scopes(target: ClimateTarget, rules: Rules, rate: float) -> Point:
    """Scopes together: each part has its own minimum, so only the extremes are known."""
    high, low = rules["rate_1_2"], rules["rate_3"]
    if rate + _ROUNDING >= (high.figure or 0):
        return Point("rate_all", high, RuleStanding.MET, _rate("rate_met", target, high.figure))
    if rate + _ROUNDING < (low.figure or 0):
        return Point("rate_all", low, RuleStanding.NOT_MET, _rate("rate_below", target, low.figure))
    return Point("rate_all", high, RuleStanding.OPEN, _rate("scopes_together", target, high.figure))


def _rate(name: str, target: ClimateTarget, asked: float | None, **data: int) -> Reason:
    years = {"first": str(target.base_year), "last": str(target.target_year)}
    rate = round(target.annual_rate or 0.0, 2)
    return reason(name, cut=target.reduction or 0.0, rate=rate, asked=asked or 0.0, **years, **data)


def _pathway(asks: str, rule: Rule, target: ClimateTarget) -> Point:
    if target.annual_rate is None or target.kind is TargetKind.INTENSITY:
        return Point(asks, rule, RuleStanding.OPEN, reason("pathway_open", pathway=target.pathway.value))
    met = target.annual_rate + _ROUNDING >= (rule.figure or 0)
    data = {"asked": rule.figure or 0.0, "rate": round(target.annual_rate, 2)}
    why = reason("pathway_met" if met else "pathway_missed", pathway=target.pathway.value, **data)
    return Point(asks, rule, RuleStanding.MET if met else RuleStanding.NOT_MET, why)


def _reach(target: ClimateTarget, rules: Rules) -> Point:
    asks = "coverage_3" if target.scopes == {"3"} else "coverage"
    if target.scopes in ({"1"}, {"2"}):
        return Point(asks, rules[asks], RuleStanding.OPEN, reason("one_scope", scope=next(iter(target.scopes))))
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
        Point(near.asks, near, RuleStanding.MET if nearer else RuleStanding.OPEN, interim),
        _held("long_term_cut", book.rule("sbti-net-zero", "long-term-cut"), cut),
    ]
    if target.counts_credits and target.reduction is None:
        found.append(
            Point("no_offsets", book.rule("sbti-near-term", "no-offsets"), RuleStanding.OPEN, reason("credits"))
        )
    return tuple(found)
