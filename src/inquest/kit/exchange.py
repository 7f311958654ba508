"""One exchange with a service, without I/O: request, reply, and the common part of all services."""

from __future__ import annotations

import json
import re
from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, TypeVar

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.reasons import Catalogue, Reason
from inquest.domain.value import Value
from inquest.kit.fields import dig, texts
from inquest.text.regex import regex
from inquest.text.sentences import shorten


class Purpose(StrEnum):
    """The purpose of a request, which decides on limits, retries and robots.txt."""

    ENGINE = "engine"
    PAGE = "page"
    MODEL = "model"
    FILE = "file"
    """A model file from a public hub, saved to disk and never recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request, built by engines and sent by the HTTP client (`net`) only. Schemes: http and https;
    `collection://NAME/search?q=...` (the user's own documents) and `registry://NAME/rows?q=...` (a register's table)
    never leave the machine."""

    url: str
    """With its query string."""
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    secrets: tuple[str, ...] = ()
    """Values (keys) that must never be stored, shown or logged; the client replaces them in everything it keeps."""
    service: str = ""
    """The engine whose service is asked, if it is not the engine that asks; it is named if the service fails."""
    usd: float = 0.0
    """The maximum price of the call in US dollars; not part of the fingerprint."""
    reply_secrets: tuple[str, ...] = ()
    """Names of JSON fields of the reply that hold secrets (`access_token`). They are returned and never stored, so that
    such a request is sent live each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply of any status. The body is after transfer and content decoding."""

    url: str
    """After redirects."""
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case."""
    body: bytes
    at: datetime
    """When it was received; on replay, when it was recorded."""
    recorded: bool = False
    """True if it was served from a recording, at no cost."""

    def header(self, name: str) -> str | None:
        """Return the first header of that name (any case), or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def content_type(self) -> str:
        return self.header("content-type") or ""

    def text(self) -> str:
        """Return the body as text in the declared encoding or UTF-8, with undecodable bytes replaced."""
        charset = "utf-8"
        for part in self.content_type.split(";")[1:]:
            key, _, value = part.strip().partition("=")
            if key.lower() == "charset" and value:
                charset = value.strip("\"' ")
        try:
            return self.body.decode(charset, errors="replace")
        except (LookupError, ValueError):
            # The charset is unknown or not one of text ('idna', 'undefined').
            return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Return the body as JSON. Raises ValueError, which becomes EngineFormat."""
        return json.loads(self.body)


T = TypeVar("T")
_reason = Catalogue("outages")

_DAY = regex(
    r"(?:exceed\w*|reach\w*|used up|exhaust\w*|over|hit)\b[^.]{0,40}\b(?:daily|per day|for today|(?:a|the) day)\b"
    r"|\b(?:daily|per[- ]day)\b[^.]{0,40}\b(?:exceed\w*|reach\w*|used up|exhaust\w*)|\blimit reach\b(?! ?ed)",
    re.IGNORECASE,
)
_LONGEST_REFUSAL = 2_000
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""Exceptions of reading a malformed body; endless nesting is a RecursionError."""


# The first match decides. Quotas come first, as a message on a quota often mentions the key.
_QUOTA = regex(
    r"quota|rate.?limit|limit requests|too many|run out|ran out|exceed|exhaust|usage limit|credits?\b|insufficient"
    r"|budget|limit reach|throttl|slow down|unusual traffic|plan'?s? .*limit|maxlag",
    re.IGNORECASE,
)
_KEY = regex(
    r"api.?key|subscription.?token|unauthori[sz]ed|forbidden|authenticat|invalid.{0,20}(?:key|token)|access denied"
    r"|account .*(?:disabled|deactivated|suspended|not (?:found|active))|legacy endpoint|premium"
    r"|(?:current|your) (?:subscription|plan)",
    re.IGNORECASE,
)
_DOWN = regex(
    r"time.?d? ?out|unavailable|temporar|try again|internal (?:server )?error|overload|maintenance|out of order"
    r"|bad gateway|read-?only|could not be processed|backend",
    re.IGNORECASE,
)
_EXPLAINED = (400, 403, 404, 409, 422, 426)
"""Statuses that services use for invalid keys, quotas and queries alike."""


class ServiceSpec(Value):
    """The static description of a service."""

    name: str
    title: str
    key: str | None = None
    """The environment variable of the key, as its own clients name it; None: keyless."""
    homepage: str = ""
    documentation: str = ""
    usd_per_call: float = 0.0


class ServiceAccess(Value):
    """The settings of a service."""

    key: str | None = None


class Service(ABC):
    """One service. `spec` comes first in the class; an instance holds its key."""

    spec: ClassVar[ServiceSpec]
    access: ServiceAccess
    where_it_changed: ClassVar[str]
    """The advice if its format has changed, as the end of a sentence."""
    refused_in: ClassVar[tuple[tuple[str | int, ...], ...]] = ()
    """Paths to the words on an invalid key, quota or query in the JSON of a refusal (400, 403, 422, ...); without such
    words the status alone decides."""

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
            words = str(error).strip().splitlines()
            shown = f"{type(error).__name__}: {words[0][:120]}" if words else type(error).__name__
            raise EngineFormat(
                self.name,
                f"{self.spec.title} did not reply in its documented format ({shown}).",
                advice=f"If this continues, its format has changed: {self.where_it_changed}",
            ) from error

    def check(self, reply: Reply) -> None:
        """Raise the typed error for a status; services extend it for errors inside a 200."""
        if self.refused_in and reply.status in _EXPLAINED:
            try:
                messages = texts(dig(reply.json(), *place) for place in self.refused_in)
            except (ValueError, RecursionError):
                messages = []
            error = self.refusal(*messages)
            if messages and not (reply.status == 403 and isinstance(error, EngineFormat)):
                raise error
        check_status(self.name, self.spec.title, self.spec.key, reply)

    def rows_in(self, reply: Reply, *names: str) -> Any:
        """Return the JSON of a reply, for services that answer errors with a sentence or an object with one of these
        names. Raises the `refusal`."""
        text = reply.text().strip()
        if text and text[0] not in "{[<":
            raise self.refusal(text)
        data = reply.json()
        if isinstance(data, dict) and (error := next((data[name] for name in names if data.get(name)), None)):
            raise self.refusal(error)
        return data

    def refusal(self, *messages: object) -> EngineError:
        """Return the error for the service's message: key, quota, unavailable, or else format. The messages are quoted,
        shortened and without the key."""
        words = ": ".join(texts(messages)) or "no reason given"
        quoted = words.replace(self.access.key, "***") if self.access.key else words
        quoted = shorten(quoted, 200).rstrip(".…")
        title, name = self.spec.title, self.name
        if _QUOTA.search(words):
            return EngineQuota(name, f"{title} says its quota or rate limit is used up: {quoted}.")
        if _KEY.search(words):
            return EngineKeyRefused(name, f"{title} refused the request: {quoted}.", advice=_advice(self.spec.key))
        if _DOWN.search(words):
            return EngineUnavailable(name, f"{title} could not answer: {quoted}.")
        return EngineFormat(name, f"{title} did not accept the request: {quoted}.")


def check_status(name: str, title: str, key: str | None, reply: Reply) -> None:
    """Raise the typed error for a status outside 2xx. `key`: the setting of the service's key."""
    status = reply.status
    if 200 <= status < 300:
        return
    said = partial(_reason, name=title, number=status)
    if status in (401, 403):
        raise EngineKeyRefused(name, said("refused"), advice=_advice(key))
    if status in (402, 429):
        what = said("day_used_up" if day_is_used_up(reply.text()) else "used_up")
        wait: float | None
        try:
            wait = max(0.0, float(reply.header("retry-after") or ""))
        except ValueError:
            wait = None
        raise EngineQuota(name, what, retry_after=wait)
    if status >= 500:
        raise EngineUnavailable(name, said("out_of_order"))
    raise EngineFormat(name, said("not_accepted"))


def _advice(key: str | None) -> Reason:
    return _reason("check_key", key=key) if key else _reason("address_blocked")


def day_is_used_up(message: str) -> bool:
    """Return True if a refusal is about the calls of a day, not of a second or minute, so that a retry today would
    fail."""
    return bool(_DAY.search(message[:_LONGEST_REFUSAL]))
