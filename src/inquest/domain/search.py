"""Queries to search engines, the leads they return, and what an engine says about a lead as a post, work, review or
filing; the accounts and posts of social networks.

All data of a lead is according to the engine: shown and used for choosing, never evidence. What the engine does not
give is None; nothing is guessed.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import ConfigDict, Field

from inquest.domain.claim import Excerpt
from inquest.domain.value import JsonObject, Published, Value

PAID_MARK, UNKNOWN_MARK = "paid mark", "mark of an unknown kind"
"""The value of `Account.verified_as` for marks that prove no identity."""


class Account(Value):
    """The account of a post, as the network shows it."""

    handle: str
    """Without '@'; with its server if the network has several: name@example.social."""
    name: str | None = None
    url: str | None = None
    verified: bool | None = None
    """The network's own verification mark, whatever it means there."""
    verified_as: str | None = None
    """business, government, a paid mark, a domain of its own, ..."""
    domain: str | None = None
    """A domain that the network has found to be the account's own."""
    created: datetime | None = None
    followers: int | None = None
    following: int | None = None
    posts: int | None = None
    karma: int | None = None
    bot: bool | None = None
    suspended: bool | None = None
    """Suspended or closed by the network."""
    description: str | None = None


class PostKind(StrEnum):
    """Original post, repost, quote or reply."""

    ORIGINAL = "original"
    REPOST = "repost"
    QUOTE = "quote"
    REPLY = "reply"


class Post(Value):
    """A post on a social network."""

    network: str
    """x, reddit, bluesky, mastodon."""
    id: str
    kind: PostKind = PostKind.ORIGINAL
    account: Account | None = None
    original: str | None = None
    """Address of the post that is reposted, quoted or answered."""
    original_account: str | None = None
    links: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    """photo, video, ...: the kinds of attachments."""
    edited: datetime | None = None
    """Time of the last edit; None: never edited, or unknown."""
    gone: str | None = None
    """The reason why the text of a post that the network still lists is no longer shown ('deleted by its author',
    'removed by moderators')."""
    labels: tuple[str, ...] = ()
    """Labels from the network or its community: 'Misleading', 'graphic-media', ..."""
    likes: int | None = None
    reposts: int | None = None
    replies: int | None = None
    quotes: int | None = None
    views: int | None = None
    upvote_ratio: float | None = None
    place: str | None = None
    group: str | None = None
    """The subreddit or community."""


class Notice(Value):
    """A publisher's notice about a published work."""

    kind: str
    """retraction, withdrawal, removal, expression_of_concern, correction, erratum, partial_retraction, ..."""
    doi: str | None = None
    at: Published | None = None


class Work(Value):
    """A scholarly work."""

    type: str | None = None
    """journal-article, preprint, report, dataset, standard, ...: Crossref's names."""
    doi: str | None = None
    venue: str | None = None
    peer_reviewed: bool | None = None
    """None: unknown."""
    peer_review_reason: str | None = None
    retracted: bool = False
    notices: tuple[Notice, ...] = ()
    notice_of: tuple[Notice, ...] = ()
    """If this is itself a publisher's notice: its kind, and the DOI of the work it is about."""
    citations: int | None = None
    influential_citations: int | None = None
    open_access_url: str | None = None
    preprint_of: str | None = None
    """DOI of the published version, if this is a preprint."""


class ClaimReview(Value):
    """A third party's fact check, as described by schema.org's ClaimReview."""

    claim: str
    """The claim in the reviewer's words."""
    claimant: str | None = None
    claimed_at: Published | None = None
    rating: str
    """The rating in the reviewer's words: 'Mostly false', 'Pants on Fire'."""
    verdict: str | None = None
    """The rating as one of our verdicts; None: unknown."""
    reviewer: str | None = None
    url: str
    title: str | None = None
    at: Published | None = None
    language: str | None = None


class Filing(Value):
    """A document filed with a regulator."""

    form: str
    """8-K, 10-K, 20-F, Rule, ...."""
    id: str
    """Accession number, or the register's document number."""
    filer: str | None = None
    filer_id: str | None = None
    """CIK with ten digits, or the agency."""
    tickers: tuple[str, ...] = ()
    filed: Published | None = None
    period: str | None = None
    items: tuple[str, ...] = ()
    """Items of an 8-K: 2.02, 9.01, ...."""


class Figure(Value):
    """One number with its context: a quote, a grade, a reported fact, a calendar release."""

    subject: str
    """Ticker, country or company."""
    name: str
    """price, change_percent, previous_close, us-gaap:Revenues, Consumer Price Index, grade, ...."""
    value: float | None = None
    text: str | None = None
    """For a value that is not a number: 'Buy', 'Hold'."""
    unit: str | None = None
    """USD, %, shares, ...."""
    previous: float | None = None
    previous_text: str | None = None
    forecast: float | None = None
    by: str | None = None
    """The source of the figure: the grading firm, the exchange."""
    period: str | None = None
    at: Published | None = None


class Recorded(Value):
    """A part of a stored result. Fields that an earlier version kept are ignored."""

    model_config = ConfigDict(extra="ignore")


class AccountStanding(StrEnum):
    """The poster's standing (the specification's `verification_status`)."""

    VERIFIED_ACCOUNT = "verified_account"
    """The network vouches for the identity; a mark for sale does not count."""
    COMMUNITY_MEMBER = "community_member"
    """An account with a visible history."""
    ANONYMOUS = "anonymous"


class EyewitnessSign(Excerpt):
    """Words of a post that suggest that its author was, or was not, there."""

    kind: str
    """first person, time, place, or second hand."""


class EyewitnessReading(Recorded):
    """The likelihood that a post is an eyewitness's, by its wording; never proof."""

    likely: bool
    score: float = Field(ge=0, le=1)
    signs: tuple[EyewitnessSign, ...] = ()
    reasons: tuple[str, ...] = ()


class SocialSource(Recorded):
    """One post about the topic."""

    platform: str
    """x, reddit, bluesky, mastodon."""
    url: str
    author: str
    """The handle without '@'; '' if the network does not show who posted."""
    author_credibility: float = Field(ge=0, le=100)
    timestamp: datetime | None
    content: str
    """The post's own words, verbatim."""
    engagement_metrics: dict[str, int] = {}
    """likes, reposts, replies, quotes, views, as far as known."""
    verification_status: AccountStanding
    kind: PostKind = PostKind.ORIGINAL
    copy_of: str | None = None
    """Address of the earliest post with the same words, if this is not the first."""
    passes_on: str | None = None
    """Address of the page or post that it shares without adding anything seen."""
    independent: bool = False
    """True if it counts as an independent post."""
    edited: datetime | None = None
    labels: tuple[str, ...] = ()
    eyewitness: EyewitnessReading | None = None
    """None: not its poster's own words."""
    reasons: tuple[str, ...] = ()


class MentionBucket(Recorded):
    """Mentions within an hour, day or week from `start` on."""

    start: datetime
    posts: int
    accounts: int


class MentionTimeline(Recorded):
    """The mentions of the topic over time; periods without a post are left out."""

    first: datetime | None = None
    first_url: str | None = None
    last: datetime | None = None
    buckets: tuple[MentionBucket, ...] = ()
    undated: int = 0


class Pushed(StrEnum):
    """The appearance of the spread: organic or coordinated."""

    ORGANIC = "organic"
    PUSHED = "pushed"
    UNKNOWN = "unknown"
    """Too few posts, or too little data on them."""


class Engagement(Recorded):
    """Totals over all posts but reposts, and the shape of the spread."""

    likes: int = 0
    reposts: int = 0
    replies: int = 0
    quotes: int = 0
    views: int = 0
    shape: Pushed = Pushed.UNKNOWN
    reasons: tuple[str, ...] = ()


class SocialEvidence(Recorded):
    """All posts on the topic, and their overall assessment."""

    posts: tuple[SocialSource, ...] = ()
    originals: int = 0
    reposts: int = 0
    copies: int = 0
    asked: tuple[str, ...] = ()
    """Networks that answered."""
    not_asked: dict[str, str] = {}
    """Networks that could not be searched, each with the reason."""
    verified_accounts: tuple[str, ...] = ()
    eyewitnesses: tuple[str, ...] = ()
    """Addresses of posts that read as an eyewitness's."""
    independent_accounts: int = 0
    credibility: float | None = Field(default=None, ge=0, le=100)
    """The mean of the independent posts; None: there are none."""
    timeline: MentionTimeline = MentionTimeline()
    engagement: Engagement = Engagement()
    reasons: tuple[str, ...] = ()


class EngineKind(StrEnum):
    """The kind of material that an engine searches."""

    NEWS = "news"
    WEB = "web"
    SCHOLARLY = "scholarly"
    SOCIAL = "social"
    MARKET = "market"
    ARCHIVE = "archive"
    FACT_CHECK = "fact_check"
    OWN = "own"
    """The user's own documents."""
    REGISTRY = "registry"
    """A register, row by row."""
    TABLE = "table"
    """A register's table in the data folder."""


ON_THIS_MACHINE = frozenset((EngineKind.OWN, EngineKind.TABLE))
"""Kinds of engine that answer from this machine: free, without the network, and nothing replaces them."""


class Query(Value):
    """A query in no engine's syntax; each engine translates it."""

    text: str
    """Words to look for; for an archive engine, the URL whose captures are wanted."""
    kinds: tuple[EngineKind, ...] = ()
    """The kinds of engine that should be queried; empty: any."""
    purpose: str = ""
    """The question or claim this query serves, in words."""
    exact: bool = False
    """The text is one exact phrase."""
    since: datetime | None = None
    until: datetime | None = None
    language: str | None = None
    """ISO 639-1."""
    domains: tuple[str, ...] = ()
    """Restrict to these registrable domains, if any."""
    exclude_domains: tuple[str, ...] = ()
    tickers: tuple[str, ...] = ()
    """The companies it is about, for engines of markets and filings: 'NVDA', 'BRK.B', 'VOD.L', 'NYSE:BRK.B'."""
    near: datetime | None = None
    """For an archive engine: return the capture closest to this moment, before or after."""
    limit: int = 10


class Hit(Value):
    """A lead that an engine returned. Never evidence: evidence is a quote from an archived page."""

    url: str
    title: str = ""
    snippet: str = ""
    engine: str = ""
    rank: int = 0
    """1 is the engine's best. `Engine.hits` sets it and the engine's name."""
    published: Published | None = None
    author: str | None = None
    publisher: str | None = None
    """The name of the outlet as the engine gives it."""
    language: str | None = None
    score: float | None = None
    """The engine's own score, comparable within one reply only."""
    identifiers: dict[str, str] = {}
    """doi, arxiv, pmid, openalex, ..., each without its URL prefix."""
    snapshot: str | None = None
    """The archived bytes, if the engine serves from our archive (the user's own documents)."""
    details: JsonObject = {}
    """Further data from the engine that a desk may use."""
    post: Post | None = None
    work: Work | None = None
    review: ClaimReview | None = None
    """The fact check that this page contains."""
    filing: Filing | None = None
    figures: tuple[Figure, ...] = ()
