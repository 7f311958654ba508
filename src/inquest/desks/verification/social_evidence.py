"""Posts about a topic as evidence: originals, reposts and copies, and how many independent accounts they are.

A thousand reposts are one source, and ten people who share one article are that article. What counts is an account
that reports on the topic in words of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from inquest.desks.verification.engagement_shape import (
    Mentioned,
    engagement_of,
    mention_timeline,
    metrics_of,
    social_reason,
)
from inquest.desks.verification.eyewitness import eyewitness_reading
from inquest.desks.verification.poster_credibility import one_operator, poster_credibility, standing_of
from inquest.desks.verification.topic_reading import TopicReading, read_topic
from inquest.domain.leads import Account, Post, PostKind
from inquest.domain.published import Precision
from inquest.domain.reasons import Reason, sentences
from inquest.domain.search import Hit
from inquest.domain.social import EyewitnessReading, PosterCredibility, SocialEvidence, SocialSource
from inquest.domain.topic import Topic
from inquest.text.dates import utc
from inquest.text.phrases import day
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold
from inquest.text.shingles import overlap, runs
from inquest.text.urls import comparison_key, registrable_domain

_ON_TOPIC = 0.18
"""The least share of the topic's names and carrying words that a post must have; posts are short."""
_ON_TOPIC_EXPANDED = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_CLUTTER = regex(r"https?://\S+|(?:^|\s)@\w[\w.@-]*|^RT\s+@\w+:\s*|[#]", re.IGNORECASE)
_COPY = 0.75
"""Share of the runs of four words of the shorter text that stand in the longer one."""
_FEWEST_WORDS = 5
"""Words below which a text is too short to be anybody's own."""
_MINUTES = timedelta(minutes=30)


@dataclass(frozen=True)
class _Found:
    """A hit that is a post, read."""

    hit: Hit
    post: Post
    content: str
    words: str
    """Content without addresses, handles and hashtag signs, folded, for comparing."""
    at: datetime | None

    @property
    def account(self) -> Account | None:
        return self.post.account

    @property
    def author(self) -> str:
        """One key for one account, on whatever network; its address where nobody is shown."""
        return account_key(self.post.account, self.post.network) if self.post.account else self.hit.url


def account_key(account: Account, network: str) -> str:
    """One key for one account, on whatever network: `tove_marsh` on X, `tovemarsh.bsky.social` on Bluesky and
    `tove.marsh@social.example` on Mastodon are taken for one person."""
    handle = fold(account.handle).split("@")[0]
    if network == "bluesky" and ":" not in handle and "." in handle:
        hosted = handle.endswith(".bsky.social")
        handle = handle.removesuffix(".bsky.social") if hosted else registrable_domain(handle).split(".")[0]
    return re.sub(r"[^\w]|_", "", handle) or handle


def social_evidence(
    topic: Topic,
    hits: Sequence[Hit],
    now: datetime,
    *,
    entities: Sequence[str] = (),
    asked: Sequence[str] = (),
    not_asked: Mapping[str, str] | None = None,
) -> SocialEvidence:
    """The evidence of the posts among the hits; other hits are left aside. Their order does not matter.

    `now`: the moment of the case, for the age of accounts and for dates that cannot be. A post that is dated after it
    is left out. `asked`: networks that answered; `not_asked`: those that could not be asked, with the reason.
    """
    reading = read_topic(topic, entities)
    every, gone = _posts(hits, now)
    found = [each for each in every if _about(each, reading)]
    groups = _same_words(found)
    first_of = {each.hit.url: group[0] for group in groups for each in group}
    timeline = mention_timeline([Mentioned(each.hit.url, each.author, each.at) for each in found], now)
    read = [_read(each, topic, reading, now, first_of.get(each.hit.url), _sharing(each, groups)) for each in found]
    run_by = one_operator({e.author: (e.account, e.at) for e in reversed(found) if e.account and not e.account.bot})
    posts = _with_independence(read, found, run_by)
    independent = [post for post in posts if post.independent]
    accounts = len({each.author for each, post in zip(found, posts, strict=True) if post.independent})
    engagement = engagement_of(
        [(each.post, each.at) for each in found],
        [[(each.post, each.at) for each in group] for group in groups],
        timeline,
        [(operator, alike) for operator, alike in run_by.values()],
    )
    order = sorted(range(len(posts)), key=lambda place: _order(posts[place]))
    originals = sum(post.kind is not PostKind.REPOST and post.copy_of is None for post in posts)
    evidence = SocialEvidence(
        posts=tuple(posts[place] for place in order),
        originals=originals,
        reposts=sum(post.kind is PostKind.REPOST for post in posts),
        copies=sum(post.kind is not PostKind.REPOST and post.copy_of is not None for post in posts),
        off_topic=len(every) - len(found),
        gone=gone,
        asked=tuple(dict.fromkeys(asked)),
        not_asked=dict(not_asked or {}),
        verified_accounts=tuple(
            dict.fromkeys(posts[p].author for p in order if posts[p].verification_status == "verified_account")
        ),
        eyewitnesses=tuple(posts[p].url for p in order if (seen := posts[p].eyewitness) is not None and seen.likely),
        independent_accounts=accounts,
        credibility=_together(independent),
        timeline=timeline,
        engagement=engagement,
    )
    return evidence.model_copy(update={"reasons": sentences(_reasons(evidence))})


def _posts(hits: Sequence[Hit], now: datetime) -> tuple[list[_Found], int]:
    """Each post once, in order of time; of one that several engines gave, the one of which most is known. Beside them,
    how many are left out because their words were taken back, or are later than the case."""
    found: dict[tuple[str, str], _Found] = {}
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
        at = _first_seen(hit) or (utc(hit.published.at) if hit.published and exact else None)
        if at is not None and at > utc(now):
            continue
        content = hit.snippet or hit.title
        # The title of a submission is its poster's own words as well.
        if hit.title and post.network == "reddit" and fold(hit.title) not in fold(content):
            content = f"{hit.title}\n{content}"
        each = _Found(hit, post, content, " ".join(_CLUTTER.sub(" ", fold(content)).split()), at)
        if key not in found or _known(each) > _known(found[key]):
            found[key] = each
    kept = [each for key, each in found.items() if key not in gone]
    return sorted(kept, key=lambda each: (each.at is None, each.at or now, each.hit.url)), len(gone)


def _first_seen(hit: Hit) -> datetime | None:
    """When the network first saw a post that its author dated back."""
    seen = hit.details.get("first_seen")
    return utc(datetime.fromisoformat(seen)) if isinstance(seen, str) else None


def _known(each: _Found) -> int:
    account = each.account
    given = sum(value is not None for value in account.model_dump().values()) if account else 0
    return given + len(metrics_of(each.post)) + bool(each.at)


def _about(each: _Found, reading: TopicReading) -> bool:
    """True where it has enough of the topic. Hashtags are taken apart: '#GarrowStrike' has both words."""
    text = _ON_TOPIC_EXPANDED.sub(" ", each.content.replace("#", " "))
    text = f"{text} {each.post.place or ''} {each.post.group or ''}"
    return reading.topic_terms.share(text) >= _ON_TOPIC


def _same_words(found: Sequence[_Found]) -> list[list[_Found]]:
    """Posts with one text between them, reposts left out, each group in order of time and of two or more."""
    own = [each for each in found if each.post.kind is not PostKind.REPOST]
    bags = [runs(each.words) for each in own]
    first: dict[int, int] = {}
    by_run: dict[str, list[int]] = defaultdict(list)
    for place, bag in enumerate(bags):
        for other in sorted({known for run in bag for known in by_run[run]}):
            if other in first:
                continue
            if overlap(bag, bags[other])[1] >= _COPY:
                first[place] = other
                break
        if place not in first:
            for run in bag:
                by_run[run].append(place)
    groups: dict[int, list[_Found]] = defaultdict(list)
    for place, each in enumerate(own):
        groups[first.get(place, place)].append(each)
    return [group for group in groups.values() if len(group) > 1]


def _sharing(each: _Found, groups: Sequence[Sequence[_Found]]) -> tuple[int, bool]:
    """The number of accounts that posted its words, and whether others of them did so within half an hour."""
    group = next((group for group in groups if any(other is each for other in group)), ())
    others = [other for other in group if other.author != each.author]
    near = any(other.at and each.at and abs(other.at - each.at) <= _MINUTES for other in others)
    return len({other.author for other in group}) or 1, near


def _passed_on(each: _Found) -> str | None:
    """The post that it quotes, else the first page that it links to."""
    if each.post.kind is PostKind.QUOTE and each.post.original:
        return each.post.original
    return each.post.links[0] if each.post.links else None


def _read(
    each: _Found,
    topic: Topic,
    reading: TopicReading,
    now: datetime,
    first: _Found | None,
    sharing: tuple[int, bool],
) -> SocialSource:
    poster: PosterCredibility = poster_credibility(
        each.account, each.at or now, same_text=sharing[0], in_burst=sharing[1]
    )
    copy_of = first.hit.url if first is not None and first is not each else None
    seen: EyewitnessReading | None = None
    if copy_of is None:
        seen = eyewitness_reading(each.content, each.post, each.at, place=reading.place, event=topic.event_date)
    link = _passed_on(each)
    only_passes_on = link is not None and not _first_person(seen)
    notes = []
    if (seen_at := _first_seen(each.hit)) and each.hit.published:
        notes.append(f"It is dated {day(each.hit.published.at)}; the network first saw it on {day(seen_at)}.")
    if each.post.edited:
        notes.append(f"It was edited on {day(each.post.edited)}: its words may be later than its date.")
    return SocialSource(
        platform=each.post.network,
        url=each.hit.url,
        author=each.account.handle if each.account else "",
        author_credibility=poster.score,
        author_certainty=poster.certainty,
        timestamp=each.at,
        content=each.content,
        engagement_metrics=metrics_of(each.post),
        verification_status=standing_of(each.account, each.at or now),
        kind=each.post.kind,
        copy_of=copy_of or (each.post.original if each.post.kind is PostKind.REPOST else None),
        passes_on=link if only_passes_on else None,
        eyewitness=seen,
        edited=each.post.edited,
        labels=each.post.labels,
        reasons=(*poster.reasons, *notes),
    )


def _with_independence(
    read: Sequence[SocialSource], found: Sequence[_Found], run_by: Mapping[str, tuple[str, str]]
) -> list[SocialSource]:
    """Each post with whether it counts by itself, and why not. One account counts once, with its first post; of
    those that share one page or post, the first, and none where that post is counted itself; a bot never does."""
    seen: set[str] = set()
    pages: set[str] = set()
    authors = {(each.post.network, each.post.id): each.author for each in found}
    operators: dict[str, str] = {}
    done = []
    for post, each in zip(read, found, strict=True):
        account = each.account
        page = comparison_key(post.passes_on) if post.passes_on else ""
        operator, why = run_by.get(each.author, ("", ""))
        answered = _answers(post, each, authors)
        reasons: dict[str, Mapping[str, str] | None] = {
            "repost": {} if post.kind is PostKind.REPOST else None,
            "same_words": {"other": post.copy_of} if post.copy_of else None,
            "nobody": {} if account is None else None,
            "bot": {} if account and account.bot else None,
            "suspended": {} if account and account.suspended else None,
            "counted": {} if each.author in seen else None,
            "too_short": {} if len(content_words(each.words)) < _FEWEST_WORDS else None,
            "one_operator": {"other": operators[operator], "why": why} if operator in operators else None,
            "answers": {"other": answered} if answered else None,
            "hands_on": {"other": str(post.passes_on)} if page and page in pages else None,
        }
        aside = [social_reason(code, **data) for code, data in reasons.items() if data is not None][:1]
        if not aside:
            seen.add(each.author)
            pages |= {page} if page else set()
            if operator and account:
                operators[operator] = f"@{account.handle}"
        changes = {"independent": not aside, "reasons": (*post.reasons, *sentences(aside))}
        done.append(post.model_copy(update=changes))
    return done


def _answers(post: SocialSource, each: _Found, authors: Mapping[tuple[str, str], str]) -> str | None:
    """The post, by another account and found as well, that it quotes or answers without anything seen."""
    other = each.post.original
    if each.post.kind not in (PostKind.QUOTE, PostKind.REPLY) or not other or _first_person(post.eyewitness):
        return None
    # One post may have several addresses, by handle and by the account's number: the post's id is in all of them.
    others = {authors.get((each.post.network, part)) for part in other.split("?")[0].split("/")} - {None, each.author}
    return other if others else None


def _first_person(seen: EyewitnessReading | None) -> bool:
    return seen is not None and any(sign.kind == "first person" for sign in seen.signs)


def _order(post: SocialSource) -> tuple[bool, bool, float, str]:
    """Eyewitnesses first, then independent ones, then by credibility."""
    seen = post.eyewitness is not None and post.eyewitness.likely
    return (not seen, not post.independent, -post.author_credibility, post.url)


def _together(posts: Sequence[SocialSource]) -> float | None:
    """The mean credibility of the independent posts, each weighed by how much is known of its account (at least a
    fifth), so that ten strangers do not outweigh one account that can be looked at."""
    if not posts:
        return None
    weights = [max(0.2, post.author_certainty) for post in posts]
    total = sum(post.author_credibility * weight for post, weight in zip(posts, weights, strict=True))
    return round(total / sum(weights), 1)


def _reasons(evidence: SocialEvidence) -> list[Reason]:
    left_out = {"off_topic": evidence.off_topic, "gone": evidence.gone}
    aside = [social_reason(code, posts=number) for code, number in left_out.items() if number]
    if evidence.not_asked:
        aside.append(social_reason("not_asked", networks=list(evidence.not_asked)))
    if not evidence.posts:
        none = social_reason("none_on", networks=list(evidence.asked)) if evidence.asked else social_reason("none")
        return [none if evidence.asked or not evidence.not_asked else social_reason("unknown"), *aside]
    kinds = {"originals": evidence.originals, "reposts": evidence.reposts, "copies": evidence.copies}
    first = [social_reason("posts", posts=len(evidence.posts), **kinds)]
    first.append(social_reason("own_words", accounts=evidence.independent_accounts))
    if evidence.verified_accounts:
        first.append(social_reason("verified", handles=[f"@{handle}" for handle in evidence.verified_accounts[:5]]))
    if evidence.eyewitnesses:
        first.append(social_reason("eyewitnesses", posts=len(evidence.eyewitnesses)))
    return [*first, *evidence.engagement.reason_codes, *aside]
