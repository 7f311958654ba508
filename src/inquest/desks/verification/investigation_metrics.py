"""Metrics and alerts over all investigations (spec 001), and figures over cases of every kind."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inquest.domain.case import KindFigures
from inquest.domain.investigation import Investigation, InvestigationStatus, Review
from inquest.domain.languages import agreeing
from inquest.domain.topic import VerificationLevel

SOURCES_FOR_SUCCESS = 3
"""Minimum number of sources found by an investigation that counts as a success in the metrics."""
SLOWEST_SECONDS = 600.0
DEAREST_USD = 1.0
FALSE_UPGRADES = 0.10


@dataclass(frozen=True, slots=True)
class Alert:
    """A value above its threshold, for an operator to examine."""

    name: str
    text: str
    value: float
    threshold: float
    cases: tuple[str, ...]
    """The cases (investigations if there is no case) that caused it."""


def percentile(values: Iterable[float], share: float) -> float | None:
    """The percentile by nearest rank, so always one of the values. `share`: 0 to 1. None without values."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(share * len(ordered) - 1e-9)) - 1] if ordered else None


def metrics(investigations: Sequence[Investigation], reviews: Sequence[Review]) -> dict[str, int | float | None]:
    """The key metrics by name. Rates are 0 to 1, times in seconds; None if there is no data.

    Rates and means are over completed, partial and failed investigations (`ended`). `false_upgrade_rate` is over all
    upgrades, reviewed or not. `reviews`: all decisions, in order; the last on an investigation counts.
    """
    ended = [each for each in investigations if _ended(each)]
    unverified = [each for each in ended if each.verification_level_before is VerificationLevel.UNVERIFIED]
    upgrades = [each for each in ended if each.upgraded]
    last = {review.investigation_id: review for review in reviews}
    false = _false_upgrades(upgrades, last)
    seconds = [each.seconds for each in ended if each.seconds is not None]
    costs = [each.cost_usd for each in ended]
    statuses = Counter(each.status for each in investigations)
    return {
        "investigations": len(investigations),
        "ended": len(ended),
        **{name: statuses[InvestigationStatus(name)] for name in ("completed", "partial", "failed", "cancelled")},
        "running": statuses[InvestigationStatus.STARTED],
        "success_rate": _rate(sum(each.sources_found >= SOURCES_FOR_SUCCESS for each in ended), len(ended)),
        "criteria_met_rate": _rate(sum(bool(each.success) for each in ended), len(ended)),
        "upgrade_rate": _rate(sum(each.upgraded for each in unverified), len(unverified)),
        "mean_sources": _rate(sum(each.sources_found for each in ended), len(ended)),
        "seconds_p50": percentile(seconds, 0.50),
        "seconds_p95": percentile(seconds, 0.95),
        "seconds_p99": percentile(seconds, 0.99),
        "cost_mean_usd": _rate(math.fsum(costs), len(costs)),
        "cost_max_usd": max(costs, default=None),
        "cost_total_usd": math.fsum(each.cost_usd for each in investigations),
        "upgrades": len(upgrades),
        "upgrades_reviewed": sum(each.id in last for each in upgrades),
        "false_upgrades": len(false),
        "false_upgrade_rate": _rate(len(false), len(upgrades)),
        "awaiting_review": sum(each.requires_human_review and each.id not in last for each in ended),
    }


def alerts(
    investigations: Sequence[Investigation], reviews: Sequence[Review], at_limit: Sequence[tuple[str, str]] = ()
) -> tuple[Alert, ...]:
    """The alerts of the specification with their cases. `at_limit`: pairs of a case and a service at its limit."""

    def names(caused: Iterable[Investigation]) -> tuple[str, ...]:
        return tuple(each.case_id or f"investigation {each.id}" for each in caused)

    def many(number: int, noun: str) -> str:
        return f"{number} {agreeing(number, noun, f'{noun}s')}"

    slow = [each for each in investigations if (each.seconds or 0) > SLOWEST_SECONDS]
    dear = [each for each in investigations if each.cost_usd > DEAREST_USD]
    upgrades = [each for each in investigations if _ended(each) and each.upgraded]
    false = _false_upgrades(upgrades, {review.investigation_id: review for review in reviews})
    rate = _rate(len(false), len(upgrades)) or 0.0
    limits: dict[str, set[str]] = {}
    of_topics = ((*names([each]), note.where) for each in investigations for note in each.outages if note.at_limit)
    for name, service in (*of_topics, *at_limit):
        limits.setdefault(name, set()).add(service)
    services = sorted(set().union(*limits.values()))
    slowest = max((each.seconds or 0.0 for each in slow), default=0.0)
    dearest = max((each.cost_usd for each in dear), default=0.0)
    took = f"{many(len(slow), 'investigation')} took more than {SLOWEST_SECONDS / 60:g} minutes."
    cost = f"{many(len(dear), 'investigation')} cost more than ${DEAREST_USD:.2f}."
    lowered = f"{len(false)} of {many(len(upgrades), 'upgrade')} had to be reversed."
    silent = f"{', '.join(services)} {agreeing(len(services), 'was', 'were')} at a limit and did not answer."
    possible = (
        Alert("slow_investigation", took, slowest, SLOWEST_SECONDS, names(slow)),
        Alert("costly_investigation", cost, dearest, DEAREST_USD, names(dear)),
        Alert("false_upgrade_rate", lowered, rate, FALSE_UPGRADES, names(false)),
        Alert("rate_limit", silent, float(len(limits)), 0.0, tuple(limits)),
    )
    return tuple(each for each in possible if each.value > each.threshold)


def _ended(investigation: Investigation) -> bool:
    return investigation.status.has_result or investigation.status is InvestigationStatus.FAILED


def _false_upgrades(upgrades: Iterable[Investigation], last: dict[int, Review]) -> list[Investigation]:
    return [each for each in upgrades if each.id in last and last[each.id].lowers]


def _rate(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def counts(kinds: Mapping[str, KindFigures]) -> dict[str, dict[str, Any]]:
    """Figures by kind of case: cases, verdicts, outages with the most frequent first, times in seconds, costs and
    calls."""
    found = {}
    for kind, sums in sorted(kinds.items()):
        verdicts = {name.replace("not_checked", "not checked"): n for name, n in sums.verdicts.items()}
        outages = sorted(sums.outages, key=lambda each: (-each.times, each.what, each.where))
        found[kind] = {
            "cases": sums.by_status.total(),
            "by_status": dict(sorted(sums.by_status.items())),
            "verdicts": dict(sorted(verdicts.items())),
            "outages": [asdict(each) for each in outages],
            "seconds_p50": percentile(sums.seconds, 0.50),
            "seconds_p95": percentile(sums.seconds, 0.95),
            "cost_usd": sums.usd,
            "search_calls": sums.search_calls,
            "page_reads": sums.page_reads,
            "model_calls": sums.model_calls,
        }
    return found
