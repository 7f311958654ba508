"""The event log of a case."""

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
    """A person accepted or overruled a verdict, or commented (domain.claim_decision)."""
    QUESTION_ASKED = "question_asked"
    """A question about a finished case, with its answer (domain.case_question)."""
    CASE_ASSIGNED = "case_assigned"
    """An assignment, desk status or note (domain.assignment)."""


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
