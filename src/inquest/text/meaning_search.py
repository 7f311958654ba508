"""Searching by meaning beside words: what of a text is turned into vectors, how alike two vectors are, and how the two
ways of finding are made one order. Pure, and for few vectors; those of a collection: `collection.likeness`.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import NamedTuple

from inquest.text.sentences import sentences

WINDOW = 1000
"""Characters of one window: with a title about what small encoders read (256 word pieces); the rest would be lost."""
MOST_WINDOWS = 8
"""Windows of one document. A book is found by its beginning, and by words wherever they stand in it."""
LEAST_LIKENESS = 0.3
"""Of a question and a document that shares no word with it: below it, texts have nothing to do with each other."""
_WORDS_SHARE = 0.5
# Neither way is trusted more than the other: alone they find about equally well.


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
    """The cosine of the angle between two vectors (little-endian 32-bit floats), -1 to 1; 0 where one is empty or zero.

    Rounded, so that the last bits of another processor's arithmetic decide nothing. Raises ValueError for vectors of
    different sizes.
    """
    left, right = _numbers(one), _numbers(other)
    if len(left) != len(right):
        raise ValueError("vectors of different encoders cannot be compared")
    lengths = sqrt(sum(map(mul, left, left))) * sqrt(sum(map(mul, right, right)))
    return round(sum(map(mul, left, right)) / lengths, 4) if lengths else 0.0


def fused(words: Sequence[float], meanings: Sequence[float | None]) -> list[float]:
    """One score for each text, 0 to 1, of its score by words (BM25; 0: shares none) and its likeness in meaning.

    Both are taken relative to the best one there is for this question, and count alike. A text without a vector (None)
    is judged by words alone, so that it loses no place for what has not been looked at.
    """
    best_words = max(words, default=0.0)
    best_meaning = max((one for one in meanings if one is not None), default=0.0)
    scores = []
    for by_words, by_meaning in zip(words, meanings, strict=True):
        first = by_words / best_words if best_words > 0 else 0.0
        if by_meaning is None:
            scores.append(first)
            continue
        second = max(0.0, by_meaning) / best_meaning if best_meaning > 0 else 0.0
        scores.append(_WORDS_SHARE * first + (1 - _WORDS_SHARE) * second)
    return scores


def _window(title: str, text: str, start: int, end: int) -> Window:
    return Window(start, f"{title}\n{text[start:end]}".strip())


def _numbers(vector: bytes) -> array[float]:
    numbers = array("f")
    numbers.frombytes(vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
