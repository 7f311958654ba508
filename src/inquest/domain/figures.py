"""What of a case is counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from inquest.domain.assessment import Verdict
from inquest.domain.case import CaseKind, CaseStatus
from inquest.domain.report import Cost, OutageNote
from inquest.domain.value import Value


class CaseFigures(Value):
    """A case without what it says."""

    case_id: str
    kind: CaseKind
    status: CaseStatus
    created_at: datetime
    seconds: float | None = None
    """What it took, without waiting for a person; None: not known."""
    verdicts: tuple[Verdict, ...] = ()
    """Of the claims that were looked into."""
    unchecked: int = 0
    outages: tuple[OutageNote, ...] = ()
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class OutageCount:
    """How often something could not be asked."""

    what: str
    where: str
    times: int
    cases: int


@dataclass(slots=True)
class KindFigures:
    """Sums over the cases of one kind."""

    by_status: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    """Claims with each verdict; those that were not looked into are 'not_checked'."""
    outages: list[OutageCount] = field(default_factory=list)
    """Pages are counted together, under no place: each stands once as a rule, and a list of them says nothing."""
    seconds: list[float] = field(default_factory=list)
    """What each case took that has ended, in no order."""
    usd: float = 0.0
    search_calls: int = 0
    page_reads: int = 0
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted of cases."""

    kinds: dict[str, KindFigures]
    at_limit: list[tuple[str, str]]
    """Cases, oldest first, each with a service that was at its limit."""
