"""A climate target against the criteria of the Science Based Targets initiative in force when it was set.

The criteria change (`data/standards/sbti.toml`). Where the version cannot be told, a point is judged only if all
versions judge it alike, and said to hang on the version otherwise. Whether a target is validated stands in the
initiative's own list alone: the text's word is reported as its word.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.desks.academic.science_targets_points import Point, Standing, net_zero_points, points_of
from inquest.desks.academic.science_targets_reading import ClimateTarget, Validation
from inquest.sources.standards_book import Edition, standards_book

__all__ = ["Alignment", "TargetCheck", "Versions", "check_target", "versions_for"]


class Alignment(StrEnum):
    """How a statement stands to a standard (spec 002, 10.2)."""

    ALIGNED = "aligned"
    PARTIALLY = "partially_aligned"
    NOT = "not_aligned"
    UNKNOWN = "unknown"


class Versions(NamedTuple):
    """The editions a target may have been set by, and how that is known."""

    editions: tuple[Edition, ...]
    told: bool
    """Whether time or text narrows them down; False: all are tried."""
    reason: str


@dataclass(frozen=True, slots=True)
class TargetCheck:
    """What a target comes to, with a reason for every point."""

    target: ClimateTarget
    versions: Versions
    points: tuple[Point, ...]
    alignment: Alignment
    validation_status: str
    """'validated', 'not_validated' or 'status_unclear', by the text alone."""
    reasons: tuple[str, ...]


def versions_for(
    target: ClimateTarget, set_on: date | None = None, version: str = "", until: date | None = None
) -> Versions:
    """The near-term criteria to judge by: the version named, else those in force on the day (or in the year that the
    text names) when the target was set or submitted, else all of them that were in force by the day `until`."""
    standard = standards_book()["sbti-near-term"]
    named = tuple(each for each in standard.editions if version and _is_version(each.version, version))
    if named:
        return Versions(named, True, f"The text names version {version}.")
    if set_on is not None:
        found, when = standard.editions_on(set_on), f"on {set_on.isoformat()}"
    elif target.set_in is not None:
        found = standard.editions_on(date(target.set_in, 1, 1), date(target.set_in, 12, 31))
        when = f"in {target.set_in}"
    else:
        return Versions(
            _begun(standard.editions, until),
            False,
            "The text does not say when the target was set, so the version of the criteria cannot be told.",
        )
    if not found:
        return Versions(standard.editions, False, f"No version of the criteria in the table was in force {when}.")
    names = " or ".join(each.version for each in found)
    return Versions(found, True, f"Set {when}, when version {names} was in force.")


def _begun(editions: tuple[Edition, ...], until: date | None) -> tuple[Edition, ...]:
    """Those in force, or over, by a day; all where none was."""
    known = tuple(
        each for each in editions if until is None or each.in_force_from is None or each.in_force_from <= until
    )
    return known or editions


def check_target(
    target: ClimateTarget, *, set_on: date | None = None, version: str = "", until: date | None = None
) -> TargetCheck:
    """Judge one target. `set_on`: the day it was set or submitted, where known from outside the text; `until`: the day
    of the check, by criteria of after which nothing is judged."""
    versions = versions_for(target, set_on, version, until)
    by_edition = [points_of(target, edition, set_on, target.set_in) for edition in versions.editions]
    points = (*_agreed(by_edition, versions.editions), *net_zero_points(target))
    alignment = _alignment(points)
    reasons = (versions.reason, *(point.reason for point in points), _status_reason(target.validation))
    return TargetCheck(target, versions, points, alignment, _status(target.validation), reasons)


def _is_version(edition: str, named: str) -> bool:
    return edition == named or edition.split(" ")[0] == named or (edition == "4.x" and named.split(".")[0] == "4")


def _agreed(by_edition: list[tuple[Point, ...]], editions: tuple[Edition, ...]) -> tuple[Point, ...]:
    """Each point once: as all editions judge it, or open where they differ."""
    asked = list(dict.fromkeys(point.asks for points in by_edition for point in points))
    found: list[Point] = []
    for asks in asked:
        judged = [
            (edition.version, point)
            for edition, points in zip(editions, by_edition, strict=True)
            for point in points
            if point.asks == asks
        ]
        standings = {point.standing for _, point in judged}
        if len(standings) == 1 and len(judged) == len(editions):
            found.append(judged[-1][1])
            continue
        if len(standings) == 1 and standings != {Standing.NOT_MET}:
            found.append(judged[-1][1])
            continue
        each = "; ".join(f"by {version}: {point.standing.value}" for version, point in judged)
        silent = [edition.version for edition in editions if edition.version not in {name for name, _ in judged}]
        if silent:
            each += f"; not asked by {', '.join(silent)}"
        last = judged[-1][1]
        found.append(last._replace(standing=Standing.OPEN, reason=f"It hangs on the version ({each}). {last.reason}"))
    return tuple(found)


def _alignment(points: tuple[Point, ...]) -> Alignment:
    standings = [point.standing for point in points]
    if Standing.NOT_MET in standings:
        return Alignment.PARTIALLY if Standing.MET in standings and _only_form(points) else Alignment.NOT
    ambition = [point.standing for point in points if point.asks in ("rate_1_2", "rate_3", "rate_all", "net_zero_year")]
    if Standing.MET not in ambition:
        return Alignment.UNKNOWN
    return Alignment.PARTIALLY if Standing.OPEN in standings else Alignment.ALIGNED


def _only_form(points: tuple[Point, ...]) -> bool:
    """Whether what is not met is a matter of form and reach, not of ambition or of credits."""
    missed = {point.asks for point in points if point.standing is Standing.NOT_MET}
    return not missed & {"rate_1_2", "rate_3", "rate_all", "no_offsets", "net_zero_year", "long_term_cut"}


def _status(validation: Validation) -> str:
    if validation is Validation.VALIDATED:
        return "validated"
    if validation in (Validation.REMOVED, Validation.NOT_VALIDATED, Validation.SUBMITTED, Validation.COMMITTED):
        return "not_validated"
    return "status_unclear"


def _status_reason(validation: Validation) -> str:
    return {
        Validation.VALIDATED: "The text says that the target is validated; the initiative's list has to bear it out.",
        Validation.SUBMITTED: "The text says that the target is submitted: that is no validation.",
        Validation.COMMITTED: "The text speaks of a commitment to set a target: that is no validation.",
        Validation.ALIGNED: "The text calls the target science-based or aligned, which is the company's own statement.",
        Validation.REMOVED: "The text says that the commitment was removed or withdrawn.",
        Validation.NOT_VALIDATED: "The text says that the target is not validated.",
        Validation.UNSTATED: "The text says nothing of a validation.",
    }[validation]
