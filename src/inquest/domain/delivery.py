"""Callbacks: the receivers notified of a case, and the state of each callback."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.value import Value


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
