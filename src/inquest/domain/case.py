"""One run of any desk with all its results, the further rounds requested after its report, and its counts and times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from inquest.domain.audit import Audit
from inquest.domain.check import CheckRecord
from inquest.domain.claim import Claim
from inquest.domain.errors import BudgetKind
from inquest.domain.event import EventType
from inquest.domain.finding import Assessment, Finding, NearestPassage, Verdict
from inquest.domain.investigation import InvestigationResult
from inquest.domain.market import MarketAnswer
from inquest.domain.plan import Approval, Brief, Decision, Plan
from inquest.domain.reasons import Reasons
from inquest.domain.report import Bias, Citation, Cost, EarlierCheck, OutageNote, Summary, TimelineEvent
from inquest.domain.source import Source
from inquest.domain.value import Value

LATE = "late: "
"""Prefix of the label of work that was abandoned although the budget was not met."""
UNASKED = "unasked: "
"""Prefix of the label of a search or page that work was waiting for when it was cut off."""

_NEAREST_SHOWN = 12
"""The maximum number of nearest passages a report shows for unverified claims (at least one per claim)."""


class CaseKind(StrEnum):
    """The desk that a case belongs to."""

    INQUIRY = "inquiry"
    CLAIMS = "claims"
    TOPIC = "topic"
    MARKET = "market"
    AUDIT = "audit"


class CaseStatus(StrEnum):
    """The state of a case."""

    PLANNED = "planned"
    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"
    """There is a report, but it is incomplete and names the gaps."""
    CANCELLED = "cancelled"
    """Stopped or rejected; there is no report."""
    FAILED = "failed"
    """No source was available, or the result could not be stored."""

    @property
    def ended(self) -> bool:
        return self not in (CaseStatus.PLANNED, CaseStatus.RUNNING)

    @property
    def end_marker(self) -> str:
        """The marker of the event and the callback that end a case: 'INVESTIGATION_COMPLETE'."""
        return "INVESTIGATION_COMPLETE" if self is CaseStatus.COMPLETED else f"INVESTIGATION_{self.name}"


class EarlierVerdict(Value):
    """A verdict before a further round."""

    claim: str
    """The claim in words, because a further round may renumber claims."""
    verdict: Verdict
    confidence: float


class Round(Value):
    """A further round, and the state of the case when it was requested."""

    number: int
    """2 for the first, because the case itself was round 1."""
    by: str
    at: datetime
    words: str
    claim: str = ""
    """The claim to find more on; '': the case as a whole."""
    status: str
    """The status with which the case had ended before."""
    why: str = ""
    plan: Plan | None = None
    verdicts: tuple[EarlierVerdict, ...] = ()
    result: str = ""
    """The reason why it had no result and was undone; '': it is running, or its result is the case's."""


class Case(Value):
    """Everything a case found. Its public JSON is a view of this (reports.case_json)."""

    id: str
    kind: CaseKind = CaseKind.INQUIRY
    status: CaseStatus
    brief: Brief
    as_of: datetime
    """The 'now' of the case."""
    created_at: datetime
    plan: Plan | None = None
    approvals: tuple[Approval, ...] = ()
    rounds: tuple[Round, ...] = ()
    """The further rounds, oldest first."""
    sources: tuple[Source, ...] = ()
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    assessments: tuple[Assessment, ...] = ()
    nearest: tuple[NearestPassage, ...] = ()
    """The nearest passages to each claim that could not be verified."""
    reviews: tuple[EarlierCheck, ...] = ()
    """Conclusions of other fact-checkers on the claims."""
    check: CheckRecord | None = None
    investigation: InvestigationResult | None = None
    answer: MarketAnswer | None = None
    audit: Audit | None = None
    kept_until: datetime | None = None
    """When it is deleted, with everything recorded only for it; None: it is kept."""
    bias: Bias | None = None
    timeline: tuple[TimelineEvent, ...] = ()
    summary: Summary | None = None
    citations: tuple[Citation, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    departures: tuple[str, ...] = ()
    departure_codes: Reasons = ()
    cut: tuple[str, ...] = ()
    """Labels of work skipped because the budget was met, so that a replay is cut in the same places; work whose label
    begins with LATE was begun and abandoned."""
    markers: tuple[str, ...] = ()
    """Guard markers of empty stages: NO_SOURCES_FOUND, TIMELINE_SKIPPED, ..."""
    why: str = ""
    """The reason why it is partial, cancelled or failed, in one sentence."""
    budget_met: Literal[""] | BudgetKind = ""
    """The budget that ended the work, or the user's stop; '': neither, or the case predates this field."""
    cost: Cost = Cost()
    timings: dict[str, float] = {}
    """Seconds per stage."""

    def nearest_to(self, claim_id: str) -> tuple[NearestPassage, ...]:
        """Return the nearest passages to an unverified claim that no finding on it quotes; fewer per claim if there are
        more than four such claims, to keep the report short."""
        each_has = max(1, _NEAREST_SHOWN // max(1, len({each.claim_id for each in self.nearest})))
        quoted = [each for each in self.findings if each.claim_id == claim_id and each.stance.decides]
        of_claim = (each for each in self.nearest if each.claim_id == claim_id)
        return tuple(each for each in of_claim if not any(map(each.overlaps, quoted)))[:each_has]

    @property
    def waits(self) -> bool:
        """True while its plan waits for a decision."""
        return self.status is CaseStatus.PLANNED and self.plan is not None

    @property
    def is_rejected(self) -> bool:
        """True if the last decision on its plan was a rejection."""
        return bool(self.approvals) and self.approvals[-1].decision is Decision.REJECT

    @property
    def citation_numbers(self) -> dict[str, int]:
        """The number of each cited finding in the report."""
        return {finding_id: c.n for c in self.citations for finding_id in (c.finding_id, *c.also)}

    def cited_as(self, finding_ids: Iterable[str]) -> list[int]:
        """Return the citation numbers of these findings, each once, in order."""
        numbers = self.citation_numbers
        return list(dict.fromkeys(numbers[each] for each in finding_ids if each in numbers))


def in_force(approvals: Sequence[Approval], rounds: Sequence[Round] = ()) -> tuple[Approval, ...]:
    """The decisions that shaped the current plan: without rounds that had no result, and of approvals only the last,
    because a further round starts again from the plan.
    """
    ends = [*(each.at for each in rounds[1:]), None]
    void = [(each.at, end) for each, end in zip(rounds, ends, strict=True) if each.result] if rounds else []
    counted = [a for a in approvals if not any(begin <= a.at and (end is None or a.at < end) for begin, end in void)]
    return tuple(a for a in counted if a is counted[-1] or a.decision is not Decision.APPROVE)


def is_further(case: Case) -> bool:
    """True while a further round is under way."""
    return bool(case.rounds) and not case.rounds[-1].result and not case.status.ended


def as_before(case: Case, why: str) -> Case:
    """Return the case with the plan and status it had before its last round, which failed for this reason."""
    ended = case.rounds[-1].model_copy(update={"result": why})
    return case.model_copy(
        update={
            "status": CaseStatus(ended.status),
            "why": ended.why,
            "plan": ended.plan,
            "rounds": (*case.rounds[:-1], ended),
        }
    )


_WAITS_AFTER = frozenset(
    (EventType.PLAN_READY, EventType.CASE_FINISHED, EventType.PERSON_DECIDED, EventType.QUESTION_ASKED)
)


@dataclass(frozen=True, slots=True)
class OutageCount:
    """The number of times a service could not be queried."""

    what: str
    where: str
    times: int
    cases: int


@dataclass(slots=True)
class KindFigures:
    """Sums over the cases of one kind."""

    by_status: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    """Number of claims per verdict; those not looked into are 'not_checked'."""
    outages: list[OutageCount] = field(default_factory=list)
    """Pages are counted together under no place, because each usually appears only once."""
    seconds: list[float] = field(default_factory=list)
    """Seconds per ended case, in no order."""
    usd: float = 0.0
    search_calls: int = 0
    page_reads: int = 0
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts over cases."""

    kinds: dict[str, KindFigures]
    at_limit: list[tuple[str, str]]
    """Cases in which a service reached its limit, oldest first."""


def working_seconds(events: Iterable[tuple[EventType, datetime]]) -> float | None:
    """Return the seconds of work between a case's events, in order. Time after a plan is ready is a person's, and time
    before a resumption is idle; neither counts. None: fewer than two events.
    """
    total, before, several = 0.0, None, False
    for type_, at in events:
        if type_ is EventType.CASE_ASSIGNED:
            continue  # at any time, by people
        if before is not None:
            several = True
            if before[0] not in _WAITS_AFTER and type_ is not EventType.CASE_RESUMED:
                total += max(0.0, (at - before[1]).total_seconds())
        before = (type_, at)
    return total if several else None
