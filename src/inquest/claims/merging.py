"""The claims of all sources as one list: what several say stands once, most important first, and how to check it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from inquest.claims.brief_reading import free_figures, key_terms, subject_of
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.claims.sameness import Likeness, ParsedStatement, contest, parse_statement, same_statement
from inquest.domain.claim import ClaimType
from inquest.domain.drafts import ClaimDraft, KeyClaim, SourceReading
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import shorten

_NEAR, _WORTH, _SOURCES = 0.2, 0.55, 0.25
_WORDS = 9
_WORTH_CHECKING = 0.22
_ENOUGH = 10
"""Claims, after which those that are hardly worth checking are left out."""
_CONTESTED, _DENIAL, _PRAISE = 0.12, 0.12, 0.04
_DENYING = pattern(__name__, "denying")


_LEGAL_FORM = regex(r"\s+(?:plc|Inc|Ltd|LLC|AG|GmbH|SE|SA|NV|BV|Corp)\.?$")


@dataclass
class _SameClaims:
    first: ParsedStatement
    members: list[tuple[Source, int, KeyClaim]] = field(default_factory=list)


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
    terms = topic_terms(topic)
    stated = sorted(
        (
            (-_standing(source, key), source.id, index, source, key)
            for source, reading in readings
            for index, key in enumerate(reading.key_claims)
        ),
        key=lambda each: each[:3],
    )
    groups: list[_SameClaims] = []
    for _, _, index, source, key in stated:
        taken_apart = parse_statement(key.text, source.published.at.date() if source.published else None)
        group = next((each for each in groups if same_statement(each.first, taken_apart, alike)), None)
        if group is None:
            group = _SameClaims(taken_apart)
            groups.append(group)
        group.members.append((source, index, key))
    contested = {
        place
        for place, group in enumerate(groups)
        if any(other is not group and contest(group.first, other.first) for other in groups)
    }
    drafts = [_draft(group, terms, contested=place in contested) for place, group in enumerate(groups)]
    drafts.sort(key=lambda draft: (-draft.importance, draft.members))
    worth = [draft for place, draft in enumerate(drafts) if place < _ENOUGH or draft.importance >= _WORTH_CHECKING]
    return tuple(worth[:limit])


def _standing(source: Source, key: KeyClaim) -> float:
    return key.importance + 0.1 * (4 - source.rating.tier)


def _draft(group: _SameClaims, terms: TopicTerms, *, contested: bool) -> ClaimDraft:
    best = min(
        group.members,
        key=lambda each: (each[0].rating.tier, -round(each[2].importance, 1), len(each[2].text), each[0].id),
    )
    text = best[2].text
    makers = len({owner_or_site(source) for source, _, _ in group.members})
    worth = max(key.importance for _, _, key in group.members)
    importance = _WORTH * worth + _NEAR * terms.of_sentence(text) + _SOURCES * min(1.0, (makers - 1) / 3)
    if contested:
        importance += _CONTESTED
    if all(source.rating.press_release for source, _, _ in group.members):
        # A party praising itself is of little interest; a party denying something is what a check is for.
        importance += _DENIAL if _DENYING.search(text) else -_PRAISE
    types = [key.type for _, _, key in group.members if key.type is not ClaimType.STATEMENT]
    return ClaimDraft(
        text=text,
        type=best[2].type if best[2].type is not ClaimType.STATEMENT or not types else types[0],
        importance=round(min(1.0, max(0.0, importance)), 3),
        members=tuple(sorted((source.id, index) for source, index, _ in group.members)),
        queries=check_queries(text),
    )


def check_queries(claim: str) -> tuple[str, ...]:
    """What to search for to check a claim, 1 or 2: its own names and words; and the same without its figure, so that
    another figure for the same thing is found too."""
    named = [_LEGAL_FORM.sub("", name) for name in subject_of(f"It is said that {claim}")[:3]]
    figures = free_figures(claim)[:1]
    in_figures = {word for figure in figures for word in figure.split()}
    if not named and not key_terms(claim):
        return (shorten(claim, 160),)
    terms = [term for term in key_terms(claim, (*named, "plc"), limit=_WORDS) if term not in in_figures]
    first = " ".join(dict.fromkeys((*named, *terms[:5], *figures)))
    second = " ".join(dict.fromkeys((*named[:2], *terms[:3], "official", "report", "denied")))
    found = [shorten(text, 160).rstrip("…") for text in (first, second) if text.strip()]
    return tuple(dict.fromkeys(found)) or (shorten(claim, 160).rstrip("…"),)
