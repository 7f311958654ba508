"""Which of the claims that sources make are about a topic, and worth checking for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from inquest.claims.assertions import verb_of
from inquest.claims.relevance import Matter, matter_of
from inquest.desks.verification.topic_evidence import main_claims, near_first, title_claim
from inquest.domain.claim import Claim
from inquest.domain.topic import Topic
from inquest.text.entities import NameKind, names

__all__ = ["MOST_CLAIMS", "claims_to_check", "is_heading", "on_the_topic"]

MOST_CLAIMS = 16
"""Claims of one topic that are checked, the title among them: each is searched for, and judged in a call of its own."""

_OF_ITS_WORDS = 1 / 3
"""Share of the title's carrying words, names aside, that a claim of the same matter has."""
_WITHOUT_ITS_NAMES = 0.6
"""The same, where it names others and none of the title's: the same matter under other names, or another's."""
_ENDED = re.compile(r"[.!?…][\s\"'”’»)\]]*$")
_SOMEBODY = frozenset((NameKind.ORGANISATION, NameKind.PERSON, NameKind.ACRONYM))


def claims_to_check(made: Sequence[Claim], topic: Topic, own: Collection[str] = ()) -> tuple[Claim, ...]:
    """What is checked of a topic, of all claims that its sources make: the title as a claim of its own, and those
    nearest to it of the same matter."""
    itself = title_claim(topic, made)
    others = [each for each in made if itself is None or each.text != itself.text]
    kept = near_first(on_the_topic(others, topic, own), topic)[: MOST_CLAIMS - (itself is not None)]
    return (*((itself,) if itself else ()), *kept)


def on_the_topic(claims: Sequence[Claim], topic: Topic, own: Collection[str] = ()) -> list[Claim]:
    """Those that bear on the topic's matter, in their order: what says or denies it, what the topic's own article
    claims, and what has enough of the title's words beyond its names. That the same company employs so many people is
    about the company and not about the topic. Headings are no claims: nobody states them. `own`: ids of the topic's
    own article."""
    stated = [each for each in claims if not is_heading(each.text)]
    mains = {each.id for each in main_claims(stated, topic, own)}
    title = matter_of(topic.title)
    words = _beyond_names(title)
    return [
        each
        for each in stated
        if each.id in mains or set(each.source_ids) & set(own) or _is_of_the_matter(each.text, title, words)
    ]


def is_heading(text: str) -> bool:
    """Whether it has neither a verb, by its form, nor the end of a sentence: 'Notice of violation 041/2023'."""
    return not _ENDED.search(text.strip()) and verb_of(text) is None


def _is_of_the_matter(text: str, title: Matter, words: Matter) -> bool:
    if not words.weights:
        return title.share(text) >= _OF_ITS_WORDS
    others = not title.named_in(text) and any(name.kind in _SOMEBODY for name in names(text))
    return words.share(text) >= (_WITHOUT_ITS_NAMES if others and title.names else _OF_ITS_WORDS)


def _beyond_names(title: Matter) -> Matter:
    """The carrying words alone; a year is none: much happens in it."""
    weights = {word: weight for word, weight in title.weights.items() if word not in title.names and not word.isdigit()}
    return replace(title, weights=weights, names=frozenset(), subject=frozenset())
