"""A question to the market desk and its answer: statements of sources, each with its place in the text; no advice."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from pydantic import Field

from inquest.domain.reasons import OptionalReason, Reasons
from inquest.domain.search import Hit, Recorded
from inquest.domain.value import Value

KEPT_FOR = timedelta(hours=24)
"""Maximum time for which an unsaved answer is kept (spec 003, no persistence)."""


class QuestionKind(StrEnum):
    """The kind of question (spec 003, query patterns)."""

    STOCK_MOVEMENT = "stock_movement"
    EARNINGS = "earnings"
    INDUSTRY_TREND = "industry_trend"
    REGULATORY = "regulatory"
    ANALYST_ACTION = "analyst_action"
    LATEST_NEWS = "latest_news"
    ECONOMIC_RELEASE = "economic_release"
    GUIDANCE = "guidance"
    """A question on whether a company's statements about its future still hold."""
    STRATEGY = "strategy"
    """A question that filings answer only in part, so that news has to fill the gap."""


class Asks(StrEnum):
    """The kind of answer that a question asks for."""

    WHETHER = "whether"
    """Yes or no."""
    WHY = "why"
    WHO = "who"
    WHEN = "when"
    """A time or a duration."""
    HOW_MUCH = "how much"
    WHAT = "what"
    """An event, or anything else."""


class PriceDirection(StrEnum):
    """The direction of a share price, according to the question."""

    UP = "up"
    DOWN = "down"


class QuestionTicker(Value):
    """A ticker that the question is about."""

    symbol: str
    """As FMP and Yahoo write it: 'NVDA', 'BRK-B', 'VOD.L'; engines convert it to their own form."""
    how: str
    """The reason for taking it as a ticker: 'as given', 'with a dollar sign', 'with its exchange', 'as written', 'by
    the name'."""
    name: str = ""
    """The company, if it is in the listings."""
    known: bool | None = None
    """True if it is in the listings; None: there were no listings to look it up in."""

    @property
    def shown(self) -> str:
        """As people and the New York exchanges write it: 'BRK.B'. A listing elsewhere keeps its form: 'VOLV-B.ST'."""
        return self.symbol if "." in self.symbol else self.symbol.replace("-", ".")


class Timeframe(Recorded):
    """The period a question asks about."""

    since: datetime
    until: datetime
    words: str
    """As a person would say it: 'today', 'since Friday, 20 November 2026'."""
    words_code: OptionalReason = None


class FilingStatement(Value):
    """A statement in a company's filing, verbatim: `text_of(snapshot)[start:end] == quote`."""

    form: str
    """10-K, 10-Q, 8-K, ...; '' if unknown."""
    filed: datetime | None
    quote: str
    snapshot: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    source_id: str = ""
    section: str = ""
    """'Item 7', if known."""


class Upstream(Value):
    """The agent that passed the question on, and its reason (spec 003, upstream triggers)."""

    agent: str
    """business_analyst, insider_sentiment, quantitative, or another agent's name."""
    reason: str
    score: float | None = None
    """The confidence of the answer from filings, 0 to 1."""


class MarketQuestion(Value):
    """A question as interpreted."""

    text: str
    tickers: tuple[QuestionTicker, ...] = ()
    company: str = ""
    sector: str = ""
    kind: QuestionKind
    timeframe: Timeframe
    now: datetime
    """The moment that 'today' refers to."""
    filings: tuple[FilingStatement, ...] = ()
    direction: PriceDirection | None = None
    change_percent: float | None = None
    """The size of the change according to the question; a claim, not a fact."""
    country: str | None = None
    """For a question about an economic release: ISO 3166-1, or EU."""
    upstream: Upstream | None = None
    asks: Asks = Asks.WHAT
    claim: str = ""
    """For a yes/no question: the statement it asks about, to be judged like any claim."""
    step_back: str = ""
    """The wider question, from a model or else from a template."""
    peers: tuple[str, ...] = ()
    """Companies in the same industry, named by a model."""
    wants_advice: bool = False
    """True if it asks for investment advice, which is not given."""
    notes: tuple[str, ...] = ()
    """Sentences on what could not be determined: a ticker in no listing, a word that may be a ticker."""
    note_codes: Reasons = ()
    reasons: tuple[str, ...] = ()
    """Reasons for the kind and the company."""

    @property
    def about(self) -> str:
        """The subject of the question, for headings and queries: company, ticker, sector or country, the first that is
        known."""
        symbols = ", ".join(each.shown for each in self.tickers)
        if self.company and symbols:
            return f"{self.company} ({symbols})"
        if self.kind is QuestionKind.ECONOMIC_RELEASE and not self.sector:
            return f"the economy ({self.country})" if self.country else "the economy"
        return self.company or symbols or self.sector or self.country or "the market"


class MarketQuote(Value):
    """A quote from a source with its position: `text_of(snapshot)[start:end] == quote`."""

    finding_id: str
    source_id: str
    quote: str
    snapshot: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    publisher: str
    url: str
    tier: int
    published: str | None = None
    """ISO 8601, at the known precision."""
    age: str = ""
    """'2 h', '3 days', 'no date', relative to the question's now."""
    age_code: OptionalReason = None


class MarketReading(Value):
    """A model's interpretation of a question; an empty field was not stated and is read by rule."""

    company: str = ""
    ticker: str = ""
    sector: str = ""
    peers: tuple[str, ...] = ()
    kind: QuestionKind | None = None
    step_back: str = ""
    article: str = ""
    """An invented article, used to find real ones; never shown, never evidence."""


class Critical(StrEnum):
    """Kinds of statement that are serious enough to need two independent sources."""

    FRAUD = "fraud"
    BANKRUPTCY = "bankruptcy"
    INVESTIGATION = "investigation"
    RESIGNATION = "resignation"
    RECALL = "recall"
    GUIDANCE_CUT = "guidance cut"
    DELISTING = "delisting or halt"
    RESTATEMENT = "restated accounts"
    CYBER_INCIDENT = "cyber incident"
    BIG_MOVE = "big move"


class Development(Recorded):
    """One event, however many sources report it."""

    heading: MarketQuote
    """The most telling words; the event's name in the answer."""
    details: tuple[MarketQuote, ...] = ()
    impact: tuple[MarketQuote, ...] = ()
    """Its effect on the share price, according to sources."""
    impact_note: str = ""
    """The reason why there is no `impact`."""
    source_ids: tuple[str, ...]
    events: tuple[str, ...] = ()
    """Its kinds of event ('guidance', 'rating'), as named in `desks/market/words.toml`."""
    witnesses: int
    """Independent sources: a story counts once, for the owner of its origin."""
    critical: tuple[Critical, ...] = ()
    unconfirmed: tuple[Critical, ...] = ()
    """The critical kinds that only one independent source reports."""
    disputed: str = ""
    """Statements of sources that say otherwise."""
    disputed_code: OptionalReason = None


class ReplyKind(StrEnum):
    """The kind of answer to the question itself."""

    YES = "yes"
    NO = "no"
    IN_PART = "in part"
    DISPUTED = "disputed"
    """Credible independent sources say both."""
    REPORTED = "reported"
    """Not a yes/no question: the answer is what sources report."""
    OPEN = "open"
    """Sources discuss it, but none settles it."""
    DENIED = "denied"
    """Everything read about it reports a denial; the facts remain open."""
    NOTHING = "nothing"
    """Nothing that was read mentions it."""


class ReplyPoint(Value):
    """One point of an answer, in a source's words."""

    quote: MarketQuote
    event: str = ""
    """For a 'why' question: the kind of event given as a cause, as named in `desks/market/words.toml`."""
    witnesses: int = 1
    """Independent sources that report it: a story counts once, for the owner of its origin."""


class MarketReply(Value):
    """The answer to the question itself, before everything else that was found."""

    kind: ReplyKind
    points: tuple[ReplyPoint, ...] = ()
    """Points that answer it, weightiest first; for a yes/no question, those that support the answer."""
    against: tuple[MarketQuote, ...] = ()
    """Points against the answer, or on the other side."""
    witnesses: int = 0
    """Number of independent sources behind a yes or no."""


class AnalystAction(Recorded):
    """A change of grade by an analyst's firm: reported, not recommended by us."""

    firm: str = ""
    """'': named in the quote."""
    action: str = ""
    """In the words of an engine's table: 'downgrade'."""
    grade_from: str | None = None
    grade_to: str | None = None
    at: str | None = None
    """ISO 8601."""
    age: str = ""
    age_code: OptionalReason = None
    quote: MarketQuote | None = None
    """A quote from a page; None: it is only in an engine's table."""
    lead_by: str | None = None
    """The engine whose table it is from, if no page was read."""
    lead_url: str | None = None


class SentimentLabel(StrEnum):
    """The overall tone of the news."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    MIXED = "mixed"
    NEUTRAL = "neutral"
    UNKNOWN = "unknown"
    """There was nothing to count."""


class Sentiment(Value):
    """The overall tone of the news, counted over independent sources, with the words that were counted."""

    label: SentimentLabel
    score: float = Field(ge=-1, le=1)
    """(positive - negative) / all, over independent sources."""
    positive: int = 0
    negative: int = 0
    neutral: int = 0
    basis: tuple[MarketQuote, ...] = ()
    """The words that were counted as positive or negative, one for each source."""
    reasons: tuple[str, ...] = ()
    reason_codes: Reasons = ()


class AgainstFiling(Recorded):
    """A statement of a filing beside later news on the same measure."""

    relation: Literal["contradicts", "agrees", "points the other way", "not comparable"]
    """The last value occurs only in answers of earlier versions."""
    what: str
    """The measure: 'deliveries'."""
    filing: FilingStatement
    news: MarketQuote
    days_between: int | None = None
    """Days from the filing to the news; None if one has no date."""
    reason: str
    reason_codes: Reasons = ()
    forecast_by_others: bool = False
    """True if the news is somebody else's expectation, not an event or a statement of the company."""


class MarketSource(Value):
    """A source with what a reader needs to know to judge it."""

    id: str
    title: str
    url: str
    publisher: str
    tier: int
    published: str | None = None
    age: str
    """Freshness in words: '2 h', '3 days', 'no date'."""
    age_code: OptionalReason = None
    story: str | None = None
    press_release: bool = False
    note: str = ""
    """The reason why it does not count, or something to know about it."""


class EngineNote(Value):
    """An engine's part in the answer."""

    engine: str
    title: str = ""
    state: Literal["answered", "empty", "left_out"]
    hits: int = 0
    why: str = ""
    """The reason, in a sentence, if it was left out."""
    instead: tuple[str, ...] = ()
    """The engine that answered in its place."""


class NoiseCount(Value):
    """Leads removed before anything was read, by kind."""

    seen: int = 0
    clickbait: int = 0
    duplicates: int = 0
    promotional: int = 0
    """Advertisements, promotional sites and pages that urge readers to trade."""
    examples: tuple[str, ...] = ()
    """A few titles, each with the reason."""

    @property
    def removed(self) -> int:
        return self.clickbait + self.duplicates + self.promotional

    @property
    def share(self) -> float:
        """0 to 1; 0 if there were no leads."""
        return self.removed / self.seen if self.seen else 0.0


class SearchOutcome(Value):
    """The result of the search for an answer, apart from findings and sources."""

    engines: tuple[EngineNote, ...] = ()
    own: tuple[str, ...] = ()
    """The engines that search the user's own documents."""
    hits: tuple[Hit, ...] = ()
    """Hits with figures of an engine's own tables, to which they are attributed, and filings."""
    against_filings: tuple[AgainstFiling, ...] = ()
    noise: NoiseCount = NoiseCount()
    outages: int = 0
    """Pages and models that were not available; engines are counted separately."""
    unread: int = 0
    """Chosen pages among them that could not be read."""
    not_asked: tuple[str, ...] = ()
    """Titles of the plan's engines that were not needed."""
    cut: str = ""
    """The reason why the work ended early, as a sentence."""
    saved: bool = False


class AnswerState(StrEnum):
    """The completeness of an answer."""

    HEADLINE = "headline"
    """A first headline; more sources are being read."""
    COMPLETE = "complete"
    PARTIAL = "partial"
    """Something that was needed was not available."""
    NO_RECENT_NEWS = "no_recent_news"
    """All engines answered, but had nothing recent."""
    COULD_NOT_ASK = "could_not_ask"
    """No engine could be queried: nothing is known either way."""


class MarketAnswer(Value):
    """The answer in the form of spec 003. Every part that states a fact is based on quotes; it gives no advice."""

    state: AnswerState
    question: MarketQuestion
    title: str
    at: datetime
    reply: MarketReply | None = None
    """The answer to the question itself; None: an early headline, or a case from before answers had one."""
    prices: tuple[str, ...] = ()
    """Sentences on the price according to engines' tables, each attributed to its engine."""
    price_codes: Reasons = ()
    breaking: tuple[MarketQuote, ...] = ()
    """One or two sentences with the most important news."""
    breaking_note: str = ""
    """'One source alone says so', or the reason why there is no headline."""
    breaking_codes: Reasons = ()
    developments: tuple[Development, ...] = ()
    window: str = ""
    window_code: OptionalReason = None
    commentary: tuple[AnalystAction, ...] = ()
    wider: tuple[MarketQuote, ...] = ()
    """Answers to the wider question (`question.step_back`): on its industry and the market as a whole."""
    context: tuple[MarketQuote, ...] = ()
    """Older material, or material from filings and other agents."""
    filing_context: tuple[FilingStatement, ...] = ()
    against_filings: tuple[AgainstFiling, ...] = ()
    sentiment: Sentiment | None = None
    sources: tuple[MarketSource, ...] = ()
    engines: tuple[EngineNote, ...] = ()
    not_asked: tuple[str, ...] = ()
    """Titles of the plan's engines that were not needed."""
    unread: int = 0
    """Pages that were chosen and could not be read."""
    noise: NoiseCount = NoiseCount()
    offers: tuple[str, ...] = ()
    """Possible next steps, if nothing was found."""
    offer_codes: Reasons = ()
    meanings: tuple[str, ...] = ()
    """Possible reasons why nothing was found."""
    meaning_codes: Reasons = ()
    notes: tuple[str, ...] = ()
    note_codes: Reasons = ()
    disclaimer: str
    saved: bool = False

    @property
    def kept_until(self) -> datetime | None:
        """The time at which it is deleted; None: the user has saved it."""
        return None if self.saved else self.at + KEPT_FOR


class NamedFiling(Value):
    """A filing that the user named by its address, a file or its SEC number."""

    given: str
    """As the user wrote it."""
    url: str = ""
    """Address of the page or file; '': only its number is known."""
    accession: str = ""
    """'0001045810-26-000021'."""
    snapshot: str = ""
    """For a file: its bytes, archived when it was named."""


class MarketRequest(Value):
    """Further parameters of a question."""

    tickers: tuple[str, ...] = ()
    """As the user wrote them."""
    company: str = ""
    sector: str = ""
    filings: tuple[NamedFiling, ...] = ()
    upstream: Upstream | None = None
    saved: bool = False
    """True if the case is kept for longer than a day."""
