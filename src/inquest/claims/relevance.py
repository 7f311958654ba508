"""Relevance of texts to a subject, by the weighted stems of its names and key terms."""

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
"""Characters of a document that are split into sentences: some 600 pages."""
_UNNAMED, _NOT_THE_FIRST = 0.12, 0.7
"""Factors for a document with none of the subject's names, or without the first of them."""
_MEASURES = regex(r"CO[2₂](?:e|eq)?|CH4|N2O|NO[x2]|SO[x2]|O3|PM[\d.]+|GHGs?|VOCs?|PFAS|PFOA|GDP|ESG", re.I)
"""Substances and measures that are written like names, but name no entity."""
_TOGETHER = 5.0
"""Weight from which a sentence counts as fully about the subject."""


@dataclass(frozen=True)
class TopicTerms:
    """Stems of a topic and a brief with their weights."""

    weights: dict[str, float]
    names: frozenset[str]
    """Stems of all names."""
    subject: frozenset[str]
    """Stems of the first name."""

    def share(self, text: str) -> float:
        """Return the share of the subject's weight that appears in the text, 0 to 1."""
        return self._share(frozenset(content_words(text)))

    def of_sentence(self, sentence: str) -> float:
        """Return the relevance of a sentence, 0 to 1. Names count only together with other words of the subject."""
        return self.of_bag(frozenset(content_words(sentence)))

    def of_bag(self, bag: frozenset[str]) -> float:
        """Return the relevance of a sentence given as stems."""
        if len(self.weights) < 4:
            return min(1.0, 1.5 * self._share(bag))
        return min(1.0, self._together(bag) / _TOGETHER)

    def of_document(self, title: str, text: str) -> float:
        """Return the relevance of a document, 0 to 1.

        Counts how much of the subject appears, and whether names and words occur together in sentences. Lowered for a
        document without any of the names.
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
        """Return the share of the stems of names that appear in the text, 0 to 1."""
        return len(self.names & set(content_words(text))) / len(self.names) if self.names else 0.0

    def _share(self, bag: frozenset[str]) -> float:
        total = sum(self.weights.values())
        return sum(self.weights[each] for each in self.weights.keys() & bag) / total if total else 0.0

    def _together(self, bag: frozenset[str]) -> float:
        """Return the weight of the subject's words in a sentence; its names count at most as much as the words."""
        present = self.weights.keys() & bag
        words = sum(self.weights[each] for each in present - self.names)
        return words + min(words, sum(self.weights[each] for each in present & self.names))


@lru_cache(maxsize=4)
def sentence_bags(text: str) -> tuple[tuple[Span, frozenset[str]], ...]:
    """Return the sentences of a text with their stems, cached because several scores of a document need them."""
    return tuple((span, frozenset(content_words(span.of(text)))) for span in sentences(text[:_READ]))


def topic_terms(topic: str, brief: str = "") -> TopicTerms:
    """Weigh the names, key terms and years of a topic and its brief."""
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
        # 'Targets for 2030': the year is part of the subject.
        weights.setdefault(moment.iso[:4], _TERM)
    return TopicTerms(weights, frozenset(names), frozenset(subject))
