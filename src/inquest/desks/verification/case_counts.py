"""Counts over cases of every kind: how they ended, what they came to, what could not be asked, time and money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from inquest.desks.verification.investigation_metrics import percentile
from inquest.domain.case_figures import KindFigures, OutageCount


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
