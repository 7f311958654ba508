"""Publishers of documents, their ratings, and what a page says about itself."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.claim import Excerpt
from inquest.domain.document import DateEvidence, Published
from inquest.domain.reasons import OptionalReason, Reason, Reasons, in_words
from inquest.domain.search import Work
from inquest.domain.value import Value


class CreditKind(StrEnum):
    """The kind of source a page credits."""

    PRESS = "press"
    """A newspaper, agency, broadcaster, magazine or website."""
    NAMED = "named"
    """A name that may or may not be a publisher's: a credit if a report of that publisher is known."""
    AUTHORITY = "authority"
    """'The authorities', 'police': a public body without a name."""
    MEDIA = "media"
    """'Local media', 'reports': other media without a name."""
    POSTS = "posts"
    """Messages and posts without a named author."""
    POSSIBLE = "possible"
    """Named or linked by a page whose language could not be read: a credit if a report of that publisher on the same
    event is known."""
    MENTION = "mention"
    """Named or linked without words of credit."""


class PageCredit(Excerpt):
    """A source that a page credits for its report."""

    kind: CreditKind
    name: str = ""
    """The name as written on the page; '' if none."""
    url: str = ""
    """The linked address; '' if none."""


class PageReading(Value):
    """A page's statements about itself, whoever extracted them."""

    credits: tuple[PageCredit, ...] | None = None
    """None: the extraction did not cover it."""
    first_hand: Excerpt | None = None
    """Words stating that its author was present or was given the material."""
    withdrawn: Excerpt | None = None
    """Words stating that it is withdrawn or corrected."""
    date: Excerpt | None = None


class Category(StrEnum):
    """The kind of publisher behind a source: the single spelling of each kind, in tables, rules and reports."""

    WIRE = "wire"
    NEWSPAPER = "newspaper"
    LOCAL = "local"
    """Local papers and stations."""
    MAGAZINE = "magazine"
    BROADCASTER = "broadcaster"
    INVESTIGATIVE = "investigative"
    TABLOID = "tabloid"
    TRADE = "trade"
    FACT_CHECK = "fact_check"
    STATE_MEDIA = "state_media"
    """Controlled by a government; a public broadcaster with independent editors is a broadcaster."""
    SCHOLARLY = "scholarly"
    """Journals, indexes of them, universities and institutes."""
    STANDARDS = "standards"
    REGULATOR = "regulator"
    COURT = "court"
    STATISTICS = "statistics"
    GOVERNMENT = "government"
    """Ministries, parliaments, authorities, councils."""
    INTERGOVERNMENTAL = "intergovernmental"
    NGO = "ngo"
    """Associations, unions, foundations and institutes with a cause."""
    COMPANY = "company"
    PRESS_RELEASE = "press_release"
    """Distributors of releases."""
    ENCYCLOPEDIA = "encyclopedia"
    AGGREGATOR = "aggregator"
    """Republishes what others have written."""
    SOCIAL = "social"
    BLOG = "blog"
    SATIRE = "satire"
    FABRICATOR = "fabricator"
    LOOK_ALIKE = "look_alike"
    """A name made to be mistaken for somebody else's."""
    UNKNOWN = "unknown"


class Rating(Value):
    """The rating of a publisher, 0 to 100; tier and stars are derived from the score in one place (sources.tiers)."""

    domain: str
    """Registrable domain."""
    score: int
    tier: int
    """1 (best) to 4."""
    stars: int
    """5 (best) to 1."""
    known: bool
    """False if no rule applied to this source."""
    category: str = Category.UNKNOWN.value
    """A `Category`, or another word from the user's own file or from a model."""
    press_release: bool = False
    owner: str | None = None
    leaning: str | None = None
    """Its political leaning, in the words of the user's own ratings; shown, but never used for judging."""
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()


class DomainAge(Value):
    """The registration date of a domain, according to its registry (RDAP)."""

    domain: str
    registered: Published | None = None
    """The latest registration: a name that lapsed and was registered again is as old as its current holder."""
    changed: Published | None = None
    expires: Published | None = None
    registrar: str | None = None
    """None if it is not given or withheld."""
    why_unknown: str = ""
    """The reason why the registration date is unknown, in words; it says nothing for or against the domain."""


class Ranking(Value):
    """The reason for a source's place in the reading order: each factor of its lead's rank, 0 to 1
    (sources.ranking)."""

    relevance: float
    """Combines the engines' ranks with the fit of its words to the topic."""
    credibility: float
    """0.35 to 1, from its publisher's score."""
    freshness: float
    """1 if age does not matter."""
    noise: float
    """Probability that the lead is not worth reading."""
    score: float
    """relevance x credibility x freshness x (1 - noise)."""
    by_reranker: bool = False
    """True if a reranker read the texts."""
    reasons: tuple[str, ...] = ()
    reason_codes: Reasons = ()


class Source(Value):
    """A document as a witness in a case: its origin, a summary, and the source it copies."""

    id: str
    """S1, S2, ... in the order of the report."""
    url: str
    title: str
    domain: str
    publisher: str | None = None
    """The outlet's name as its pages give it; shown, but never used for judging."""
    author: str | None = None
    published: Published | None = None
    rating: Rating
    snapshot: str
    retrieved_at: datetime
    language: str | None = None
    summary: str = ""
    """At most 500 characters."""
    key_claims: tuple[str, ...] = ()
    """1 to 3, in the source's words."""
    relevance: float = 0.0
    """0 to 1, to the brief."""
    user_provided: bool = False
    engines: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    story: str | None = None
    """Sources with the same story id are copies or rewrites of one another."""
    origin_of_story: str | None = None
    """The id of the source to which the others of the story go back, if known."""
    excluded: str | None = None
    """The reason why it does not count as evidence (published after the as-of date, ...); None: it counts."""
    excluded_code: OptionalReason = None
    other_bearer: str = ""
    """The namesake that it is about instead of the case's subject; '' otherwise."""
    notes: tuple[str, ...] = ()
    """Notes for readers: a paywall, conflicting dates, a notice, the origin of its bytes."""
    note_codes: Reasons = ()
    story_notes: tuple[str, ...] = ()
    """Notes from the other sources of its story: whose report it is, a date that cannot be right."""
    story_codes: Reasons = ()
    work: Work | None = None
    """Data from scholarly indexes, all hits merged; None: none of them lists it."""
    dates: tuple[DateEvidence, ...] = ()
    """All indications of its publication date, weightiest first."""
    ranking: Ranking | None = None
    """The reason for selecting it; None: the user named it."""
    provenance: str = "fetched"
    """The origin of its bytes, as in its snapshot."""
    named_origin: str | None = None
    """For an aggregator's page: the address that it gives as its origin, if that could not be read."""
    age: DomainAge | None = None
    """The registration date of its domain; None: not looked up."""
    page: PageReading | None = None
    """Its statements about itself, as read by a model; None: no model read it."""

    def left_out(self, why: Reason | None) -> Source:
        """The source, not counted as evidence for this reason; None: as it is."""
        return self.model_copy(update={"excluded": in_words(why), "excluded_code": why}) if why else self

    @property
    def why_excluded(self) -> Reason | str:
        """The reason why it is not counted, as a code if there is one; '': it counts."""
        return self.excluded_code or self.excluded or ""

    @property
    def all_notes(self) -> tuple[str, ...]:
        """All notes for readers."""
        return (*self.notes, *self.story_notes)
