"""Finds texts that are copies of one another, or parts of one another, among many thousands.

Texts are compared as sets of overlapping runs of four words. Two indexes propose pairs, so that not every text has to
be compared with every other: MinHash with locality-sensitive hashing (Broder 1997; the library rensa) finds texts that
are alike as a whole, an index of sampled runs finds a short text that stands in a long one. Every pair that is
proposed is then compared exactly.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from inquest.logic.text import fold

__all__ = ["COPY", "PART", "Overlap", "copies", "overlap", "runs"]

COPY = 0.5
"""Texts that share this much of all their runs (Jaccard) are copies: what differs is a head, a tail or an edit."""

PART = 0.5
"""A text of which this much stands in another is a shortened copy of it."""

_RUN = 4
_FEWEST = 30
"""Runs a text must share to be called a part: fewer may be a stock phrase, a name or a quotation."""

_PERMUTATIONS, _BANDS = 128, 32
"""Bands of 4: of pairs that are alike by 0.5, 87 % are proposed by this index alone; by 0.8, all but a few in 10^8."""

_SEED = 20
_CHUNK = 1_000
_SHORT_LIST, _LONG_LIST = 24, 200

# Scripts without spaces between words are taken character by character.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")


class Overlap(NamedTuple):
    """How much of two texts, named by their places in the sequence, is the same."""

    first: int
    second: int
    alike: float
    """Shared runs over all runs of both."""
    contained: float
    """Shared runs over those of the shorter text."""


def runs(text: str) -> frozenset[str]:
    """The runs of four words of a text; a text of fewer words is one run."""
    return frozenset(_runs(text))


def _runs(text: str) -> list[str]:
    words = _WORD.findall(text.casefold() if text.isascii() else fold(text))
    if len(words) <= _RUN:
        return [" ".join(words)] if words else []
    return [" ".join(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)]


def overlap(first: frozenset[str], second: frozenset[str]) -> tuple[float, float]:
    """How alike two sets of runs are, and how much of the smaller stands in the larger: 0 to 1 each."""
    shared = len(first & second)
    if not shared:
        return 0.0, 0.0
    return shared / (len(first) + len(second) - shared), shared / min(len(first), len(second))


def copies(texts: Sequence[str], *, parts: bool = True) -> list[Overlap]:
    """The pairs that are copies and, unless `parts` is false, those of which one is a part of the other.

    In order of their places. Empty texts are copies of nothing. Of a text in more than 200 copies not every pair is
    given, but the pairs that are given hold all copies together, and time grows with their number and not its square.
    """
    known: dict[int, frozenset[str]] = {}

    def of(place: int) -> frozenset[str]:
        if place not in known:
            known[place] = runs(texts[place])
        return known[place]

    found = []
    for first, second in sorted(_proposed(texts, parts)):
        one, other = of(first), of(second)
        alike, contained = overlap(one, other)
        enough = contained * min(len(one), len(other)) >= _FEWEST
        if alike >= COPY or (parts and contained >= PART and enough):
            found.append(Overlap(first, second, alike, contained))
    return found


def _proposed(texts: Sequence[str], parts: bool) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    every = _sampling(len(texts))
    sampled: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    index = RMinHashLSH(COPY, _PERMUTATIONS, _BANDS)
    sketches: list[tuple[int, RMinHash]] = []
    for chunk in _chunks(texts):
        token_sets = [tokens for _, tokens in chunk]
        made = RMinHash.from_token_sets(token_sets, num_perm=_PERMUTATIONS, seed=_SEED)
        for (place, _), sketch in zip(chunk, made, strict=True):
            index.insert(place, sketch)
            sketches.append((place, sketch))
        if parts:
            for (place, _), hashes in zip(chunk, RMinHash.hash_token_sets(token_sets), strict=True):
                kept = {value for value in hashes if value % every == 0}
                sizes[place] = len(kept)
                for value in kept:
                    sampled[value].append(place)
    pairs: set[tuple[int, int]] = set()
    for place, sketch in sketches:
        earlier = sorted(other for other in index.query(sketch) if other < place)
        # One text in very many copies: the first and the last ones before it stand for all.
        near = earlier if len(earlier) <= _LONG_LIST else [earlier[0], *earlier[-_SHORT_LIST:]]
        pairs.update((other, place) for other in near)
    return pairs | _sharing(sampled.values(), sizes)


def _sharing(lists: Iterable[list[int]], sizes: dict[int, int]) -> set[tuple[int, int]]:
    shared: Counter[tuple[int, int]] = Counter()
    for places in lists:
        if len(places) <= _SHORT_LIST:
            shared.update(combinations(places, 2))
        else:
            # A run in very many texts: neighbours and the first stand for all pairs, so that the work stays linear.
            # The copies among them have most of their runs in common and so are neighbours again and again.
            shared.update(pairwise(places))
            shared.update((places[0], other) for other in places[2:])
    return {pair for pair, count in shared.items() if count >= PART * 0.6 * min(sizes[pair[0]], sizes[pair[1]])}


def _sampling(texts: int) -> int:
    """One run in how many is indexed: all of a case's, fewer of a collection's."""
    return 1 if texts <= 1_000 else 4 if texts <= 10_000 else 8


def _chunks(texts: Sequence[str]) -> Iterator[list[tuple[int, list[str]]]]:
    chunk: list[tuple[int, list[str]]] = []
    for place, text in enumerate(texts):
        tokens = _runs(text)
        if tokens:
            chunk.append((place, tokens))
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
