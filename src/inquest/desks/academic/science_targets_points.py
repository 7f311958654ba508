"""The single points of a target: base year, time span, ambition, reach, credits, net zero. Each with its reason."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.science_targets_reading import ClimateTarget, Pathway, TargetKind
from inquest.sources.standards_book import Edition, Rule, standards_book

__all__ = ["Point", "Standing", "net_zero_points", "points_of"]


class Standing(StrEnum):
    """How a target stands to one rule."""

    MET = "met"
    NOT_MET = "not met"
    OPEN = "open"
    """It cannot be told from what is stated."""


class Point(NamedTuple):
    """One rule, how the target stands to it, and why."""

    asks: str
    rule: Rule
    standing: Standing
    reason: str


_ROUNDING = 0.05
"""Percentage points a year: '46 %' for 46.2 % is the rounding of a sentence, not a lack of ambition."""


def points_of(
    target: ClimateTarget, edition: Edition, set_on: date | None = None, set_in: int | None = None
) -> tuple[Point, ...]:
    """The points that one edition of the near-term criteria asks of a target with a percentage."""
    if target.reduction is None:
        return ()
    rules = {rule.asks: rule for rule in standards_book()["sbti-near-term"].rules_of(edition.version)}
    year = set_on.year if set_on else set_in
    found = [
        _base_year(target, rules.get("base_year")),
        *_span(target, rules, year),
        _ambition(target, rules),
        _pathway(target, rules),
        _reach(target, rules),
        _credits(target, rules),
    ]
    return tuple(point for point in found if point is not None)


def _base_year(target: ClimateTarget, rule: Rule | None) -> Point | None:
    if rule is None or rule.figure is None:
        return None
    if target.base_year is None:
        return Point(rule.asks, rule, Standing.OPEN, "No base year is stated.")
    least = int(rule.figure)
    if target.base_year >= least:
        return Point(rule.asks, rule, Standing.MET, f"The base year {target.base_year} is {least} or later.")
    return Point(rule.asks, rule, Standing.NOT_MET, f"The base year {target.base_year} is before {least}.")


def _span(target: ClimateTarget, rules: dict[str, Rule], year: int | None) -> list[Point]:
    found: list[Point] = []
    for asks in ("span_least", "span_most"):
        rule = rules.get(asks)
        if rule is None or rule.figure is None:
            continue
        limit = int(rule.figure)
        word = "at least" if asks == "span_least" else "at most"
        if target.target_year is None or year is None:
            missing = "the target year" if target.target_year is None else "when the target was set"
            found.append(
                Point(asks, rule, Standing.OPEN, f"It is asked to be {word} {limit} years; {missing} is not stated.")
            )
            continue
        # Submitted in the second half of a year, the span counts from the next year on: one year either way is open.
        years = target.target_year - year
        beyond = limit - years if asks == "span_least" else years - limit
        standing = Standing.MET if beyond <= 0 else Standing.OPEN if beyond == 1 else Standing.NOT_MET
        found.append(
            Point(asks, rule, standing, f"{years} years from {year} to {target.target_year}; {word} {limit} are asked.")
        )
    return found


def _ambition(target: ClimateTarget, rules: dict[str, Rule]) -> Point | None:
    scopes = target.scopes
    asks = "rate_3" if scopes == {"3"} else "rate_1_2"
    rule, rate = rules[asks], target.annual_rate
    if target.kind is TargetKind.INTENSITY:
        reason = "The target is an intensity: it takes the pathway of its sector or the growth of output to judge it."
        return Point(asks, rule, Standing.OPEN, reason)
    if rate is None:
        return Point(asks, rule, Standing.OPEN, "Without base year and target year no yearly rate can be worked out.")
    shown = f"{target.reduction:g} % from {target.base_year} to {target.target_year} is {rate:.2f} % a year"
    if not scopes:
        return Point("rate_all", rule, Standing.OPEN, f"{shown}; which scopes it covers is not stated.")
    if "3" in scopes and len(scopes) > 1:
        return _combined(target, rules, rate, shown)
    return _rate_point(asks, target, rules, rate, shown)


def _rate_point(asks: str, target: ClimateTarget, rules: dict[str, Rule], rate: float, shown: str) -> Point:
    """Whether the yearly rate is the one that is asked of these scopes."""
    rule = rules[asks]
    least = rule.figure or 0.0
    if rate + _ROUNDING < least:
        return Point(asks, rule, Standing.NOT_MET, f"{shown}, below the {least:g} % that are asked.")
    since = rules.get("rate_counted_from") if asks == "rate_1_2" else None
    if since is not None and since.figure and target.base_year and target.base_year > since.figure:
        due = least * ((target.target_year or 0) - since.figure)
        if (target.reduction or 0) + 0.5 < due:
            reason = (
                f"{shown}, at least {least:g} %; but counted from {since.figure:g}, as for base years after it, "
                f"{due:.0f} % are due by {target.target_year}."
            )
            return Point(asks, since, Standing.OPEN, reason)
    named = "" if target.kind is TargetKind.ABSOLUTE else " (taken as absolute, which the text does not say)"
    return Point(asks, rule, Standing.MET, f"{shown}, at least the {least:g} % that are asked{named}.")


def _combined(target: ClimateTarget, rules: dict[str, Rule], rate: float, shown: str) -> Point:
    """Scopes together: each part has its own minimum, so only the extremes can be told."""
    high, low = rules["rate_1_2"], rules["rate_3"]
    if rate + _ROUNDING >= (high.figure or 0):
        return Point("rate_all", high, Standing.MET, f"{shown}, at least the {high.figure:g} % asked of Scope 1 and 2.")
    if rate + _ROUNDING < (low.figure or 0):
        return Point("rate_all", low, Standing.NOT_MET, f"{shown}, below the {low.figure:g} % asked of Scope 3 alone.")
    reason = f"{shown} for all scopes together; what falls on Scope 1 and 2 ({high.figure:g} % asked) is not stated."
    return Point("rate_all", high, Standing.OPEN, reason)


def _pathway(target: ClimateTarget, rules: dict[str, Rule]) -> Point | None:
    asks = {Pathway.ONE_AND_A_HALF: "pathway_1_5", Pathway.WELL_BELOW_TWO: "pathway_wb2c"}.get(target.pathway)
    rule = rules.get(asks) if asks else None
    if asks is None or rule is None or target.scopes == {"3"}:
        return None
    rate = target.annual_rate
    if rate is None or target.kind is TargetKind.INTENSITY:
        return Point(asks, rule, Standing.OPEN, f"Whether it keeps to {target.pathway.value} cannot be worked out.")
    met = rate + _ROUNDING >= (rule.figure or 0)
    reason = f"{target.pathway.value} takes {rule.figure:g} % a year across sectors; stated are {rate:.2f} %."
    if not met:
        reason += " A pathway of its own sector could still bear it out."
    return Point(asks, rule, Standing.MET if met else Standing.NOT_MET, reason)


def _reach(target: ClimateTarget, rules: dict[str, Rule]) -> Point | None:
    asks = "coverage_3" if target.scopes == {"3"} else "coverage"
    rule = rules[asks]
    if target.scopes in ({"1"}, {"2"}):
        named = next(iter(target.scopes))
        reason = f"The target is of Scope {named} alone; the criteria ask for Scope 1 and 2, in one target or in two."
        return Point(asks, rule, Standing.OPEN, reason)
    if target.coverage is None:
        return Point(
            asks, rule, Standing.OPEN, f"What share of the emissions it covers is not stated ({rule.figure:g} % asked)."
        )
    met = target.coverage >= (rule.figure or 0)
    reason = f"It covers {target.coverage:g} %; {rule.figure:g} % are asked."
    return Point(asks, rule, Standing.MET if met else Standing.NOT_MET, reason)


def _credits(target: ClimateTarget, rules: dict[str, Rule]) -> Point | None:
    rule = rules["no_offsets"]
    if not target.counts_credits:
        return None
    return Point(rule.asks, rule, Standing.NOT_MET, "Credits or offsets are counted towards the target.")


def net_zero_points(target: ClimateTarget) -> tuple[Point, ...]:
    """What the Net-Zero Standard, version 1, asks of a target with a net-zero year."""
    if target.net_zero_year is None:
        return ()
    book = standards_book()
    year = book.rule("sbti-net-zero", "net-zero-year")
    near = book.rule("sbti-net-zero", "near-term-too")
    cut = book.rule("sbti-net-zero", "long-term-cut")
    in_time = target.net_zero_year <= (year.figure or 0)
    found = [
        Point(
            year.asks,
            year,
            Standing.MET if in_time else Standing.NOT_MET,
            f"Net zero in {target.net_zero_year}; {year.figure:g} is the latest.",
        )
    ]
    nearer = target.reduction is not None and (target.target_year or 9999) < target.net_zero_year
    found.append(
        Point(
            near.asks,
            near,
            Standing.MET if nearer else Standing.OPEN,
            "A nearer target stands beside it." if nearer else "No interim target stands in this sentence.",
        )
    )
    long_term = target.reduction is not None and target.target_year == target.net_zero_year
    if long_term and target.reduction is not None:
        met = target.reduction >= (cut.figure or 0)
        reason = f"{target.reduction:g} % by {target.net_zero_year}; about {cut.figure:g} % are asked in most sectors."
        found.append(Point(cut.asks, cut, Standing.MET if met else Standing.NOT_MET, reason))
    else:
        reason = f"How much falls before the rest is neutralised is not stated (about {cut.figure:g} % asked)."
        found.append(Point(cut.asks, cut, Standing.OPEN, reason))
    if target.counts_credits:
        rule = book.rule("sbti-near-term", "no-offsets")
        if target.reduction is None:
            found.append(
                Point(rule.asks, rule, Standing.OPEN, "Credits are spoken of; they may stand for the rest alone.")
            )
    return tuple(found)
