"""Kinds of event in the news of companies (`events.toml`), grave statements among them, and movements of shares.

A grave statement needs two independent sources or is marked as one source's alone (spec 003).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from inquest.desks.market.words import Form, Table, table
from inquest.domain.market import Critical
from inquest.text.lexicon import pattern
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import fold

BIG_MOVE = 5.0
"""Percent within a day from which a movement is to be confirmed by a second source."""
MOVE = "move"
"""The name of the event that is a share's movement."""
_TO_SHARES = regex(r"\b(?:shares?|stocks?|stock price|share price|market value|market cap\w*|adrs?|adss?)\b")
_CLOSED = regex(r"\bclosed (?:at|up|down)\b|\bone-day (?:loss|gain|drop)\b")
_MOVED = pattern(__name__, "moved")
_CUT = pattern(__name__, "cut")
_DENIED = pattern(__name__, "denied")
_NEAR_BEFORE, _NEAR_AFTER = 40, 30


class EventKind(NamedTuple):
    """A kind of event."""

    name: str
    label: str
    """What it is called in an answer: 'a change of its outlook'."""
    words: Form
    asked: Form | None = None
    """Further words by which a question asks about it."""
    critical: Critical | None = None
    one: bool = False
    """A company has at most one such event in a week."""
    weak: bool = False
    """Its words are common: of a sentence that does not name the company they say little."""


class _Table(Table):
    event: tuple[EventKind, ...]


def events_in(sentence: str) -> tuple[str, ...]:
    """The names of the kinds of event that a sentence speaks of, in the order of the table; a move of shares first."""
    return _events_in(fold(sentence))


@lru_cache(maxsize=4096)
def _events_in(plain: str) -> tuple[str, ...]:
    found = tuple(name for name, each in _events().items() if each.words.search(plain))
    return (MOVE, *found) if is_move(plain) else found


def asked_events(question: str) -> tuple[str, ...]:
    """The kinds of event that a question asks about, by its own words."""
    plain = fold(question)
    return tuple(
        name
        for name, each in _events().items()
        if each.words.search(plain) or (each.asked and each.asked.search(plain))
    )


def event_named(name: str) -> EventKind | None:
    """The kind of event of this name; None for a move of shares, and for one that the table no longer has."""
    return _events().get(name)


def cause_label(name: str) -> str:
    """What a kind of event is called in an answer: 'a change of its outlook'."""
    event = event_named(name)
    return event.label if event else "a move of the share"


def is_denied(sentence: str) -> bool:
    """Whether a sentence says that something did not happen, or that a report of it is false."""
    return bool(_DENIED.search(fold(sentence)))


def is_move(sentence: str) -> bool:
    """Whether a sentence says that shares moved, with or without a percentage."""
    plain = fold(sentence)
    return bool(_CLOSED.search(plain) or (_TO_SHARES.search(plain) and _MOVED.search(plain)))


def critical_in(sentence: str) -> tuple[Critical, ...]:
    """The kinds of grave statement that a sentence makes. One that is denied counts as well: it is as grave."""
    plain = fold(sentence)
    named = [event_named(name) for name in events_in(sentence)]
    found = [each.critical for each in named if each is not None and each.critical is not None]
    if any(each is not None and each.name == "guidance" for each in named) and _CUT.search(plain):
        found.append(Critical.GUIDANCE_CUT)
    if any(abs(each.value) >= BIG_MOVE for each in moves_in(sentence)):
        found.append(Critical.BIG_MOVE)
    return tuple(found)


def moves_in(sentence: str) -> tuple[Quantity, ...]:
    """By how many percent a sentence says that shares moved ('27 percent', 'more than a quarter'); () where it speaks
    of no share or gives no share of its worth."""
    plain = fold(sentence)
    if not is_move(plain):
        return ()
    return tuple(
        each
        for each in quantities(sentence)
        if each.dimension is Dimension.SHARE
        and _MOVED.search(plain[max(0, each.span.start - _NEAR_BEFORE) : each.span.end + _NEAR_AFTER])
    )


@cache
def _events() -> dict[str, EventKind]:
    return {row.name: row for row in table("events", _Table).event}
