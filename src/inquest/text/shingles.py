"""Texts as sets of shingles, overlapping runs of four words (Broder 1997), and how far two such sets overlap."""

from __future__ import annotations

from inquest.text.regex import regex
from inquest.text.sentences import fold

__all__ = ["overlap", "runs", "shingles"]

_SIZE = 4
# Scripts without spaces between words are taken character by character.
_WORD = regex(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")


def shingles(text: str) -> list[str]:
    """The runs of four words of a text, in order; a text of fewer words is one run."""
    words = _WORD.findall(text.casefold() if text.isascii() else fold(text))
    if len(words) <= _SIZE:
        return [" ".join(words)] if words else []
    return [" ".join(words[place : place + _SIZE]) for place in range(len(words) - _SIZE + 1)]


def runs(text: str) -> frozenset[str]:
    """The same as a set."""
    return frozenset(shingles(text))


def overlap(first: frozenset[str], second: frozenset[str]) -> tuple[float, float]:
    """How alike two sets are (Jaccard), and how much of the smaller appears in the larger: 0 to 1 each."""
    shared = len(first & second)
    if not shared:
        return 0.0, 0.0
    return shared / (len(first) + len(second) - shared), shared / min(len(first), len(second))
