"""Callbacks: who is notified of a case, and what became of each callback."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.value import Value


class DeliveryState(StrEnum):
    """What became of a callback."""

    WAITING = "waiting"
    """It is tried again later; those after it wait for it."""
    DELIVERED = "delivered"
    FAILED = "failed"
    """Tried as often as it is, and then passed over; it can be sent again by hand."""


class Target(Value):
    """Who is notified of a case."""

    case_id: str
    url: str
    last_event: int
    """All that events up to this number give rise to is settled."""
    next_at: datetime | None
    """When it is looked at again; None: the case has been sent to its end."""


class Delivery(Value):
    """One callback."""

    id: int = 0
    case_id: str
    key: str
    """What it is about: within a case the same key is sent once."""
    event_id: int
    type: str
    state: DeliveryState = DeliveryState.WAITING
    attempts: int = 0
    at: datetime
    """When it was last tried."""
    status: int | None = None
    """What the receiver answered; None: it did not."""
    error: str | None = None
    theirs: str | None = None
    """The id that the receiver answered with, which is handed on in what follows."""


class Standing(Value):
    """A case's callbacks by what became of them."""

    case_id: str
    url: str
    waiting: int = 0
    delivered: int = 0
    failed: int = 0
    error: str = ""
    """What the last one that was not delivered met."""
