"""How well short texts fit a query, by their words alone: what is rare among the candidates counts more, a word said
again counts less each time, and words that stand together in the query and in the text count once more.

The form of the weights is BM25's (Robertson and Zaragoza, 2009), with rarity taken over the candidates themselves and
the sum divided by what a text could reach at most, so that scores lie between 0 and 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from inquest.text.sentences import content_words

_SATURATION = 1.2
_LENGTH = 0.4
"""How much longer texts are held to their length; snippets are cut, so that length says little of them."""
_PAIR = 0.5
"""What two neighbouring words count together, in shares of what they count alone."""
_MOST_TERMS = 64
"""Of a long brief, its first words; they name the matter."""
_MOST_TEXT = 20_000
"""Characters of a candidate that are looked at."""


def local_relevance(query: str, texts: Sequence[str]) -> list[float]:
    """One score from 0 to 1 for each text, in their order: the share of the query's weight that appears in it.

    Words of the query that no candidate has are left out, for they tell none from another. A query without a word that
    carries meaning fits everything: 1.0 each.
    """
    asked = content_words(query[:_MOST_TEXT])[:_MOST_TERMS]
    if not asked:
        return [1.0] * len(texts)
    bags = [_bag(text) for text in texts]
    wanted = dict.fromkeys([*asked, *_pairs(asked)])
    spread = {term: sum(term in bag for bag, _ in bags) for term in wanted}
    weights = {term: _rarity(found, len(texts)) * _worth(term) for term, found in spread.items() if found}
    # Pairs add to a text that has them; one without a pair may still say all that was asked.
    whole = math.fsum(weight for term, weight in weights.items() if " " not in term)
    usual = sum(size for _, size in bags) / len(bags) if bags else 0.0
    return [_fit(bag, size, usual, weights, whole) for bag, size in bags]


def _bag(text: str) -> tuple[Counter[str], int]:
    words = content_words(text[:_MOST_TEXT])
    return Counter([*words, *_pairs(words)]), len(words)


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]


def _rarity(found: int, among: int) -> float:
    return math.log(1 + (among + 1) / (found + 0.5))


def _worth(term: str) -> float:
    return _PAIR if " " in term else 1.0


def _fit(bag: Counter[str], size: int, usual: float, weights: dict[str, float], whole: float) -> float:
    if not whole:
        return 0.0
    held_back = _SATURATION * (1 - _LENGTH + _LENGTH * (size / usual if usual else 1.0))
    reached = math.fsum(
        weight * min(1.0, bag[term] * (_SATURATION + 1) / (bag[term] + held_back))
        for term, weight in weights.items()
        if term in bag
    )
    return min(1.0, reached / (whole * (1 + _PAIR / 2)))
