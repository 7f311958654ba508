"""Posts about a topic, and what they add up to. Field names of `SocialSource` are those of the desk's specification."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import ConfigDict, Field

from inquest.domain.claim import Excerpt
from inquest.domain.leads import PostKind
from inquest.domain.value import Value


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
    """Words of a post that speak for or against its writer having been there."""

    kind: str
    """first person, time, place, or second hand."""


class EyewitnessReading(Recorded):
    """Whether a post reads as an eyewitness's. Never proof that it is one."""

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
    """The handle without '@'; '' where the network does not show who posted."""
    author_credibility: float = Field(ge=0, le=100)
    timestamp: datetime | None
    content: str
    """The post's own words, verbatim."""
    engagement_metrics: dict[str, int] = {}
    """likes, reposts, replies, quotes, views: those that are known."""
    verification_status: AccountStanding
    kind: PostKind = PostKind.ORIGINAL
    copy_of: str | None = None
    """Address of the earliest post with the same words, where this is not the first."""
    passes_on: str | None = None
    """Address of the page or post that it passes on without adding anything seen."""
    independent: bool = False
    """True if it counts as an independent post."""
    edited: datetime | None = None
    labels: tuple[str, ...] = ()
    """Labels of the network or the community."""
    eyewitness: EyewitnessReading | None = None
    """None: not its poster's own words."""
    reasons: tuple[str, ...] = ()


class MentionBucket(Recorded):
    """Mentions within an hour, day or week from `start` on."""

    start: datetime
    posts: int
    accounts: int


class MentionTimeline(Recorded):
    """When the topic was mentioned; periods without a post are left out."""

    first: datetime | None = None
    first_url: str | None = None
    last: datetime | None = None
    buckets: tuple[MentionBucket, ...] = ()
    undated: int = 0


class Pushed(StrEnum):
    """Whether the spread looks organic or coordinated."""

    ORGANIC = "organic"
    PUSHED = "pushed"
    UNKNOWN = "unknown"
    """Too few posts, or too little data on them."""


class Engagement(Recorded):
    """Totals over all but reposts, and the shape of the spread."""

    likes: int = 0
    reposts: int = 0
    replies: int = 0
    quotes: int = 0
    views: int = 0
    shape: Pushed = Pushed.UNKNOWN
    reasons: tuple[str, ...] = ()


class SocialEvidence(Recorded):
    """All posts on the topic, and what they add up to."""

    posts: tuple[SocialSource, ...] = ()
    originals: int = 0
    reposts: int = 0
    copies: int = 0
    asked: tuple[str, ...] = ()
    """Networks that answered."""
    not_asked: dict[str, str] = {}
    """Networks that could not be asked, each with the reason."""
    verified_accounts: tuple[str, ...] = ()
    eyewitnesses: tuple[str, ...] = ()
    """Addresses of posts that read as an eyewitness's."""
    independent_accounts: int = 0
    credibility: float | None = Field(default=None, ge=0, le=100)
    """The mean of the independent posts; None: there are none."""
    timeline: MentionTimeline = MentionTimeline()
    engagement: Engagement = Engagement()
    reasons: tuple[str, ...] = ()
