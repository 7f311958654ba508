"""Merging of the claims of all sources into one list, most important first, with queries to check each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.brief_reading import free_figures, key_terms, subject_of
from inquest.claims.press_words import without_form
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.claims.sameness import PairSimilarity, ParsedStatement, contest, parse_statement, same_statement
from inquest.domain.claim import ClaimType
from inquest.domain.drafts import ClaimDraft, KeyClaim, SourceReading
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.text.polarity import negations
from inquest.text.sentences import shorten

_NEAR, _WORTH, _SOURCES = 0.2, 0.55, 0.25
_CONTESTED, _DENIAL, _PRAISE = 0.12, 0.12, -0.04
"""Added for a claim that others contradict, and for a party's own denial or praise."""
_WORTH_CHECKING, _ENOUGH = 0.22, 10
"""Minimum importance of the claims that follow the first ten."""
_WORDS = 9


class _Member(NamedTuple):
    source: Source
    place: int
    key: KeyClaim


def merge_claims(
    topic: str, readings: Sequence[tuple[Source, SourceReading]], limit: int | None, alike: PairSimilarity | None = None
) -> tuple[ClaimDraft, ...]:
    """Return at most `limit` claims, most important first, independent of the order of the sources.

    The wording is that of the best tier, then the most important, then the shortest. With `alike`, equivalent claims in
    different words are merged too.
    """
    stated = [
        _Member(source, place, key) for source, reading in readings for place, key in enumerate(reading.key_claims)
    ]
    stated.sort(key=lambda each: (0.1 * each.source.rating.tier - each.key.importance, each.source.id, each.place))
    groups: list[tuple[ParsedStatement, list[_Member]]] = []
    for member in stated:
        published = member.source.published
        statement = parse_statement(member.key.text, published.at.date() if published else None)
        same = next((members for first, members in groups if same_statement(first, statement, alike)), None)
        if same is None:
            groups.append((statement, same := []))
        same.append(member)
    terms = topic_terms(topic)
    drafts = [
        _draft(members, terms, contested=any(contest(first, other) for other, _ in groups if other is not first))
        for first, members in groups
    ]
    drafts.sort(key=lambda draft: (-draft.importance, draft.members))
    worth = [draft for place, draft in enumerate(drafts) if place < _ENOUGH or draft.importance >= _WORTH_CHECKING]
    return tuple(worth[:limit])


def _draft(members: Sequence[_Member], terms: TopicTerms, *, contested: bool) -> ClaimDraft:
    best = min(
        members, key=lambda m: (m.source.rating.tier, -round(m.key.importance, 1), len(m.key.text), m.source.id)
    ).key
    makers = len({owner_or_site(each.source) for each in members})
    worth = max(each.key.importance for each in members)
    importance = _WORTH * worth + _NEAR * terms.of_sentence(best.text) + _SOURCES * min(1.0, (makers - 1) / 3)
    importance += _CONTESTED if contested else 0.0
    if all(each.source.rating.press_release for each in members):
        # A party's praise of itself matters little, but a denial needs checking.
        importance += _DENIAL if negations(best.text) else _PRAISE
    types = [each.key.type for each in (_Member(members[0].source, 0, best), *members)]
    return ClaimDraft(
        text=best.text,
        type=next((type_ for type_ in types if type_ is not ClaimType.STATEMENT), ClaimType.STATEMENT),
        importance=round(min(1.0, max(0.0, importance)), 3),
        members=tuple(sorted((each.source.id, each.place) for each in members)),
        queries=check_queries(best.text),
    )


def check_queries(claim: str) -> tuple[str, ...]:
    """Return one or two queries for a claim: with its figure, and without it so that other figures are found too."""
    named = [without_form(name) for name in subject_of(f"It is said that {claim}")[:3]]
    figures = free_figures(claim)[:1]
    in_figures = {word for figure in figures for word in figure.split()}
    terms = [term for term in key_terms(claim, (*named, "plc"), limit=_WORDS) if term not in in_figures]
    if not named and not terms:
        return (shorten(claim, 160).rstrip("…"),)
    first = " ".join(dict.fromkeys((*named, *terms[:5], *figures)))
    second = " ".join(dict.fromkeys((*named[:2], *terms[:3], "official", "report", "denied")))
    return tuple(dict.fromkeys(shorten(text, 160).rstrip("…") for text in (first, second)))
