"""Stories: documents that copy or rewrite one another, their origin, and the independent sources.

Twelve papers that print one agency's report count as one witness (X2). Documents belong to one story if they share
their text or one of them credits the other. `stories.lineage_model` finds the origin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.document import Document
from inquest.domain.reasons import Reason, sentences
from inquest.domain.source import Category, Source
from inquest.sources.owners import owner_or_site
from inquest.stories.crediting import (
    Article,
    Credit,
    Credits,
    article_of,
    credits_among,
    later,
    near_in_time,
    publisher_named,
)
from inquest.stories.likeness import Neighbours, Overlap, adds_nothing, alike, copies, share_phrases
from inquest.stories.lineage_model import Background, Lineage, best_credits, lineage_of

_TITLE_LOOKED_FOR = 300
"""Characters at the beginning of a text in which its title may be."""
_SAME_REPORT = 0.3
"""Minimum likeness of two texts that both go back to a report outside the collection."""
_CANDIDATES = 0.05
"""Share, relative to the likeliest root, from which a root is worth a request to an archive."""


@dataclass(frozen=True, slots=True)
class Story:
    """Documents with one report."""

    id: str
    members: tuple[str, ...]
    """Ids of the documents, at least two, in the order given."""
    lineage: Lineage
    misdated: tuple[str, ...]
    """Members dated before a report that they credit."""

    @property
    def origin(self) -> str | None:
        """The member to which the others go back; None if the report is not among them or cannot be determined."""
        return self.lineage.origin

    @property
    def outside(self) -> str | None:
        """The publisher of the report to which the members go back, if it is not among them."""
        return publisher_named(self.lineage.outside) if self.lineage.outside else None

    @property
    def undecided(self) -> tuple[str, ...]:
        """The possible origins, if the origin cannot be determined."""
        return self.lineage.candidates

    @property
    def possible(self) -> tuple[str, ...]:
        """The members that can be the origin, likeliest first."""
        likely = [each for each in self.lineage.roots if each.share >= _CANDIDATES * self.lineage.roots[0].share]
        return tuple(root.id for root in likely if root.id in self.members)


def assign_stories(sources: Iterable[Source], documents: Mapping[str, Document]) -> tuple[Source, ...]:
    """Return the sources with the story and origin of each, if it shares one. `documents` by source id."""
    sources = tuple(sources)
    of = {member: story for story in _stories_of(sources, documents) for member in story.members}
    assigned = []
    for source in sources:
        story, notes = of.get(source.id), list[Reason]()
        if story and story.outside:
            notes.append(Reason(code="origin.outside", data={"name": story.outside}))
        elif story and story.origin is None and story.undecided:
            notes.append(Reason(code="origin.open", data={"candidates": list(story.undecided)}))
        if story and source.id in story.misdated:
            notes.append(Reason(code="origin.misdated"))
        origin = story.origin if story else None
        update = {"story": story and story.id, "origin_of_story": origin, "story_notes": sentences(notes)}
        assigned.append(source.model_copy(update=update | {"story_codes": tuple(notes)}))
    return tuple(assigned)


def possible_origins(sources: Iterable[Source], documents: Mapping[str, Document]) -> tuple[str, ...]:
    """Return the sources of which any may have reported a story first: the largest story first, and in each the
    likeliest source first. `documents` by source id."""
    open_ones = [story for story in _stories_of(sources, documents) if len(story.possible) > 1]
    open_ones.sort(key=lambda story: -len(story.members))
    return tuple(each for story in open_ones for each in story.possible)


def _stories_of(sources: Iterable[Source], documents: Mapping[str, Document]) -> list[Story]:
    known = [source for source in sources if source.id in documents]
    return find_stories([article_of(source, documents[source.id]) for source in known]) if len(known) > 1 else []


def find_stories(articles: Sequence[Article]) -> list[Story]:
    """Return the stories of two or more articles, in the order of their first members; ids T1, T2, ..."""
    place = {article.id: number for number, article in enumerate(articles)}
    shared = copies([_titled(article) for article in articles])
    credits = credits_among(articles)
    joined = _Union(len(articles))
    wording: dict[tuple[str, str], float] = {}
    for pair in shared:
        joined.join(pair.first, pair.second)
        first, second = articles[pair.first].id, articles[pair.second].id
        wording[min(first, second), max(first, second)] = pair.alike
    parents = best_credits(credits.inside, wording)
    for credit in parents.values():
        joined.join(place[credit.article], place[credit.origin])
    for one, two in (*_same_outside(articles, credits.outside), *_adding_nothing(articles, shared, joined)):
        joined.join(place[one.id], place[two.id])
    copied = frozenset(id for pair in wording for id in pair)
    groups = [[articles[member] for member in group] for group in joined.groups() if len(group) > 1]
    return [_story(f"T{number}", group, credits, parents, copied) for number, group in enumerate(groups, 1)]


def _titled(article: Article) -> str:
    """The text, preceded by the title unless it begins with it."""
    titled = not article.title or article.title in article.text[:_TITLE_LOOKED_FOR]
    return article.text if titled else f"{article.title}\n{article.text}"


def _same_outside(articles: Sequence[Article], outside: Mapping[str, Credit]) -> Iterator[tuple[Article, Article]]:
    """Pairs of articles that credit the same outside report and are alike."""
    nearby: dict[str, Neighbours] = defaultdict(Neighbours)
    for place, article in enumerate(articles):
        if article.id not in outside:
            continue
        known = nearby[outside[article.id].origin]
        for other in (articles[near] for near in known.nearest(article.particulars)):
            if near_in_time(article, other) and alike(article.particulars, other.particulars) >= _SAME_REPORT:
                yield article, other
        known.add(place, article.particulars)


def _adding_nothing(
    articles: Sequence[Article], shared: Sequence[Overlap], joined: _Union
) -> Iterator[tuple[Article, Article]]:
    """Pairs of reports of which one adds nothing to the other, although neither credits it."""
    known = Neighbours()
    # The comparison of their wording has decided these pairs already.
    decided = {(pair.first, pair.second) for pair in shared}
    for place, article in enumerate(articles):
        if not article.reports:
            continue
        for near in known.nearest(article.particulars):
            if joined.top(near) == joined.top(place) or (near, place) in decided:
                continue
            other = articles[near]
            same = near_in_time(article, other) and adds_nothing(article.particulars, other.particulars)
            if same and share_phrases(article.text, other.text):
                yield article, other
        known.add(place, article.particulars)


def _story(
    story_id: str, members: Sequence[Article], credits: Credits, parents: Mapping[str, Credit], copied: Collection[str]
) -> Story:
    by_id = {member.id: member for member in members}
    within = [credit for credit in credits.inside if credit.article in by_id and credit.origin in by_id]
    wrong = {each.article for each in within if later(by_id[each.origin].published, by_id[each.article].published)}
    lineage = lineage_of(members, parents, credits, Background(copied=copied))
    return Story(story_id, tuple(by_id), lineage, misdated=tuple(member for member in by_id if member in wrong))


def independent(sources: Iterable[Source]) -> dict[str, list[str]]:
    """Return the ids of the documents of each independent source, by its name, in the order of their first documents: a
    story counts once, for the owner of its origin, and several stories of one owner or releases of one issuer count
    once. Excluded sources do not count."""
    sources = [source for source in sources if not source.excluded]
    by_id = {source.id: source for source in sources}
    issuers = {source.author for source in sources if source.rating.category == Category.PRESS_RELEASE} - {None}
    found: dict[str, list[str]] = defaultdict(list)
    for source in sources:
        origin = by_id.get(source.origin_of_story or "") if source.story is not None else source
        issuer = next((name for name in (origin.author, origin.publisher) if name in issuers), None) if origin else None
        found[f"story {source.story}" if origin is None else issuer or owner_or_site(origin)].append(source.id)
    return dict(found)


class _Union:
    """Disjoint sets of places, each represented by its smallest place."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def top(self, place: int) -> int:
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.top(one), self.top(other)))
        self._above[second] = first

    def groups(self) -> list[list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for place in range(len(self._above)):
            found[self.top(place)].append(place)
        return list(found.values())
