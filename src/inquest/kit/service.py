"""The common part of all services behind the door: a name, a key, and error handling."""

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
_SAID = 2_000
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading a body that is not of its documented form raises; nesting without end is a RecursionError."""


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
    """What to do where its form has changed, as the end of a sentence."""
    refused_in: ClassVar[tuple[tuple[str | int, ...], ...]] = ()
    """Where the JSON of a refusal (400, 403, 422 and the like) has the words that tell a key, a quota and a query apart
    (`refusal.explained`)."""

    @property
    def name(self) -> str:
        return self.spec.name

    def parsed(self, reply: Reply, parse: Callable[[Reply], T]) -> T:
        """`parse(reply)`, with a bad status or a malformed body as the typed error it is."""
        self.check(reply)
        try:
            return parse(reply)
        except EngineError:
            raise
        except MALFORMED as error:
            raise EngineFormat(
                self.name,
                f"{self.spec.title} answered something that is not its documented form ({_shown(error)}).",
                advice=f"If this stays so, its form has changed: {self.where_it_changed}",
            ) from error

    def check(self, reply: Reply) -> None:
        """Raise the typed error that a status stands for; services extend it for errors inside a 200."""
        if 200 <= reply.status < 300:
            return
        explained(self, reply, *self.refused_in)
        title = self.spec.title
        if reply.status in (401, 403):
            where = f"Check {self.spec.key}." if self.spec.key else "It may be blocking this address."
            raise EngineKeyRefused(self.name, f"{title} refused the request ({reply.status}).", advice=where)
        if reply.status in (402, 429):
            what = "the calls of the day are" if day_is_used_up(reply.text()) else "its quota or rate is"
            raise EngineQuota(
                self.name,
                f"{title} says {what} used up ({reply.status}).",
                retry_after=_seconds(reply.header("retry-after")),
            )
        if reply.status >= 500:
            raise EngineUnavailable(self.name, f"{title} is out of order ({reply.status}).")
        raise EngineFormat(self.name, f"{title} did not accept the request ({reply.status}).")


def day_is_used_up(said: str) -> bool:
    """Whether a refusal speaks of the day's allowance, and not of too many calls in a second or minute: asking again
    before tomorrow would be in vain."""
    return bool(_DAY.search(said[:_SAID]))


def _shown(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:120]}" if text else type(error).__name__


def _seconds(value: Any) -> float | None:
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        return None
