"""Stories: which documents are copies or rewrites of one another, which of them is the origin, and who is independent.

Twelve papers with one agency's report are one witness (X2). Documents belong to one story where they share their text,
or where one of them says that it has the matter from the other. The origin is the one that others name or copy and
that names nobody itself; dates decide only where nothing else does, because a copy can bear any date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.document import Document
from inquest.domain.source import Source
from inquest.logic.copies import COPY, Overlap, copies
from inquest.logic.origin import (
    Credit,
    Telling,
    credits_among,
    later,
    moment,
    outside_credits,
    same_matter,
    telling_of,
)
from inquest.logic.votes import voter_of

__all__ = ["Story", "Witness", "assign_stories", "find_stories", "independent"]


@dataclass(frozen=True, slots=True)
class Story:
    """Documents that tell one report."""

    id: str
    members: tuple[str, ...]
    """Ids of the documents, at least two, in the order given."""
    origin: str | None
    """The member that the others go back to; None where they go back to a report that is not among them."""
    outside: str | None
    """Who published that report, as the members name them."""
    misdated: tuple[str, ...]
    """Members dated before a report that they themselves name."""
    reasons: Mapping[str, tuple[str, ...]]
    """Why each member belongs to it."""


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


def _told(source: Source, story: Story | None) -> Source:
    if story is None:
        return source.model_copy(update={"story": None, "origin_of_story": None})
    notes = [note for note in source.notes if not note.startswith(_NOTES)]
    if story.outside:
        notes.append(f"{_OUTSIDE} {story.outside.title()}, which is not among the sources.")
    if source.id in story.misdated:
        notes.append(f"{_MISDATED}, so its date is not believed.")
    update = {"story": story.id, "origin_of_story": story.origin, "notes": tuple(notes)}
    return source.model_copy(update=update)


_OUTSIDE, _MISDATED = "Goes back to a report of", "It is dated before a report that it names"
_NOTES = (_OUTSIDE, _MISDATED)


def find_stories(tellings: Sequence[Telling]) -> list[Story]:
    """The stories that two or more of the tellings share, in the order of their first members; ids T1, T2, ..."""
    place = {telling.id: number for number, telling in enumerate(tellings)}
    shared = copies([telling.text for telling in tellings])
    credits = credits_among(tellings)
    joined = _Union(len(tellings))
    reasons: dict[str, list[str]] = defaultdict(list)
    for pair in _without_digests(shared):
        joined.join(pair.first, pair.second)
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            percent = round(100 * (pair.alike if pair.alike >= COPY else pair.contained))
            words = "shares" if pair.alike >= COPY else "shares, of the shorter of the two,"
            reasons[tellings[one].id].append(f"{words} {percent} % of its wording with {tellings[other].id}")
    for credit in _parents(credits, shared, place):
        joined.join(place[credit.teller], place[credit.origin])
        reasons[credit.teller].append(f"{credit.reason} ({credit.origin})")
    outside = outside_credits(tellings)
    for teller, fellow in _same_outside(tellings, outside):
        joined.join(place[teller.id], place[fellow.id])
        for telling in (teller, fellow):
            reasons[telling.id].append(f"it says that it has it from {outside[telling.id]!r}, as others do")
    groups = [group for group in joined.groups() if len(group) > 1]
    return [
        _story(f"T{number}", [tellings[member] for member in group], credits, outside, reasons)
        for number, group in enumerate(groups, 1)
    ]


def _without_digests(pairs: Sequence[Overlap]) -> list[Overlap]:
    """Without the pairs by which a digest would tie the different reports it prints into one."""
    together = {(pair.first, pair.second) for pair in pairs}
    parts: dict[int, list[Overlap]] = defaultdict(list)
    for pair in pairs:
        if pair.alike < COPY:
            parts[pair.first].append(pair)
            parts[pair.second].append(pair)
    dropped: set[Overlap] = set()
    for hub, spokes in parts.items():
        ends = [spoke.second if spoke.first == hub else spoke.first for spoke in spokes]
        strangers = any(
            (min(one, other), max(one, other)) not in together
            for number, one in enumerate(ends)
            for other in ends[number + 1 :]
        )
        if strangers:
            best = max(spokes, key=lambda spoke: (spoke.contained, -spoke.first, -spoke.second))
            dropped.update(spoke for spoke in spokes if spoke is not best)
    return [pair for pair in pairs if pair not in dropped]


def _parents(credits: Sequence[Credit], shared: Sequence[Overlap], place: Mapping[str, int]) -> list[Credit]:
    """Each teller's best credit: a page that names several reports belongs to one story and ties none together."""
    alike = {(pair.first, pair.second): pair.alike for pair in shared}
    best: dict[str, tuple[float, float, Credit]] = {}
    for credit in credits:
        ends = sorted((place[credit.teller], place[credit.origin]))
        strength = (alike.get((ends[0], ends[1]), 0.0), credit.alike)
        if credit.teller not in best or strength > best[credit.teller][:2]:
            best[credit.teller] = (*strength, credit)
    return [credit for _, _, credit in best.values()]


def _same_outside(tellings: Sequence[Telling], outside: Mapping[str, str]) -> list[tuple[Telling, Telling]]:
    named = [telling for telling in tellings if telling.id in outside]
    return [
        (one, other)
        for number, one in enumerate(named)
        for other in named[number + 1 :]
        if outside[one.id] == outside[other.id] and same_matter(one, other)
    ]


def _story(
    story_id: str,
    members: Sequence[Telling],
    credits: Sequence[Credit],
    outside: Mapping[str, str],
    reasons: Mapping[str, Sequence[str]],
) -> Story:
    by_id = {member.id: member for member in members}
    within = [credit for credit in credits if credit.teller in by_id and credit.origin in by_id]
    tellers, named = {credit.teller for credit in within}, {credit.origin for credit in within}
    misdated = {
        credit.teller for credit in within if later(by_id[credit.origin].published, by_id[credit.teller].published)
    }
    roots = (
        [member for member in members if member.id not in tellers]
        or [member for member in members if member.id not in misdated]
        or list(members)
    )
    origin = min(
        roots,
        # A release that is reprinted is the origin of its own words; then whoever others name; then who was first.
        key=lambda member: (not member.press_release, member.id not in named, moment(member), -member.score, member.id),
    )
    away = outside.get(origin.id) if origin.id not in named else None
    return Story(
        id=story_id,
        members=tuple(by_id),
        origin=None if away else origin.id,
        outside=away,
        misdated=tuple(member for member in by_id if member in misdated),
        reasons={member: tuple(dict.fromkeys(reasons.get(member, ()))) for member in by_id},
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
