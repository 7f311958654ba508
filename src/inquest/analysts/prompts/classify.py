"""Classify: the kind of publisher behind a page for which there is no rule. A page's statements about itself cannot
raise it above tier 3: the rating is capped, and only what others know about the publisher raises it
(`domain_age.established`)."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Line, Named, Unusable, choices, parse
from inquest.domain.document import Document
from inquest.domain.source import Category, Rating
from inquest.sources.tiers import RELEASE_SCORE, rating_of, source_reason
from inquest.text.sentences import shorten
from inquest.text.urls import registrable_domain

KINDS: dict[str, tuple[Category, int]] = {
    "national_press": (Category.NEWSPAPER, RELEASE_SCORE),
    "regional_press": (Category.LOCAL, RELEASE_SCORE),
    "magazine": (Category.MAGAZINE, RELEASE_SCORE),
    "broadcaster": (Category.BROADCASTER, RELEASE_SCORE),
    "trade_press": (Category.TRADE, RELEASE_SCORE),
    "authority": (Category.GOVERNMENT, RELEASE_SCORE),
    "research_institute": (Category.SCHOLARLY, RELEASE_SCORE),
    "association": (Category.NGO, RELEASE_SCORE),
    "company": (Category.COMPANY, 45),
    "campaign": (Category.NGO, 42),
    "aggregator": (Category.AGGREGATOR, 35),
    "blog": (Category.BLOG, 35),
    "content_farm": (Category.AGGREGATOR, 15),
    "satire": (Category.SATIRE, 5),
}
"""Kinds of publisher that a model may choose, with our category and the score. None is above the top of tier 3, because
a model judges only by what the page shows of itself."""
_SEEN = 250
"""Characters of the page that are shown; its beginning reveals the publisher."""


class Answer(AnswerPart):
    """The kind of publisher."""

    category: Annotated[Named[str], choices(*KINDS, "unknown")]
    why: Line = ""


ask = partial(instructions, "classify", categories=", ".join([*KINDS, "unknown"]))
"""The instructions, and after an unusable answer the reason why it was unusable."""


def question(url: str, document: Document) -> str:
    """The message."""
    fields = (("site", registrable_domain(url)), ("title", document.title), ("publisher", document.publisher or ""))
    return message([PromptBlock("page", document.text[:_SEEN], fields=fields)])


def answer(text: str, url: str) -> Rating | None:
    """The rating; None if the model cannot tell. Raises Unusable."""
    found = parse(text, Answer)
    kind = found.category
    if kind == Category.UNKNOWN:
        return None
    if kind not in KINDS:
        raise Unusable("it named a category that does not exist")
    category, score = KINDS[kind]
    domain = registrable_domain(url)
    said = {"domain": domain, "kind": kind.replace("_", " ")}
    why = shorten(found.why, 200).rstrip(": ")
    reason = source_reason("by_a_model", why=why, **said) if why else source_reason("by_a_model_alone", **said)
    return rating_of(domain, score, [reason], category=category)
