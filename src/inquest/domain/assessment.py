"""The verdict on a claim, from its findings."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.reasons import Reason
from inquest.domain.value import Value


class Verdict(StrEnum):
    """The verdict on a claim."""

    VERIFIED = "verified"
    PARTIALLY_TRUE = "partially_true"
    CONTRADICTED = "contradicted"
    DISPUTED = "disputed"
    """There are credible independent sources on both sides."""
    UNVERIFIED = "unverified"
    """Nothing relevant was found, or too little."""


class PartVerdict(Value):
    """The verdict on one of several statements in a claim."""

    words: str
    """In the claim's own words."""
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
    """Independent sources on the prevailing side, counted by story and owner."""
    single_source: bool = False
    supporting: tuple[str, ...] = ()
    """Ids of the findings for the claim, weightiest first."""
    contradicting: tuple[str, ...] = ()
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    """The reasons as values; () in cases of earlier versions."""
    checked: bool = True
    """False: it could not be checked because no source could be asked or the case ended first, which differs from
    finding nothing."""
    lacks: str = ""
    """Sources that could not be asked, as the end of a sentence; '': none."""
    unassessed: int = 0
    """Number of passages that could not be judged."""
    would_change: tuple[str, ...] = ()
    """Evidence that would change the verdict, in words; () if unknown."""
    parts: tuple[PartVerdict, ...] = ()
    """A verdict for each statement, if the claim makes several and the evidence tells them apart."""
    decision: VerdictDecision | None = None
    """The decision in force, set only in a case as shown (`reports.decided.as_decided`), never in a stored one."""
    machine_verdict: Verdict | None = None
    """The verdict of the run, if a person has decided on it."""

    @property
    def overruled(self) -> bool:
        """True if a person's verdict differs from the run's."""
        return self.decision is not None and self.verdict is not self.machine_verdict
