"""People's decisions on the claims of a case, kept as events: superseded, never overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from inquest.domain.assessment import Verdict
from inquest.domain.claim import Claim
from inquest.domain.value import Value


class DecisionKind(StrEnum):
    """The kind of decision on a claim."""

    ACCEPT = "accept"
    """The verdict is accepted."""
    OVERRULE = "overrule"
    """Another verdict applies, with a reason."""
    COMMENT = "comment"
    """A comment; no verdict changes."""
    MORE = "more"
    """A further round is requested; the verdict applies until it ends."""


class ClaimDecision(Value):
    """A decision. `id` is the number of its event."""

    id: int
    claim_id: str
    claim: str = ""
    """The claim's words at the time of the decision; '' in earlier versions."""
    finding_id: str = ""
    """The finding a comment refers to; '': the claim as a whole."""
    quote: str = ""
    """That finding's quote."""
    kind: DecisionKind
    found: Verdict
    """The verdict of the run at the time of the decision."""
    decided: Verdict
    why: str = ""
    by: str
    at: datetime


def by_claim(claims: Iterable[Claim], decisions: Iterable[ClaimDecision]) -> Mapping[str, tuple[ClaimDecision, ...]]:
    """Return the decisions per claim id, in order. They follow the claim's words, because a further round may renumber
    claims; decisions whose words no claim has any more are under ''.
    """
    ids = {claim.text: claim.id for claim in claims}
    known = set(ids.values())
    found: dict[str, list[ClaimDecision]] = {}
    for each in decisions:
        place = ids.get(each.claim, "") if each.claim else each.claim_id if each.claim_id in known else ""
        found.setdefault(place, []).append(each)
    return {claim_id: tuple(on_it) for claim_id, on_it in found.items()}


def standing_decision(decisions: Iterable[ClaimDecision]) -> ClaimDecision | None:
    """Return the last decision on the verdict, or None."""
    last = None
    for each in decisions:
        last = each if each.kind in (DecisionKind.ACCEPT, DecisionKind.OVERRULE) else last
    return last
