"""A question to the market desk, and the answer it is given: what sources say, each word with its place; no advice."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from pydantic import Field

from inquest.domain.leads import Recorded
from inquest.domain.reasons import OptionalReason, Reasons
from inquest.domain.value import Value

KEPT_FOR = timedelta(hours=24)
"""How long an answer that nobody saved is kept at most (spec 003, no persistence)."""


class QuestionKind(StrEnum):
    """What is asked (spec 003, query patterns)."""

    STOCK_MOVEMENT = "stock_movement"
    EARNINGS = "earnings"
    INDUSTRY_TREND = "industry_trend"
    REGULATORY = "regulatory"
    ANALYST_ACTION = "analyst_action"
    LATEST_NEWS = "latest_news"
    ECONOMIC_RELEASE = "economic_release"
    GUIDANCE = "guidance"
    """Whether what a company has said of its future still holds."""
    STRATEGY = "strategy"
    """What filings answer in part only, so that news is to fill the gap."""


class Asks(StrEnum):
    """What kind of answer a question wants."""

    WHETHER = "whether"
    """Yes or no."""
    WHY = "why"
    WHO = "who"
    WHEN = "when"
    """A time, or how long."""
    HOW_MUCH = "how much"
    WHAT = "what"
    """What happened, or anything else."""


class PriceDirection(StrEnum):
    """Which way a share went, as the question says."""

    UP = "up"
    DOWN = "down"


class QuestionTicker(Value):
    """A ticker that the question is about."""

    symbol: str
    """As FMP and Yahoo write it: 'NVDA', 'BRK-B', 'VOD.L'; engines make their own dialect of it."""
    how: str
    """Why it is taken for one: 'as given', 'with a dollar sign', 'with its exchange', 'as written', 'by the name'."""
    name: str = ""
    """The company, where the listings know it."""
    known: bool | None = None
    """Whether the listings have it; None: there were no listings to look it up in."""

    @property
    def shown(self) -> str:
        """As people and New York's exchanges write it: 'BRK.B'. A listing elsewhere keeps its form: 'VOLV-B.ST'."""
        return self.symbol if "." in self.symbol else self.symbol.replace("-", ".")


class Timeframe(Recorded):
    """The period a question asks about."""

    since: datetime
    until: datetime
    words: str
    """As a person would say it: 'today', 'since Friday, 20 November 2026'."""
    words_code: OptionalReason = None


class FilingStatement(Value):
    """What a company's filing says, word for word: `text_of(snapshot)[start:end] == quote`."""

    form: str
    """10-K, 10-Q, 8-K, ...; '' where it is not known."""
    filed: datetime | None
    quote: str
    snapshot: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    source_id: str = ""
    section: str = ""
    """'Item 7', as far as it is known."""


class Upstream(Value):
    """Who passed the question on, and why (spec 003, upstream triggers)."""

    agent: str
    """business_analyst, insider_sentiment, quantitative, or the name of another."""
    reason: str
    score: float | None = None
    """The confidence of the answer from filings, 0 to 1."""


class MarketQuestion(Value):
    """A question, read."""

    text: str
    tickers: tuple[QuestionTicker, ...] = ()
    company: str = ""
    sector: str = ""
    kind: QuestionKind
    timeframe: Timeframe
    now: datetime
    """What 'today' is counted from."""
    filings: tuple[FilingStatement, ...] = ()
    direction: PriceDirection | None = None
    change_percent: float | None = None
    """By how much, as the question says; a claim of the question's, not a fact."""
    country: str | None = None
    """Of a question about an economic release: ISO 3166-1, or EU."""
    upstream: Upstream | None = None
    asks: Asks = Asks.WHAT
    claim: str = ""
    """Of a yes-or-no question: the statement it asks about, to be judged like any claim."""
    step_back: str = ""
    """The wider question: a model's, else a template's."""
    peers: tuple[str, ...] = ()
    """Companies of its industry, as a model named them."""
    wants_advice: bool = False
    """It asks what to do with shares, which is not answered."""
    notes: tuple[str, ...] = ()
    """What could not be found out, in sentences: a ticker that nobody lists, a word that may be one."""
    note_codes: Reasons = ()
    reasons: tuple[str, ...] = ()
    """Why it is of this kind and about this company."""

    @property
    def about(self) -> str:
        """What the question is about, for headings and queries: company, ticker, sector or country, whichever there
        is."""
        symbols = ", ".join(each.shown for each in self.tickers)
        if self.company and symbols:
            return f"{self.company} ({symbols})"
        if self.kind is QuestionKind.ECONOMIC_RELEASE and not self.sector:
            return f"the economy ({self.country})" if self.country else "the economy"
        return self.company or symbols or self.sector or self.country or "the market"


class MarketQuote(Value):
    """Words of a source, and where they stand: `text_of(snapshot)[start:end] == quote`."""

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
    """ISO 8601, as exactly as it is known."""
    age: str = ""
    """'2 h', '3 days', 'no date', counted from the question's now."""
    age_code: OptionalReason = None


class MarketReading(Value):
    """What a model reads a question as; an empty field is not stated, and rules read it."""

    company: str = ""
    ticker: str = ""
    sector: str = ""
    peers: tuple[str, ...] = ()
    kind: QuestionKind | None = None
    step_back: str = ""
    """The wider question."""
    article: str = ""
    """An invented one, to find real ones by; never shown, never evidence."""


class Critical(StrEnum):
    """A statement grave enough to need two independent sources."""

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
    """One thing that happened, however many tell of it."""

    heading: MarketQuote
    """The words that say it best; the event's name in the answer."""
    details: tuple[MarketQuote, ...] = ()
    impact: tuple[MarketQuote, ...] = ()
    """What it did to the share, as sources report it."""
    impact_note: str = ""
    """Why there is no `impact`."""
    source_ids: tuple[str, ...]
    events: tuple[str, ...] = ()
    """What kinds of event it is of ('guidance', 'rating'), as `desks/market/events.toml` names them."""
    witnesses: int
    """Independent sources: a story counts once, for the owner of its origin."""
    critical: tuple[Critical, ...] = ()
    unconfirmed: tuple[Critical, ...] = ()
    """Of the critical kinds, those that only one independent source tells of."""
    disputed: str = ""
    """Where sources say otherwise: what they say."""
    disputed_code: OptionalReason = None


class ReplyKind(StrEnum):
    """How the question itself is answered."""

    YES = "yes"
    NO = "no"
    IN_PART = "in part"
    DISPUTED = "disputed"
    """Credible independent sources say both."""
    REPORTED = "reported"
    """No question of yes or no: what sources report that answers it."""
    OPEN = "open"
    """Sources speak of it, and none settles it."""
    DENIED = "denied"
    """All that was read of it reports a denial; whether that is so was not settled."""
    NOTHING = "nothing"
    """Nothing that was read speaks of it."""


class ReplyPoint(Value):
    """One thing that answers a question, in a source's words."""

    quote: MarketQuote
    event: str = ""
    """Of a 'why': the kind of event that is given as a cause, as `desks/market/events.toml` names it."""
    witnesses: int = 1
    """Independent sources that report it: a story counts once, for the owner of its origin."""


class MarketReply(Value):
    """The answer to the question itself, before everything else that was found."""

    kind: ReplyKind
    points: tuple[ReplyPoint, ...] = ()
    """What answers it, weightiest first; of a question of yes or no, what stands for the answer."""
    against: tuple[MarketQuote, ...] = ()
    """What is against the answer, or on the other side."""
    witnesses: int = 0
    """Independent sources that stand behind a yes or no."""


class AnalystAction(Recorded):
    """What an analyst's firm did with its grade: a report of it, and no recommendation of ours."""

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
    """The words of a page; None: only an engine's table says so."""
    lead_by: str | None = None
    """The engine whose table it is, where no page was read."""
    lead_url: str | None = None


class SentimentLabel(StrEnum):
    """Which way the news leans."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    MIXED = "mixed"
    NEUTRAL = "neutral"
    UNKNOWN = "unknown"
    """Nothing that could be counted."""


class Sentiment(Value):
    """How the news leans, counted over independent sources, with what was counted."""

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
    """The last in answers of earlier versions."""
    what: str
    """The measure: 'deliveries'."""
    filing: FilingStatement
    news: MarketQuote
    days_between: int | None = None
    """From the filing to the news; None where one has no date."""
    reason: str
    reason_codes: Reasons = ()
    forecast_by_others: bool = False
    """The news is an expectation of somebody else's, and not what came to pass or what the company says now."""


class MarketSource(Value):
    """A source with what a reader has to know to weigh it."""

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
    """Why it counts for nothing, or what is to be known of it."""


class EngineNote(Value):
    """How an engine took part."""

    engine: str
    title: str = ""
    state: Literal["answered", "empty", "left_out"]
    hits: int = 0
    why: str = ""
    """Of one that was left out: why, in a sentence."""
    instead: tuple[str, ...] = ()
    """Who answered in its place."""


class NoiseCount(Value):
    """What was taken out of the leads before anything was read."""

    seen: int = 0
    clickbait: int = 0
    duplicates: int = 0
    promotional: int = 0
    """Advertisements, promotional sites and pages that urge to trade."""
    examples: tuple[str, ...] = ()
    """A few titles, each with the reason."""

    @property
    def removed(self) -> int:
        return self.clickbait + self.duplicates + self.promotional

    @property
    def share(self) -> float:
        """0 to 1; 0 where there were no leads."""
        return self.removed / self.seen if self.seen else 0.0


class AnswerState(StrEnum):
    """How far an answer is."""

    HEADLINE = "headline"
    """The first word; more is being read."""
    COMPLETE = "complete"
    PARTIAL = "partial"
    """Something that should have been asked could not be."""
    NO_RECENT_NEWS = "no_recent_news"
    """All that were asked answered, and there was nothing."""
    COULD_NOT_ASK = "could_not_ask"
    """Nobody could be asked: nothing is known either way."""


class MarketAnswer(Value):
    """Spec 003's form of an answer. Every part that states a fact rests on quotes; it advises nobody."""

    state: AnswerState
    question: MarketQuestion
    title: str
    at: datetime
    reply: MarketReply | None = None
    """The answer to the question itself; None: an early headline, or a case from before answers had one."""
    prices: tuple[str, ...] = ()
    """What engines' tables say of the price, each as that engine's, in sentences."""
    price_codes: Reasons = ()
    breaking: tuple[MarketQuote, ...] = ()
    """One or two sentences, the weightiest of what is new."""
    breaking_note: str = ""
    """'One source alone says so', or why there is no headline."""
    breaking_codes: Reasons = ()
    developments: tuple[Development, ...] = ()
    window: str = ""
    """The period of the developments."""
    window_code: OptionalReason = None
    commentary: tuple[AnalystAction, ...] = ()
    wider: tuple[MarketQuote, ...] = ()
    """What answers the wider question (`question.step_back`): on its industry and the market as a whole."""
    context: tuple[MarketQuote, ...] = ()
    """What is older, or from filings and other agents."""
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
    """What could be done next, where nothing was found."""
    offer_codes: Reasons = ()
    meanings: tuple[str, ...] = ()
    """What it can mean that nothing was found."""
    meaning_codes: Reasons = ()
    notes: tuple[str, ...] = ()
    note_codes: Reasons = ()
    disclaimer: str
    saved: bool = False

    @property
    def kept_until(self) -> datetime | None:
        """When it is to be forgotten; None: the user has saved it."""
        return None if self.saved else self.at + KEPT_FOR


class NamedFiling(Value):
    """A filing that the user named: by an address, a file or the number that the SEC gave it."""

    given: str
    """As the user wrote it."""
    url: str = ""
    """Of a page or a file; '': only its number is known."""
    accession: str = ""
    """'0001045810-26-000021'."""
    snapshot: str = ""
    """Of a file: its bytes, archived when it was named."""


class MarketRequest(Value):
    """What is beside the question."""

    tickers: tuple[str, ...] = ()
    """As the user wrote them."""
    company: str = ""
    sector: str = ""
    filings: tuple[NamedFiling, ...] = ()
    upstream: Upstream | None = None
    saved: bool = False
    """Whether the case is kept for longer than a day."""
