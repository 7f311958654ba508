"""Traces for operators: the times of a case, its stages and its outside calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Attribute = str | int | float | bool


class TraceSpan(Protocol):
    """One timed piece of work."""

    def note(self, **attributes: Attribute) -> None:
        """Add attributes; `_` in a name becomes `.`, as in `http.status`."""


class Tracer(Protocol):
    """The spans of one case."""

    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> AbstractContextManager[TraceSpan]:
        """Open a span within a `with`; an error that leaves it is recorded by its type only. `outside`: a call to a
        service. No attribute holds a full address, a key or the text of a page."""


class _NoSpan:
    def note(self, **attributes: Attribute) -> None:
        pass


class _NoTraces:
    @contextmanager
    def span(self, name: str, *, outside: bool = False, **attributes: Attribute) -> Iterator[TraceSpan]:
        yield _NO_SPAN


_NO_SPAN = _NoSpan()
NO_TRACES: Tracer = _NoTraces()
"""The tracer without traces."""
