"""Queries (the question itself, one step back, words of a hypothetical article, filings) and their engines; the choice
of the leads to read (spec 003).

No name, number or date of the hypothetical article becomes part of a query, because it is not a reported fact. Leads
are ranked by relevance x credibility x freshness by the desk's own table. Clickbait, near-copies (0.95), advertisements
and pages that urge to trade are removed and counted, with examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import NamedTuple

from inquest.claims.press_words import VERB_FORM
from inquest.claims.report.company import is_own_word
from inquest.desks.market.events import events_in, is_unfit
from inquest.desks.market.questions import direction_in, focus_of
from inquest.domain.market import MarketQuestion, NoiseCount, QuestionKind
from inquest.domain.reasons import in_words
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Category, Rating, Source
from inquest.domain.value import grouped
from inquest.sources.noise import clickbait_of
from inquest.sources.ranking import Freshness, RankedHit, rank_hits, text_of
from inquest.text.entities import names
from inquest.text.lexicon import entries
from inquest.text.phrases import count
from inquest.text.regex import regex
from inquest.text.securities import forms_in
from inquest.text.sentences import STOP_WORDS, fold, shorten, stem, words
from inquest.text.similarity import overlap, runs
from inquest.text.urls import registrable_domain
from inquest.text.vocabulary import rarity

LISTS = "edgar_submissions"
"""The engine with the list of companies and tickers, and a company's newest filings."""
FILINGS_ENGINES = frozenset(("edgar", "edgar_submissions", "edgar_current"))
_PRICES = frozenset(("eodhd_quote", "fmp_quote"))
PRIMARY = frozenset(("tavily",))
"""Web engines of the specification, which get the question itself whenever they are ready."""
_BY_COMPANY = frozenset(("fmp", "fmp_press_releases", "fmp_grades"))
"""Engines with data by ticker only, without data on a country or the whole market."""
_GRADES = "fmp_grades"
_CALENDAR, _GAZETTE, _FACTS = "eodhd_calendar", "federal_register", "edgar_facts"
_WEEK = timedelta(days=7)
_MOST_TERMS = 8
_MOST_IN_A_QUERY = 6
_FIRST = 15
"""Limit of leads if the query is the question itself or the company's name."""
_A_YEAR_OF_REPORTS = timedelta(days=400)
_PERIODIC = frozenset((QuestionKind.GUIDANCE, QuestionKind.STRATEGY, QuestionKind.EARNINGS))
"""Kinds of question for which annual and quarterly reports are searched."""
_STEP_BACK, _ABOUT = entries(__name__, "step_back"), entries(__name__, "about")


def step_back(question: MarketQuestion) -> str:
    """The wider question as a sentence, also the purpose of queries."""
    if question.step_back:
        return question.step_back
    hours = round((question.timeframe.until - question.timeframe.since) / timedelta(hours=1))
    period = f"{hours} hours" if hours <= 72 else count(round(hours / 24), "day")
    wider = _STEP_BACK[question.kind].format(
        it=question.about,
        sector=question.sector or "related",
        time=f"the past {period}",
        place=f" in {question.country}" if question.country else "",
    )
    return wider.replace("the related industry", "its industry")


def market_queries(question: MarketQuestion, expansion: tuple[str, ...] = ()) -> tuple[Query, ...]:
    """The queries, sent at once: the question, the company's news, one step back, the expansion, and filings if there
    is a company. The period is the question's, but for a company at least a week, because the cause of a move may have
    been reported days before."""
    name = _name(question)
    frame = question.timeframe
    since = min(frame.since, frame.until - _WEEK) if name else frame.since
    known = tuple(each.symbol for each in question.tickers if each.known is not False)
    symbols = known or tuple(each.symbol for each in question.tickers)

    def query(text: str, *kinds: EngineKind, purpose: str = "", begins: datetime = since) -> Query:
        return Query(text=text, kinds=kinds, purpose=purpose or wide, since=begins, until=frame.until)

    wide = step_back(question)
    first = query(_plain(question, name), EngineKind.NEWS, EngineKind.MARKET, EngineKind.WEB, purpose=question.text)
    found = [first.model_copy(update={"tickers": symbols, "limit": _FIRST})]
    if name:
        news = query(name, EngineKind.NEWS, purpose=f"What is reported of {question.about}")
        found.append(news.model_copy(update={"limit": _FIRST}))
    if wider := _wider(question, name):
        found.append(query(wider, EngineKind.NEWS))
    if expansion:
        start = name or question.sector or "market"
        text = " ".join(dict.fromkeys([start, *expansion[:_MOST_IN_A_QUERY]]))
        found.append(query(text, EngineKind.NEWS, EngineKind.WEB))
    forms = [("8-K", since)] if name else []
    if name and (question.kind in _PERIODIC or "liquidity" in events_in(question.text)):
        forms.append(("10-K 10-Q", question.now - _A_YEAR_OF_REPORTS))
    for form, begins in forms:
        filed = query(f"{name} {form}", EngineKind.MARKET, purpose=f"What {question.about} has filed", begins=begins)
        found.append(filed.model_copy(update={"tickers": symbols}))
    return tuple({(each.text, each.kinds): each for each in reversed(found)}.values())[::-1]


def _name(question: MarketQuestion) -> str:
    return question.company or " ".join(each.shown for each in question.tickers)


def _plain(question: MarketQuestion, name: str) -> str:
    """The question as search words: the company and the subject."""
    if not name:
        return question.text.rstrip("?! ")
    focus = focus_of(question)
    spelled = dict.fromkeys(span.of(question.text) for span in words(question.text))
    about = [word for word in spelled if stem(word) in focus and fold(word) not in fold(name)]
    if question.kind is QuestionKind.STOCK_MOVEMENT or not about:
        return f"{name} {_about(question)[0]}"
    return f"{name} {' '.join(about[:_MOST_IN_A_QUERY])}"


def _wider(question: MarketQuestion, name: str) -> str:
    """Search words one step back; '' if absent."""
    if question.peers:
        return " ".join((*question.peers, question.sector)).strip()
    if question.kind is QuestionKind.STOCK_MOVEMENT and question.sector:
        return f"{question.sector} stocks {question.direction.value if question.direction else 'news'}"
    if question.kind is QuestionKind.STOCK_MOVEMENT:
        return f"{name} analysts downgrade upgrade price target" if name else ""
    start = name or question.sector or question.country
    return f"{start} {' '.join(_about(question)[:4])}" if start else ""


def _about(question: MarketQuestion) -> tuple[str, ...]:
    return tuple(_ABOUT[question.kind].split("|"))


def goes_to(engine: str, query: Query, question: MarketQuestion) -> bool:
    """True if an engine with a fitting kind is sent this query: calls of market engines have small limits.

    Registers of filings get queries for filings only, calendars economic figures only, and gazettes decisions of an
    authority. Engines that are not named here get every query that fits their kinds.
    """
    filings = bool(forms_in(query.text))
    company = bool(question.tickers or question.company)
    if engine in FILINGS_ENGINES or filings:
        return engine in FILINGS_ENGINES and filings
    if engine == _CALENDAR:
        return question.kind is QuestionKind.ECONOMIC_RELEASE
    if engine == _GAZETTE:
        return question.kind is QuestionKind.REGULATORY or (company and query.text == _name(question))
    if engine in _PRICES | _BY_COMPANY:
        return company
    return engine != _FACTS  # its figures have no text to quote


def can_replace(engine: str, query: Query, question: MarketQuestion, *, out: str) -> bool:
    """True if the engine can replace one that is `out`: prices for prices, filings for filings, news for news."""
    same = all((engine in each) == (out in each) for each in (_PRICES, FILINGS_ENGINES))
    special = {_CALENDAR, _GAZETTE, _FACTS, _GRADES}
    return same and engine not in special and out not in special and goes_to(engine, query, question)


def expansion_terms(question: MarketQuestion) -> tuple[str, ...]:
    """The usual subjects of articles that answer such a question, without a model."""
    leaning = _ABOUT[question.direction].split("|") if question.direction else []
    mixed = (term for row in zip_longest([question.sector], leaning, _about(question)) for term in row if term)
    return tuple(dict.fromkeys(mixed))[:_MOST_TERMS]


def article_terms(article: str, question: MarketQuestion, *, most: int = _MOST_TERMS) -> tuple[str, ...]:
    """The themes of a hypothetical article (HyDE), weightiest first (TF-IDF): no verbs, names, numbers, words of price
    moves or words of the question. The article is never shown as a fact."""
    spelled = [span.of(article) for span in words(article)]
    # A word that also appears in small letters is not a name, though it may begin a sentence.
    small = {word for word in spelled if word.islower()}
    named = {fold(word) for name in names(article) for word in name.text.split()} - small
    asked = {stem(span.of(text)) for text in (question.text, question.about) for span in words(text)}
    found: list[tuple[str, str]] = []
    for word in spelled:
        plain, root = fold(word), stem(word)
        informative = len(plain) > 3 and plain.isalpha() and plain not in STOP_WORDS and not VERB_FORM.fullmatch(plain)
        if informative and plain not in named and root not in asked and direction_in(plain) is None:
            found.append((root, plain))
    spellings = grouped(found)
    ranked = sorted(spellings, key=lambda root: -len(spellings[root]) * rarity(root))
    return tuple(spellings[root][0] for root in ranked[: max(0, most)])


DUPLICATE = 0.95
"""Share of runs of words from which two leads are duplicates (spec 003)."""
_SURE_BAIT = 0.8
"""Score of clickbait; explanations ('Why X shares are down today') score a little less."""
_STANDING, _LOWEST = 2, 4
"""Tiers: the lowest of the reputable press, whose titles are not clickbait; and the lowest of all."""
_BAIT = regex(r"\b(?:you won'?t believe|this one (?:\w+ )?trick|shocking news)\b")
"""The patterns of the specification, in addition to the features of `sources.noise`."""
_SPONSORED = regex(r"\s*[\[(]?(?:sponsored|advertisement|advertorial|promoted|paid (?:post|content|partner))\b")
_PROMOTIONAL = frozenset((Category.FABRICATOR.value, Category.LOOK_ALIKE.value, Category.SATIRE.value))
_PUBLIC = frozenset((Category.GOVERNMENT.value, Category.REGULATOR.value, Category.COURT.value))
AT_ONCE = 14
"""Number of pages read concurrently, best first."""
_OFFICIAL, _FITTING = 2, 5
_EXAMPLES = 5
_UNKNOWN = "Nothing is known about its publisher, and known publishers report on the question."
_OUTLET = regex(r"\s+(?:[|·»]|[-–—])\s+[^|·»–—]{2,40}$")
_FEWEST_WORDS = 5
"""Minimum words of a title that identifies a report; different reports may share a shorter one."""


class MarketRanking(NamedTuple):
    """The leads to read, best first, and the count of those removed."""

    leads: tuple[RankedHit, ...]
    noise: NoiseCount


def rank_market(
    hits: Iterable[Hit],
    question: MarketQuestion,
    rate: Callable[[str], Rating],
    *,
    relevance: Mapping[str, float] | None = None,
) -> MarketRanking:
    """Rank leads and remove noise. `relevance`: a reranker's or an encoder's scores (`sources.ranking.reranked`)."""
    ranked = rank_hits(
        hits,
        topic=f"{question.about} {question.text}",
        rate=rate,
        as_of=question.now,
        freshness=Freshness.MARKET,
        relevance=relevance,
    )
    removed: list[tuple[RankedHit, str, str]] = []
    known: list[tuple[frozenset[str], str, RankedHit]] = []
    # The agency's own page is preferred to copies of its report.
    for lead in sorted(ranked, key=lambda each: rate(each.hit.url).category != Category.WIRE):
        why, text, title = _noise_of(lead, rate(lead.hit.url)), runs(text_of(lead.hit, lead.hits)), _title(lead)
        same = (other for one, name, other in known if overlap(text, one)[0] >= DUPLICATE or (title and title == name))
        twin = next(same, None)
        if why is None and twin:
            why = ("duplicate", f"the same as at {registrable_domain(twin.hit.url)}")
        if why is None:
            known.append((text, title, lead))
        else:
            removed.append((lead, *why))
    kept = {id(lead) for _, _, lead in known}
    leads = [lead for lead in ranked if id(lead) in kept]
    return MarketRanking(_read_first(leads, rate), _counted(len(ranked), removed))


def _read_first(leads: Sequence[RankedHit], rate: Callable[[str], Rating]) -> tuple[RankedHit, ...]:
    """Order leads by score, with places near the top for the most relevant, for filings and for public bodies."""
    by_fit = sorted(leads, key=lambda each: -each.relevance)
    public = [each for each in by_fit if rate(each.hit.url).category in _PUBLIC]
    filed = [each for each in public if each.hit.filing is not None]
    written = [each for each in public if each.hit.filing is None]
    kept = {id(each) for each in (*filed[:_OFFICIAL], *written[:_OFFICIAL], *by_fit[:_FITTING])}
    by_score = [each for each in leads if id(each) not in kept]
    kept |= {id(each) for each in by_score[: AT_ONCE - len(kept)]}
    return (*(each for each in leads if id(each) in kept), *(each for each in leads if id(each) not in kept))


def _noise_of(lead: RankedHit, rating: Rating) -> tuple[str, str] | None:
    title = fold(lead.hit.title)
    lowest = rating.category == Category.BLOG.value and rating.tier == _LOWEST
    promoted = (
        (lead.hit.details.get("sponsored") is True, "the engine says that it is an advertisement"),
        (_SPONSORED.match(title), "its title says that it is an advertisement"),
        (rating.category in _PROMOTIONAL or lowest, f"its publisher is rated as {rating.category.replace('_', ' ')}"),
        (is_unfit(lead.hit.title), "its title urges readers to trade or addresses a machine"),
    )
    if why := next((why for is_so, why in promoted if is_so), ""):
        return "promotional", why
    bait = clickbait_of(lead.hit.title)
    # The title of a feature in the reputable press ('The Fleets That Didn't Plug In') is not clickbait.
    if _BAIT.search(title) or (bait.share >= _SURE_BAIT and rating.tier > _STANDING):
        return "clickbait", in_words(bait.reasons[0]) if bait.reasons else "it uses a clickbait phrase"
    return None


def _title(lead: RankedHit) -> str:
    """A title without the name of its outlet; '' if it is too short to identify a report."""
    plain = _OUTLET.sub("", fold(lead.hit.title))
    return plain if len(plain.split()) >= _FEWEST_WORDS else ""


def _counted(seen: int, removed: Sequence[tuple[RankedHit, str, str]]) -> NoiseCount:
    """The count of leads removed, each with its kind and the reason."""
    kinds = Counter(kind for _, kind, _ in removed)
    picked = [each for kind in kinds for each in [one for one in removed if one[1] == kind][:2]]
    return NoiseCount(
        seen=seen,
        clickbait=kinds["clickbait"],
        duplicates=kinds["duplicate"],
        promotional=kinds["promotional"],
        examples=tuple(
            f"{kind}: {'(title left out)' if kind == 'promotional' else shorten(lead.hit.title, 80)} "
            f"({registrable_domain(lead.hit.url)}; {reason})"
            for lead, kind, reason in picked[:_EXAMPLES]
        ),
    )


def without_unknown(sources: Sequence[Source], company: str) -> tuple[Source, ...]:
    """Exclude unknown publishers if there are known ones (spec 003), but not the pages of the `company` itself."""
    counted = [each for each in sources if not each.excluded]
    unknown = {
        each.id
        for each in counted
        if not (each.user_provided or each.rating.known or is_own_word(each, company, ()))
        and each.rating.tier == _LOWEST
    }
    if len(unknown) == len(counted):
        return tuple(sources)
    return tuple(each.model_copy(update={"excluded": _UNKNOWN}) if each.id in unknown else each for each in sources)
