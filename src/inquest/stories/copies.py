"""Finds texts that are copies of one another, or parts of one another, among many thousands.

Texts are compared by their shingles. Two indexes propose pairs, so that not every text has to be compared with every
other: MinHash with locality-sensitive hashing (Broder 1997; the library rensa) finds texts that are alike as a whole,
an index of sampled shingles finds a short text that is in a long one. Every pair that is proposed is then compared
exactly, and left out where the two are one form with other figures and names in it, or have no more in common than what
both quote.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

from inquest.stories.likeness import details_of, filled_in_again, outside_quotations
from inquest.text.shingles import overlap, runs, shingles

COPY = 0.5
"""Texts that share this much of all their shingles (Jaccard) are copies: what differs is a head, a tail or an edit."""

PART = 0.5
"""A text of which this much appears in another is a shortened copy of it."""

_FEWEST = 30
"""Shingles a text must share to be called a part: fewer may be a stock phrase, a name or a quotation."""

_SHORTEST = 4
"""Words of a text that can be a copy at all: 'Breaking news' is written again and again."""

_QUOTED = 0.6
"""How much of the likeness must be left when quotations are taken out of both texts."""

_PERMUTATIONS, _BANDS = 128, 32
"""Bands of 4: of pairs that are alike by 0.5, 87 % are proposed by this index alone; by 0.8, all but a few in 10^8."""

_SEED = 20
_CHUNK = 1_000
_SHORT_LIST, _LONG_LIST, _NEIGHBOURS = 24, 100, 4


class Overlap(NamedTuple):
    """How much of two texts, named by their places in the sequence, is the same."""

    first: int
    second: int
    alike: float
    """Shared shingles over all of both."""
    contained: float
    """Shared shingles over those of the shorter text."""


def copies(texts: Sequence[str], *, parts: bool = True) -> list[Overlap]:
    """The pairs that are copies and, unless `parts` is false, those of which one is a part of the other.

    In order of their places. Empty texts are copies of nothing. Of a text in more than 100 copies not every pair is
    given, but the pairs that are given hold all copies together, and time grows with their number and not its square.
    """
    of = cache(lambda place: runs(texts[place]))
    details_at = cache(lambda place: details_of(texts[place]))
    found = []
    for first, second in sorted(_proposed(texts, parts)):
        one, other = of(first), of(second)
        alike, contained = overlap(one, other)
        enough = contained * min(len(one), len(other)) >= _FEWEST
        if not (alike >= COPY or (parts and contained >= PART and enough)):
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


def _proposed(texts: Sequence[str], parts: bool) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    every = _sampling(len(texts))
    sampled: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    index = RMinHashLSH(COPY, _PERMUTATIONS, _BANDS)
    pairs: set[tuple[int, int]] = set()
    same: dict[int, list[int]] = defaultdict(list)
    for chunk in _chunks(texts):
        token_sets = [tokens for _, tokens in chunk]
        made = RMinHash.from_token_sets(token_sets, num_perm=_PERMUTATIONS, seed=_SEED)
        hashed = RMinHash.hash_token_sets(token_sets) if parts else [()] * len(chunk)
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
                # A few stand for all: comparing with each would take time that grows with the square of their number.
                earlier.sort()
                pairs.update((other, place) for other in (earlier[0], *earlier[-_NEIGHBOURS:]))
            if parts:
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
        tokens = shingles(text)
        if len(tokens) > 1 or (tokens and tokens[0].count(" ") >= _SHORTEST - 1):
            chunk.append((place, tokens))
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
