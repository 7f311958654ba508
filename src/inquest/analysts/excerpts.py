"""Sentences of a text that are shown in its place: what is measured of each, and how they are put together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from inquest.text.quantities import quantities
from inquest.text.sentences import Span

__all__ = ["has_figure", "joined"]


@lru_cache(maxsize=8_192)
def has_figure(sentence: str) -> bool:
    """Whether it states a quantity. Remembered: the same sentences are held against one claim after another."""
    return bool(quantities(sentence))


def joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """In order, those between which nothing else stands as one."""
    found: list[Span] = []
    for span in sorted(spans):
        if not found or text[found[-1].end : span.start].strip():
            found.append(span)
        else:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
    return found
