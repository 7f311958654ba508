"""The times at which each article can have been published, from its own date and the articles that credit it.

An article that credits a report came after it, and a captured page existed by the time of the capture. A date is
rejected if it is before the event of the story, after the capture of the article, or before a report that the article
credits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

from inquest.domain.source import Category
from inquest.domain.value import Precision, Published
from inquest.sources.dating import disproved_by
from inquest.stories.crediting import Article, Credit, later

_LONE = timedelta(days=21)
"""A date so long before the median date of the story is not believed, ..."""
_FEWEST, _CONFIRMED = 3, 0.4
"""... if there are at least so many dates, unless this share of them belong to articles that go back to it."""
SETS_ITS_DATES = (Category.BLOG, Category.UNKNOWN)
"""Publishers that can type any date. Such a date is the earliest possible one; the article may be as late as its first
capture or those that credit it, or of any later time without either."""
_ZONES = timedelta(hours=14)
"""Largest difference between local clocks: a time that much before a day begins may be of that day."""


@dataclass(frozen=True, slots=True)
class Times:
    """The period in which an article was published."""

    start: datetime | None
    """The earliest time its date allows; None: it has no date, or one that is rejected."""
    latest: datetime | None
    """The latest time, by its date, its capture and the articles that credit it; None: not known."""
    before_event: bool = False
    """True if its date is before the event."""

    @property
    def known(self) -> bool:
        """True if its date is accepted."""
        return self.start is not None


def before(one: Times, other: Times) -> float:
    """Return the probability that `one` came before `other`, each uniform in its period; 0.5 if nothing is known."""
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
    """The probability that a moment of the first period is before one of the second."""
    steps = 16
    moments = [from_ + (until - from_) * (step + 0.5) / steps for step in range(steps)]
    if end == start:
        return sum(start < moment for moment in moments) / steps
    return sum(min(1.0, max(0.0, (moment - start) / (end - start))) for moment in moments) / steps


def times_of(
    articles: Sequence[Article], forest: Mapping[str, Credit], event: datetime | None = None
) -> dict[str, Times]:
    """Return the times of each article by id. `forest`: credits without loops; `event`: beginning of the event."""
    seen = _passed_up({each.id: each.seen for each in articles if each.seen}, forest)
    dates = {each.id: each.published for each in articles if each.published}
    clocks = {id: _ZONES if date.precision is Precision.TIME else timedelta() for id, date in dates.items()}
    early = {id for id, date in dates.items() if event and date.latest + clocks[id] < event}
    false = early | {id for id, date in dates.items() if id in seen and disproved_by(date, seen[id])}
    dated = {id: date for id, date in dates.items() if id not in false}
    false |= _contradicted(dated, [each.id for each in articles], forest)
    false |= _lone({id: date for id, date in dated.items() if id not in false}, seen, forest)
    typed = {each.id for each in articles if each.category in SETS_ITS_DATES}
    ends = {id: date.latest for id, date in dated.items() if id not in false | typed}
    latest = _passed_up(ends | {id: min(at, ends.get(id, at)) for id, at in seen.items()}, forest)
    starts = {id: date.at for id, date in dated.items() if id not in false}
    return {each.id: Times(starts.get(each.id), latest.get(each.id), each.id in early) for each in articles}


def _ancestors(article: str, forest: Mapping[str, Credit]) -> Iterator[str]:
    while article in forest:
        article = forest[article].origin
        yield article


def _passed_up(known: Mapping[str, datetime], forest: Mapping[str, Credit]) -> dict[str, datetime]:
    """The time by which each article existed: the earliest known for it or for an article that goes back to it."""
    found: dict[str, datetime] = {}
    for article, at in known.items():
        for here in (article, *_ancestors(article, forest)):
            found[here] = min(at, found.get(here, at))
    return found


def descendants(articles: Sequence[str], forest: Mapping[str, Credit]) -> dict[str, int]:
    """Return how many articles go back to each one, directly or through others."""
    found: dict[str, int] = defaultdict(int, dict.fromkeys(articles, 0))
    for article in articles:
        for ancestor in _ancestors(article, forest):
            found[ancestor] += 1
    return dict(found)


def _contradicted(dated: Mapping[str, Published], ids: Sequence[str], forest: Mapping[str, Credit]) -> set[str]:
    """Articles whose date must be wrong because they go back to a report of a later date: first those that conflict
    with most dates of their line, and of two the one further from the origin."""
    against: dict[str, set[str]] = defaultdict(set)
    compared: dict[str, int] = defaultdict(int)
    depth: dict[str, int] = {}
    for article in ids:
        ancestors = list(_ancestors(article, forest))
        depth[article] = len(ancestors)
        for ancestor in ancestors:
            if ancestor in dated and article in dated:
                compared[ancestor] += 1
                compared[article] += 1
                if later(dated[ancestor], dated[article]):
                    against[article].add(ancestor)
                    against[ancestor].add(article)
    wrong: set[str] = set()
    while any(against.values()):
        worst = max(against, key=lambda each: (len(against[each]) / (1 + compared[each]), depth.get(each, 0), each))
        wrong.add(worst)
        for other in against.pop(worst):
            against[other].discard(worst)
    return wrong


def _lone(dated: Mapping[str, Published], seen: Mapping[str, datetime], forest: Mapping[str, Credit]) -> set[str]:
    """Articles dated long before nearly all others, though few go back to them and no archive saw them then."""
    if len(dated) < _FEWEST:
        return set()
    bound = datetime.fromtimestamp(median(date.at.timestamp() for date in dated.values()), UTC) - _LONE
    behind = descendants(list(dated), forest)
    return {
        id
        for id, date in dated.items()
        if date.at < bound and behind[id] < _CONFIRMED * (len(dated) - 1) and not (id in seen and seen[id] < bound)
    }
