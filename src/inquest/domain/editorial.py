"""A newsroom's additions to a case, kept as events: assignments and mentions, decisions on claims, questions to the
evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import ValidationError

from inquest.domain.by_key import grouped
from inquest.domain.claim import Claim
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding, Verdict
from inquest.domain.value import Value


class DeskStatus(StrEnum):
    """The newsroom's progress on a case, independent of the state of its run."""

    TO_DO = "to_do"
    IN_WORK = "in_work"
    IN_REVIEW = "in_review"
    DONE = "done"


class Assignment(Value):
    """The last assignment of a case, and a note that mentions the current user."""

    assigned: str = ""
    """The name of the user; '': unassigned."""
    desk_status: DeskStatus | None = None
    """None: not set."""
    mentioned_by: str = ""
    """The author of the last note that mentions the current user, who has not written on the case since; ''."""
    note: str = ""
    """That note."""


def mentioned(note: str, names: Collection[str]) -> set[str]:
    """Return the names that follow an '@' in the note, ignoring case; of 'Anna' and 'Anna Berg' the longer match."""
    if "@" not in note or not names:
        return set()
    known = {name.casefold(): name for name in names}
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return {known[each.casefold()] for each in re.findall(rf"(?<!\w)@({any_name})(?!\w)", note, re.I)}


def assignment_in(events: Iterable[Event], name: str = "", names: Collection[str] = ()) -> Assignment:
    """Return the assignment after these events of a case (oldest first), as the user `name` sees it. `names`: all
    users.
    """
    found = Assignment()
    for event in events:
        by, note = str(event.data.get("by") or ""), str(event.data.get("why") or "")
        if event.type is EventType.CASE_ASSIGNED:
            status = str(event.data.get("desk_status") or "")
            known = DeskStatus(status) if status in set(DeskStatus) else None
            assigned = str(event.data.get("assigned") or "")
            found = found.model_copy(update={"assigned": assigned, "desk_status": known})
        if by == name:
            found = found.model_copy(update={"mentioned_by": "", "note": ""})
        elif name and name in mentioned(note, names):
            found = found.model_copy(update={"mentioned_by": by, "note": note})
    return found


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
    found = grouped(
        (ids.get(each.claim, "") if each.claim else each.claim_id if each.claim_id in known else "", each)
        for each in decisions
    )
    return {claim_id: tuple(on_it) for claim_id, on_it in found.items()}


def standing_decision(decisions: Iterable[ClaimDecision]) -> ClaimDecision | None:
    """Return the last decision on the verdict, or None."""
    deciding = [each for each in decisions if each.kind in (DecisionKind.ACCEPT, DecisionKind.OVERRULE)]
    return deciding[-1] if deciding else None


class CaseQuestion(Value):
    """A question. `id` is the number of its event."""

    id: int
    at: datetime
    by: str
    question: str
    answered: bool
    answer: str
    """In words; for an unanswered question, the reason."""
    findings: tuple[Finding, ...] = ()
    """The quotes that support the answer."""
    analyst: str
    """'local', or the model's name."""
    usd: float = 0.0

    @property
    def worded(self) -> str:
        """'Answered: ...' or 'Not answered: ...'."""
        return f"Answered: {self.answer}" if self.answered else f"Not answered: {self.answer}"


def questions_in(events: Iterable[Event]) -> tuple[CaseQuestion, ...]:
    """Return the questions among these events, oldest first."""
    found = []
    for event in events:
        if event.type is not EventType.QUESTION_ASKED:
            continue
        try:
            found.append(CaseQuestion.model_validate({**event.data, "id": event.id, "at": event.at}))
        except ValidationError:
            continue  # of a newer version
    return tuple(found)
