"""The spread of a topic in posts: posts among hits, timeline of mentions, engagement, and signs of coordination."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from inquest.domain.reasons import Catalogue, Reason, sentences
from inquest.domain.search import Account, Engagement, Hit, MentionBucket, MentionTimeline, Post, PostKind, Pushed
from inquest.domain.value import Precision
from inquest.text.dates import utc
from inquest.text.regex import regex
from inquest.text.sentences import fold

social_reason = Catalogue("social")
METRICS = ("likes", "reposts", "replies", "quotes", "views")
_CLUTTER = regex(r"https?://\S+|(?:^|\s)@\w[\w.@-]*|^RT\s+@\w+:\s*|[#]", re.IGNORECASE)
_STEPS = ((timedelta(days=3), timedelta(hours=1)), (timedelta(days=60), timedelta(days=1)))
_LONGEST = timedelta(days=7)
"""Steps of the timeline: hours up to three days, days up to two months, weeks beyond."""
_YOUNG = timedelta(days=30)
_WITHIN = timedelta(minutes=30)
_FEW = 4
"""Minimum number of similar accounts that is a sign of coordination."""
_ENOUGH = 5
"""Minimum posts from accounts of known age for an organic spread."""


@dataclass(frozen=True)
class FoundPost:
    """A hit that is a post."""

    hit: Hit
    post: Post
    content: str
    words: str
    """The folded content without addresses, handles and hashtag signs, for comparison."""
    at: datetime | None

    @property
    def author(self) -> str:
        """The key of the account on all networks; the address of the post if the account is unknown."""
        return account_key(self.post.account) if self.post.account else self.hit.url

    @property
    def metrics(self) -> dict[str, int]:
        """The numbers that the network gives."""
        return {name: value for name in METRICS if (value := getattr(self.post, name)) is not None}


def account_key(account: Account) -> str:
    """The key of an account on all networks: `tove_marsh` on X, `tovemarsh.bsky.social` on Bluesky and
    `tove.marsh@social.example` on Mastodon count as one person."""
    handle = fold(account.handle).split("@")[0].removesuffix(".bsky.social")
    return re.sub(r"[^\w]|_", "", handle) or handle


def first_seen(hit: Hit) -> datetime | None:
    """The time at which the network first saw a post that its author backdated."""
    seen = hit.details.get("first_seen")
    return utc(datetime.fromisoformat(seen)) if isinstance(seen, str) else None


def found_posts(hits: Sequence[Hit], now: datetime) -> tuple[list[FoundPost], int]:
    """The posts by `now` in order, each once, with its account if known; and the number of those gone or
    rewritten later."""
    found: dict[tuple[str, str], FoundPost] = {}
    gone: set[tuple[str, str]] = set()
    for hit in hits:
        post = hit.post
        if post is None:
            continue
        key = (post.network, post.id or hit.url)
        if post.gone or (post.edited is not None and utc(post.edited) > utc(now)):
            gone.add(key)
            continue
        exact = hit.published is not None and hit.published.precision in (Precision.TIME, Precision.DAY)
        at = first_seen(hit) or (utc(hit.published.at) if hit.published and exact else None)
        if at is not None and at > utc(now):
            continue
        content = hit.snippet or hit.title
        if hit.title and post.network == "reddit" and fold(hit.title) not in fold(content):
            content = f"{hit.title}\n{content}"
        each = FoundPost(hit, post, content, " ".join(_CLUTTER.sub(" ", fold(content)).split()), at)
        if key not in found or (post.account and not found[key].post.account):
            found[key] = each
    kept = [each for key, each in found.items() if key not in gone]
    return sorted(kept, key=lambda each: (each.at is None, each.at or now, each.hit.url)), len(gone)


def mention_timeline(posts: Sequence[FoundPost]) -> MentionTimeline:
    """Posts and accounts by hour, day or week."""
    dated = sorted((each.at, each.hit.url, each.author) for each in posts if each.at)
    undated = len(posts) - len(dated)
    if not dated:
        return MentionTimeline(undated=undated)
    first, last = dated[0][0], dated[-1][0]
    step = int(next((step for most, step in _STEPS if last - first <= most), _LONGEST).total_seconds())
    authors: dict[datetime, list[str]] = defaultdict(list)
    for at, _, author in dated:
        authors[datetime.fromtimestamp(int(at.timestamp()) // step * step, UTC)].append(author)
    buckets = (MentionBucket(start=start, posts=len(by), accounts=len(set(by))) for start, by in authors.items())
    return MentionTimeline(first=first, first_url=dated[0][1], last=last, buckets=tuple(buckets), undated=undated)


def engagement_of(posts: Sequence[FoundPost], same_words: Sequence[Sequence[FoundPost]]) -> Engagement:
    """Totals without reposts, which show the numbers of the original, and the shape of the spread. `same_words`: groups
    of posts with the same text."""
    known = [each.metrics for each in posts if each.post.kind is not PostKind.REPOST]
    totals = {name: max(0, sum(metrics.get(name, 0) for metrics in known)) for name in METRICS}
    if signs := list(_signs(posts, same_words)):
        return Engagement(**totals, shape=Pushed.PUSHED, reasons=sentences(signs))
    dated = sum(each.post.account is not None and each.post.account.created is not None for each in posts)
    shape, name = (Pushed.ORGANIC, "organic") if dated >= _ENOUGH else (Pushed.UNKNOWN, "too_few")
    return Engagement(**totals, shape=shape, reasons=sentences([social_reason(name, posts=dated)]))


def _signs(posts: Sequence[FoundPost], same_words: Sequence[Sequence[FoundPost]]) -> Iterator[Reason]:
    """Signs of a coordinated spread: simultaneous reposts by young accounts, or identical texts."""
    young: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for each in posts:
        created = each.post.account.created if each.post.account else None
        original = each.post.original if each.post.kind is PostKind.REPOST else None
        if original and created and each.at and timedelta() <= each.at - utc(created) <= _YOUNG:
            young[original].append((each.at, each.author))
    for original, reposts in young.items():
        if (many := _most_within(reposts)) >= _FEW:
            yield social_reason("young_reposts", accounts=many, post=original)
    for group in same_words:
        if (many := _most_within([(each.at, each.author) for each in group if each.at and each.post.account])) >= _FEW:
            yield social_reason("words_at_once", accounts=many)


def _most_within(moments: Iterable[tuple[datetime, str]]) -> int:
    """The largest number of distinct accounts within any half hour."""
    ordered = sorted(moments)
    most = start = 0
    for end, (at, _) in enumerate(ordered):
        while at - ordered[start][0] > _WITHIN:
            start += 1
        most = max(most, len({author for _, author in ordered[start : end + 1]}))
    return most
