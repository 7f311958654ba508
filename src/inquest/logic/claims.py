"""The key claims of one document: what it states that bears on the brief and can be checked, in its own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from inquest.domain.document import Document
from inquest.domain.drafts import KeyClaim
from inquest.logic.claim_detection import check_worth, claim_type
from inquest.logic.claim_words import INSTRUCTING
from inquest.logic.leaning_words import WE
from inquest.logic.passages import stems
from inquest.logic.relevance import Matter
from inquest.logic.said_when import with_days
from inquest.logic.standalone import (
    depends_on_context,
    in_its_name,
    main_organisation,
    without_attribution,
    without_leader,
)
from inquest.logic.text import Span, sentences

__all__ = ["MAX_CLAIM", "ScoredSentence", "key_claims", "scored_sentences"]

MAX_CLAIM = 300
"""Characters of a claim's text."""
_MAX_CLAIMS = 3
_READ = 60_000
"""Characters of a document that are read sentence by sentence."""
_WORTH_SAYING = 0.34
_LEAST = 0.08
_ALIKE = 0.5
_LINE = re.compile(r"[^\s\n][^\n]*[^\s\n]")
_IN_QUOTES = re.compile(r"[\"“][^\"”]*[\"”]")


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a document with what it is worth to the brief, 0 to 1."""

    span: Span
    quote: str
    score: float
    worth: float
    near: float
    """How near it is to the matter."""
    before: str
    """The sentence before it."""
    order: int


def scored_sentences(matter: Matter, document: Document) -> list[ScoredSentence]:
    """Every sentence that states something, in order. Sentences that speak to machines or belong to the page's
    furniture are left out."""
    text = document.text[:_READ]
    title = set(stems(document.title))
    found: list[ScoredSentence] = []
    order = 0
    spans = [line for span in sentences(text) for line in _lines(text, span)]
    alone = [matter.of_sentence(span.of(text)) for span in spans]
    # A sentence between two that are on the matter is on it too: 'The laboratory found 780 micrograms per litre.'
    around = [max(alone[max(0, place - 1) : place + 2], default=0.0) for place in range(len(spans))]
    nearness = [max(own, 0.6 * near) for own, near in zip(alone, around, strict=True)]
    for place, span in enumerate(spans):
        quote = span.of(text)
        worth = check_worth(quote).score
        if worth <= 0:
            continue
        order += 1
        near = nearness[place]
        bag = set(stems(quote))
        headline = len(bag & title) / len(title) if title else 0.0
        early = max(0.0, 0.1 - 0.01 * order)
        score = worth * (0.3 + 0.5 * near + 0.2 * headline) + early * worth
        found.append(
            ScoredSentence(span, quote, min(1.0, score), worth, near, spans[place - 1].of(text) if place else "", order)
        )
    return found


def _lines(text: str, span: Span) -> list[Span]:
    """A stretch of several lines as its lines, where they are a list or a heading and its text, not one sentence."""
    quote = span.of(text)
    if "\n" not in quote:
        return [span]
    lines = [Span(span.start + match.start(), span.start + match.end()) for match in _LINE.finditer(quote)]
    wrapped = all(text[line.start].islower() for line in lines[1:])
    return [span] if wrapped else lines


def key_claims(matter: Matter, document: Document, relevance: float) -> tuple[KeyClaim, ...]:
    """1 to 3 claims, best first; none where the document has nothing to do with the matter or states nothing.

    `relevance`: of the document, 0 to 1. The quote is the verbatim sentence; the text is that sentence so that it
    stands alone, at most 300 characters.
    """
    if relevance < 0.1:
        return ()
    organisation = main_organisation(document.title, document.text)
    reference = document.published.at.date() if document.published else None
    foreign = 0.5 if document.language not in (None, "en") else 1.0
    candidates: list[tuple[float, int, KeyClaim, set[str]]] = []
    for sentence in scored_sentences(matter, document):
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
        candidates.append((-score, sentence.order, claim, set(stems(stated))))
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
