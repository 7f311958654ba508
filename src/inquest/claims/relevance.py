"""How much of a subject a text has: names and carrying words of the brief, weighed and found again by their stems."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest

from inquest.claims.brief_reading import READ_AT_MOST, key_terms, subject_of
from inquest.text.moments import moments
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences, stem

_NAME, _FIRST_NAME, _TERM = 2.0, 3.0, 1.0
_WORDS = 24
_READ = 2_000_000
"""Characters of a document that are read sentence by sentence: some 600 pages."""
_UNNAMED, _NOT_THE_FIRST = 0.12, 0.7
"""What is left of the relevance of a document that has none of the subject's names; has some, not the first."""
_MEASURES = regex(r"CO[2₂](?:e|eq)?|CH4|N2O|NO[x2]|SO[x2]|O3|PM[\d.]+|GHGs?|VOCs?|PFAS|PFOA|GDP|ESG", re.I)
"""Substances and measures that any text of the field has: written like names, and nobody's name."""
_TOGETHER = 5.0
"""The weight of the subject in a sentence that is all about it."""


@dataclass(frozen=True)
class TopicTerms:
    """What a topic and a brief are about: stems with their weights."""

    weights: dict[str, float]
    names: frozenset[str]
    """The stems of its names."""
    subject: frozenset[str]
    """The stems of the first of them."""

    def share(self, text: str) -> float:
        """Which part of the subject appears in the text, 0 to 1."""
        return self._share(frozenset(content_words(text)))

    def of_sentence(self, sentence: str) -> float:
        """How near a single sentence is to the subject, 0 to 1. Names count only where words of it stand by."""
        return self.of_bag(frozenset(content_words(sentence)))

    def of_bag(self, bag: frozenset[str]) -> float:
        """As `of_sentence`, of the stems of a sentence."""
        if len(self.weights) < 4:
            return min(1.0, 1.5 * self._share(bag))
        return min(1.0, self._together(bag) / _TOGETHER)

    def of_document(self, title: str, text: str) -> float:
        """How much a document has to do with the subject, 0 to 1.

        Names alone do not make it so, nor words alone: what counts is how much of the subject is in it, and whether
        it appears together, in sentences. A document that has none of the names has little to do with it.
        """
        bag = frozenset(content_words(title)) | frozenset(content_words(text))
        covered = self._share(bag)
        if len(self.weights) < 4:
            return min(1.0, covered)
        best = nlargest(3, (self._together(stems_in) for _, stems_in in sentence_bags(text)))
        together = min(1.0, sum(best) / 3 / _TOGETHER)
        factor = 1.0
        if self.names and not self.names & bag:
            factor = _UNNAMED
        elif self.subject and not self.subject & bag:
            factor = _NOT_THE_FIRST
        return min(1.0, (0.35 * covered + 0.65 * together) * factor * 1.15)

    def named_in(self, text: str) -> float:
        """Which part of the subject's names appears in the text, 0 to 1."""
        return len(self.names & set(content_words(text))) / len(self.names) if self.names else 0.0

    def _share(self, bag: frozenset[str]) -> float:
        total = sum(self.weights.values())
        return sum(self.weights[each] for each in self.weights.keys() & bag) / total if total else 0.0

    def _together(self, bag: frozenset[str]) -> float:
        """How much of the subject's own words, beyond its names, a sentence has; names count where words stand by."""
        there = self.weights.keys() & bag
        words = sum(self.weights[each] for each in there if each not in self.names)
        named = sum(self.weights[each] for each in there if each in self.names)
        return words + min(words, named)


@lru_cache(maxsize=4)
def sentence_bags(text: str) -> tuple[tuple[Span, frozenset[str]], ...]:
    """The sentences of a text, each with its stems: cut once for all that is asked of a document."""
    return tuple((span, frozenset(content_words(span.of(text)))) for span in sentences(text[:_READ]))


def topic_terms(topic: str, brief: str = "") -> TopicTerms:
    """What topic and brief are about, the topic counting more."""
    about = f"{topic}. {brief[:READ_AT_MOST]}" if brief and brief != topic else topic
    named = tuple(name for name in subject_of(about) if not _MEASURES.fullmatch(name))
    weights: dict[str, float] = {}
    names: set[str] = set()
    subject: set[str] = set()
    for order, name in enumerate(named[:8]):
        for word in re.findall(r"\w+", name):
            for key in content_words(word):
                weights.setdefault(key, _NAME if order else _FIRST_NAME)
                names.add(key)
                if order == 0:
                    subject.add(key)
    for order, term in enumerate(key_terms(about, named, limit=_WORDS)):
        weights.setdefault(stem(term), _TERM if order < 10 else _TERM / 2)
    for moment in moments(about):
        # 'Targets for 2030': the year is a part of what is asked.
        weights.setdefault(moment.iso[:4], _TERM)
    return TopicTerms(weights, frozenset(names), frozenset(subject))
