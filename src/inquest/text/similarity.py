"""Likeness of texts: passages ranked by the words (BM25), names and numbers of a claim; shared runs of words (shingles,
Broder 1997); and vectors of an encoder combined with BM25 scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot, log
from operator import mul
from struct import unpack
from typing import NamedTuple

from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, fold, sentences, words

# Robertson and Zaragoza, 'The Probabilistic Relevance Framework' (2009): the usual k1 and b.
_K1, _B = 1.2, 0.75
_NAME_WEIGHT = 1.6
_NUMBER_WEIGHT = 1.4


class ScoredSpan(NamedTuple):
    """A passage of a text and its score, 0 for no match. Scores are comparable within one text only."""

    span: Span
    score: float


def best_passages(
    claim: str, text: str, *, limit: int = 5, size: int = 600, within: tuple[Span, ...] = ()
) -> list[ScoredSpan]:
    """Return up to `limit` passages that match a claim best, best first, without overlaps; each shares a word with it.
    Passages are whole sentences of about `size` characters; a sentence longer than twice that (a table read as one
    line) is cut between words. `within`: the parts of the text that are evidence (`text.blocks.evidence_spans`), in
    order, by default the whole text; no passage crosses text between them unless it is blank."""
    units, bags = _bags(text, size, within)
    weights = _weights(claim)
    average = max(1.0, sum(bag.total() for bag in bags) / max(1, len(bags)))
    idf = {
        term: log(1 + (len(bags) - seen + 0.5) / (seen + 0.5))
        for term in weights
        if (seen := sum(term in bag for bag in bags))
    }

    def score(bag: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * bag.total() / average)
        return sum(
            weights[term] * rarity * bag[term] * (_K1 + 1) / (bag[term] + norm)
            for term, rarity in idf.items()
            if term in bag
        )

    joined = [not text[one.end : next_.start].strip() for one, next_ in pairwise(units)]
    return _windows(units, [score(bag) for bag in bags], joined, limit, size)


def terms_met(claim: str, text: str, *, size: int = 600, within: tuple[Span, ...] = ()) -> tuple[str, ...]:
    """The stems of the claim that occur in the text, sorted. With the `size` and `within` of a call of `best_passages`,
    the text is not analysed again."""
    _, bags = _bags(text, size, within)
    return tuple(sorted(term for term in set(content_words(claim)) if any(term in bag for bag in bags)))


@lru_cache(maxsize=64)
def _bags(text: str, size: int, within: tuple[Span, ...]) -> tuple[list[Span], list[Counter[str]]]:
    """The units of a text and their words; cached, since all claims of a case are compared with the same texts."""
    units = _units(text, size, within or (Span(0, len(text)),))
    return units, [Counter(content_words(unit.of(text))) for unit in units]


def _windows(units: list[Span], scores: list[float], joined: list[bool], limit: int, size: int) -> list[ScoredSpan]:
    """Extend each of the best sentences by as many neighbours as fit, the better side first. `joined[n]`: only white
    space separates unit n from the next."""
    taken = [False] * len(units)
    found: list[ScoredSpan] = []

    def neighbours(first: int, last: int) -> Iterator[tuple[float, int]]:
        for side, near in ((last + 1, last), (first - 1, first - 1)):
            if 0 <= side < len(units) and not taken[side] and joined[near]:
                start, end = min(units[first].start, units[side].start), max(units[last].end, units[side].end)
                if end - start <= size:
                    yield scores[side], side

    for index in sorted(range(len(units)), key=lambda i: (-scores[i], i)):
        if scores[index] <= 0 or len(found) == limit:
            break
        if taken[index]:
            continue
        first = last = index
        score = scores[index]
        while options := list(neighbours(first, last)):
            gain, side = max(options)
            score += 0.5 * gain
            first, last = min(first, side), max(last, side)
        taken[first : last + 1] = [True] * (last + 1 - first)
        found.append(ScoredSpan(Span(units[first].start, units[last].end), score))
    return sorted(found, key=lambda item: (-item.score, item.span))


def _units(text: str, size: int, within: tuple[Span, ...]) -> list[Span]:
    units: list[Span] = []
    for part in within:
        for sentence in sentences(part.of(text)):
            start, end = part.start + sentence.start, part.start + sentence.end
            while end - start > 2 * size:
                cut = text.rfind(" ", start + size // 2, start + size)
                cut = start + size if cut <= start else cut
                units.append(Span(start, cut))
                start = cut
                while start < end and text[start].isspace():
                    start += 1
            if start < end:
                units.append(Span(start, end))
    return units


def _weights(claim: str) -> dict[str, float]:
    """The weight of each stem of a claim: numbers and names have more weight."""
    weights: dict[str, float] = {}
    for position, span in enumerate(words(claim)):
        word = span.of(claim)
        has_digit = any(char.isdigit() for char in word)
        weight = _NUMBER_WEIGHT if has_digit else _NAME_WEIGHT if word[0].isupper() and position else 1.0
        for term in content_words(word)[:1]:
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def best_sentence(claim: str, passage: str) -> ScoredSpan:
    """The sentence of a passage that matches a claim best, the first of equals; an empty span for an empty passage."""
    weights = _weights(claim)
    total = sum(weights.values()) or 1.0
    scored = [
        ScoredSpan(span, sum(weights.get(term, 0.0) for term in set(content_words(span.of(passage)))) / total)
        for span in sentences(passage)
    ]
    return max(scored, key=lambda one: (round(one.score, 12), -one.span.start), default=ScoredSpan(Span(0, 0), 0.0))


_SIZE = 4
# Scripts without spaces between words are taken character by character.
_WORD = regex(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")
_WINDOW = 1000  # Characters of a window: with the title about what small encoders read (256 word pieces)
MOST_WINDOWS = 8  # Maximum windows of one document. A book is found by its beginning, and by words anywhere in it.
LEAST_LIKENESS = 0.3  # Likeness of a question and a document without shared words; texts below it are unrelated


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
    """Cut the beginning of a document into windows of whole sentences, of about 1,000 characters; at least one. A
    longer sentence is a window of its own and is cut off there. Each window has its offset into the text, and the title
    before its words for context."""
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
    """The cosine of two vectors (little-endian 32-bit floats), -1 to 1; 0 if one is empty or zero. Rounded, so that
    results are the same on all processors. Raises ValueError for vectors of different sizes."""
    left, right = _numbers(one), _numbers(other)
    if len(left) != len(right):
        raise ValueError("vectors of different encoders cannot be compared")
    lengths = hypot(*left) * hypot(*right)
    return round(sum(map(mul, left, right)) / lengths, 4) if lengths else 0.0


def fused(words: Sequence[float], meanings: Sequence[float | None]) -> list[float]:
    """Combine scores by words (BM25; 0 if no word is shared) and likenesses in meaning into one score a text, 0 to 1.
    Both are relative to the best for this question and weigh the same. A text without a vector (None) is scored by
    words alone, so that it is not ranked lower for lack of one."""
    best_words = max(words, default=0.0) or 1.0
    best_meaning = max((meaning for meaning in meanings if meaning is not None and meaning > 0), default=1.0)
    by_word = [max(0.0, score) / best_words for score in words]
    return [
        first if meaning is None else (first + max(0.0, meaning) / best_meaning) / 2
        for first, meaning in zip(by_word, meanings, strict=True)
    ]


def _numbers(vector: bytes) -> tuple[float, ...]:
    return unpack(f"<{len(vector) // 4}f", vector)
