"""The key claims of one document: what it states that bears on the brief and can be checked, in its own words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import nlargest

from inquest.claims.claim_detection import INSTRUCTING, check_worth, claim_type
from inquest.claims.leaning_words import WE
from inquest.claims.relevance import TopicTerms, sentence_bags
from inquest.claims.said_when import with_days
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
from inquest.text.entities import names
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words

MAX_CLAIM = 300
"""Characters of a claim's text."""
_MAX_CLAIMS = 3
_WEIGHED = 240
"""Sentences of a document whose worth is looked into: the first, and of the others those nearest to the subject."""
_OPENING = 60
_LONG = 20_000
"""Characters. In a document longer than that, not every sentence is about its subject."""
_NEAR_SUBJECT, _OFF_SUBJECT, _OF_OTHERS = 0.85, 0.6, 0.45
"""What a sentence of a long document is worth that does not name the brief's subject: where one beside it does; where
none does; where it names others instead."""
_OWN_SHARE = 0.06
"""Which part of a document's sentences must name the subject for 'we' to be taken for it."""
_WORTH_SAYING = 0.34
_LEAST = 0.08
_ALIKE = 0.5
_LINE = regex(r"[^\s\n][^\n]*[^\s\n]")
_IN_QUOTES = regex(r"[\"“][^\"”]*[\"”]")


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a document with what it is worth to the brief, 0 to 1."""

    span: Span
    quote: str
    score: float
    worth: float
    near: float
    """How near it is to the subject."""
    before: str
    """The sentence before it."""
    order: int


def scored_sentences(terms: TopicTerms, document: Document) -> list[ScoredSentence]:
    """Every sentence that states something, in order. Sentences that speak to machines or belong to the page's
    furniture are left out."""
    text = document.text
    title = set(content_words(document.title))
    found: list[ScoredSentence] = []
    order = 0
    evidence = evidence_spans(document)
    bags_of = [(span, bag) for span, bag in sentence_bags(text) if _is_within(evidence, span)]
    cut = [line for span, bag in bags_of for line in _lines(text, span, bag)]
    spans = [span for span, _ in cut]
    bags = [bag for _, bag in cut]
    alone = [terms.of_bag(bag) for bag in bags]
    # A sentence between two that are on the subject is on it too: 'The laboratory found 780 micrograms per litre.'
    around = [max(alone[max(0, place - 1) : place + 2], default=0.0) for place in range(len(spans))]
    nearness = [max(own, 0.6 * near) for own, near in zip(alone, around, strict=True)]
    about_it = _on_subject(terms, document, spans, bags)
    weighed = set(range(min(_OPENING, len(spans))))
    weighed |= set(nlargest(_WEIGHED, range(len(spans)), key=lambda place: (nearness[place], alone[place], -place)))
    for place in sorted(weighed):
        span = spans[place]
        quote = span.of(text)
        worth = check_worth(quote).score
        if worth <= 0:
            continue
        order += 1
        near = nearness[place]
        bag = bags[place]
        headline = len(bag & title) / len(title) if title else 0.0
        early = max(0.0, 0.1 - 0.01 * order)
        score = worth * (0.3 + 0.5 * near + 0.2 * headline) + early * worth
        score *= about_it(place)
        found.append(
            ScoredSentence(span, quote, min(1.0, score), worth, near, spans[place - 1].of(text) if place else "", order)
        )
    return found


def _is_within(parts: Sequence[Span], span: Span) -> bool:
    place = bisect_right(parts, span.start, key=lambda part: part.start) - 1
    return place >= 0 and span.end <= parts[place].end


def _on_subject(
    terms: TopicTerms, document: Document, spans: Sequence[Span], bags: Sequence[frozenset[str]]
) -> Callable[[int], float]:
    """Tells of a sentence how surely it is about the brief's subject, as a factor: it names it, or speaks as 'we' in a
    document that is the subject's own; one beside it does; or it is about somebody else."""
    if not terms.subject or len(document.text) < _LONG:
        return lambda place: 1.0
    named = [bool(bag & terms.subject) for bag in bags]
    own = sum(named) >= _OWN_SHARE * len(named) or bool(terms.subject & set(content_words(document.title)))

    def about(place: int) -> float:
        sentence = spans[place].of(document.text)
        if named[place] or (own and WE.search(_IN_QUOTES.sub("", sentence))):
            return 1.0
        if any(name.sure and not terms.weights.keys() & set(content_words(name.text)) for name in names(sentence)):
            return _OF_OTHERS
        return _NEAR_SUBJECT if any(named[max(0, place - 1) : place + 2]) else _OFF_SUBJECT

    return about


def _lines(text: str, span: Span, bag: frozenset[str]) -> list[tuple[Span, frozenset[str]]]:
    """A passage of several lines as its lines, where they are a list or a heading and its text, not one sentence."""
    quote = span.of(text)
    if "\n" not in quote:
        return [(span, bag)]
    lines = [Span(span.start + match.start(), span.start + match.end()) for match in _LINE.finditer(quote)]
    wrapped = all(text[line.start].islower() for line in lines[1:])
    return [(span, bag)] if wrapped else [(line, frozenset(content_words(line.of(text)))) for line in lines]


def key_claims(terms: TopicTerms, document: Document, relevance: float) -> tuple[KeyClaim, ...]:
    """1 to 3 claims, best first; none where the document has nothing to do with the subject or states nothing.

    `relevance`: of the document, 0 to 1. The quote is the verbatim sentence; the text is that sentence so that it
    stands alone, at most 300 characters.
    """
    if relevance < 0.1:
        return ()
    organisation = main_organisation(document.title, document.text)
    reference = document.published.at.date() if document.published else None
    foreign = 0.5 if document.language not in (None, "en") else 1.0
    candidates: list[tuple[float, int, KeyClaim, set[str]]] = []
    for sentence in scored_sentences(terms, document):
        text = _text(sentence.quote, reference)
        if text is None:
            continue
        stated, loose = depends_on_context(text, organisation, sentence.before)
        if WE.search(_IN_QUOTES.sub("", stated)):
            stated, loose = (in_its_name(stated, organisation), loose) if organisation else (stated, True)
        score = sentence.score * (0.55 if loose else 1.0) * (0.5 + 0.5 * min(1.0, relevance * 1.5))
        if len(stated) > MAX_CLAIM or (candidates and sentence.worth < 0.3):
            continue
        claim = KeyClaim(
            text=stated,
            quote=sentence.quote,
            start=sentence.span.start,
            end=sentence.span.end,
            type=claim_type(stated),
            importance=round(min(1.0, score * 1.25) * foreign, 3),
        )
        candidates.append((-score, sentence.order, claim, set(content_words(stated))))
    candidates.sort(key=lambda each: each[:2])
    chosen: list[tuple[KeyClaim, set[str]]] = []
    for negative, _, claim, bag in candidates:
        too_little = _WORTH_SAYING * 0.6 if chosen else _LEAST
        if -negative < too_little or any(_alike(bag, other) for _, other in chosen):
            continue
        chosen.append((claim, bag))
        if len(chosen) == _MAX_CLAIMS:
            break
    return tuple(claim for claim, _ in chosen)


def _text(quote: str, reference: date | None) -> str | None:
    """The quote as a claim's text, or None where it cannot be one."""
    text = with_days(" ".join(quote.split()), reference)
    if INSTRUCTING.search(text) or (re.match(r"^[\"“]", text) and not re.search(r"[\"”],?\s+\w", text)):
        return None
    return without_attribution(without_leader(text))


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) > _ALIKE * min(len(one), len(other)) if one and other else False
