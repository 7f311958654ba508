"""A further round of a case: more was asked for in words after there was a report, and the case went on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from inquest.domain.assessment import Verdict
from inquest.domain.plan import Approval, Decision, Plan
from inquest.domain.value import Value


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
    """Why it came to nothing, so that all stands as it did before; '': it is under way, or its result is the case's."""


def in_force(approvals: Sequence[Approval], rounds: Sequence[Round] = ()) -> tuple[Approval, ...]:
    """The decisions by which the plan came to be what it is: none of a round that came to nothing, and of those that
    approve the last alone, because a further round begins with the plan again."""
    ends = [*(each.at for each in rounds[1:]), None]
    void = [(each.at, end) for each, end in zip(rounds, ends, strict=True) if each.result] if rounds else []
    counted = [a for a in approvals if not any(begin <= a.at and (end is None or a.at < end) for begin, end in void)]
    return tuple(a for a in counted if a is counted[-1] or a.decision is not Decision.APPROVE)
