"""Find texts that are copies of one another, or parts of one another, among many thousands.

Texts are compared by their shingles. Two indexes propose pairs, so that not all texts are compared with all: MinHash
with locality-sensitive hashing (Broder 1997; the library rensa) finds texts that are alike as a whole, and an index of
sampled shingles finds a short text inside a long one. Each proposed pair is then compared exactly. Pairs that are one
form with other figures and names, or share only a quotation, are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice, pairwise
from typing import NamedTuple

from inquest.stories.likeness import details_of, filled_in_again, outside_quotations
from inquest.text.similarity import overlap, runs, shingles

COPY = 0.5
"""Texts that share this much of all their shingles (Jaccard) are copies; they differ by a head, a tail or edits."""
PART = 0.5
"""A text is a shortened copy of another that has this share of its shingles, ..."""
_FEWEST = 30
"""... and at least so many: fewer may be a stock phrase, a name or a quotation."""
_SHORTEST = 4
"""Least words of a copy; 'Breaking news' is written again and again."""
_QUOTED = 0.6
"""Share of the likeness that must remain without the quotations of both texts."""
_PERMUTATIONS, _BANDS = 128, 32
"""Bands of 4: this index alone proposes 87 % of the pairs that are alike by 0.5; by 0.8, all but a few in 10^8."""
_SEED = 20
_CHUNK = 1_000
_SHORT_LIST, _LONG_LIST, _NEIGHBOURS = 24, 100, 4


class Overlap(NamedTuple):
    """Overlap of two texts, given by their places in the sequence."""

    first: int
    second: int
    alike: float
    """Shared shingles over those of both texts together."""
    contained: float
    """Shared shingles over those of the shorter text."""


def copies(texts: Sequence[str]) -> list[Overlap]:
    """Return the pairs that are copies, and those of which one is a part of the other.

    The pairs are in order of their places. Empty texts are copies of nothing. For a text with more than 100 copies not
    all pairs are returned, but enough to connect all copies; time grows with their number and not its square.
    """
    runs_at = cache(lambda place: runs(texts[place]))
    details_at = cache(lambda place: details_of(texts[place]))
    found = []
    for first, second in sorted(_proposed(texts)):
        one, other = runs_at(first), runs_at(second)
        alike, contained = overlap(one, other)
        enough = contained * min(len(one), len(other)) >= _FEWEST
        if not (alike >= COPY or (contained >= PART and enough)):
            continue
        shorter, longer = sorted((first, second), key=lambda place: len(texts[place]))
        if alike < 1 and (
            _only_quote_alike(texts[first], texts[second], contained)
            or filled_in_again(details_at(shorter), details_at(longer))
        ):
            continue
        found.append(Overlap(first, second, alike, contained))
    return found


def _only_quote_alike(first: str, second: str, contained: float) -> bool:
    one, other = outside_quotations(first), outside_quotations(second)
    if len(one) == len(first) and len(other) == len(second):
        return False
    return overlap(runs(one), runs(other))[1] < _QUOTED * contained


def _proposed(texts: Sequence[str]) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    # All runs of a case are indexed, and fewer of a large collection.
    every = 1 if len(texts) <= 1_000 else 4 if len(texts) <= 10_000 else 8
    sampled: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    index = RMinHashLSH(COPY, _PERMUTATIONS, _BANDS)
    pairs: set[tuple[int, int]] = set()
    same: dict[int, list[int]] = defaultdict(list)
    for chunk in _chunks(texts):
        token_sets = [tokens for _, tokens in chunk]
        made = RMinHash.from_token_sets(token_sets, num_perm=_PERMUTATIONS, seed=_SEED)
        hashed = RMinHash.hash_token_sets(token_sets)
        for (place, tokens), sketch, hashes in zip(chunk, made, hashed, strict=True):
            like = same[hash(tuple(tokens))]
            like.append(place)
            if len(like) > _SHORT_LIST:
                pairs.update(((like[0], place), (like[-2], place)))
                continue
            earlier = index.query(sketch)
            if len(earlier) <= _LONG_LIST:
                pairs.update((other, place) for other in earlier)
                index.insert(place, sketch)
            else:
                # Compare with a few only: with all of them, time would grow with the square of their number.
                earlier.sort()
                pairs.update((other, place) for other in (earlier[0], *earlier[-_NEIGHBOURS:]))
            kept = {value for value in hashes if value % every == 0}
            sizes[place] = len(kept)
            for value in kept:
                sampled[value].append(place)
    return pairs | _sharing(sampled.values(), sizes)


def _sharing(lists: Iterable[list[int]], sizes: dict[int, int]) -> set[tuple[int, int]]:
    shared: Counter[tuple[int, int]] = Counter()
    for places in lists:
        if len(places) <= _SHORT_LIST:
            shared.update(combinations(places, 2))
        else:
            # For a run in very many texts, pair only neighbours, and all with the first: the work stays linear, and
            # copies, which share most of their runs, are neighbours again and again.
            shared.update(pairwise(places))
            shared.update((places[0], other) for other in places[2:])
    return {pair for pair, count in shared.items() if count >= PART * 0.6 * min(sizes[pair[0]], sizes[pair[1]])}


def _chunks(texts: Sequence[str]) -> Iterator[list[tuple[int, list[str]]]]:
    tokenised = ((place, shingles(text)) for place, text in enumerate(texts))
    long = (each for each in tokenised if len(each[1]) > 1 or (each[1] and each[1][0].count(" ") >= _SHORTEST - 1))
    while chunk := list(islice(long, _CHUNK)):
        yield chunk
