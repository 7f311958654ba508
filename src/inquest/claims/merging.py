"""The claims of all sources as one list: what several say is listed once, most important first, and how to check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.brief_reading import free_figures, key_terms, subject_of
from inquest.claims.press_words import without_form
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.claims.sameness import Likeness, ParsedStatement, contest, parse_statement, same_statement
from inquest.domain.claim import ClaimType
from inquest.domain.drafts import ClaimDraft, KeyClaim, SourceReading
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.text.polarity import negations
from inquest.text.sentences import shorten

_NEAR, _WORTH, _SOURCES = 0.2, 0.55, 0.25
_CONTESTED, _DENIAL, _PRAISE = 0.12, 0.12, -0.04
"""What it adds that others say otherwise; that only a party says it, denying or not."""
_WORTH_CHECKING, _ENOUGH = 0.22, 10
"""After so many claims, those that are hardly worth checking are left out."""
_WORDS = 9


class _Member(NamedTuple):
    source: Source
    place: int
    key: KeyClaim


class _SameClaims(NamedTuple):
    first: ParsedStatement
    members: list[_Member]


def merge_claims(
    topic: str,
    readings: Sequence[tuple[Source, SourceReading]],
    limit: int | None,
    alike: Likeness | None = None,
) -> tuple[ClaimDraft, ...]:
    """The claims, most important first, at most `limit`; the order is the same for any order of the sources. `alike`:
    tells how near two texts are in meaning, so that the same in other words is one claim.

    The text is that of the best wording: of the source of the best tier, then the most specific, then the shortest.
    """
    stated = [
        _Member(source, place, key) for source, reading in readings for place, key in enumerate(reading.key_claims)
    ]
    stated.sort(key=lambda each: (0.1 * each.source.rating.tier - each.key.importance, each.source.id, each.place))
    groups: list[_SameClaims] = []
    for member in stated:
        published = member.source.published
        statement = parse_statement(member.key.text, published.at.date() if published else None)
        group = next((each for each in groups if same_statement(each.first, statement, alike)), None)
        if group is None:
            groups.append(group := _SameClaims(statement, []))
        group.members.append(member)
    terms = topic_terms(topic)
    drafts = [
        _draft(group, terms, contested=any(contest(group.first, other.first) for other in groups if other is not group))
        for group in groups
    ]
    drafts.sort(key=lambda draft: (-draft.importance, draft.members))
    worth = [draft for place, draft in enumerate(drafts) if place < _ENOUGH or draft.importance >= _WORTH_CHECKING]
    return tuple(worth[:limit])


def _draft(group: _SameClaims, terms: TopicTerms, *, contested: bool) -> ClaimDraft:
    members = group.members
    best = min(
        members, key=lambda m: (m.source.rating.tier, -round(m.key.importance, 1), len(m.key.text), m.source.id)
    ).key
    makers = len({owner_or_site(each.source) for each in members})
    worth = max(each.key.importance for each in members)
    importance = _WORTH * worth + _NEAR * terms.of_sentence(best.text) + _SOURCES * min(1.0, (makers - 1) / 3)
    importance += _CONTESTED if contested else 0.0
    if all(each.source.rating.press_release for each in members):
        # A party praising itself is of little interest; a party denying something is what a check is for.
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
    """What to search for to check a claim, 1 or 2: its own names and words; and the same without its figure, so that
    another figure for the same thing is found too."""
    named = [without_form(name) for name in subject_of(f"It is said that {claim}")[:3]]
    figures = free_figures(claim)[:1]
    in_figures = {word for figure in figures for word in figure.split()}
    terms = [term for term in key_terms(claim, (*named, "plc"), limit=_WORDS) if term not in in_figures]
    if not named and not terms:
        return (shorten(claim, 160).rstrip("…"),)
    first = " ".join(dict.fromkeys((*named, *terms[:5], *figures)))
    second = " ".join(dict.fromkeys((*named[:2], *terms[:3], "official", "report", "denied")))
    return tuple(dict.fromkeys(shorten(text, 160).rstrip("…") for text in (first, second)))
