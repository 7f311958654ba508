"""Posts about a topic: originals, reposts and copies, eyewitness accounts, the credibility of posters, and the number
of independent accounts that report it.

Any number of reposts counts as one source, and people who share an article add nothing to it. An account counts if it
reports on the topic in its own words. Signs of an eyewitness account or of hearsay are quoted; they are not proof.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import fmean

from inquest.desks.verification.spread import (
    FoundPost,
    engagement_of,
    first_seen,
    found_posts,
    mention_timeline,
    social_reason,
)
from inquest.desks.verification.topic_queries import TopicReading, read_topic
from inquest.domain.reasons import Reason, ReasonData, sentences
from inquest.domain.search import (
    PAID_MARK,
    UNKNOWN_MARK,
    Account,
    AccountStanding,
    EyewitnessReading,
    EyewitnessSign,
    Hit,
    Post,
    PostKind,
    SocialEvidence,
    SocialSource,
)
from inquest.domain.topic import Topic
from inquest.sources.ratings_table import built_in_ratings, pattern_of
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.phrases import capitalised, count, day
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold
from inquest.text.similarity import overlap, runs
from inquest.text.urls import comparison_key

_QUOTED = regex(r"“[^”]{8,}”|\"[^\"\n]{8,}\"")
_LIKELY = 0.55
_PLACE, _MEDIA, _AGAINST = 0.15, 0.15, -0.5
_START = 50.0
_OLD_ENOUGH = 30
"""Minimum age in days of an account with a history."""
_ACTIVE = 50
"""Minimum posts, followers or karma of an account with a history, if its age is unknown."""
_AGES = ((30, -20.0), (180, -8.0), (365, 0.0), (3 * 365, 5.0), (None, 10.0))
_FOLLOWERS = ((10, -5.0), (500, 0.0), (10_000, 4.0), (None, 8.0))
_KARMA = ((0, -15.0), (50, -5.0), (1_000, 0.0), (10_000, 5.0), (None, 10.0))
"""Pairs of an upper limit and points; the first limit above a number applies."""
_MARKS = {PAID_MARK: 2.0, UNKNOWN_MARK: 0.0, "government": 20.0}
_VERIFIED = 15.0
_NO_VOUCHER = (PAID_MARK, UNKNOWN_MARK)
_NO_WITNESS = frozenset("blog unknown social satire aggregator fabricator look_alike encyclopedia".split())
"""Categories of site whose address does not vouch for the account."""
_Sign = tuple[float, str]
_ON_TOPIC = 0.18
"""Minimum share of the topic's names and terms in a post; posts are short."""
_CAMEL_CASE = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_COPY = 0.75
"""Minimum share of the four-word runs of the shorter text in the longer one."""
_FEWEST_WORDS = 5
"""Minimum content words of a text that is evidence by itself."""


def eyewitness_reading(
    content: str, post: Post, at: datetime | None, *, place: str = "", event: datetime | None = None
) -> EyewitnessReading | None:
    """The signs of an eyewitness account in a post, scored 0 to 1; never likely without the first person, in a
    question, or with a sign of hearsay. None for a repost. Text in quotation marks is not the poster's own."""
    if post.kind is PostKind.REPOST:
        return None
    own = _QUOTED.sub(lambda match: " " * len(match.group()), content)
    against = _signs(content, pattern(__name__, "second_hand").finditer(own), "second hand")
    first = place.split(",")[0].strip()
    of_place = regex(rf"(?<!\w){re.escape(first)}(?!\w)", re.IGNORECASE).finditer(own) if first else ()
    kinds = {"place": _signs(content, of_place, "place")[:1]}
    for kind in ("first_person", "time"):
        signs = _signs(content, pattern(__name__, kind).finditer(own), kind.replace("_", " "))
        kinds[kind] = [s for s in signs if not any(s.start < o.end and o.start < s.end for o in against)]
    delay = utc(at) - utc(event) if at and event else None
    marked = bool(post.place and first and fold(first) in fold(post.place))
    points = [
        (0.45, f"first person: “{kinds['first_person'][0].quote}”" if kinds["first_person"] else ""),
        (0.15, f"time: “{kinds['time'][0].quote}”" if kinds["time"] else ""),
        (_PLACE, f"place: the post is marked as from {post.place}" if marked else ""),
        (_PLACE, f"place: “{kinds['place'][0].quote}”" if kinds["place"] and not marked else ""),
        (_MEDIA, f"media: {', '.join(dict.fromkeys(post.media))} attached" if post.media else ""),
        (_AGAINST, "against: posted before the event" if delay and delay < -timedelta(days=1) else ""),
        (_AGAINST, f"against: “{against[0].quote}”" if against else ""),
        (_AGAINST, "against: it ends in a question" if own.rstrip().endswith("?") else ""),
    ]
    score = round(min(1.0, max(0.0, sum(value for value, reason in points if reason))), 2)
    return EyewitnessReading(
        likely=bool(kinds["first_person"]) and score >= _LIKELY,
        score=score,
        signs=(*(sign for kind in ("first_person", "time", "place") for sign in kinds[kind][:2]), *against[:3]),
        reasons=tuple(reason for _, reason in points if reason),
    )


def _signs(content: str, matches: Iterable[re.Match[str]], kind: str) -> list[EyewitnessSign]:
    spans = [match.span() for match in matches]
    return [EyewitnessSign(kind=kind, quote=content[start:end], start=start, end=end) for start, end in spans]


def poster_credibility(account: Account | None, at: datetime, *, same_text: int = 1) -> tuple[float, tuple[str, ...]]:
    """The credibility of an account at the time of its post, 0 to 100 (50 if nothing is known), with reasons.
    `same_text`: number of accounts with the same words."""
    if account is None:
        return _START, ("The network does not show who posted it.",)
    signs = list(_signs_of(account, _days(account, at)))
    if same_text > 1:
        signs.append((-8.0, f"posted the same words as {count(same_text - 1, 'other account')}"))
    score = min(100.0, max(0.0, _START + sum(adds for adds, _ in signs)))
    ordered = sorted(signs, key=lambda sign: not sign[0])
    reasons = [f"@{account.handle} {reason}{f' ({adds:+g})' if adds else ''}." for adds, reason in ordered]
    return round(score, 1), tuple(reasons or [f"Only the name of @{account.handle} is known."])


def standing_of(account: Account | None, at: datetime) -> AccountStanding:
    """The status of the poster according to what the network verifies. A badge that can be bought does not count."""
    if account is None:
        return AccountStanding.ANONYMOUS
    if (account.verified and account.verified_as not in _NO_VOUCHER) or _known_owner(account.domain):
        return AccountStanding.VERIFIED_ACCOUNT
    days = _days(account, at)
    active = max(account.karma or 0, account.posts or 0, account.followers or 0) >= _ACTIVE
    if active if days is None else days >= _OLD_ENOUGH:
        return AccountStanding.COMMUNITY_MEMBER
    return AccountStanding.ANONYMOUS


def _days(account: Account, at: datetime) -> int | None:
    """The age of the account; None if it is unknown, or the account is younger than the post."""
    days = (utc(at) - utc(account.created)).days if account.created else -1
    return days if days >= 0 else None


def _signs_of(account: Account, days: int | None) -> Iterator[_Sign]:
    """Yield what adds to or takes from its credibility. `days`: its age, if known."""
    if account.bot:
        yield -30.0, "declares itself a bot"
    if account.suspended:
        yield -25.0, "has been suspended by the network"
    if account.verified:
        mark = account.verified_as or ""
        yield _MARKS.get(mark, _VERIFIED), f"is verified{f' ({mark})' if mark else ''}"
    elif account.verified is None and account.domain:
        owner = _known_owner(account.domain)
        adds, kind = (_VERIFIED, f", a known site ({owner})") if owner else (3.0, "")
        yield adds, f"has shown that it owns {account.domain}{kind}"
    elif account.verified is False:
        yield 0.0, "is not verified"
    if days is not None:
        age = count(days, "day") if days < 60 else count(days // 30, "month")
        yield _points(days, _AGES), f"is {age if days < 730 else count(days // 365, 'year')} old"
    if account.followers is not None:
        yield _points(account.followers, _FOLLOWERS), f"has {count(account.followers, 'follower')}"
    if account.karma is not None:
        yield _points(account.karma, _KARMA), f"has a karma of {account.karma:,}"


def _known_owner(domain: str | None) -> str | None:
    """The category of the rated publisher or authority that owns the whole domain."""
    if not domain:
        return None
    row = built_in_ratings().rows.get(domain.lower().removeprefix("www.")) or pattern_of(f"https://{domain}/")
    return row.category.replace("_", " ") if row and row.category not in _NO_WITNESS else None


def _points(value: int, steps: tuple[tuple[int | None, float], ...]) -> float:
    return next(points for below, points in steps if below is None or value < below)


def social_evidence(
    topic: Topic,
    hits: Sequence[Hit],
    now: datetime,
    *,
    asked: Sequence[str] = (),
    not_asked: Mapping[str, str] | None = None,
    sees_days: Mapping[str, int] | None = None,
) -> SocialEvidence:
    """Evaluate the posts among the hits. `asked`: networks that answered; `not_asked`: the others, with the reason;
    `sees_days`: the days that a network with a limited search period reaches back."""
    reading = read_topic(topic)
    every, gone = found_posts(hits, now)
    found = [each for each in every if reading.topic_terms.share(_words(each)) >= _ON_TOPIC]
    groups = _same_words(found)
    group_of = {each.hit.url: group for group in groups for each in group}
    read = [_read(each, topic, reading, now, group_of.get(each.hit.url, [each])) for each in found]
    posts = _with_independence(read, found)
    independent = [post.author_credibility for post in posts if post.independent]
    reposts = sum(post.kind is PostKind.REPOST for post in posts)
    copies = sum(post.kind is not PostKind.REPOST and post.copy_of is not None for post in posts)
    likely = {post.url for post in posts if post.eyewitness and post.eyewitness.likely}
    ordered = sorted(posts, key=lambda e: (e.url not in likely, not e.independent, -e.author_credibility, e.url))
    verified = [post.author for post in ordered if post.verification_status is AccountStanding.VERIFIED_ACCOUNT]
    evidence = SocialEvidence(
        posts=tuple(ordered),
        originals=len(posts) - reposts - copies,
        reposts=reposts,
        copies=copies,
        asked=tuple(dict.fromkeys(asked)),
        not_asked=dict(not_asked or {}),
        verified_accounts=tuple(dict.fromkeys(verified)),
        eyewitnesses=tuple(post.url for post in ordered if post.url in likely),
        independent_accounts=len(independent),
        credibility=round(fmean(independent), 1) if independent else None,
        timeline=mention_timeline(found),
        engagement=engagement_of(found, groups),
    )
    omitted = {"off_topic": len(every) - len(found), "gone": gone}
    after = [social_reason(code, posts=number) for code, number in omitted.items() if number]
    if evidence.not_asked:
        after.append(social_reason("not_asked", networks=[*map(capitalised, evidence.not_asked)]))
    after += _reach(evidence, topic, now, sees_days or {})
    spread = evidence.engagement.reasons if posts else ()
    return evidence.model_copy(update={"reasons": (*sentences(_reasons(evidence)), *spread, *sentences(after))})


def _reach(evidence: SocialEvidence, topic: Topic, now: datetime, sees_days: Mapping[str, int]) -> Iterator[Reason]:
    """The search period of each network that has a limited one."""
    begun = topic.event_date or topic.discovery_date
    for network in evidence.asked:
        if days := sees_days.get(network):
            since = now - timedelta(days=days)
            name = "reach_older" if begun is not None and utc(begun) < utc(since) else "reach"
            posts = sum(each.platform == network for each in evidence.posts)
            yield social_reason(name, network=capitalised(network), posts=posts, days=days, since=day(since))


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
    sharing = len({other.author for other in (each, *group)})
    credibility, reasons = poster_credibility(each.post.account, at, same_text=sharing)
    copy_of = group[0].hit.url if group[0].hit.url != each.hit.url else None
    seen: EyewitnessReading | None = None
    if copy_of is None:
        seen = eyewitness_reading(each.content, post, each.at, place=reading.place, event=topic.event_date)
    link = (post.original if post.kind is PostKind.QUOTE else None) or next(iter(post.links), None)
    notes = []
    if (seen_at := first_seen(each.hit)) and each.hit.published:
        notes.append(f"It is dated {day(each.hit.published.at)}; the network first saw it on {day(seen_at)}.")
    if post.edited:
        notes.append(f"It was edited on {day(post.edited)}: its wording may be later than its date.")
    return SocialSource(
        platform=post.network,
        url=each.hit.url,
        author=each.post.account.handle if each.post.account else "",
        author_credibility=credibility,
        timestamp=each.at,
        content=each.content,
        engagement_metrics=each.metrics,
        verification_status=standing_of(each.post.account, at),
        kind=post.kind,
        copy_of=copy_of or (post.original if post.kind is PostKind.REPOST else None),
        passes_on=link if not _first_person(seen) else None,
        eyewitness=seen,
        edited=post.edited,
        labels=post.labels,
        reasons=(*reasons, *notes),
    )


def _with_independence(read: Sequence[SocialSource], found: Sequence[FoundPost]) -> list[SocialSource]:
    """The posts with their independence, and the reason if they do not count. An account counts once, with its first
    post; of the posts that share a page, the first counts; bots never count."""
    seen: set[str] = set()
    pages: set[str] = set()
    judged = []
    for post, each in zip(read, found, strict=True):
        account = each.post.account
        page = comparison_key(post.passes_on) if post.passes_on else ""
        replies = post.kind in (PostKind.QUOTE, PostKind.REPLY) and not _first_person(post.eyewitness)
        obstacles: dict[str, Mapping[str, ReasonData] | None] = {
            "repost": {} if post.kind is PostKind.REPOST else None,
            "same_words": {"other": post.copy_of} if post.copy_of else None,
            "nobody": {} if account is None else None,
            "bot": {} if account and account.bot else None,
            "suspended": {} if account and account.suspended else None,
            "counted": {} if each.author in seen else None,
            "too_short": {} if len(content_words(each.words)) < _FEWEST_WORDS else None,
            "answers": {"other": each.post.original} if replies and each.post.original else None,
            "hands_on": {"other": str(post.passes_on)} if page and page in pages else None,
        }
        reasons = [social_reason(code, **data) for code, data in obstacles.items() if data is not None][:1]
        if not reasons:
            seen.add(each.author)
            pages |= {page} if page else set()
        changes = {"independent": not reasons, "reasons": (*post.reasons, *sentences(reasons))}
        judged.append(post.model_copy(update=changes))
    return judged


def _first_person(seen: EyewitnessReading | None) -> bool:
    return seen is not None and any(sign.kind == "first person" for sign in seen.signs)


def _reasons(evidence: SocialEvidence) -> list[Reason]:
    if not evidence.posts:
        if evidence.asked:
            return [social_reason("none_on", networks=[*map(capitalised, evidence.asked)])]
        return [social_reason("unknown" if evidence.not_asked else "none")]
    kinds = {"originals": evidence.originals, "reposts": evidence.reposts, "copies": evidence.copies}
    reasons = [social_reason("posts", posts=len(evidence.posts), **kinds)]
    reasons.append(social_reason("own_words", accounts=evidence.independent_accounts))
    if evidence.verified_accounts:
        reasons.append(social_reason("verified", handles=[f"@{handle}" for handle in evidence.verified_accounts[:5]]))
    if evidence.eyewitnesses:
        reasons.append(social_reason("eyewitnesses", posts=len(evidence.eyewitnesses)))
    return reasons
