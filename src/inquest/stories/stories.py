"""Stories: which documents are copies or rewrites of one another, which of them is the origin, and who is independent.

Twelve papers with one agency's report are one witness (X2). Documents belong to one story where they share their text,
or where one of them says that it has the matter from the other. The origin is the one that others name or copy and
that names nobody itself; dates decide only where nothing else does, because a copy can bear any date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.document import Document
from inquest.domain.source import Source
from inquest.sources.owners import voter_of
from inquest.stories.copies import COPY, Overlap, copies
from inquest.stories.credits import (
    Credit,
    Telling,
    credits_among,
    is_report,
    near,
    same_matter,
    telling_of,
)
from inquest.stories.lineage import UNTOLD, following, lineage_of, misdated_by, untold
from inquest.stories.matter import Neighbours, adds_nothing, share_turns
from inquest.stories.shared_text import compared_texts, without_digests
from inquest.stories.unread_origins import outside_credits, publisher_of

__all__ = ["Story", "Witness", "assign_stories", "find_stories", "independent", "possible_origins"]


@dataclass(frozen=True, slots=True)
class Story:
    """Documents that tell one report."""

    id: str
    members: tuple[str, ...]
    """Ids of the documents, at least two, in the order given."""
    origin: str | None
    """The member that the others go back to; None where they go back to a report that is not among them, or where
    it cannot be told which was there first."""
    outside: str | None
    """Who published that report, as the members name them."""
    misdated: tuple[str, ...]
    """Members dated before a report that they themselves name."""
    reasons: Mapping[str, tuple[str, ...]]
    """Why each member belongs to it."""
    undecided: tuple[str, ...] = ()
    """Those that can each be the first, where it cannot be told which."""
    possible: tuple[str, ...] = ()
    """The members that could be the first, likeliest first: whose dates decide between them."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One independent source: everything that goes back to one publisher or owner."""

    name: str
    source_ids: tuple[str, ...]


def assign_stories(sources: Iterable[Source], documents: Mapping[str, Document]) -> tuple[Source, ...]:
    """The sources, each with its story and origin where it shares one. `documents` by source id; a source whose text
    is not there stays as it is."""
    sources = tuple(sources)
    tellings = [telling_of(source, documents[source.id]) for source in sources if source.id in documents]
    of: dict[str, Story] = {member: story for story in find_stories(tellings) for member in story.members}
    return tuple(_told(source, of.get(source.id)) for source in sources)


def possible_origins(sources: Iterable[Source], documents: Mapping[str, Document]) -> tuple[str, ...]:
    """The sources between which it is open who told a story first, of the largest story first, in each the likeliest
    first. `documents` by source id."""
    tellings = [telling_of(source, documents[source.id]) for source in sources if source.id in documents]
    open_ones = [story for story in find_stories(tellings) if len(story.possible) > 1]
    open_ones.sort(key=lambda story: -len(story.members))
    return tuple(each for story in open_ones for each in story.possible)


def _told(source: Source, story: Story | None) -> Source:
    if story is None:
        return source.model_copy(update={"story": None, "origin_of_story": None})
    notes = [note for note in source.notes if not note.startswith(_NOTES)]
    if story.outside:
        notes.append(f"{_OUTSIDE} {story.outside.title()}, which is not among the sources.")
    elif story.origin is None:
        notes.append(untold(story.undecided))
    if source.id in story.misdated:
        notes.append(f"{_MISDATED}, so its date cannot be right.")
    update = {"story": story.id, "origin_of_story": story.origin, "notes": tuple(notes)}
    return source.model_copy(update=update)


_POSSIBLE = 3.0
"""Natural logarithm of odds, twenty to one: who is further behind the likeliest first telling is not asked about."""
_OUTSIDE = "Goes back to a report of"
_MISDATED = "It is dated earlier than a report that it names as its source"
_NOTES = (_OUTSIDE, UNTOLD, _MISDATED, "Others have the same text", "It is dated before a report that it names")
"""How the notes begin; the last two are how cases of earlier versions have them."""


def find_stories(tellings: Sequence[Telling]) -> list[Story]:
    """The stories that two or more of the tellings share, in the order of their first members; ids T1, T2, ..."""
    place = {telling.id: number for number, telling in enumerate(tellings)}
    shared = copies(compared_texts(tellings))
    credits = credits_among(tellings)
    joined = _Union(len(tellings))
    reasons: dict[str, list[str]] = defaultdict(list)
    for pair in without_digests(shared, tellings, credits):
        joined.join(pair.first, pair.second)
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            percent = round(100 * (pair.alike if pair.alike >= COPY else pair.contained))
            words = "shares" if pair.alike >= COPY else "shares, of the shorter of the two,"
            reasons[tellings[one].id].append(f"{words} {percent} % of its wording with {tellings[other].id}")
    parents = following(credits, _wording(shared, tellings))
    for credit in parents.values():
        joined.join(place[credit.teller], place[credit.origin])
        reasons[credit.teller].append(f"{credit.reason} ({credit.origin})")
    credits_outside = outside_credits(tellings)
    outside = {teller: publisher_of(credit) for teller, credit in credits_outside.items()}
    for teller, fellow in _same_outside(tellings, outside):
        joined.join(place[teller.id], place[fellow.id])
        for telling in (teller, fellow):
            reasons[telling.id].append(f"it goes back to {outside[telling.id]!r}, as others do")
    for rewrite, whole in _adding_nothing(tellings, shared, joined):
        joined.join(place[rewrite.id], place[whole.id])
        reasons[rewrite.id].append(f"it tells nothing that {whole.id} does not tell, much of it in the same words")
    groups = [group for group in joined.groups() if len(group) > 1]
    return [
        _story(f"T{number}", [tellings[member] for member in group], credits, parents, credits_outside, reasons)
        for number, group in enumerate(groups, 1)
    ]


def _wording(pairs: Sequence[Overlap], tellings: Sequence[Telling]) -> dict[tuple[str, str], float]:
    named = ((sorted((tellings[pair.first].id, tellings[pair.second].id)), pair.alike) for pair in pairs)
    return {(one, other): alike for (one, other), alike in named}


def _same_outside(tellings: Sequence[Telling], outside: Mapping[str, str]) -> Iterator[tuple[Telling, Telling]]:
    """Those that name the same report from outside, each with the nearest in matter of those before it."""
    nearby: dict[str, Neighbours] = defaultdict(Neighbours)
    for place, telling in enumerate(tellings):
        if telling.id not in outside:
            continue
        known = nearby[outside[telling.id]]
        for other in known.nearest(telling.matter):
            if same_matter(telling, tellings[other]):
                yield telling, tellings[other]
        known.add(place, telling.matter)


def _adding_nothing(
    tellings: Sequence[Telling], shared: Sequence[Overlap], joined: _Union
) -> Iterator[tuple[Telling, Telling]]:
    """Reports that name nobody and bring nothing of their own, each with one that tells all they tell."""
    known = Neighbours()
    # Where the wording is shared, the wording has decided already.
    decided = {(pair.first, pair.second) for pair in shared}
    for place, telling in enumerate(tellings):
        if not is_report(telling):
            continue
        for other in known.nearest(telling.matter):
            if joined.top(other) == joined.top(place) or (other, place) in decided:
                continue
            if not near(telling, tellings[other]):
                continue
            matters = telling.matter, tellings[other].matter
            if adds_nothing(*matters) and share_turns(telling.text, tellings[other].text):
                one, whole = telling, tellings[other]
                if len(one.matter.particulars) > len(whole.matter.particulars):
                    one, whole = whole, one
                yield one, whole
        known.add(place, telling.matter)


def _story(
    story_id: str,
    members: Sequence[Telling],
    credits: Sequence[Credit],
    parents: Mapping[str, Credit],
    outside: Mapping[str, Credit],
    reasons: Mapping[str, Sequence[str]],
) -> Story:
    by_id = {member.id: member for member in members}
    within = [credit for credit in credits if credit.teller in by_id and credit.origin in by_id]
    misdated = misdated_by(within, by_id)
    found = lineage_of(members, parents, outside)
    return Story(
        id=story_id,
        members=tuple(by_id),
        origin=found.origin,
        outside=found.outside,
        misdated=tuple(member for member in by_id if member in misdated),
        reasons={member: tuple(dict.fromkeys(reasons.get(member, ()))) for member in by_id},
        undecided=found.undecided,
        possible=tuple(root.id for root in found.roots if root.id in by_id and root.behind < _POSSIBLE),
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
            key = voter_of(source)
        elif origin is not None:
            key = voter_of(origin)
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
