"""Similarity of texts: shared runs of words (shingles, Broder 1997), and vectors of an encoder combined with BM25
scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from operator import mul
from struct import unpack

from inquest.text.regex import regex
from inquest.text.sentences import fold, sentences

_SIZE = 4
# Scripts without spaces between words are taken character by character.
_WORD = regex(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")
_WINDOW = 1000
"""Characters of a window: with the title about what small encoders read (256 word pieces)."""
MOST_WINDOWS = 8
"""Maximum windows of one document. A book is found by its beginning, and by words anywhere in it."""
LEAST_LIKENESS = 0.3
"""Likeness of a question and a document without shared words; texts below it are unrelated."""


def shingles(text: str) -> list[str]:
    """The runs of four words of a text, in order; a shorter text is one run."""
    words = _WORD.findall(text.casefold() if text.isascii() else fold(text))
    return [" ".join(words[place : place + _SIZE]) for place in range(max(1, len(words) - _SIZE + 1))] if words else []


def runs(text: str) -> frozenset[str]:
    """The shingles of a text as a set."""
    return frozenset(shingles(text))


def overlap(first: frozenset[str], second: frozenset[str]) -> tuple[float, float]:
    """The Jaccard index of two sets, and the share of the smaller set that the larger one contains."""
    shared = len(first & second)
    if not shared:
        return 0.0, 0.0
    return shared / (len(first) + len(second) - shared), shared / min(len(first), len(second))


def windows_to_encode(title: str, text: str) -> list[tuple[int, str]]:
    """Cut the beginning of a document into windows of whole sentences, of about 1,000 characters; at least one.

    A longer sentence is a window of its own and is cut off there. Each window has its offset into the text, and the
    title before its words for context.
    """
    spans: list[tuple[int, int]] = []
    start = end = 0
    for sentence in sentences(text[: _WINDOW * (MOST_WINDOWS + 1)]):
        if end and sentence.end - start > _WINDOW:
            spans.append((start, end))
            start = sentence.start
        elif not end:
            start = sentence.start
        end = sentence.end
    spans.append((start, end))
    return [(one, f"{title}\n{text[one : min(last, one + _WINDOW)]}".strip()) for one, last in spans[:MOST_WINDOWS]]


def likeness_of_all(vector: bytes, others: Sequence[bytes]) -> list[float]:
    """The `likeness` of a vector to each of many, all of length 1, as encoders return them."""
    left = _numbers(vector)
    return [round(sum(map(mul, left, _numbers(other))), 4) for other in others]


def likeness(one: bytes, other: bytes) -> float:
    """The cosine of two vectors (little-endian 32-bit floats), -1 to 1; 0 if one is empty or zero.

    Rounded, so that results are the same on all processors. Raises ValueError for vectors of different sizes.
    """
    left, right = _numbers(one), _numbers(other)
    if len(left) != len(right):
        raise ValueError("vectors of different encoders cannot be compared")
    lengths = hypot(*left) * hypot(*right)
    return round(sum(map(mul, left, right)) / lengths, 4) if lengths else 0.0


def fused(words: Sequence[float], meanings: Sequence[float | None]) -> list[float]:
    """Combine scores by words (BM25; 0 if no word is shared) and likenesses in meaning into one score a text, 0 to 1.

    Both are relative to the best for this question and weigh the same. A text without a vector (None) is scored by
    words alone, so that it is not ranked lower for lack of one.
    """
    best_words = max(words, default=0.0) or 1.0
    best_meaning = max((meaning for meaning in meanings if meaning is not None and meaning > 0), default=1.0)
    by_word = [max(0.0, score) / best_words for score in words]
    return [
        first if meaning is None else (first + max(0.0, meaning) / best_meaning) / 2
        for first, meaning in zip(by_word, meanings, strict=True)
    ]


def _numbers(vector: bytes) -> tuple[float, ...]:
    return unpack(f"<{len(vector) // 4}f", vector)
