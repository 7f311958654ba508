"""The event log of a case, and the callbacks that report it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.value import JsonObject, Value


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
    """A person accepted or overruled a verdict, or commented (domain.editorial)."""
    QUESTION_ASKED = "question_asked"
    """A question about a finished case, with its answer (domain.editorial)."""
    CASE_ASSIGNED = "case_assigned"
    """An assignment, desk status or note (domain.editorial)."""


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
