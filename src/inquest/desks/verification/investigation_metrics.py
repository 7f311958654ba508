"""Investigations as a whole, with the metrics and alerts of spec 001, and counts over cases of every kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.case_figures import KindFigures, OutageCount
from inquest.domain.topic import VerificationLevel
from inquest.domain.topic_history import Investigation, InvestigationStatus, Review

SOURCES_FOR_SUCCESS = 3
"""An investigation that finds so many sources counts as a success in the metrics."""
SLOWEST_SECONDS = 600.0
DEAREST_USD = 1.0
FALSE_UPGRADES = 0.10


@dataclass(frozen=True, slots=True)
class Metrics:
    """The key metrics. Rates are 0 to 1; None where there is nothing to divide by. Times are seconds."""

    investigations: int
    """Begun, cancelled ones too."""
    ended: int
    """Completed, partial or failed: what rates and means are over. What a person stopped is in none of them."""
    completed: int
    partial: int
    failed: int
    cancelled: int
    running: int
    success_rate: float | None
    """Those that found three sources or more."""
    criteria_met_rate: float | None
    """Those that met any of the desk's own success criteria."""
    upgrade_rate: float | None
    """Of those that began unverified."""
    mean_sources: float | None
    seconds_p50: float | None
    seconds_p95: float | None
    seconds_p99: float | None
    cost_mean_usd: float | None
    cost_max_usd: float | None
    cost_total_usd: float
    upgrades: int
    upgrades_reviewed: int
    false_upgrades: int
    """Upgrades that a person has since decided to lower; the last decision counts."""
    false_upgrade_rate: float | None
    """Of all upgrades: while few are reviewed it says too little, so read `upgrades_reviewed` beside it."""
    awaiting_review: int


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that somebody should look at."""

    name: str
    text: str
    value: float
    threshold: float
    cases: tuple[str, ...]
    """The cases (or, without one, investigations) that caused it."""


def percentile(values: Iterable[float], share: float) -> float | None:
    """The least value that is not exceeded by this share (0 to 1) of all: nearest rank, so always one that occurred."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[max(1, math.ceil(share * len(ordered) - 1e-9)) - 1]


def metrics(investigations: Sequence[Investigation], reviews: Sequence[Review]) -> Metrics:
    """The metrics of these investigations. `reviews`: all decisions on them, in the order in which they were made."""
    ended = [each for each in investigations if _counts(each)]
    unverified = [each for each in ended if each.verification_level_before is VerificationLevel.UNVERIFIED]
    upgrades = [each for each in ended if each.upgraded]
    last = {review.investigation_id: review for review in reviews}
    false = _false_upgrades(upgrades, last)
    seconds = [each.seconds for each in ended if each.seconds is not None]
    costs = [each.cost_usd for each in ended]
    count = {status: sum(each.status is status for each in investigations) for status in InvestigationStatus}
    return Metrics(
        investigations=len(investigations),
        ended=len(ended),
        completed=count[InvestigationStatus.COMPLETED],
        partial=count[InvestigationStatus.PARTIAL],
        failed=count[InvestigationStatus.FAILED],
        cancelled=count[InvestigationStatus.CANCELLED],
        running=count[InvestigationStatus.STARTED],
        success_rate=_rate(sum(each.sources_found >= SOURCES_FOR_SUCCESS for each in ended), len(ended)),
        criteria_met_rate=_rate(sum(bool(each.success) for each in ended), len(ended)),
        upgrade_rate=_rate(sum(each.upgraded for each in unverified), len(unverified)),
        mean_sources=_mean([each.sources_found for each in ended]),
        seconds_p50=percentile(seconds, 0.50),
        seconds_p95=percentile(seconds, 0.95),
        seconds_p99=percentile(seconds, 0.99),
        cost_mean_usd=_mean(costs),
        cost_max_usd=max(costs, default=None),
        cost_total_usd=math.fsum(each.cost_usd for each in investigations),
        upgrades=len(upgrades),
        upgrades_reviewed=sum(each.id in last for each in upgrades),
        false_upgrades=len(false),
        false_upgrade_rate=_rate(len(false), len(upgrades)),
        awaiting_review=sum(each.requires_human_review and each.id not in last for each in ended),
    )


def alerts(
    investigations: Sequence[Investigation], reviews: Sequence[Review], at_limit: Sequence[tuple[str, str]] = ()
) -> tuple[Alert, ...]:
    """The alerts of the specification that these investigations raise, with the cases that cause each. `at_limit`:
    cases of any kind, each with a service that was at its limit."""
    found = []
    slow = [each for each in investigations if (each.seconds or 0) > SLOWEST_SECONDS]
    if slow:
        worst = max(each.seconds or 0 for each in slow)
        text = f"{_many(len(slow), 'investigation')} took more than {SLOWEST_SECONDS / 60:g} minutes."
        found.append(Alert("slow_investigation", text, worst, SLOWEST_SECONDS, _named(slow)))
    dear = [each for each in investigations if each.cost_usd > DEAREST_USD]
    if dear:
        text = f"{_many(len(dear), 'investigation')} cost more than ${DEAREST_USD:.2f}."
        found.append(
            Alert("costly_investigation", text, max(each.cost_usd for each in dear), DEAREST_USD, _named(dear))
        )
    upgrades = [each for each in investigations if _counts(each) and each.upgraded]
    false = _false_upgrades(upgrades, {review.investigation_id: review for review in reviews})
    rate = _rate(len(false), len(upgrades))
    if rate is not None and rate > FALSE_UPGRADES:
        text = f"{len(false)} of {_many(len(upgrades), 'upgrade')} had to be taken back."
        found.append(Alert("false_upgrade_rate", text, rate, FALSE_UPGRADES, _named(false)))
    limits: dict[str, set[str]] = {}
    of_topics = ((_name(each), note.where) for each in investigations for note in each.outages if note.at_limit)
    for name, service in (*of_topics, *at_limit):
        limits.setdefault(name, set()).add(service)
    if limits:
        services = set().union(*limits.values())
        text = f"{', '.join(sorted(services))} {'was' if len(services) == 1 else 'were'} at a limit and did not answer."
        found.append(Alert("rate_limit", text, len(limits), 0, tuple(limits)))
    return tuple(found)


def _counts(investigation: Investigation) -> bool:
    return investigation.status.has_result or investigation.status is InvestigationStatus.FAILED


def _false_upgrades(upgrades: Iterable[Investigation], last: dict[int, Review]) -> list[Investigation]:
    return [each for each in upgrades if each.id in last and last[each.id].lowers]


def _named(investigations: Iterable[Investigation]) -> tuple[str, ...]:
    return tuple(_name(each) for each in investigations)


def _name(investigation: Investigation) -> str:
    return investigation.case_id or f"investigation {investigation.id}"


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class KindCounts:
    """Cases of one kind."""

    cases: int
    by_status: dict[str, int]
    verdicts: dict[str, int]
    """Claims with each verdict; those that were not looked into count as 'not checked'."""
    outages: tuple[OutageCount, ...]
    """Most often first."""
    seconds_p50: float | None
    seconds_p95: float | None
    cost_usd: float
    search_calls: int
    page_reads: int
    model_calls: int


def counts(kinds: Mapping[str, KindFigures]) -> dict[str, KindCounts]:
    """By kind of case, those that there are, in alphabetical order."""
    return {kind: _of_kind(kinds[kind]) for kind in sorted(kinds)}


def _of_kind(sums: KindFigures) -> KindCounts:
    named = {name.replace("not_checked", "not checked"): count for name, count in sums.verdicts.items()}
    return KindCounts(
        cases=sums.by_status.total(),
        by_status=dict(sorted(sums.by_status.items())),
        verdicts=dict(sorted(named.items())),
        outages=tuple(sorted(sums.outages, key=lambda each: (-each.times, each.what, each.where))),
        seconds_p50=percentile(sums.seconds, 0.50),
        seconds_p95=percentile(sums.seconds, 0.95),
        cost_usd=sums.usd,
        search_calls=sums.search_calls,
        page_reads=sums.page_reads,
        model_calls=sums.model_calls,
    )
