"""When a topic was mentioned: the first mention, how many in each period, and bursts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from inquest.domain.social import Burst, MentionBucket, MentionTimeline
from inquest.text.dates import utc

_STEPS = ((timedelta(days=3), timedelta(hours=1)), (timedelta(days=60), timedelta(days=1)))
_LONGEST = timedelta(days=7)
"""Hours within three days, days within two months, weeks above."""
_WINDOW = timedelta(minutes=15)
_FEWEST = 5
"""Posts within the window that make a burst ..."""
_FASTER = 4.0
"""... where they come this many times as fast as on average."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """One mention: when, by whom, where."""

    url: str
    author: str
    at: datetime | None


def mention_timeline(mentions: Sequence[Mentioned], now: datetime) -> MentionTimeline:
    """The timeline of the mentions, in any order. What is dated after `now` is counted with the undated: the date is
    wrong, or it is no part of the case."""
    dated = sorted(
        ((utc(each.at), each) for each in mentions if each.at and utc(each.at) <= utc(now)),
        key=lambda item: (item[0], item[1].url),
    )
    undated = len(mentions) - len(dated)
    if not dated:
        return MentionTimeline(undated=undated)
    first, last = dated[0][0], dated[-1][0]
    step = next((step for most, step in _STEPS if last - first <= most), _LONGEST)
    authors: dict[datetime, list[str]] = defaultdict(list)
    for at, each in dated:
        authors[_begin(at, step)].append(each.author or each.url)
    return MentionTimeline(
        first=first,
        first_url=dated[0][1].url,
        last=last,
        step_seconds=int(step.total_seconds()),
        buckets=tuple(
            MentionBucket(start=start, posts=len(by), accounts=len(set(by))) for start, by in sorted(authors.items())
        ),
        bursts=_bursts([(at, each.author or each.url) for at, each in dated]),
        undated=undated,
    )


def _begin(at: datetime, step: timedelta) -> datetime:
    seconds = int(step.total_seconds())
    return datetime.fromtimestamp(int(at.timestamp()) // seconds * seconds, UTC)


def _bursts(dated: Sequence[tuple[datetime, str]]) -> tuple[Burst, ...]:
    """The periods in which posts come much faster than on average; those that overlap are one."""
    span = max(dated[-1][0] - dated[0][0], _WINDOW)
    usual = len(dated) * (_WINDOW / span)
    found: list[list[int]] = []
    start = 0
    for end in range(len(dated)):
        while dated[end][0] - dated[start][0] > _WINDOW:
            start += 1
        many = end - start + 1
        if many >= _FEWEST and (many >= _FASTER * usual or span <= _WINDOW):
            if found and start <= found[-1][1]:
                found[-1][1] = end
            else:
                found.append([start, end])
    return tuple(
        Burst(
            start=dated[one][0],
            end=dated[other][0],
            posts=other - one + 1,
            accounts=len({author for _, author in dated[one : other + 1]}),
        )
        for one, other in found
    )
