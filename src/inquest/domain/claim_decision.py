"""What a person decides on a claim of a case: kept as an event, followed by others, and never overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from inquest.domain.assessment import Verdict
from inquest.domain.claim import Claim
from inquest.domain.value import Value


class DecisionKind(StrEnum):
    """What somebody does with a claim."""

    ACCEPT = "accept"
    """The verdict stands as it was found."""
    OVERRULE = "overrule"
    """Another verdict holds, for a reason that is given."""
    COMMENT = "comment"
    """Words beside the claim; no verdict changes."""
    MORE = "more"
    """A further round is asked for; the verdict stands until it has ended."""


class ClaimDecision(Value):
    """One decision. `id` is the number of its event."""

    id: int
    claim_id: str
    claim: str = ""
    """The claim's words when the person decided; '': of a version that did not keep them."""
    finding_id: str = ""
    """The finding that a comment is on; '': the claim as a whole."""
    quote: str = ""
    """The quote of that finding."""
    kind: DecisionKind
    found: Verdict
    """The verdict of the run, as it was when the person decided."""
    decided: Verdict
    why: str = ""
    by: str
    at: datetime


def by_claim(claims: Iterable[Claim], decisions: Iterable[ClaimDecision]) -> Mapping[str, tuple[ClaimDecision, ...]]:
    """The decisions on each of these claims, in their order, by its id. A further round may number claims anew: a
    decision stays with the words that it was about; what is on words that no claim has any more is under ''."""
    ids = {claim.text: claim.id for claim in claims}
    known = set(ids.values())
    found: dict[str, list[ClaimDecision]] = {}
    for each in decisions:
        place = ids.get(each.claim, "") if each.claim else each.claim_id if each.claim_id in known else ""
        found.setdefault(place, []).append(each)
    return {claim_id: tuple(on_it) for claim_id, on_it in found.items()}


def standing_decision(decisions: Iterable[ClaimDecision]) -> ClaimDecision | None:
    """The last one that is about the verdict; None: nobody has decided on it."""
    last = None
    for each in decisions:
        last = each if each.kind in (DecisionKind.ACCEPT, DecisionKind.OVERRULE) else last
    return last
