"""Relevance of texts to a subject, by the weighted stems of its names and key terms; and the key claims of a document,
its checkable statements that are relevant to the brief, in its own words."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from typing import NamedTuple

from inquest.claims.brief_reading import READ_AT_MOST, key_terms, subject_of
from inquest.claims.claim_detection import INSTRUCTING, check_worth, claim_type
from inquest.claims.leaning import WE
from inquest.claims.standalone import (
    depends_on_context,
    in_its_name,
    main_organisation,
    without_attribution,
    without_leader,
)
from inquest.domain.document import Document
from inquest.domain.drafts import KeyClaim
from inquest.text.blocks import evidence_spans
from inquest.text.moments import moments, with_days
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences, stem

_NAME, _FIRST_NAME, _TERM = 2.0, 3.0, 1.0
_WORDS = 24
_READ = 2_000_000  # Characters of a document that are split into sentences: some 600 pages
_UNNAMED, _NOT_THE_FIRST = 0.12, 0.7
"""Factors for a document with none of the subject's names, or without the first of them."""
_MEASURES = regex(r"CO[2₂](?:e|eq)?|CH4|N2O|NO[x2]|SO[x2]|O3|PM[\d.]+|GHGs?|VOCs?|PFAS|PFOA|GDP|ESG", re.I)
"""Substances and measures that are written like names, but name no entity."""
_TOGETHER = 5.0  # Weight from which a sentence counts as fully about the subject


@dataclass(frozen=True)
class TopicTerms:
    """Stems of a topic and a brief with their weights."""

    weights: dict[str, float]
    names: frozenset[str]  # Stems of all names
    subject: frozenset[str]  # Stems of the first name

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
        """Return the relevance of a document, 0 to 1. Counts how much of the subject appears, and whether names and
        words occur together in sentences. Lowered for a document without any of the names."""
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


MAX_CLAIM = 300  # Characters of a claim's text
_MAX_CLAIMS = 3
_OPENING, _NEAREST = 60, 240
"""Sentences of a document that are scored: the first ones, and those most relevant to the subject."""
_LEAST_FURTHER, _LEAST = 0.2, 0.08  # Minimum score of a further claim, and of the best
_ALIKE = 0.5
_LINE = regex(r"[^\s\n][^\n]*[^\s\n]")
_IN_QUOTES = regex(r"[\"“][^\"”]*[\"”]")


class ScoredSentence(NamedTuple):
    """A sentence of a document with its score for the brief and its check-worthiness, 0 to 1 each."""

    span: Span
    quote: str
    score: float
    worth: float
    order: int


def scored_sentences(terms: TopicTerms, document: Document) -> list[ScoredSentence]:
    """Score every sentence that states something, in order. Boilerplate and instructions to machines are left out."""
    text = document.text
    title = set(content_words(document.title))
    scored: list[ScoredSentence] = []
    evidence = evidence_spans(document)
    starts = [each.start for each in evidence]
    # The evidence that begins last before a sentence contains all of it, or it is not evidence.
    held = (
        (evidence[at - 1], span, bag) for span, bag in sentence_bags(text) if (at := bisect_right(starts, span.start))
    )
    cut = [line for part, span, bag in held if span.end <= part.end for line in _lines(text, span, bag)]
    alone = [terms.of_bag(bag) for _, bag in cut]
    # A sentence beside a relevant one is relevant too: 'The laboratory found 780 micrograms per litre.'
    around = [max(alone[max(0, place - 1) : place + 2]) for place in range(len(cut))]
    nearness = [max(own, 0.6 * near) for own, near in zip(alone, around, strict=True)]
    weighed = set(range(min(_OPENING, len(cut))))
    weighed |= set(nlargest(_NEAREST, range(len(cut)), key=lambda place: (nearness[place], alone[place], -place)))
    for place in sorted(weighed):
        span, bag = cut[place]
        quote = span.of(text)
        worth = check_worth(quote).score
        if worth <= 0:
            continue
        order = len(scored) + 1
        headline = len(bag & title) / len(title) if title else 0.0
        early = max(0.0, 0.1 - 0.01 * order)
        score = min(1.0, worth * (0.3 + 0.5 * nearness[place] + 0.2 * headline + early))
        scored.append(ScoredSentence(span, quote, score, worth, order))
    return scored


def _lines(text: str, span: Span, bag: frozenset[str]) -> list[tuple[Span, frozenset[str]]]:
    """Split a passage into lines if it is a list, or a heading with its text, but not if it is a wrapped sentence."""
    lines = [Span(span.start + match.start(), span.start + match.end()) for match in _LINE.finditer(span.of(text))]
    wrapped = all(text[line.start].islower() for line in lines[1:])
    return [(span, bag)] if wrapped else [(line, frozenset(content_words(line.of(text)))) for line in lines]


def key_claims(terms: TopicTerms, document: Document, relevance: float) -> tuple[KeyClaim, ...]:
    """Return up to 3 claims, best first; none for an irrelevant document or one that states nothing. `relevance`: of
    the document, 0 to 1. A claim's quote is the verbatim sentence, its text that sentence made self-contained, at most
    300 characters."""
    if relevance < 0.1:
        return ()
    organisation = main_organisation(document.title, document.text)
    reference = document.published.at.date() if document.published else None
    foreign = 0.5 if document.language not in (None, "en") else 1.0
    candidates: list[tuple[float, KeyClaim]] = []
    for sentence in scored_sentences(terms, document):
        text = with_days(" ".join(sentence.quote.split()), reference)
        if INSTRUCTING.search(text) or (re.match(r"^[\"“]", text) and not re.search(r"[\"”],?\s+\w", text)):
            continue
        stated, loose = depends_on_context(without_attribution(without_leader(text)), organisation)
        if WE.search(_IN_QUOTES.sub("", stated)):
            stated, loose = (in_its_name(stated, organisation), loose) if organisation else (stated, True)
        if len(stated) > MAX_CLAIM or (candidates and sentence.worth < 0.3):
            continue
        score = sentence.score * (0.55 if loose else 1.0) * (0.5 + 0.5 * min(1.0, relevance * 1.5))
        claim = KeyClaim(
            text=stated,
            quote=sentence.quote,
            start=sentence.span.start,
            end=sentence.span.end,
            type=claim_type(stated),
            importance=round(min(1.0, score * 1.25) * foreign, 3),
        )
        candidates.append((score, claim))
    chosen: list[KeyClaim] = []
    for score, claim in sorted(candidates, key=lambda each: -each[0]):
        least = _LEAST_FURTHER if chosen else _LEAST
        words = set(content_words(claim.text))
        others = (set(content_words(other.text)) for other in chosen)
        if score >= least and not any(len(words & other) > _ALIKE * min(len(words), len(other)) for other in others):
            chosen.append(claim)
    return tuple(chosen[:_MAX_CLAIMS])
