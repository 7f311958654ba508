"""Posts about a topic, and what they add up to (verification desk).

Field names of `SocialSource` are those of the desk's specification. A post holds its own words as its network gave
them.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.claim import Excerpt
from inquest.domain.leads import PostKind
from inquest.domain.reasons import Reason
from inquest.domain.value import Value


class AccountStanding(StrEnum):
    """What is known of who posted (the specification's `verification_status`)."""

    VERIFIED_ACCOUNT = "verified_account"
    """The network vouches for who it is. A mark that is bought says nothing of the kind."""
    COMMUNITY_MEMBER = "community_member"
    """An account with a history that can be looked at."""
    ANONYMOUS = "anonymous"


class PosterCredibility(Value):
    """How far an account's word may be trusted before anything is known of what it says."""

    score: float = Field(ge=0, le=100)
    """50: nothing speaks for or against it."""
    certainty: float = Field(ge=0, le=1)
    """Which part of what could be known of it is known."""
    reasons: tuple[str, ...]


class EyewitnessSign(Excerpt):
    """Words of a post that speak for or against its writer having been there."""

    kind: str
    """first person, place, time, media, or second hand."""


class EyewitnessReading(Value):
    """Whether a post reads as an eyewitness's. Never proof that it is one."""

    likely: bool
    score: float = Field(ge=0, le=1)
    signs: tuple[EyewitnessSign, ...] = ()
    reasons: tuple[str, ...] = ()


class SocialSource(Value):
    """One post about the topic."""

    platform: str
    """x, reddit, bluesky, mastodon."""
    url: str
    author: str
    """The handle without '@'; '' where the network does not show who posted."""
    author_credibility: float = Field(ge=0, le=100)
    timestamp: datetime | None
    """None: the network does not give it."""
    content: str
    """The post's own words, verbatim."""
    engagement_metrics: dict[str, int] = {}
    """likes, reposts, replies, quotes, views: those that are known."""
    verification_status: AccountStanding
    author_certainty: float = Field(default=0.0, ge=0, le=1)
    kind: PostKind = PostKind.ORIGINAL
    copy_of: str | None = None
    """Address of the earliest post with the same words, where this is not the first."""
    passes_on: str | None = None
    """Address of the page or the post whose news it hands on without adding anything seen or heard."""
    independent: bool = False
    """It is counted by itself."""
    edited: datetime | None = None
    """When its words were last changed; None: never, as far as the network says."""
    labels: tuple[str, ...] = ()
    """What the network or the community put on it."""
    eyewitness: EyewitnessReading | None = None
    """None: not its poster's own words, so nobody looked."""
    reasons: tuple[str, ...] = ()


class MentionBucket(Value):
    """How often the topic was mentioned from a moment on, for as long as the timeline's step."""

    start: datetime
    posts: int
    accounts: int


class Burst(Value):
    """Many posts in a short time."""

    start: datetime
    end: datetime
    posts: int
    accounts: int


class MentionTimeline(Value):
    """When the topic was mentioned."""

    first: datetime | None = None
    first_url: str | None = None
    last: datetime | None = None
    step_seconds: int = 3600
    buckets: tuple[MentionBucket, ...] = ()
    """In order; periods without a post are left out."""
    bursts: tuple[Burst, ...] = ()
    undated: int = 0


class Pushed(StrEnum):
    """Whether the spread looks like people or like a campaign."""

    ORGANIC = "organic"
    PUSHED = "pushed"
    UNKNOWN = "unknown"
    """Too few posts, or too little known of them."""


class Engagement(Value):
    """What the posts called forth. Totals are over originals: a repost shows the numbers of what it reposts."""

    likes: int = 0
    reposts: int = 0
    replies: int = 0
    quotes: int = 0
    views: int = 0
    counted_posts: int = 0
    """Posts of which any number is known."""
    shape: Pushed = Pushed.UNKNOWN
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()


class SocialEvidence(Value):
    """All posts on the topic, and what they add up to."""

    posts: tuple[SocialSource, ...] = ()
    originals: int = 0
    reposts: int = 0
    copies: int = 0
    off_topic: int = 0
    """Posts that engines gave and that are not about it; they are left out."""
    gone: int = 0
    """Posts that their authors or the networks have taken back, or whose words are later than the case; left out."""
    asked: tuple[str, ...] = ()
    """Networks that answered."""
    not_asked: dict[str, str] = {}
    """Networks that could not be asked, each with the reason: that nothing was found there says nothing."""
    verified_accounts: tuple[str, ...] = ()
    eyewitnesses: tuple[str, ...] = ()
    """Addresses of posts that read as an eyewitness's."""
    independent_accounts: int = 0
    """Accounts that tell of it in words of their own; those who hand on one page count once together."""
    credibility: float | None = Field(default=None, ge=0, le=100)
    """Of the independent posts together; None: there are none."""
    timeline: MentionTimeline = MentionTimeline()
    engagement: Engagement = Engagement()
    reasons: tuple[str, ...] = ()
