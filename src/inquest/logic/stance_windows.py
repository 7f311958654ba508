"""What a model is given to read of a passage: all of it where it is short, else the stretches that bear most on it."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.logic.meaning import Meaning
from inquest.logic.passages import best_passages
from inquest.logic.text import Span

__all__ = ["best_meaning", "windows"]

_WHOLE = 900
"""Characters that a model of 192 tokens reads with a claim beside them."""
_STRETCH = 700
_STRETCHES = 3


def windows(claim: str, passage: str) -> tuple[Span, ...]:
    """The stretches to read, at least one of a passage that has text, best first."""
    if not passage.strip():
        return ()
    if len(passage) <= _WHOLE:
        return (Span(0, len(passage)),)
    found = best_passages(claim, passage, limit=_STRETCHES, size=_STRETCH)
    return tuple(span for span, _ in found) or (Span(0, _WHOLE),)


def best_meaning(meanings: Sequence[Meaning]) -> tuple[Meaning, int]:
    """The meaning of the stretch that says most about the claim, and its place. `meanings` has at least one."""
    place = min(range(len(meanings)), key=lambda number: (meanings[number].neutral, number))
    return meanings[place], place
