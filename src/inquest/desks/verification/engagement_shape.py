"""A timeline of mentions, totals of engagement, and signs that a spread was coordinated."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from inquest.domain.leads import Post, PostKind
from inquest.domain.reasons import Reason, ReasonData, sentences
from inquest.domain.social import Burst, Engagement, MentionBucket, MentionTimeline, Pushed
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
    for start, end in _windows([at for at, _ in dated], _WINDOW):
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


METRICS = ("likes", "reposts", "replies", "quotes", "views")
_YOUNG = timedelta(days=30)
_WITHIN = timedelta(minutes=30)
_FEW = 4
"""Fewer accounts of one kind are chance."""
_ONE_OPERATOR = 3
_TOGETHER = timedelta(days=3)
_ENOUGH = 5
"""Posts with a known account from which on a spread without signs of pushing is called organic."""
_LEANING = 3.0
"""Reposts over likes. People who hand a post on mostly like it as well."""
_MANY_REPOSTS = 50


def metrics_of(post: Post) -> dict[str, int]:
    """Those numbers of a post that its network gives."""
    given = {name: getattr(post, name) for name in METRICS}
    return {name: value for name, value in given.items() if value is not None}


def engagement_of(
    posts: Sequence[tuple[Post, datetime | None]],
    same_words: Sequence[Sequence[tuple[Post, datetime | None]]],
    timeline: MentionTimeline,
    operators: Sequence[tuple[str, str]] = (),
) -> Engagement:
    """Totals over all but reposts, each post once, and the shape of the spread with its reasons.

    `same_words`: the groups of posts that have one text between them, reposts left out. `operators`: of each account
    that looks run together with others, by whom, and why.
    """
    own = {(post.network, post.id): post for post, _ in posts if post.kind is not PostKind.REPOST}
    known = [metrics for post in own.values() if (metrics := metrics_of(post))]
    totals = {name: max(0, sum(metrics.get(name, 0) for metrics in known)) for name in METRICS}
    signs = [*_young_reposts(posts), *_same_words(same_words), *_made_together(posts), *_lopsided(own.values())]
    signs += _one_operator(operators)
    dated = sum(post.account is not None and post.account.created is not None for post, _ in posts)
    if signs:
        shape, reasons = Pushed.PUSHED, signs
    elif dated >= _ENOUGH:
        shape = Pushed.ORGANIC
        reasons = [social_reason("organic", posts=dated)]
    else:
        shape = Pushed.UNKNOWN
        reasons = [social_reason("too_few", posts=dated)]
    if timeline.bursts:
        most = max(timeline.bursts, key=lambda burst: burst.posts)
        minutes = max(1, round((most.end - most.start).total_seconds() / 60))
        reasons.append(social_reason("burst", posts=most.posts, minutes=minutes))
    return Engagement(
        **totals, counted_posts=len(known), shape=shape, reasons=sentences(reasons), reason_codes=tuple(reasons)
    )


def social_reason(name: str, /, **data: ReasonData) -> Reason:
    """The reason `social.NAME` with its data."""
    return Reason(code=f"social.{name}", data=data)


def _young_reposts(posts: Sequence[tuple[Post, datetime | None]]) -> list[Reason]:
    """Many reposts of one post by accounts that had just been made, within half an hour."""
    of: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for post, at in posts:
        account = post.account
        if post.kind is not PostKind.REPOST or not post.original or at is None or not account or not account.created:
            continue
        if timedelta() <= utc(at) - utc(account.created) <= _YOUNG:
            of[post.original].append((utc(at), account.handle))
    most = {original: _most_within(by) for original, by in of.items()}
    return [social_reason("young_reposts", accounts=n, post=post) for post, n in most.items() if n >= _FEW]


def _same_words(groups: Sequence[Sequence[tuple[Post, datetime | None]]]) -> list[Reason]:
    most = [
        _most_within((utc(at), post.account.handle) for post, at in group if at and post.account) for group in groups
    ]
    return [social_reason("words_at_once", accounts=many) for many in most if many >= _FEW]


def _made_together(posts: Sequence[tuple[Post, datetime | None]]) -> list[Reason]:
    made = {(utc(p.account.created), p.account.handle) for p, _ in posts if p.account and p.account.created}
    most = _most_within(made, _TOGETHER)
    return [social_reason("made_together", accounts=most)] if most >= max(_FEW + 1, len(made) // 3) else []


def _one_operator(operators: Sequence[tuple[str, str]]) -> list[Reason]:
    why = dict(reversed(operators))
    many = sorted(Counter(operator for operator, _ in operators).items())
    return [social_reason("one_hand", accounts=n, why=why[each]) for each, n in many if n >= _ONE_OPERATOR]


def _lopsided(posts: Iterable[Post]) -> list[Reason]:
    return [
        social_reason("lopsided", post=post.id, reposts=f"{post.reposts:,}", likes=f"{post.likes:,}")
        for post in posts
        if post.reposts is not None
        and post.likes is not None
        and post.reposts >= max(_MANY_REPOSTS, _LEANING * max(1, post.likes))
    ]


def _most_within(moments: Iterable[tuple[datetime, str]], window: timedelta = _WITHIN) -> int:
    """The most different accounts within any window of that length."""
    ordered = sorted(moments)
    found = _windows([at for at, _ in ordered], window)
    return max((len({handle for _, handle in ordered[start : end + 1]}) for start, end in found), default=0)


def _windows(moments: Sequence[datetime], length: timedelta) -> Iterator[tuple[int, int]]:
    """For each of these moments, in order, the place of the first within that length before it, and its own."""
    start = 0
    for end, at in enumerate(moments):
        while at - moments[start] > length:
            start += 1
        yield start, end
