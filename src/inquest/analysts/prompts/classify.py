"""Classify: what kind of publisher stands behind a page that no rule knows. What a page says of itself cannot raise it
above tier 3: the rating is capped."""

from __future__ import annotations

from pydantic import ValidationError

from inquest.analysts.marking import Block, message
from inquest.analysts.prompting import instructions
from inquest.analysts.replies import AnswerPart, Line, Unusable, object_in
from inquest.domain.document import Document
from inquest.domain.source import Rating
from inquest.logic.text import shorten
from inquest.logic.tiers import RELEASE_SCORE, UNKNOWN_SCORE, rating_of
from inquest.logic.urls import registrable_domain

__all__ = ["SCORES", "answer", "ask", "question"]

SCORES = {
    "regional_press": RELEASE_SCORE,
    "national_press": RELEASE_SCORE,
    "trade_press": RELEASE_SCORE,
    "institution": RELEASE_SCORE,
    "company": 45,
    "campaign": 42,
    "aggregator": 35,
    "blog": 35,
    "content_farm": 15,
    "satire": 5,
}
"""Score by category. None is above what tier 3 ends with: a model judges by what the page shows of itself."""
_SEEN = 2_500


class _Category(AnswerPart):
    category: Line
    why: Line = ""


def ask(again: str = "") -> str:
    """The instructions."""
    return instructions("classify", again, categories=", ".join([*SCORES, "unknown"]))


def question(url: str, document: Document) -> str:
    """The message."""
    fields = (("site", registrable_domain(url)), ("title", document.title), ("publisher", document.publisher or ""))
    return message([Block("page", document.text[:_SEEN], fields=fields)])


def answer(text: str, url: str) -> Rating | None:
    """The rating; None where the model cannot tell. Raises Unusable."""
    try:
        found = _Category.model_validate(object_in(text, "category"))
    except ValidationError as error:
        raise Unusable("the category was missing") from error
    category = found.category.lower().replace(" ", "_").replace("-", "_")
    if category == "unknown":
        return None
    if category not in SCORES:
        raise Unusable("it named a category that does not exist")
    domain = registrable_domain(url)
    reason = f"{domain}: a model takes it for {category.replace('_', ' ')}: {shorten(found.why, 200)}".rstrip(": ")
    return rating_of(domain, min(SCORES[category], max(RELEASE_SCORE, UNKNOWN_SCORE)), [reason], category=category)
