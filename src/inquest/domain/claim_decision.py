"""What a person decides on a claim of a case: kept as an event, followed by others, and never overwritten."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.assessment import Verdict
from inquest.domain.value import Value


class DecisionKind(StrEnum):
    """What somebody does with a claim."""

    ACCEPT = "accept"
    """The verdict stands as it was found."""
    OVERRULE = "overrule"
    """Another verdict holds, for a reason that is given."""
    COMMENT = "comment"
    """Words beside the claim; no verdict changes."""


class ClaimDecision(Value):
    """One decision. `id` is the number of its event."""

    id: int
    claim_id: str
    kind: DecisionKind
    found: Verdict
    """The verdict of the run, as it was when the person decided."""
    decided: Verdict
    why: str = ""
    by: str
    at: datetime
