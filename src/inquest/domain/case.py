"""One run of any desk, with all it found, and the further rounds that were asked for after it had a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Literal

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.audit import Audit
from inquest.domain.brief import Brief
from inquest.domain.check import CheckRecord
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, NearestPassage
from inquest.domain.investigation import InvestigationResult
from inquest.domain.market import MarketAnswer
from inquest.domain.plan import Approval, Decision, Plan
from inquest.domain.report import Bias, Citation, Cost, EarlierCheck, OutageNote, Summary, TimelineEvent
from inquest.domain.source import Source
from inquest.domain.value import Value

LATE = "late: "
"""How the label of a piece of work begins that was not waited for any longer, though the budget was not met."""
UNASKED = "unasked: "
"""How the label of a search or page begins that a piece of work was waiting for when it was cut off."""

_NEAREST_SHOWN = 12
"""Sentences near unverified claims that a report shows in all, though at least one of each claim."""


class CaseKind(StrEnum):
    """Which desk's work a case is."""

    INQUIRY = "inquiry"
    CLAIMS = "claims"
    TOPIC = "topic"
    MARKET = "market"
    AUDIT = "audit"


class CaseStatus(StrEnum):
    """The state of a case."""

    PLANNED = "planned"
    """A plan is waiting for a decision."""
    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"
    """There is a report, and something that should be in it is missing; the report says what."""
    CANCELLED = "cancelled"
    """Stopped or rejected; there is no report."""
    FAILED = "failed"
    """No source at all, or nothing to keep it in."""

    @property
    def ended(self) -> bool:
        return self not in (CaseStatus.PLANNED, CaseStatus.RUNNING)


class EarlierVerdict(Value):
    """A verdict as it stood before a further round."""

    claim: str
    """The claim in words: a further round may number claims anew."""
    verdict: Verdict
    confidence: float


class Round(Value):
    """One further round, and how the case stood when it was asked for."""

    number: int
    """2 for the first: the case itself was the first round."""
    by: str
    at: datetime
    words: str
    claim: str = ""
    """The claim that more is asked for on; '': the case as a whole."""
    status: str
    """How the case had ended before."""
    why: str = ""
    plan: Plan | None = None
    """As it stood before."""
    verdicts: tuple[EarlierVerdict, ...] = ()
    """As they stood before."""
    result: str = ""
    """Why it came to nothing, so that all is as before; '': it is under way, or its result is the case's."""


class Case(Value):
    """Everything a case found. The JSON others hold on to is a view of this (reports.case_json)."""

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
    """Of each claim that could not be verified, what comes nearest to it in what was read."""
    reviews: tuple[EarlierCheck, ...] = ()
    """What others who checked the claims came to."""
    check: CheckRecord | None = None
    """What a check of claims has beside this."""
    investigation: InvestigationResult | None = None
    """What the investigation of a topic came to."""
    answer: MarketAnswer | None = None
    """What the market desk answers."""
    audit: Audit | None = None
    """What the citations of a text come to."""
    kept_until: datetime | None = None
    """When it is forgotten, with all that only it has recorded; None: it is kept."""
    bias: Bias | None = None
    timeline: tuple[TimelineEvent, ...] = ()
    summary: Summary | None = None
    citations: tuple[Citation, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    departures: tuple[str, ...] = ()
    """What departed from the approved plan, in words."""
    cut: tuple[str, ...] = ()
    """Labels of the pieces of work that were not done because the budget was met, so that a replay is cut alike; one
    that begins with LATE was begun, and not waited for any longer."""
    markers: tuple[str, ...] = ()
    """The guard markers of empty stages: NO_SOURCES_FOUND, TIMELINE_SKIPPED, ..."""
    why: str = ""
    """Why it is partial, cancelled or failed, in one sentence."""
    budget_met: Literal["", "usd", "time", "cancelled"] = ""
    """Which budget ended the work, or that the user did; '': none, or the case is older than this field."""
    cost: Cost = Cost()
    timings: dict[str, float] = {}
    """Seconds per stage."""

    def nearest_to(self, claim_id: str) -> tuple[NearestPassage, ...]:
        """What comes nearest to an unverified claim: all that is known; of more than four such claims less each, so
        that a report of many stays short."""
        each_has = max(1, _NEAREST_SHOWN // max(1, len({each.claim_id for each in self.nearest})))
        return tuple(each for each in self.nearest if each.claim_id == claim_id)[:each_has]

    @property
    def is_rejected(self) -> bool:
        """True where the last decision on its plan was no."""
        return bool(self.approvals) and self.approvals[-1].decision is Decision.REJECT

    @property
    def citation_numbers(self) -> dict[str, int]:
        """The number of each cited finding in the report."""
        return {finding_id: c.n for c in self.citations for finding_id in (c.finding_id, *c.also)}

    def cited_as(self, finding_ids: Iterable[str]) -> list[int]:
        """The citation numbers of these findings, each once, in their order."""
        numbers = self.citation_numbers
        return list(dict.fromkeys(numbers[each] for each in finding_ids if each in numbers))


def in_force(approvals: Sequence[Approval], rounds: Sequence[Round] = ()) -> tuple[Approval, ...]:
    """The decisions by which the plan came to be what it is: none of a round that came to nothing, and of those that
    approve the last alone, because a further round begins with the plan again."""
    ends = [*(each.at for each in rounds[1:]), None]
    void = [(each.at, end) for each, end in zip(rounds, ends, strict=True) if each.result] if rounds else []
    counted = [a for a in approvals if not any(begin <= a.at and (end is None or a.at < end) for begin, end in void)]
    return tuple(a for a in counted if a is counted[-1] or a.decision is not Decision.APPROVE)


def is_further(case: Case) -> bool:
    """True while a further round is under way."""
    return bool(case.rounds) and not case.rounds[-1].result and not case.status.ended


def as_before(case: Case, why: str) -> Case:
    """The case with the plan and the end that it had before its last round, which came to nothing for this reason."""
    ended = case.rounds[-1].model_copy(update={"result": why})
    return case.model_copy(
        update={
            "status": CaseStatus(ended.status),
            "why": ended.why,
            "plan": ended.plan,
            "rounds": (*case.rounds[:-1], ended),
        }
    )
