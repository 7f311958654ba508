"""Comparison of statements by their words, names, figures, dates and direction, and merging of the claims of all
sources into one list, most important first, with queries to check each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.claims.brief_reading import free_figures, key_terms, subject_of
from inquest.claims.press_words import without_form
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.domain.claim import ClaimType
from inquest.domain.document import Precision
from inquest.domain.drafts import ClaimDraft, KeyClaim, SourceReading
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.text.entities import names, same_name
from inquest.text.moments import Moment, moments
from inquest.text.quantities import Bound, Dimension, Quantity, Relation, compare, quantities
from inquest.text.sentences import content_words, shorten
from inquest.text.similarity import overlap
from inquest.text.vocabulary import is_unrealised, negations, poles, wordings


@dataclass(frozen=True)
class ParsedStatement:
    """A sentence parsed for comparison."""

    text: str
    bag: frozenset[str]
    names: tuple[str, ...]
    figures: tuple[Quantity, ...]
    days: tuple[Moment, ...]  # Dates with at least a month
    poles: frozenset[tuple[str, int]]
    mode: tuple[bool, ...]
    """True if it is not a fact yet; if it is a denial; if it has a negation."""


def parse_statement(text: str, reference: date | None = None) -> ParsedStatement:
    """Parse a sentence. `reference`: the day it was written, for dates like 'last Tuesday'."""
    return ParsedStatement(
        text=text,
        bag=frozenset(content_words(text)),
        names=tuple(name.text for name in names(text) if name.sure),
        figures=tuple(each for each in quantities(text) if not (each.spelled and each.dimension is Dimension.FACTOR)),
        days=tuple(each for each in moments(text, reference) if each.precision is not Precision.YEAR),
        poles=frozenset((pole.axis, pole.sign) for pole in poles(text)),
        mode=(
            is_unrealised(text) or bool(wordings()["modal"].search(text)),
            bool(wordings()["denying"].search(text)),
            bool(negations(text)),
        ),
    )


class FigureRelation(StrEnum):
    """Relation between the figures of two sentences."""

    NONE = "none"  # No comparable figures
    SAME = "same"  # All comparable figures agree
    MORE = "more"  # One figure agrees, and one sentence has a further one of the same kind
    DIFFER = "differ"


def figure_relation(one: ParsedStatement, other: ParsedStatement) -> FigureRelation:
    """Compare figures. Agreement within a bound only ('under 15' and '7') does not outweigh a difference."""
    relations = [(compare(mine, theirs), mine, theirs) for mine in one.figures for theirs in other.figures]
    same = [(mine, theirs) for relation, mine, theirs in relations if relation is Relation.SAME]
    differ = [(mine, theirs) for relation, mine, theirs in relations if relation is Relation.DIFFERS]
    exact = [(a, b) for a, b in same if a.bound is Bound.EXACT and b.bound is Bound.EXACT]
    if not same and not differ:
        return FigureRelation.NONE
    if not same or (differ and not exact):
        return FigureRelation.DIFFER
    matched_mine, matched_theirs = {a.span for a, _ in same}, {b.span for _, b in same}
    left = any(a.span not in matched_mine or b.span not in matched_theirs for a, b in differ)
    return FigureRelation.MORE if left else FigureRelation.SAME


PairSimilarity = Callable[[str, str], float]  # Similarity of two texts in meaning, 0 to 1

_LEAST_COMMON = {
    FigureRelation.MORE: (0.6, 0.8, 7),
    FigureRelation.SAME: (0.34, 0.55, 5),
    FigureRelation.NONE: (0.5, 0.75, 5),
}
"""Thresholds of a match: share of all words; or share of the shorter statement's words, and their minimum number."""
_ALIKE, _ALIKE_WITH_FIGURES = 0.86, 0.8
"""Minimum similarity in meaning of two statements with a common name; lower if figures agree."""


def same_statement(one: ParsedStatement, other: ParsedStatement, alike: PairSimilarity | None = None) -> bool:
    """Return True if both make the same claim, with `alike` also in different words. Statements with different figures,
    days, directions or modes are separate claims, which contradict each other when checked."""
    jaccard, contained = overlap(one.bag, other.bag)
    figures = figure_relation(one, other)
    if one.mode != other.mode or _cannot_both_be(one, other):
        return False
    one_sided = bool(one.figures) != bool(other.figures) and contained < 0.85
    if one_sided or (_names_shared(one, other) is False and jaccard < 0.7):
        return False
    least_shared, least_contained, least_words = _LEAST_COMMON[figures]
    if jaccard >= least_shared or (contained >= least_contained and min(len(one.bag), len(other.bag)) >= least_words):
        return True
    return (
        alike is not None
        and len(one.figures) == len(other.figures)
        and len(one.days) == len(other.days)
        and _names_shared(one, other) is True
        and figures is (FigureRelation.SAME if one.figures else FigureRelation.NONE)
        and alike(one.text, other.text) >= (_ALIKE_WITH_FIGURES if one.figures else _ALIKE)
    )


def contest(one: ParsedStatement, other: ParsedStatement) -> bool:
    """Return True if both have the same subject, but incompatible figures, days or directions."""
    jaccard, contained = overlap(one.bag, other.bag)
    if min(len(one.bag), len(other.bag)) < 4 or (jaccard < 0.3 and contained < 0.6):
        return False
    return _names_shared(one, other) is not False and _cannot_both_be(one, other)


def _cannot_both_be(one: ParsedStatement, other: ParsedStatement) -> bool:
    """Return True for different figures, different days, or opposite poles of an axis without a pole in common."""
    if figure_relation(one, other) is FigureRelation.DIFFER:
        return True
    if one.days and other.days and not any(a.overlaps(b) for a in one.days for b in other.days):
        return True
    shared = {axis for axis, _ in one.poles & other.poles}
    return any(axis not in shared for axis in {a for a, _ in one.poles} & {a for a, _ in other.poles})


def _names_shared(one: ParsedStatement, other: ParsedStatement) -> bool | None:
    if not one.names or not other.names:
        return None
    return any(same_name(a, b) for a in one.names for b in other.names)


_NEAR, _WORTH, _SOURCES = 0.2, 0.55, 0.25
_CONTESTED, _DENIAL, _PRAISE = 0.12, 0.12, -0.04
"""Added for a claim that others contradict, and for a party's own denial or praise."""
_WORTH_CHECKING, _ENOUGH = 0.22, 10  # Minimum importance of the claims that follow the first ten
_WORDS = 9


class _Member(NamedTuple):
    source: Source
    place: int
    key: KeyClaim


def merge_claims(
    topic: str, readings: Sequence[tuple[Source, SourceReading]], limit: int | None, alike: PairSimilarity | None = None
) -> tuple[ClaimDraft, ...]:
    """Return at most `limit` claims, most important first, independent of the order of the sources. The wording is that
    of the best tier, then the most important, then the shortest. With `alike`, equivalent claims in different words are
    merged too."""
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
