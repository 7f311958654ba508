"""Summarise a document in at most 500 characters, by its most relevant sentences, whole and in their order."""

from __future__ import annotations

from inquest.claims.key_claims import key_claims, scored_sentences
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.domain.document import Document
from inquest.domain.drafts import SourceReading
from inquest.text.sentences import content_words, shorten

SUMMARY_LIMIT = 500
"""Characters (spec 004, Q4)."""
_MOST = 4
"""Sentences of a summary."""
_SAME = 0.6
_BY_NAMES = 0.4


def read_document(topic: str, brief: str, document: Document) -> SourceReading:
    """Summary, key claims and relevance of a document; empty for one without text."""
    about = topic_terms(topic, brief)
    relevance = about.of_document(document.title, document.text)
    if document.language not in (None, "en"):
        # Words of another language do not match, but names do.
        relevance = max(relevance, _BY_NAMES * about.named_in(f"{document.title} {document.text}"))
    return SourceReading(
        summary=summary_of(about, document),
        key_claims=key_claims(about, document, relevance),
        relevance=round(relevance, 3),
    )


def summary_of(about: TopicTerms, document: Document) -> str:
    """Whole sentences in their order, at most 500 characters. If none fits, the best one is shortened; without any, the
    summary is the title."""
    scored = [each for each in scored_sentences(about, document) if each.worth >= 0.15]
    ranked = sorted(scored, key=lambda each: (-each.score, each.order))
    chosen: list[tuple[int, str]] = []
    length = 0
    for each in ranked:
        text = " ".join(each.quote.split())
        bag = set(content_words(text))
        fits = length + len(text) + bool(chosen) <= SUMMARY_LIMIT
        if fits and not any(_repeats(bag, set(content_words(other))) for _, other in chosen):
            length += len(text) + bool(chosen)
            chosen.append((each.order, text))
        if len(chosen) == _MOST:
            break
    if chosen:
        return " ".join(text for _, text in sorted(chosen))
    return shorten(ranked[0].quote if ranked else document.title, SUMMARY_LIMIT)


def _repeats(one: set[str], other: set[str]) -> bool:
    return len(one & other) > _SAME * min(len(one), len(other)) if one and other else False
