"""A document in at most 500 characters: those of its sentences that bear most on the brief, whole, in their order."""

from __future__ import annotations

from inquest.claims.key_claims import key_claims, scored_sentences
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.domain.document import Document
from inquest.domain.drafts import SourceReading
from inquest.text.sentences import content_words, shorten

SUMMARY_LIMIT = 500
"""Characters (spec 004, Q4)."""
_SAME = 0.6
_BY_NAMES = 0.4


def read_document(topic: str, brief: str, document: Document) -> SourceReading:
    """Summary, key claims and relevance of a document. A document without text has none of them."""
    about = topic_terms(topic, brief)
    relevance = about.of_document(document.title, document.text)
    if document.language not in (None, "en"):
        # The words of another language are not found again, but its names are.
        relevance = max(relevance, _BY_NAMES * about.named_in(f"{document.title} {document.text}"))
    return SourceReading(
        summary=summary_of(about, document),
        key_claims=key_claims(about, document, relevance),
        relevance=round(relevance, 3),
    )


def summary_of(about: TopicTerms, document: Document) -> str:
    """Whole sentences in their order, in 500 characters at most. Only where not one sentence fits is the best one
    shortened; where the document states nothing, its title appears."""
    scored = [each for each in scored_sentences(about, document) if each.worth >= 0.15]
    ranked = sorted(scored, key=lambda each: (-each.score, each.order))
    chosen: list[tuple[int, str]] = []
    length = 0
    for each in ranked:
        text = " ".join(each.quote.split())
        bag = set(content_words(text))
        if length + len(text) + bool(chosen) > SUMMARY_LIMIT or any(
            _repeats(bag, set(content_words(other))) for _, other in chosen
        ):
            continue
        chosen.append((each.order, text))
        length += len(text) + (len(chosen) > 1)
        if len(chosen) == 4:
            break
    if chosen:
        return " ".join(text for _, text in sorted(chosen))
    if ranked:
        return shorten(ranked[0].quote, SUMMARY_LIMIT)
    return shorten(document.title, SUMMARY_LIMIT)


def _repeats(one: set[str], other: set[str]) -> bool:
    return len(one & other) > _SAME * min(len(one), len(other)) if one and other else False
