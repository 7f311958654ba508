"""What a model is given to read of a passage: all of it where it is short, else the stretches that bear most on it."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.text.meaning import Meaning
from inquest.text.passages import best_passages
from inquest.text.quantities import Relation, compare, quantities
from inquest.text.sentences import Span

__all__ = ["best_meaning", "in_the_claims_figures", "to_read", "windows"]

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


def to_read(claim: str, passage: str) -> list[str]:
    """What a model is given of the passage: its stretches, with the figures as the claim writes them."""
    return [in_the_claims_figures(claim, span.of(passage)) for span in windows(claim, passage)]


def in_the_claims_figures(claim: str, text: str) -> str:
    """The text, with figures that are the claim's own in another form written as the claim writes them.

    '500 milligrams' becomes '0.5 grams', '312 %' 'about 300 %': a model reads meaning well and arithmetic badly.
    """
    wanted = quantities(claim)
    if not wanted:
        return text
    written, end = [], 0
    for found in quantities(text):
        same = next((one for one in wanted if compare(one, found).relation is Relation.SAME), None)
        if same is not None and found.span.start >= end:
            written += [text[end : found.span.start], same.text]
            end = found.span.end
    return "".join((*written, text[end:]))


def best_meaning(meanings: Sequence[Meaning]) -> tuple[Meaning, int]:
    """The meaning of the stretch that says most about the claim, and its place. `meanings` has at least one."""
    place = min(range(len(meanings)), key=lambda number: (meanings[number].neutral, number))
    return meanings[place], place
