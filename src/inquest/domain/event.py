"""The event log of a case and the callbacks that report it, and a newsroom's additions, kept as events: assignments and
mentions, decisions on claims, questions to the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Verdict
from inquest.domain.value import JsonObject, Value, grouped

M = TypeVar("M", bound=BaseModel)


class Stage(StrEnum):
    """The stages of an inquiry, in the order in which they are shown (spec 004)."""

    PLAN = "plan"
    SOURCES = "sources"
    CLAIMS = "claims"
    FACT_CHECK = "fact_check"
    BIAS = "bias"
    TIMELINE = "timeline"
    SUMMARY = "summary"
    DESKS = "desks"
    """A check of claims: desks at work (between claims and summary)."""
    EXCHANGE = "exchange"
    JUDGE = "judge"


class EventType(StrEnum):
    """The type of an event; the upper-case callbacks of spec 004 map onto these."""

    CASE_CREATED = "case_created"
    PLAN_READY = "plan_ready"
    PLAN_DECIDED = "plan_decided"
    CASE_STARTED = "case_started"
    CASE_RESUMED = "case_resumed"
    STAGE_STARTED = "stage_started"
    STAGE_FINISHED = "stage_finished"
    QUERY_ANSWERED = "query_answered"
    SOURCE_FOUND = "source_found"
    SOURCE_LEFT_OUT = "source_left_out"
    CLAIM_EXTRACTED = "claim_extracted"
    CLAIM_CHECKED = "claim_checked"
    """The findings on a claim have been judged; its verdict follows when all claims are."""
    FACT_CHECKED = "fact_checked"
    BIAS_ANALYSED = "bias_analysed"
    TIMELINE_EVENT = "timeline_event"
    SUMMARY_WRITTEN = "summary_written"
    CLAIMS_ROUTED = "claims_routed"
    AGENT_STARTED = "agent_started"
    AGENT_THINKING = "agent_thinking"
    CLAIM_INVESTIGATING = "claim_investigating"
    SEARCH_EXECUTED = "search_executed"
    SOURCE_EVALUATED = "source_evaluated"
    CONTRADICTION_DETECTED = "contradiction_detected"
    EVIDENCE_FOUND = "evidence_found"
    AGENT_COMPLETED = "agent_completed"
    INFO_REQUEST_POSTED = "info_request_posted"
    INFO_REQUEST_ROUTED = "info_request_routed"
    INFO_RESPONSE_POSTED = "info_response_posted"
    REINVESTIGATION_REQUESTED = "reinvestigation_requested"
    VERDICT_CHANGED = "verdict_changed"
    TOPIC_INVESTIGATED = "topic_investigated"
    ANSWER_HEADLINE = "answer_headline"
    """A first headline for a market answer, while more is being read."""
    ANSWER_READY = "answer_ready"
    ERROR = "error"
    """Part of a desk's work failed."""
    DEGRADED = "degraded"
    """A model could not answer and the local analyst did."""
    DEPARTURE = "departure"
    """The run departs from the approved plan: an engine out, a query added."""
    OUTAGE = "outage"
    BUDGET_MET = "budget_met"
    CANCELLED = "cancelled"
    WORKING = "working"
    """Progress between other events; only the latest is kept, and none after the case has ended."""
    CASE_FINISHED = "case_finished"
    PERSON_DECIDED = "person_decided"
    """A person accepted or overruled a verdict, or commented."""
    QUESTION_ASKED = "question_asked"
    """A question about a finished case, with its answer."""
    CASE_ASSIGNED = "case_assigned"
    """An assignment, desk status or note."""


SAID_BY_PEOPLE = (EventType.PERSON_DECIDED, EventType.QUESTION_ASKED, EventType.CASE_ASSIGNED)
"""Events that people cause after a case has ended."""


class Event(Value):
    """One event. `id` is the row number, so that a listener can continue from the last one it saw."""

    id: int
    case_id: str
    at: datetime
    type: EventType
    stage: Stage | None = None
    text: str
    """A line of text, with the markers of spec 004 for front ends that expect them."""
    marker: str | None = None
    """PLAN_APPROVAL_REQUIRED, INVESTIGATION_STARTED, PROGRESS, NO_SOURCES_FOUND, ...; None: no marker."""
    data: JsonObject = {}


class DeliveryState(StrEnum):
    """The state of a callback."""

    WAITING = "waiting"
    """It will be retried; later callbacks wait for it."""
    DELIVERED = "delivered"
    FAILED = "failed"
    """It failed on every attempt and was skipped; it can be resent by hand."""


class Target(Value):
    """A receiver notified of a case."""

    case_id: str
    url: str
    last_event: int
    """All callbacks for events up to this number are settled."""
    next_at: datetime | None
    """When it is next examined; None: the case has been sent completely."""


class Delivery(Value):
    """One callback."""

    id: int = 0
    case_id: str
    key: str
    """Its deduplication key: each key is sent once per case."""
    event_id: int
    type: str
    state: DeliveryState = DeliveryState.WAITING
    attempts: int = 0
    at: datetime
    """When it was last attempted."""
    status: int | None = None
    """The receiver's HTTP status; None: no answer."""
    error: str | None = None
    theirs: str | None = None
    """The id the receiver answered with, passed on in later callbacks."""


class Standing(Value):
    """A case's callbacks, counted by state."""

    case_id: str
    url: str
    waiting: int = 0
    delivered: int = 0
    failed: int = 0
    error: str = ""
    """The error of the last undelivered callback."""


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


def said_in(events: Iterable[Event], what: EventType, kind: type[M]) -> tuple[M, ...]:
    """Return what people said in the events of this type, oldest first."""
    found = []
    for event in events:
        if event.type is not what:
            continue
        try:
            found.append(kind.model_validate({**event.data, "id": event.id, "at": event.at}))
        except ValidationError:
            continue  # of a newer version
    return tuple(found)


def questions_in(events: Iterable[Event]) -> tuple[CaseQuestion, ...]:
    """Return the questions among these events, oldest first."""
    return said_in(events, EventType.QUESTION_ASKED, CaseQuestion)
