"""What the findings on a claim add up to."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.reasons import Reason
from inquest.domain.value import Value


class Verdict(StrEnum):
    """What can be said of a claim."""

    VERIFIED = "verified"
    PARTIALLY_TRUE = "partially_true"
    CONTRADICTED = "contradicted"
    DISPUTED = "disputed"
    """Credible independent sources stand on both sides."""
    UNVERIFIED = "unverified"
    """Nothing found that bears on it, or too little."""


class PartVerdict(Value):
    """What can be said of one of several statements that a claim makes."""

    words: str
    """As they stand in the claim."""
    verdict: Verdict
    supporting: tuple[str, ...] = ()
    """Ids of the findings for it, weightiest first."""
    contradicting: tuple[str, ...] = ()


class VerdictDecision(Value):
    """A person's decision on a verdict."""

    verdict: Verdict
    reason: str = ""
    by: str
    at: datetime


class Assessment(Value):
    """The verdict on one claim, with both sides and the reasons."""

    claim_id: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    independent_sources: int
    """Independent sources on the side that prevails, counted by story and owner."""
    single_source: bool = False
    supporting: tuple[str, ...] = ()
    """Ids of the findings for the claim, weightiest first."""
    contradicting: tuple[str, ...] = ()
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    """The same as values; () in cases of earlier versions."""
    checked: bool = True
    """False: it could not be checked, because nobody could be asked or the case ended before, which is not the same as
    finding nothing."""
    lacks: str = ""
    """What should have been asked about it and could not be, as the end of a sentence; '': nothing."""
    unassessed: int = 0
    """Passages that should have been judged and could not be."""
    would_change: tuple[str, ...] = ()
    """What evidence would change the verdict, in words; () where nobody looked into that."""
    parts: tuple[PartVerdict, ...] = ()
    """Where the claim makes several statements and the evidence tells them apart, each by itself."""
    decision: VerdictDecision | None = None
    """The decision that holds, in a case as it is shown (`reports.decided.as_decided`); never in a stored one."""
    machine_verdict: Verdict | None = None
    """The verdict of the run, where a person has decided on it."""

    @property
    def overruled(self) -> bool:
        """True where a person's verdict differs from the run's."""
        return self.decision is not None and self.verdict is not self.machine_verdict
