"""What the sources of a case have in common: a sentence about what many of them write about is at its centre, one about
what nobody else mentions is beside it, whatever words of the brief it happens to share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from math import sqrt

_TELLING = 6
"""How many of a sentence's words are looked at: the most common ones."""
_FEW = 4
"""With fewer publishers nothing can be said of what is common."""


class CommonGround:
    """Built from the words of every source or publisher: pairs of its name and a bag of stems."""

    def __init__(self, texts: Iterable[tuple[str, Set[str]]]) -> None:
        by_publisher: dict[str, set[str]] = {}
        for publisher, bag in texts:
            by_publisher.setdefault(publisher, set()).update(bag)
        self._publishers = len(by_publisher)
        self._counts = Counter(word for bag in by_publisher.values() for word in bag)

    def centrality(self, bag: Set[str]) -> float:
        """How much of the bag is common ground, 0 to 1; 0.5 where there are too few publishers to tell."""
        if self._publishers < _FEW or not bag:
            return 0.5
        shares = sorted(((self._counts[word] - 1) / (self._publishers - 1) for word in bag), reverse=True)[:_TELLING]
        return sqrt(max(0.0, sum(shares) / _TELLING))
