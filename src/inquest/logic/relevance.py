"""How much of a matter a text has: names and carrying words of the brief, weighed and found again by their stems."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inquest.logic.brief_reading import READ_AT_MOST, key_terms, subject_of
from inquest.logic.passages import stems
from inquest.logic.text import sentences, stem

__all__ = ["Matter", "matter_of"]

_NAME, _FIRST_NAME, _TERM = 2.0, 3.0, 1.0
_WORDS = 24
_READ = 60_000
_TOGETHER = 5.0
"""The weight of the matter in a sentence that is all about it."""


@dataclass(frozen=True)
class Matter:
    """What a topic and a brief are about: stems with their weights."""

    weights: dict[str, float]
    names: frozenset[str]
    """The stems of its names."""
    subject: frozenset[str]
    """The stems of the first of them."""

    def share(self, text: str) -> float:
        """Which part of the matter stands in the text, 0 to 1."""
        total = sum(self.weights.values())
        return sum(self.weights[each] for each in self.weights.keys() & set(stems(text))) / total if total else 0.0

    def of_sentence(self, sentence: str) -> float:
        """How near a single sentence is to the matter, 0 to 1. Names count only where words of the matter stand by."""
        if len(self.weights) < 4:
            return min(1.0, self.share(sentence) * 1.5)
        return min(1.0, self._together(sentence) / _TOGETHER)

    def of_document(self, title: str, text: str) -> float:
        """How much a document has to do with the matter, 0 to 1.

        Names alone do not make it so, nor words alone: what counts is how much of the matter stands in it, and whether
        it stands together, in sentences. A document that has none of the names has little to do with it.
        """
        bag = set(stems(title)) | set(stems(text))
        total = sum(self.weights.values())
        if not total or not bag:
            return 0.0
        covered = sum(weight for each, weight in self.weights.items() if each in bag) / total
        if len(self.weights) < 4:
            return min(1.0, covered)
        spans = sentences(text[:_READ])
        best = sorted((self._together(span.of(text)) for span in spans), reverse=True)[:3]
        together = min(1.0, sum(best) / 3 / _TOGETHER)
        factor = 1.0 if not self.names or self.names & bag else 0.3
        return min(1.0, (0.35 * covered + 0.65 * together) * factor * 1.15)

    def named_in(self, text: str) -> float:
        """Which part of the matter's names stands in the text, 0 to 1."""
        return len(self.names & set(stems(text))) / len(self.names) if self.names else 0.0

    def _together(self, sentence: str) -> float:
        """How much of the matter's own words, beyond its names, a sentence has; names count where words stand by."""
        bag = set(stems(sentence))
        words = sum(weight for each, weight in self.weights.items() if each in bag and each not in self.names)
        named = sum(weight for each, weight in self.weights.items() if each in bag and each in self.names)
        return words + min(words, named)


def matter_of(topic: str, brief: str = "") -> Matter:
    """What topic and brief are about, the topic counting more."""
    about = f"{topic}. {brief[:READ_AT_MOST]}" if brief and brief != topic else topic
    named = subject_of(about)
    weights: dict[str, float] = {}
    names: set[str] = set()
    subject: set[str] = set()
    for order, name in enumerate(named[:8]):
        for word in re.findall(r"\w+", name):
            for key in stems(word):
                weights.setdefault(key, _NAME if order else _FIRST_NAME)
                names.add(key)
                if order == 0:
                    subject.add(key)
    for order, term in enumerate(key_terms(about, named, limit=_WORDS)):
        weights.setdefault(stem(term), _TERM if order < 10 else _TERM / 2)
    return Matter(weights, frozenset(names), frozenset(subject))
