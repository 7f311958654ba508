"""The common part of all services: a name, a key, and error handling."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable
from typing import Any, ClassVar, Protocol, TypeVar

from inquest.domain.errors import (
    EngineError,
    EngineFormat,
    EngineKeyRefused,
    EngineQuota,
    EngineUnavailable,
)
from inquest.kit.exchange import Reply
from inquest.kit.refusal import explained
from inquest.text.regex import regex

T = TypeVar("T")

_DAY = regex(
    r"(?:exceed\w*|reach\w*|used up|exhaust\w*|over|hit)\b[^.]{0,40}\b(?:daily|per day|for today|(?:a|the) day)\b"
    r"|\b(?:daily|per[- ]day)\b[^.]{0,40}\b(?:exceed\w*|reach\w*|used up|exhaust\w*)|\blimit reach\b(?! ?ed)",
    re.IGNORECASE,
)
_LONGEST = 2_000
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""Exceptions of reading a malformed body; endless nesting is a RecursionError."""


class ServiceSpec(Protocol):
    """The static description of a service."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def key(self) -> str | None: ...


class ServiceAccess(Protocol):
    """The settings of a service."""

    @property
    def key(self) -> str | None: ...


class Service(ABC):
    """One service. `spec` comes first in its file; an instance holds its key."""

    spec: ClassVar[ServiceSpec]
    access: ServiceAccess
    where_it_changed: ClassVar[str]
    """The advice if its format has changed, as the end of a sentence."""
    refused_in: ClassVar[tuple[tuple[str | int, ...], ...]] = ()
    """Paths in the JSON of a refusal (400, 403, 422, ...) to the words on an invalid key, quota or query
    (`refusal.explained`)."""

    @property
    def name(self) -> str:
        return self.spec.name

    def parsed(self, reply: Reply, parse: Callable[[Reply], T]) -> T:
        """Return `parse(reply)`; raise the typed error for an error status or a malformed body."""
        self.check(reply)
        try:
            return parse(reply)
        except EngineError:
            raise
        except MALFORMED as error:
            raise EngineFormat(
                self.name,
                f"{self.spec.title} did not answer in its documented format ({_shown(error)}).",
                advice=f"If this continues, its format has changed: {self.where_it_changed}",
            ) from error

    def check(self, reply: Reply) -> None:
        """Raise the typed error for a status; services extend it for errors inside a 200."""
        explained(self, reply, *self.refused_in)
        check_status(self.name, self.spec.title, self.spec.key, reply)


def check_status(name: str, title: str, key: str | None, reply: Reply) -> None:
    """Raise the typed error for a status outside 2xx. `key`: the setting of the service's key."""
    status = reply.status
    if 200 <= status < 300:
        return
    if status in (401, 403):
        advice = f"Check {key}." if key else "It may be blocking this address."
        raise EngineKeyRefused(name, f"{title} refused the request ({status}).", advice=advice)
    if status in (402, 429):
        what = "the calls of the day are" if day_is_used_up(reply.text()) else "its quota or rate is"
        wait = _seconds(reply.header("retry-after"))
        raise EngineQuota(name, f"{title} says {what} used up ({status}).", retry_after=wait)
    if status >= 500:
        raise EngineUnavailable(name, f"{title} is out of order ({status}).")
    raise EngineFormat(name, f"{title} did not accept the request ({status}).")


def day_is_used_up(message: str) -> bool:
    """Return True if a refusal is about the calls of a day, not of a second or minute, so that a retry today would
    fail."""
    return bool(_DAY.search(message[:_LONGEST]))


def _shown(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:120]}" if text else type(error).__name__


def _seconds(value: Any) -> float | None:
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        return None
