"""What of a case is counted."""

from __future__ import annotations

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
