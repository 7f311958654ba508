"""Search by meaning beside words: windows to encode, likeness of vectors, and one order of both scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from operator import mul
from struct import unpack
from typing import NamedTuple

from inquest.text.sentences import sentences

WINDOW = 1000
"""Characters of one window: with a title about what small encoders read (256 word pieces); the rest would be lost."""
MOST_WINDOWS = 8
"""Windows of one document. A book is found by its beginning, and by words wherever they stand in it."""
LEAST_LIKENESS = 0.3
"""Of a question and a document that shares no word with it: below it, texts have nothing to do with each other."""


class Window(NamedTuple):
    """A part of a document as it is given to the encoder."""

    start: int
    """Where it begins in the text."""
    text: str
    """With the title before it, which says what it is about."""


def windows_to_encode(title: str, text: str, *, size: int = WINDOW, most: int = MOST_WINDOWS) -> list[Window]:
    """The beginning of a document, whole sentences of about `size` characters at a time; at least one window.

    A sentence longer than `size` is a window of its own, cut off there.
    """
    found: list[Window] = []
    start = end = 0
    for sentence in sentences(text[: size * (most + 1)]):
        if end and sentence.end - start > size:
            found.append(_window(title, text, start, min(end, start + size)))
            start = sentence.start
        elif not end:
            start = sentence.start
        end = sentence.end
        if len(found) == most:
            return found
    return [*found, _window(title, text, start, min(end, start + size))]


def likeness_of_all(one: bytes, others: Sequence[bytes]) -> list[float]:
    """As `likeness`, of one vector with many, where all are of length 1, as encoders give them."""
    left = _numbers(one)
    return [round(sum(map(mul, left, _numbers(other))), 4) for other in others]


def likeness(one: bytes, other: bytes) -> float:
    """The cosine of two vectors (little-endian 32-bit floats), -1 to 1; 0 where one is empty or zero.

    Rounded, so that the last bits of another processor's arithmetic decide nothing. Raises ValueError for vectors of
    different sizes.
    """
    left, right = _numbers(one), _numbers(other)
    if len(left) != len(right):
        raise ValueError("vectors of different encoders cannot be compared")
    lengths = hypot(*left) * hypot(*right)
    return round(sum(map(mul, left, right)) / lengths, 4) if lengths else 0.0


def fused(words: Sequence[float], meanings: Sequence[float | None]) -> list[float]:
    """One score for each text, 0 to 1, of its score by words (BM25; 0: shares none) and its likeness in meaning.

    Both are taken relative to the best one there is for this question, and count alike. A text without a vector (None)
    is judged by words alone, so that it loses no place for what has not been looked at.
    """
    best_words = max(words, default=0.0) or 1.0
    best_meaning = max((one for one in meanings if one is not None and one > 0), default=1.0)
    by_word = [max(0.0, one) / best_words for one in words]
    return [
        first if meaning is None else (first + max(0.0, meaning) / best_meaning) / 2
        for first, meaning in zip(by_word, meanings, strict=True)
    ]


def _window(title: str, text: str, start: int, end: int) -> Window:
    return Window(start, f"{title}\n{text[start:end]}".strip())


def _numbers(vector: bytes) -> tuple[float, ...]:
    return unpack(f"<{len(vector) // 4}f", vector)
