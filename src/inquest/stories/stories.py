"""Stories: which documents are copies or rewrites of one another, which of them is the origin, and who is independent.

Twelve papers with one agency's report are one witness (X2). Documents belong to one story where they share their text,
or where one of them says that it has the report from the other. `stories.lineage_model` decides which of them the
others go back to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.document import Document
from inquest.domain.reasons import Reason, sentences
from inquest.domain.source import Source
from inquest.sources.owners import owner_or_site
from inquest.stories.copies import COPY, Overlap, copies
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
from inquest.stories.likeness import Neighbours, adds_nothing, alike, share_phrases
from inquest.stories.lineage_model import Background, Lineage, best_credits, lineage_of

_TITLE_LOOKED_FOR = 300
"""Characters at the beginning of a text in which its title may stand."""
_SAME_REPORT = 0.3
"""The least that two texts must share to go back to one report that neither of them is."""
_CANDIDATES = 0.05
"""Share of the likeliest root below which nobody needs to ask an archive about another one."""


@dataclass(frozen=True, slots=True)
class Story:
    """Documents that tell one report."""

    id: str
    members: tuple[str, ...]
    """Ids of the documents, at least two, in the order given."""
    lineage: Lineage
    """What they go back to."""
    misdated: tuple[str, ...]
    """Members dated before a report that they themselves credit."""
    reasons: Mapping[str, tuple[Reason, ...]]
    """Why each member belongs to it."""

    @property
    def origin(self) -> str | None:
        """The member that the others go back to; None where their report is not among them, or cannot be determined."""
        return self.lineage.origin

    @property
    def outside(self) -> str | None:
        """The name of the publisher whose report, not among the members, they go back to."""
        return publisher_named(self.lineage.outside) if self.lineage.outside else None

    @property
    def undecided(self) -> tuple[str, ...]:
        """Those that can each be the origin, where it cannot be determined."""
        return self.lineage.candidates

    @property
    def possible(self) -> tuple[str, ...]:
        """The members that can be the origin, likeliest first."""
        roots = self.lineage.roots
        return tuple(
            root.id for root in roots if root.id in self.members and root.share >= _CANDIDATES * roots[0].share
        )


@dataclass(frozen=True, slots=True)
class Witness:
    """One independent source: everything that goes back to one publisher or owner."""

    name: str
    source_ids: tuple[str, ...]


def assign_stories(sources: Iterable[Source], documents: Mapping[str, Document]) -> tuple[Source, ...]:
    """The sources, each with its story and origin where it shares one. `documents` by source id; a source whose text
    is not there stays as it is."""
    sources = tuple(sources)
    of = {member: story for story in _stories_of(sources, documents) for member in story.members}
    return tuple(_with_story(source, of.get(source.id)) for source in sources)


def possible_origins(sources: Iterable[Source], documents: Mapping[str, Document]) -> tuple[str, ...]:
    """The sources between which it is open who reported a story first, of the largest story first, in each the
    likeliest first. `documents` by source id."""
    open_ones = [story for story in _stories_of(sources, documents) if len(story.possible) > 1]
    open_ones.sort(key=lambda story: -len(story.members))
    return tuple(each for story in open_ones for each in story.possible)


def _stories_of(sources: Iterable[Source], documents: Mapping[str, Document]) -> list[Story]:
    return find_stories([article_of(source, documents[source.id]) for source in sources if source.id in documents])


def _with_story(source: Source, story: Story | None) -> Source:
    if story is None:
        return source.model_copy(update={"story": None, "origin_of_story": None, "story_notes": ()})
    notes = []
    if story.outside:
        notes.append(Reason(code="origin.outside", data={"name": story.outside}))
    elif story.origin is None and story.undecided:
        notes.append(Reason(code="origin.open", data={"candidates": list(story.undecided)}))
    if source.id in story.misdated:
        notes.append(Reason(code="origin.misdated"))
    update = {"story": story.id, "origin_of_story": story.origin, "story_notes": sentences(notes)}
    return source.model_copy(update=update)


def find_stories(articles: Sequence[Article]) -> list[Story]:
    """The stories that two or more of the articles share, in the order of their first members; ids T1, T2, ..."""
    place = {article.id: number for number, article in enumerate(articles)}
    shared = copies([_titled(article) for article in articles])
    credits = credits_among(articles)
    joined = _Union(len(articles))
    reasons: dict[str, list[Reason]] = defaultdict(list)
    for pair in shared:
        joined.join(pair.first, pair.second)
        whole = pair.alike >= COPY
        percent = round(100 * (pair.alike if whole else pair.contained))
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            data = {"percent": percent, "other": articles[other].id}
            reasons[articles[one].id].append(
                Reason(code=f"origin.{'same_text' if whole else 'part_of_text'}", data=data)
            )
    parents = best_credits(credits.inside, _wording(shared, articles))
    for credit in parents.values():
        joined.join(place[credit.article], place[credit.origin])
        reasons[credit.article].append(Reason(code=f"origin.credits_{credit.how}", data={"other": credit.origin}))
    for first, second in (*_same_outside(articles, credits.outside), *_adding_nothing(articles, shared, joined)):
        joined.join(place[first.id], place[second.id])
        for article, fellow in ((first, second), (second, first)):
            reasons[article.id].append(Reason(code="origin.same_report", data={"other": fellow.id}))
    copied = frozenset(articles[place].id for pair in shared for place in (pair.first, pair.second))
    groups = [[articles[member] for member in group] for group in joined.groups() if len(group) > 1]
    return [_story(f"T{number}", group, credits, parents, reasons, copied) for number, group in enumerate(groups, 1)]


def _titled(article: Article) -> str:
    """The text, with the title before it where it does not begin with it."""
    titled = not article.title or article.title in article.text[:_TITLE_LOOKED_FOR]
    return article.text if titled else f"{article.title}\n{article.text}"


def _wording(pairs: Sequence[Overlap], articles: Sequence[Article]) -> dict[tuple[str, str], float]:
    named = ((sorted((articles[pair.first].id, articles[pair.second].id)), pair.alike) for pair in pairs)
    return {(one, other): alike for (one, other), alike in named}


def _same_outside(articles: Sequence[Article], outside: Mapping[str, Credit]) -> Iterator[tuple[Article, Article]]:
    """Those that credit the same report from outside, each with the nearest in content of those before it."""
    nearby: dict[str, Neighbours] = defaultdict(Neighbours)
    for place, article in enumerate(articles):
        if article.id not in outside:
            continue
        known = nearby[outside[article.id].origin]
        for other in known.nearest(article.particulars):
            if (
                near_in_time(article, articles[other])
                and alike(article.particulars, articles[other].particulars) >= _SAME_REPORT
            ):
                yield article, articles[other]
        known.add(place, article.particulars)


def _adding_nothing(
    articles: Sequence[Article], shared: Sequence[Overlap], joined: _Union
) -> Iterator[tuple[Article, Article]]:
    """Reports that credit nobody and bring nothing of their own, each with one that has all they have."""
    known = Neighbours()
    # Where the wording is shared, the wording has decided already.
    decided = {(pair.first, pair.second) for pair in shared}
    for place, article in enumerate(articles):
        if not article.reports:
            continue
        for other in known.nearest(article.particulars):
            if joined.top(other) == joined.top(place) or (other, place) in decided:
                continue
            fellow = articles[other]
            same = near_in_time(article, fellow) and adds_nothing(article.particulars, fellow.particulars)
            if same and share_phrases(article.text, fellow.text):
                yield article, fellow
        known.add(place, article.particulars)


def _story(
    story_id: str,
    members: Sequence[Article],
    credits: Credits,
    parents: Mapping[str, Credit],
    reasons: Mapping[str, Sequence[Reason]],
    copied: Collection[str],
) -> Story:
    by_id = {member.id: member for member in members}
    within = [credit for credit in credits.inside if credit.article in by_id and credit.origin in by_id]
    misdated = {
        credit.article for credit in within if later(by_id[credit.origin].published, by_id[credit.article].published)
    }
    return Story(
        id=story_id,
        members=tuple(by_id),
        lineage=lineage_of(members, parents, credits, Background(copied=copied)),
        misdated=tuple(member for member in by_id if member in misdated),
        reasons={member: tuple(reasons.get(member, ())) for member in by_id},
    )


def independent(sources: Iterable[Source]) -> tuple[Witness, ...]:
    """The independent witnesses among the sources: a story counts once, for the owner of its origin; several stories of
    one owner count once. Excluded sources are no witnesses. In the order of their first sources."""
    sources = [source for source in sources if not source.excluded]
    by_id = {source.id: source for source in sources}
    found: dict[str, list[str]] = defaultdict(list)
    for source in sources:
        origin = by_id.get(source.origin_of_story or "")
        if source.story is None:
            key = owner_or_site(source)
        elif origin is not None:
            key = owner_or_site(origin)
        else:
            key = f"story {source.story}"
        found[key].append(source.id)
    return tuple(Witness(name, tuple(ids)) for name, ids in found.items())


class _Union:
    """Disjoint sets of places; each is known by its smallest."""

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
