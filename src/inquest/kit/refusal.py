"""Typed errors by the words of a service's refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.kit.exchange import Reply
from inquest.kit.fields import dig, texts
from inquest.text.regex import regex
from inquest.text.sentences import shorten

if TYPE_CHECKING:
    from inquest.kit.service import Service

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


def explained(engine: Service, reply: Reply, *places: tuple[str | int, ...]) -> None:
    """Raise the error for the words of a 4xx, if its body is JSON with words at one of the places. For use in an
    engine's `check`; otherwise the status alone decides."""
    if reply.status not in _EXPLAINED:
        return
    try:
        data = reply.json()
    except (ValueError, RecursionError):
        return
    messages = texts(dig(data, *place) for place in places)
    error = refusal(engine, *messages)
    if messages and not (reply.status == 403 and isinstance(error, EngineFormat)):
        raise error


def refusal(engine: Service, *messages: object) -> EngineError:
    """Return the error for a service's message: key, quota, unavailable, or else format. The messages are quoted,
    shortened and without the key."""
    words = ": ".join(texts(messages)) or "no reason given"
    quoted = words.replace(engine.access.key, "***") if engine.access.key else words
    quoted = shorten(quoted, 200).rstrip(".…")
    title, name = engine.spec.title, engine.name
    if _QUOTA.search(words):
        return EngineQuota(name, f"{title} says its quota or rate is used up: {quoted}.")
    if _KEY.search(words):
        where = f"Check {engine.spec.key}." if engine.spec.key else "It may be blocking this address."
        return EngineKeyRefused(name, f"{title} refused the request: {quoted}.", advice=where)
    if _DOWN.search(words):
        return EngineUnavailable(name, f"{title} could not answer: {quoted}.")
    return EngineFormat(name, f"{title} did not accept the request: {quoted}.")
