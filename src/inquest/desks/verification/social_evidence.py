"""Posts about a topic: originals, reposts and copies, and the number of independent accounts that report it.

Any number of reposts is one source, and people who share an article add nothing to it. An account counts if it reports
on the topic in its own words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from statistics import fmean

from inquest.desks.verification.eyewitness import eyewitness_reading
from inquest.desks.verification.poster_credibility import one_operator, poster_credibility, standing_of
from inquest.desks.verification.spread import (
    FoundPost,
    engagement_of,
    first_seen,
    found_posts,
    mention_timeline,
    social_reason,
)
from inquest.desks.verification.topic_reading import TopicReading
from inquest.domain.leads import AccountStanding, EyewitnessReading, PostKind, SocialEvidence, SocialSource
from inquest.domain.reasons import Reason, ReasonData, sentences
from inquest.domain.search import Hit
from inquest.domain.topic import Topic
from inquest.text.dates import utc
from inquest.text.phrases import day
from inquest.text.regex import regex
from inquest.text.sentences import content_words
from inquest.text.similarity import overlap, runs
from inquest.text.urls import comparison_key

_ON_TOPIC = 0.18
"""Least share of the topic's names and terms in a post; posts are short."""
_CAMEL_CASE = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_COPY = 0.75
"""Least share of the four-word runs of the shorter text in the longer one."""
_FEWEST_WORDS = 5
"""Fewest content words of a text that is evidence by itself."""
_MINUTES = timedelta(minutes=30)


def social_evidence(
    topic: Topic,
    hits: Sequence[Hit],
    now: datetime,
    reading: TopicReading,
    *,
    asked: Sequence[str] = (),
    not_asked: Mapping[str, str] | None = None,
) -> SocialEvidence:
    """Evaluate the posts among the hits, in any order. `asked`: networks that answered; `not_asked`: those that could
    not be asked, with the reason."""
    every, gone = found_posts(hits, now)
    found = [each for each in every if reading.topic_terms.share(_words(each)) >= _ON_TOPIC]
    groups = _same_words(found)
    group_of = {each.hit.url: group for group in groups for each in group}
    run_by = one_operator({e.author: (e.account, e.at) for e in reversed(found) if e.account and not e.account.bot})
    read = [_read(each, topic, reading, now, group_of.get(each.hit.url, [each])) for each in found]
    posts = _with_independence(read, found, run_by)
    independent = [post.author_credibility for post in posts if post.independent]
    reposts = sum(post.kind is PostKind.REPOST for post in posts)
    copies = sum(post.kind is not PostKind.REPOST and post.copy_of is not None for post in posts)
    ordered = sorted(posts, key=_order)
    verified = [post.author for post in ordered if post.verification_status is AccountStanding.VERIFIED_ACCOUNT]
    evidence = SocialEvidence(
        posts=tuple(ordered),
        originals=len(posts) - reposts - copies,
        reposts=reposts,
        copies=copies,
        asked=tuple(dict.fromkeys(asked)),
        not_asked=dict(not_asked or {}),
        verified_accounts=tuple(dict.fromkeys(verified)),
        eyewitnesses=tuple(post.url for post in ordered if post.eyewitness and post.eyewitness.likely),
        independent_accounts=len(independent),
        credibility=round(fmean(independent), 1) if independent else None,
        timeline=mention_timeline(found),
        engagement=engagement_of(found, groups, run_by.values()),
    )
    omitted = {"off_topic": len(every) - len(found), "gone": gone}
    after = [social_reason(code, posts=number) for code, number in omitted.items() if number]
    after += [social_reason("not_asked", networks=list(evidence.not_asked))] if evidence.not_asked else []
    spread = evidence.engagement.reasons if posts else ()
    return evidence.model_copy(update={"reasons": (*sentences(_reasons(evidence)), *spread, *sentences(after))})


def with_reach(evidence: SocialEvidence, topic: Topic, now: datetime, sees_days: Mapping[str, int]) -> SocialEvidence:
    """Add a reason for each network with a limited search period. `sees_days`: its length in days."""
    begun = topic.event_date or topic.discovery_date
    reasons = []
    for network in evidence.asked:
        if days := sees_days.get(network):
            since = now - timedelta(days=days)
            name = "reach_older" if begun is not None and utc(begun) < utc(since) else "reach"
            posts = sum(each.platform == network for each in evidence.posts)
            reasons.append(social_reason(name, network=network, posts=posts, days=days, since=day(since)))
    return evidence.model_copy(update={"reasons": (*evidence.reasons, *sentences(reasons))})


def _words(each: FoundPost) -> str:
    """The words of a post with its place and group. Hashtags are split: '#GarrowStrike' has two words."""
    return f"{_CAMEL_CASE.sub(' ', each.content.replace('#', ' '))} {each.post.place or ''} {each.post.group or ''}"


def _same_words(found: Sequence[FoundPost]) -> list[list[FoundPost]]:
    """Groups of two or more posts with the same text, without reposts, each in chronological order."""
    groups: list[list[FoundPost]] = []
    bags: list[frozenset[str]] = []
    by_run: dict[str, list[int]] = defaultdict(list)
    for each in found:
        if each.post.kind is PostKind.REPOST:
            continue
        bag = runs(each.words)
        near = sorted({place for run in bag for place in by_run[run]})
        same = next((place for place in near if overlap(bag, bags[place])[1] >= _COPY), None)
        if same is not None:
            groups[same].append(each)
            continue
        for run in bag:
            by_run[run].append(len(groups))
        groups.append([each])
        bags.append(bag)
    return [group for group in groups if len(group) > 1]


def _read(
    each: FoundPost, topic: Topic, reading: TopicReading, now: datetime, group: Sequence[FoundPost]
) -> SocialSource:
    """The post as a source. `group`: all posts with its words in chronological order, including itself."""
    post, at = each.post, each.at or now
    others = [other for other in group if other.author != each.author]
    soon = any(other.at and each.at and abs(other.at - each.at) <= _MINUTES for other in others)
    sharing = len({other.author for other in others}) + 1
    poster = poster_credibility(each.account, at, same_text=sharing, in_burst=soon)
    copy_of = group[0].hit.url if group[0].hit.url != each.hit.url else None
    seen: EyewitnessReading | None = None
    if copy_of is None:
        seen = eyewitness_reading(each.content, post, each.at, place=reading.place, event=topic.event_date)
    link = (post.original if post.kind is PostKind.QUOTE else None) or next(iter(post.links), None)
    notes = []
    if (seen_at := first_seen(each.hit)) and each.hit.published:
        notes.append(f"It is dated {day(each.hit.published.at)}; the network first saw it on {day(seen_at)}.")
    if post.edited:
        notes.append(f"It was edited on {day(post.edited)}: its words may be later than its date.")
    return SocialSource(
        platform=post.network,
        url=each.hit.url,
        author=each.account.handle if each.account else "",
        author_credibility=poster.score,
        timestamp=each.at,
        content=each.content,
        engagement_metrics=each.metrics,
        verification_status=standing_of(each.account, at),
        kind=post.kind,
        copy_of=copy_of or (post.original if post.kind is PostKind.REPOST else None),
        passes_on=link if not _first_person(seen) else None,
        eyewitness=seen,
        edited=post.edited,
        labels=post.labels,
        reasons=(*poster.reasons, *notes),
    )


def _with_independence(
    read: Sequence[SocialSource], found: Sequence[FoundPost], run_by: Mapping[str, tuple[str, str]]
) -> list[SocialSource]:
    """The posts with their independence, and the reason if they do not count. An account counts once, with its first
    post; of the posts that share a page, the first counts; bots never count."""
    seen: set[str] = set()
    pages: set[str] = set()
    authors = {(each.post.network, each.post.id): each.author for each in found}
    operators: dict[str, str] = {}
    judged = []
    for post, each in zip(read, found, strict=True):
        account = each.account
        page = comparison_key(post.passes_on) if post.passes_on else ""
        operator, why = run_by.get(each.author, ("", ""))
        answered = _answers(post, each, authors)
        obstacles: dict[str, Mapping[str, ReasonData] | None] = {
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
        reasons = [social_reason(code, **data) for code, data in obstacles.items() if data is not None][:1]
        if not reasons:
            seen.add(each.author)
            pages |= {page} if page else set()
            operators |= {operator: f"@{account.handle}"} if operator and account else {}
        changes = {"independent": not reasons, "reasons": (*post.reasons, *sentences(reasons))}
        judged.append(post.model_copy(update=changes))
    return judged


def _answers(post: SocialSource, each: FoundPost, authors: Mapping[tuple[str, str], str]) -> str | None:
    """The post of another account, also found, that this one quotes or answers without reporting an observation."""
    other = each.post.original
    if each.post.kind not in (PostKind.QUOTE, PostKind.REPLY) or not other or _first_person(post.eyewitness):
        return None
    # All addresses of a post contain its id.
    others = {authors.get((each.post.network, part)) for part in other.split("?")[0].split("/")} - {None, each.author}
    return other if others else None


def _first_person(seen: EyewitnessReading | None) -> bool:
    return seen is not None and any(sign.kind == "first person" for sign in seen.signs)


def _order(post: SocialSource) -> tuple[bool, bool, float, str]:
    """Sort key: eyewitnesses first, then independent posts, then by credibility."""
    seen = post.eyewitness is not None and post.eyewitness.likely
    return (not seen, not post.independent, -post.author_credibility, post.url)


def _reasons(evidence: SocialEvidence) -> list[Reason]:
    if not evidence.posts:
        if evidence.asked:
            return [social_reason("none_on", networks=list(evidence.asked))]
        return [social_reason("unknown" if evidence.not_asked else "none")]
    kinds = {"originals": evidence.originals, "reposts": evidence.reposts, "copies": evidence.copies}
    reasons = [social_reason("posts", posts=len(evidence.posts), **kinds)]
    reasons.append(social_reason("own_words", accounts=evidence.independent_accounts))
    if evidence.verified_accounts:
        reasons.append(social_reason("verified", handles=[f"@{handle}" for handle in evidence.verified_accounts[:5]]))
    if evidence.eyewitnesses:
        reasons.append(social_reason("eyewitnesses", posts=len(evidence.eyewitnesses)))
    return reasons
