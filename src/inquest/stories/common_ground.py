"""What the sources of a case have in common: a sentence about what many of them write about is at its centre, one about
what nobody else mentions is beside it, whatever words of the brief it happens to share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from math import sqrt

_TELLING = 6
"""How many of a sentence's words are looked at: the most common ones."""
_FEW = 4
"""With fewer voices nothing can be said of what is common."""


class CommonGround:
    """Built from the words of every voice (a source, a publisher): pairs of a voice and a bag of stems."""

    def __init__(self, told: Iterable[tuple[str, Set[str]]]) -> None:
        by_voice: dict[str, set[str]] = {}
        for voice, bag in told:
            by_voice.setdefault(voice, set()).update(bag)
        self._voices = len(by_voice)
        self._counts = Counter(word for bag in by_voice.values() for word in bag)

    def centrality(self, bag: Set[str]) -> float:
        """How much of the bag is common ground, 0 to 1; 0.5 where there are too few voices to tell."""
        if self._voices < _FEW or not bag:
            return 0.5
        shares = sorted(((self._counts[word] - 1) / (self._voices - 1) for word in bag), reverse=True)[:_TELLING]
        return sqrt(max(0.0, sum(shares) / _TELLING))
