"""When each article can have been published at all, from its own date and from those who credit it.

Whoever credits a report came after it; what an archive captured was there by then. A date before the event that the
article tells of, after its capture, or before a report that it credits is not believed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

from inquest.domain.published import Precision, Published
from inquest.domain.source import Category
from inquest.sources.dating import disproved_by
from inquest.stories.crediting import Article, Credit, later

_LONE = timedelta(days=21)
"""A date so long before the middle one of the story is not believed, ..."""
_FEWEST, _BORNE_OUT = 3, 0.4
"""... where there are so many dates at least, unless this part of them go back to its article."""
SETS_ITS_DATES = (Category.BLOG, Category.UNKNOWN)
"""Whose dates are what the writer types: one of theirs is the earliest that it can be, and it can be as late as whoever
credits it, where no archive saw it before."""
_ZONES = timedelta(hours=14)
"""What the clocks of two places can differ by: a time that much before a day begins may be of that day."""


@dataclass(frozen=True, slots=True)
class Times:
    """Between which moments an article was published."""

    start: datetime | None
    """The earliest that its date means; None: it has none, or one that is not believed."""
    latest: datetime | None
    """The latest that it can have been, by its date, its capture and those who credit it; None: not known."""
    before_event: bool = False
    """That date is before the event."""

    @property
    def known(self) -> bool:
        """Whether its date is believed."""
        return self.start is not None


def before(one: Times, other: Times) -> float:
    """How likely the one came before the other, 0 to 1, each moment of its period being as likely; 0.5 where nothing
    is known."""
    if one.latest is not None and other.start is not None and one.latest <= other.start:
        # The same minute decides nothing.
        return 1.0 if one.latest < other.start or one.start != other.start else 0.5
    if other.latest is not None and one.start is not None and other.latest <= one.start:
        return 0.0
    if one.start is None or other.start is None or one.latest is None or other.latest is None:
        return 0.5
    if one.latest == one.start and other.latest == other.start:
        return 0.5
    return _part_before(one.start, one.latest, other.start, other.latest)


def _part_before(start: datetime, end: datetime, from_: datetime, until: datetime) -> float:
    """The chance that a moment drawn from the first period lies before one drawn from the second."""
    steps = 16
    moments = [from_ + (until - from_) * (step + 0.5) / steps for step in range(steps)]
    if end == start:
        return sum(start < moment for moment in moments) / steps
    return sum(min(1.0, max(0.0, (moment - start) / (end - start))) for moment in moments) / steps


def times_of(
    articles: Sequence[Article], forest: Mapping[str, Credit], event: datetime | None = None
) -> dict[str, Times]:
    """The times of each article, by id. `forest`: credits without loops, by article; `event`: when the event of the
    story began, None where that is not known."""
    seen = _handed_up({each.id: each.seen for each in articles if each.seen}, forest)
    early = {each.id for each in articles if each.published and event and _before_event(each.published, event)}
    false = early | {
        each.id
        for each in articles
        if each.published and each.id in seen and disproved_by(each.published, seen[each.id])
    }
    dated = {each.id: each.published for each in articles if each.published and each.id not in false}
    false |= _contradicted(dated, [each.id for each in articles], forest)
    false |= _lone({id: date for id, date in dated.items() if id not in false}, seen, forest)
    credited = {credit.origin for credit in forest.values()}
    typed = {each.id for each in articles if each.category in SETS_ITS_DATES and each.id in credited - seen.keys()}
    ends = {id: date.latest for id, date in dated.items() if id not in false | typed}
    latest = _handed_up(ends | {id: min(at, ends.get(id, at)) for id, at in seen.items()}, forest)
    return {
        each.id: Times(
            dated[each.id].at if each.id in dated and each.id not in false else None,
            latest.get(each.id),
            each.id in early,
        )
        for each in articles
    }


def _before_event(published: Published, event: datetime) -> bool:
    tolerance = _ZONES if published.precision is Precision.TIME else timedelta()
    return published.latest + tolerance < event


def _handed_up(known: Mapping[str, datetime], forest: Mapping[str, Credit]) -> dict[str, datetime]:
    """By when each was there: by when it, or one that goes back to it, was."""
    found: dict[str, datetime] = {}
    for article, at in known.items():
        here = article
        while here not in found or found[here] > at:
            found[here] = at
            if here not in forest:
                break
            here = forest[here].origin
    return found


def descendants(articles: Sequence[str], forest: Mapping[str, Credit]) -> dict[str, int]:
    """How many articles go back to each, directly or through others."""
    found: dict[str, int] = defaultdict(int, dict.fromkeys(articles, 0))
    for article in articles:
        here = article
        while here in forest:
            here = forest[here].origin
            found[here] += 1
    return dict(found)


def _contradicted(dated: Mapping[str, Published], ids: Sequence[str], forest: Mapping[str, Credit]) -> set[str]:
    """Dates that are wrong because an article goes back to a report of a later date: first those that most of the dates
    of their line speak against, and of two the one further from the origin."""
    against: dict[str, set[str]] = defaultdict(set)
    compared: dict[str, int] = defaultdict(int)
    depth: dict[str, int] = {}
    for article in ids:
        here, depth[article] = article, 0
        while here in forest:
            here, depth[article] = forest[here].origin, depth[article] + 1
            if here in dated and article in dated:
                compared[here] += 1
                compared[article] += 1
                if later(dated[here], dated[article]):
                    against[article].add(here)
                    against[here].add(article)
    wrong: set[str] = set()
    while any(against.values()):
        worst = max(against, key=lambda each: (len(against[each]) / (1 + compared[each]), depth.get(each, 0), each))
        wrong.add(worst)
        for other in against.pop(worst):
            against[other].discard(worst)
    return wrong


def _lone(dated: Mapping[str, Published], seen: Mapping[str, datetime], forest: Mapping[str, Credit]) -> set[str]:
    """Those dated long before nearly all others, though few go back to them and no archive saw them at that time."""
    if len(dated) < _FEWEST:
        return set()
    bound = datetime.fromtimestamp(median(date.at.timestamp() for date in dated.values()), UTC) - _LONE
    behind = descendants(list(dated), forest)
    return {
        id
        for id, date in dated.items()
        if date.at < bound and behind[id] < _BORNE_OUT * (len(dated) - 1) and not (id in seen and seen[id] < bound)
    }
