"""What a service says when it says no in words: the typed error that its message stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.kit.exchange import Reply
from inquest.kit.fields import as_text, dig
from inquest.text.regex import regex
from inquest.text.sentences import shorten

if TYPE_CHECKING:
    from inquest.kit.service import Service

# The first that matches decides. A quota message often names the key too, so that quotas come first.
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
"""Statuses that services use for a key, a quota and a query alike, so that only their words tell which."""


def explained(engine: Service, reply: Reply, *places: tuple[str | int, ...]) -> None:
    """Raise the error that the words of a 4xx stand for, where its body is JSON and has words at one of the places. For
    an engine's `check`, before that of its base: what says nothing here is for the status alone to tell."""
    if reply.status not in _EXPLAINED:
        return
    try:
        data = reply.json()
    except (ValueError, RecursionError):
        return
    said = ": ".join(words for place in places if (words := as_text(dig(data, *place))))
    error = refusal(engine, said)
    if said and not (reply.status == 403 and isinstance(error, EngineFormat)):
        raise error


def refusal(engine: Service, message: object) -> EngineError:
    """The error that a service's own message stands for: key, quota, out of order, or else not as documented. The
    message is the service's, so it is shortened and only quoted; a key in it is struck out."""
    words = as_text(message) or "no reason given"
    said = words.replace(engine.access.key, "***") if engine.access.key else words
    said = shorten(said, 200).rstrip(".…")
    title, name = engine.spec.title, engine.name
    if _QUOTA.search(words):
        return EngineQuota(name, f"{title} says its quota or rate is used up: {said}.")
    if _KEY.search(words):
        where = f"Check {engine.spec.key}." if engine.spec.key else "It may be blocking this address."
        return EngineKeyRefused(name, f"{title} refused the request: {said}.", advice=where)
    if _DOWN.search(words):
        return EngineUnavailable(name, f"{title} could not answer: {said}.")
    return EngineFormat(name, f"{title} did not accept the request: {said}.")
