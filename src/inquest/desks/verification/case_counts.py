"""Counts over cases of every kind: how they ended, what they came to, what could not be asked, time and money."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inquest.desks.verification.investigation_metrics import percentile
from inquest.domain.figures import CaseFigures


@dataclass(frozen=True, slots=True)
class OutageCount:
    """How often something could not be asked."""

    what: str
    where: str
    times: int
    cases: int


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


def counts(figures: Sequence[CaseFigures]) -> dict[str, KindCounts]:
    """By kind of case, those that there are, in alphabetical order."""
    kinds = sorted({each.kind.value for each in figures})
    return {kind: _of_kind([each for each in figures if each.kind.value == kind]) for kind in kinds}


def _of_kind(figures: Sequence[CaseFigures]) -> KindCounts:
    verdicts = Counter(verdict.value for each in figures for verdict in each.verdicts)
    if unchecked := sum(each.unchecked for each in figures):
        verdicts["not checked"] = unchecked
    seconds = [each.seconds for each in figures if each.seconds is not None and each.status.ended]
    return KindCounts(
        cases=len(figures),
        by_status=dict(sorted(Counter(each.status.value for each in figures).items())),
        verdicts=dict(sorted(verdicts.items())),
        outages=_outages(figures),
        seconds_p50=percentile(seconds, 0.50),
        seconds_p95=percentile(seconds, 0.95),
        cost_usd=math.fsum(each.cost.usd for each in figures),
        search_calls=sum(each.cost.search_calls for each in figures),
        page_reads=sum(each.cost.page_reads for each in figures),
        model_calls=sum(each.cost.model_calls for each in figures),
    )


def _outages(figures: Sequence[CaseFigures]) -> tuple[OutageCount, ...]:
    """Pages by themselves are counted together: each stands once as a rule, and a list of them says nothing."""
    times: Counter[tuple[str, str]] = Counter()
    cases: dict[tuple[str, str], set[str]] = {}
    for each in figures:
        for note in each.outages:
            key = (note.what, "" if note.what == "page" else note.where)
            times[key] += 1
            cases.setdefault(key, set()).add(each.case_id)
    ordered = sorted(times, key=lambda key: (-times[key], key))
    return tuple(OutageCount(what, where, times[what, where], len(cases[what, where])) for what, where in ordered)
