"""Traces for operators: what a case did when, and how long each stage and outside call took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Attribute = str | int | float | bool


class TraceSpan(Protocol):
    """One timed piece of work."""

    def note(self, **attributes: Attribute) -> None:
        """Add what became known while it ran; `_` in a name stands for `.`-separated words, as in `http.status`."""
        ...


class Tracer(Protocol):
    """Where spans of one case go."""

    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> AbstractContextManager[TraceSpan]:
        """A span that is open within the `with`; an error that leaves it is noted by its type, never by its words.
        `outside`: somebody else is asked. No attribute holds an address with its query, a key, or what a page says."""
        ...


class _NoSpan:
    def note(self, **attributes: Attribute) -> None:
        pass


class _NoTraces:
    @contextmanager
    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> Iterator[TraceSpan]:
        yield _NO_SPAN


_NO_SPAN = _NoSpan()
NO_TRACES: Tracer = _NoTraces()
"""Where nobody wants any."""
