"""The hypothetical article (HyDE): what an answer may look like helps to find real ones, and is never shown as a fact.

A model's invented article becomes one query by its meaning where an encoder is there, and else by its telling words.
Without a model, what articles of this kind and sector are commonly about widens the search. No name, number or date of
an invented article goes into a query of words: a search must not go after facts that nobody has reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum, sqrt

from inquest.desks.market.sectors import sector_terms
from inquest.domain.errors import InputError
from inquest.domain.market import Direction, MarketQuestion, QuestionKind
from inquest.text.entities import names
from inquest.text.sentences import STOP_WORDS, fold, stem, words

__all__ = ["article_terms", "article_wanted", "by_meaning", "expansion_terms"]

_BY_KIND = {
    QuestionKind.STOCK_MOVEMENT: ("shares", "investors", "analysts", "trading"),
    QuestionKind.EARNINGS: ("quarterly results", "revenue", "earnings per share", "consensus", "guidance"),
    QuestionKind.INDUSTRY_TREND: ("demand", "capacity", "prices", "competition", "outlook"),
    QuestionKind.REGULATORY: ("regulator", "investigation", "fine", "ruling", "approval", "lawsuit"),
    QuestionKind.ANALYST_ACTION: ("upgrade", "downgrade", "price target", "initiates coverage", "rating"),
    QuestionKind.LATEST_NEWS: ("announcement", "deal", "launch", "chief executive", "statement"),
    QuestionKind.ECONOMIC_RELEASE: ("economists", "forecast", "previous month", "markets", "central bank"),
    QuestionKind.GUIDANCE: ("guidance", "forecast cut", "delays", "production", "estimates", "demand"),
    QuestionKind.STRATEGY: ("strategy", "plan", "launch", "acquisition", "restructuring", "partnership"),
}
_DOWN = ("cuts guidance", "misses estimates", "downgrade", "investigation", "recall", "delay", "resigns")
_UP = ("beats estimates", "raises guidance", "upgrade", "contract", "approval", "buyback", "takeover offer")
_MOST_TERMS = 8


def expansion_terms(question: MarketQuestion) -> tuple[str, ...]:
    """What articles that answer such a question are commonly about, telling words first; without a model."""
    leaning = {Direction.DOWN: _DOWN, Direction.UP: _UP}.get(question.direction) if question.direction else ()
    own, sector = _BY_KIND[question.kind], sector_terms(question.sector)
    mixed = [
        term for row in zip(_padded(leaning or ()), _padded(sector), _padded(own), strict=True) for term in row if term
    ]
    return tuple(dict.fromkeys(mixed))[:_MOST_TERMS]


def _padded(terms: Sequence[str]) -> list[str]:
    return [*terms, *[""] * (_MOST_TERMS - len(terms))][:_MOST_TERMS]


def article_wanted(question: MarketQuestion) -> str:
    """What a model is asked to write: the kind of article, with no figure or cause given to it as true."""
    what = {
        QuestionKind.STOCK_MOVEMENT: "that explains why the share moved as the question says",
        QuestionKind.EARNINGS: "that sums up the results and how they compare with expectations",
        QuestionKind.ECONOMIC_RELEASE: "that reports the release and how it compares with forecasts",
        QuestionKind.ANALYST_ACTION: "that reports a change of grade or target with its reason",
        QuestionKind.GUIDANCE: "that reports what bears on the goals the company has set itself",
    }.get(question.kind, "that would answer the question")
    return (
        f"Write five sentences of an imagined news article about {question.about} {what}. It is used to search for "
        f"real "
        f"articles and is shown to nobody. The question: {question.text}"
    )


def article_terms(article: str, question: MarketQuestion, *, most: int = _MOST_TERMS) -> tuple[str, ...]:
    """The telling words of a hypothetical article, most frequent first: no names, no numbers, no words of the
    question."""
    spelled = [span.of(article) for span in words(article)]
    # A word that also stands in small letters is no name, though it may begin a sentence.
    small = {word for word in spelled if word.islower()}
    named = {fold(word) for name in names(article) for word in name.text.split()} - small
    asked = {stem(span.of(text)) for text in (question.text, question.about) for span in words(text)}
    found: Counter[str] = Counter()
    first: dict[str, str] = {}
    for word in spelled:
        plain, root = fold(word), stem(word)
        if len(plain) < 4 or not plain.isalpha() or plain in STOP_WORDS or plain in named or root in asked:
            continue
        found[root] += 1
        first.setdefault(root, plain)
    return tuple(first[root] for root, _ in found.most_common(max(0, most)))


def by_meaning(
    article: Sequence[float], texts: Sequence[Sequence[float]], weights: Sequence[float] | None = None
) -> list[float]:
    """How near each text is to the hypothetical article, 0 to 1: the cosine of their vectors, negative ones as 0.

    `weights`: the relevance of each text to the question itself, 0 to 1; where given, the mean of the two is handed
    back, so that an article that was imagined wrongly cannot outweigh what was asked. A vector of zeros is like
    nothing. Raises InputError where the vectors are not of one length.
    """
    if any(len(text) != len(article) for text in texts) or (weights is not None and len(weights) != len(texts)):
        raise InputError("The vectors are not of one length.", advice="Encode all texts with the same model.")
    near = [max(0.0, min(1.0, _cosine(article, text))) for text in texts]
    return near if weights is None else [(one + other) / 2 for one, other in zip(near, weights, strict=True)]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = sqrt(fsum(each * each for each in one)) * sqrt(fsum(each * each for each in other))
    return fsum(a * b for a, b in zip(one, other, strict=True)) / size if size else 0.0
