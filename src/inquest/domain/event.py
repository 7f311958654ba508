"""What happened, line by line."""

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
    """What kind of thing happened. The upper-case callbacks of spec 004 map onto these."""

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
    """What was found on a claim has been judged; its verdict follows when all are."""
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
    """The first word of a market answer, while more is being read."""
    ANSWER_READY = "answer_ready"
    ERROR = "error"
    """A desk could not do a part of its work."""
    DEGRADED = "degraded"
    """A model could not answer and the local analyst did."""
    DEPARTURE = "departure"
    """The run departs from the approved plan: an engine out, a query added."""
    OUTAGE = "outage"
    BUDGET_MET = "budget_met"
    CANCELLED = "cancelled"
    WORKING = "working"
    """How far the case is, while it reports nothing else. Only the latest is kept, and none when the case has ended."""
    CASE_FINISHED = "case_finished"
    PERSON_DECIDED = "person_decided"
    """Somebody accepted or overruled the verdict on a claim, or left a comment (domain.claim_decision)."""
    QUESTION_ASKED = "question_asked"
    """Somebody asked the case, which had ended, and was answered (domain.case_question)."""
    CASE_ASSIGNED = "case_assigned"
    """Somebody assigned the case to a user, set its desk status, or left a note (domain.assignment)."""


SAID_BY_PEOPLE = (EventType.PERSON_DECIDED, EventType.QUESTION_ASKED, EventType.CASE_ASSIGNED)
"""What people decided on a case, asked of it after it had ended, and whom it is assigned to."""


class Event(Value):
    """One line of what happened. `id` is the row number: a listener that knows the last it saw misses nothing."""

    id: int
    case_id: str
    at: datetime
    type: EventType
    stage: Stage | None = None
    text: str
    """The line for a person, with the markers of spec 004 where a front end listens for them."""
    marker: str | None = None
    """PLAN_APPROVAL_REQUIRED, INVESTIGATION_STARTED, PROGRESS, NO_SOURCES_FOUND, ...; None: no marker."""
    data: JsonObject = {}
