"""Find texts that are copies of one another, or parts of one another, among many thousands.

Texts are compared by their shingles (Broder 1997). An index of sampled shingles proposes pairs, so that not all texts
are compared with all; each proposed pair is then compared exactly. Pairs that are one form with other figures and
names, or share only a quotation, are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple
from zlib import crc32

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
_SMALLEST = 8
"""Shingles of each text that are always indexed, those of the smallest hashes: copies have most of them in common."""
_SHORT_LIST = 24


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

    The pairs are in order of their places. Empty texts are not copies of anything. For a text with more than 24 copies
    not all pairs are returned, but enough to connect all copies; time grows with their number and not its square.
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
    # All runs of a case are indexed, and fewer of a large collection.
    every = 1 if len(texts) <= 1_000 else 4 if len(texts) <= 10_000 else 8
    sampled: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    for place, text in enumerate(texts):
        tokens = shingles(text)
        if len(tokens) > 1 or (tokens and tokens[0].count(" ") >= _SHORTEST - 1):
            hashes = sorted({crc32(token.encode("utf-8", "replace")) for token in tokens})
            kept = {*hashes[:_SMALLEST], *(value for value in hashes if value % every == 0)}
            sizes[place] = len(kept)
            for value in kept:
                sampled[value].append(place)
    return _sharing(sampled.values(), sizes)


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
