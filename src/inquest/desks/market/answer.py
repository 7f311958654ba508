"""The market desk's answer, built from findings: first a headline, later the whole (spec 003).

Every statement has a quote; data of an engine's table is marked as such. The answer contains no advice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from inquest.desks.market.developments import (
    developments_of,
    events_of,
    fit_of,
    grave,
    publisher_of,
    quote_of,
    read,
    sentiment_of,
    why_not_counted,
)
from inquest.desks.market.events import DISCLAIMER, MOVE, SECTOR, is_unfit, says
from inquest.desks.market.filings import measures_named
from inquest.desks.market.notes import (
    filing_notes,
    left_out_sentences,
    missing_filings,
    no_news,
    nobody_asked,
    offers_for,
    price_notes,
    release_notes,
    spoken,
)
from inquest.desks.market.questions import focus_of
from inquest.desks.market.replies import CLAIM_ID, reply_to
from inquest.domain.finding import Finding
from inquest.domain.market import (
    AgainstFiling,
    AnalystAction,
    AnswerState,
    Asks,
    Development,
    EngineNote,
    FilingStatement,
    MarketAnswer,
    MarketQuestion,
    MarketQuote,
    MarketSource,
    NoiseCount,
    QuestionKind,
)
from inquest.domain.reasons import Reason, as_written, in_words, noted, once, sentences
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.domain.value import firsts, grouped
from inquest.sources.ranking import Freshness, freshness_of
from inquest.stories.stories import independent
from inquest.text.dates import utc
from inquest.text.phrases import ended
from inquest.text.sentences import content_words, fold

_RECENT = timedelta(hours=48)
_NEWS_WINDOW = timedelta(days=7)
"""Maximum age of recent news (spec 003, scenario 1)."""
_STALE = timedelta(days=120)
"""Age above which reports are cited only if the question is about that time: a recall years ago is not news."""
_LONG_AGO = timedelta(days=400)
_BREAKING = 2
_MOST = 8
_SLOW_KINDS = frozenset(
    (QuestionKind.GUIDANCE, QuestionKind.STRATEGY, QuestionKind.INDUSTRY_TREND, QuestionKind.REGULATORY)
)
"""Questions that are not about the last days: their window is the question's own."""
_OF_MOOD = frozenset((QuestionKind.STOCK_MOVEMENT, QuestionKind.LATEST_NEWS, QuestionKind.EARNINGS))
"""Questions whose answer includes the sentiment of the news. Rising prices are good news about a share, but not about
the cost of living."""


class SearchOutcome(NamedTuple):
    """The result of a search, apart from findings and sources."""

    engines: Sequence[EngineNote] = ()
    own: Collection[str] = ()
    """The engines that search the user's own documents."""
    hits: Sequence[Hit] = ()
    """The source of grades, prices, releases and filings, which are attributed to the engine."""
    against_filings: Sequence[AgainstFiling] = ()
    noise: NoiseCount = NoiseCount()
    outages: int = 0
    """Pages and models that were not available; engines are counted separately."""
    unread: int = 0
    """Chosen pages among them that could not be read."""
    not_asked: Sequence[str] = ()
    """Titles of the plan's engines that were not needed."""
    cut: str = ""
    """The reason why the work ended early, as a sentence."""
    saved: bool = False


_NOTHING = SearchOutcome()


class _Parted(NamedTuple):
    recent: list[Finding]
    older: list[Finding]
    window: Reason
    note: tuple[Reason, ...]


def headline(question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source]) -> MarketAnswer:
    """The breaking news on the first pages, while others are still being read."""
    by_id, usable = _usable(question, findings, sources)
    recent = _parted(question, usable, by_id).recent
    developments = developments_of(read(recent, by_id, question.now, question.company), question.now)
    breaking, note = _breaking(developments)
    note = note if developments else (says("nothing_yet"),)
    return MarketAnswer(
        state=AnswerState.HEADLINE,
        question=question,
        title=_title(question),
        at=question.now,
        breaking=breaking,
        breaking_note=" ".join(sentences(note)),
        breaking_codes=note,
        sources=_sources(question, list(by_id.values())),
        notes=question.notes,
        note_codes=question.note_codes,
        disclaimer=in_words(DISCLAIMER),
    )


def answer(
    question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source], gathered: SearchOutcome = _NOTHING
) -> MarketAnswer:
    """The whole answer. `findings`: sentences of pages, and passages judged on the claim in a yes-or-no question."""
    judged = [each for each in findings if each.claim_id == CLAIM_ID]
    reported = [each for each in findings if each.claim_id is None]
    by_id, usable = _usable(question, reported, sources)
    parted = _parted(question, usable, by_id)
    taken = read(parted.recent, by_id, question.now, question.company)
    developments = developments_of(taken, question.now)
    rated = [
        quote_of(each, by_id[each.source_id], question.now)
        for each in (*parted.recent, *parted.older)
        if "rating" in events_of(each)
    ]
    commentary = commentary_of(rated, _recent_leads(question, gathered))
    filed = _filed(question, sources)
    against = tuple(each for each in gathered.against_filings if each.relation != "agrees" or each.filing in filed)
    # The subject of the question may have been reported long before today's news.
    context = _context(parted.older, by_id, question)
    earlier = () if any(fit_of(each) > 0 for each in parted.recent) else context
    reply = reply_to(
        question, (*taken, *read(earlier, by_id, question.now, question.company)), developments, judged, by_id
    )
    breaking, note = _breaking(developments)
    found = bool(parted.recent or commentary or reply.points)
    older = len({each.source_id for each in parted.older})
    nothing = _state(question, gathered, found, older, nothing_read=not sources)
    titles = _titles(gathered.engines)
    fits = {each.id: fit_of(each) for each in usable}
    # Developments that answer the question come first.
    shown = sorted(developments, key=lambda each: fits.get(each.heading.finding_id, 0.0) <= 0)[:_MOST]
    missing = missing_filings(question, gathered.hits, sources, gathered.engines)
    note = (*missing, *(nothing.note or (parted.note if found else (*parted.note, *note))))
    prices = price_notes(question, gathered.hits, titles)
    notes = _notes(question, gathered, sources, len(reported) - len(usable))
    return MarketAnswer(
        state=nothing.state,
        question=question,
        title=_title(question),
        at=question.now,
        reply=reply if found else None,
        prices=sentences(prices),
        price_codes=prices,
        breaking=tuple(point.quote for point in reply.points[:_BREAKING]) or breaking,
        breaking_note=" ".join(sentences(note)),
        breaking_codes=note,
        developments=tuple(shown),
        window=in_words(parted.window).removeprefix("the "),
        window_code=parted.window,
        commentary=commentary,
        wider=_wider(parted.recent, by_id, question),
        context=tuple(
            quote_of(each, by_id[each.source_id], question.now)
            for each in context
            if each.id not in {point.quote.finding_id for point in reply.points}
        ),
        filing_context=filed,
        against_filings=against,
        sentiment=sentiment_of(_by_witness(question, parted.recent, by_id)) if question.kind in _OF_MOOD else None,
        sources=_sources(question, sources),
        engines=tuple(gathered.engines),
        not_asked=tuple(gathered.not_asked),
        unread=gathered.unread,
        noise=gathered.noise,
        offers=sentences(nothing.offers),
        offer_codes=nothing.offers,
        meanings=sentences(nothing.meanings),
        meaning_codes=nothing.meanings,
        **noted(notes),
        disclaimer=in_words(DISCLAIMER),
        saved=gathered.saved,
    )


class _Nothing(NamedTuple):
    """The state of an answer, with the text if there is no recent news."""

    state: AnswerState
    note: tuple[Reason, ...] = ()
    meanings: tuple[Reason, ...] = ()
    offers: tuple[Reason, ...] = ()


def _state(
    question: MarketQuestion, gathered: SearchOutcome, found: bool, older: int, *, nothing_read: bool
) -> _Nothing:
    left_out = any(each.state == "left_out" for each in gathered.engines)
    if found:
        partial = left_out or gathered.outages or gathered.cut
        return _Nothing(AnswerState.PARTIAL if partial else AnswerState.COMPLETE)
    offers = offers_for(question)
    if gathered.cut:
        cut = (as_written(ended(gathered.cut)), says("nothing_read", name=question.about))
        return _Nothing(AnswerState.PARTIAL, cut, (), (says("more_time"), *offers))
    if gathered.unread and nothing_read:
        unread = says("none_readable", number=gathered.unread, name=question.about)
        return _Nothing(AnswerState.PARTIAL, (unread,), (), offers)
    note, meanings = no_news(question, gathered.engines, older, own=gathered.own)
    if gathered.unread:
        note = (*note, says("some_unread", number=gathered.unread))
    nobody = nobody_asked(gathered.engines, gathered.own)
    return _Nothing(AnswerState.COULD_NOT_ASK if nobody else AnswerState.NO_RECENT_NEWS, note, meanings, offers)


def _usable(
    question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source]
) -> tuple[dict[str, Source], list[Finding]]:
    by_id = {source.id: source for source in sources if not why_not_counted(source, question.now)}
    return by_id, [each for each in findings if each.source_id in by_id and not is_unfit(each.quote)]


def _parted(question: MarketQuestion, findings: Sequence[Finding], sources: Mapping[str, Source]) -> _Parted:
    """Separate findings of the period asked about from older ones; if it ends now and has none, take the past week."""
    since, until = _bounds(question)
    dated = [(each, published) for each in findings if (published := sources[each.source_id].published)]
    recent = [each for each, at in dated if utc(at.latest) >= since and utc(at.at) <= until]
    window = _window(question)
    note: tuple[Reason, ...] = ()
    if not recent and utc(question.timeframe.until) >= utc(question.now):
        week = utc(question.now) - _NEWS_WINDOW
        recent = [each for each, at in dated if utc(at.latest) >= week]
        if recent:
            window, note = says("window_week"), (says("nothing_from", when=spoken(question.timeframe)),)
    ids = {each.id for each in recent}
    return _Parted(recent, [each for each in findings if each.id not in ids], window, note)


def _bounds(question: MarketQuestion) -> tuple[datetime, datetime]:
    frame, now = question.timeframe, utc(question.now)
    until = utc(frame.until)
    if until < now or question.kind in _SLOW_KINDS:
        return utc(frame.since), max(until, min(now, until + _RECENT))
    # The cause of a move may have been reported days before; latest news is from the last two days.
    back = _NEWS_WINDOW if question.asks is not Asks.WHAT else _RECENT
    return min(utc(frame.since), now - back), now + timedelta(hours=1)


def _filed(question: MarketQuestion, sources: Sequence[Source]) -> tuple[FilingStatement, ...]:
    """The statements of filings for the answer: all of the user's filings, and others if on the question."""
    looked_up = {source.id for source in sources if not source.user_provided}
    asked = measures_named(question.text)
    words = focus_of(question)
    return tuple(
        each
        for each in question.filings
        if each.source_id not in looked_up
        or asked & measures_named(each.quote)
        or words & frozenset(content_words(each.quote))
    )


def _wider(
    recent: Sequence[Finding], sources: Mapping[str, Source], question: MarketQuestion
) -> tuple[MarketQuote, ...]:
    """One sentence from each source on moves of the industry or the market."""
    moved = [each for each in recent if {MOVE, SECTOR} <= set(events_of(each))]
    found = firsts((each.source_id, quote_of(each, sources[each.source_id], question.now)) for each in moved)
    return tuple(found.values())[: _MOST // 2]


def _context(older: Sequence[Finding], sources: Mapping[str, Source], question: MarketQuestion) -> list[Finding]:
    """Older findings on the question that are not stale for the period it names."""
    stale = _STALE if question.asks in (Asks.WHAT, Asks.WHY) else _LONG_AGO
    since = min(utc(question.now) - stale, utc(question.timeframe.since))
    filed = {each.source_id for each in question.filings}  # shown separately from the news
    found = []
    for each in older:
        source = sources[each.source_id]
        fresh = source.published is None or utc(source.published.latest) >= since
        if each.source_id not in filed and fresh and fit_of(each) > 0:
            found.append(each)
    return sorted(found, key=lambda each: -fit_of(each))[: _MOST // 2]


def _breaking(developments: Sequence[Development]) -> tuple[tuple[MarketQuote, ...], tuple[Reason, ...]]:
    """The weightiest quotes of the first development, from one source or two, with a note on single sources."""
    if not developments:
        return (), ()
    first = developments[0]
    others = [each for each in (*first.impact, *first.details) if each.source_id != first.heading.source_id]
    note = (says("one_alone"),) if first.witnesses < _BREAKING else ()
    if first.witnesses > 1 and first.unconfirmed:
        note = (says("of_this", names=grave(first.unconfirmed)),)
    return (first.heading, *others[:1]), note


def _window(question: MarketQuestion) -> Reason:
    if utc(question.timeframe.until) < utc(question.now):
        return spoken(question.timeframe)
    since, until = _bounds(question)
    hours = round((until - since) / timedelta(hours=1))
    if hours <= 49:
        return says("window_two_days")
    return says("window_week") if hours <= 24 * 7 + 1 else spoken(question.timeframe)


def _titles(engines: Sequence[EngineNote]) -> dict[str, str]:
    return {each.engine: each.title or each.engine for each in engines}


def _recent_leads(question: MarketQuestion, gathered: SearchOutcome) -> list[AnalystAction]:
    """Grades of engines' tables within the period asked about, at least a week, because grades are rare."""
    since = min(_bounds(question)[0], utc(question.now) - _NEWS_WINDOW)
    graded = actions_of_hits(gathered.hits, question.now, _titles(gathered.engines))
    return [each for each in graded if each.at and each.at[:10] >= since.date().isoformat()]


def _by_witness(
    question: MarketQuestion, recent: Sequence[Finding], by_id: Mapping[str, Source]
) -> dict[str, list[MarketQuote]]:
    witness_of = {each: one.name for one in independent(by_id.values()) for each in one.source_ids}
    return grouped((witness_of[each.source_id], quote_of(each, by_id[each.source_id], question.now)) for each in recent)


def _sources(question: MarketQuestion, sources: Sequence[Source]) -> tuple[MarketSource, ...]:
    return tuple(
        MarketSource(
            id=source.id,
            title="" if is_unfit(source.title) else source.title,
            url=source.url,
            publisher=publisher_of(source),
            tier=source.rating.tier,
            published=source.published.iso if source.published else None,
            age=(age := freshness_of(source.published, question.now, Freshness.MARKET)).words,
            age_code=age.code,
            story=source.story,
            press_release=source.rating.press_release,
            note=why_not_counted(source, question.now),
        )
        for source in sources
    )


def _notes(
    question: MarketQuestion, gathered: SearchOutcome, sources: Sequence[Source], left: int
) -> tuple[Reason, ...]:
    titles = _titles(gathered.engines)
    notes = [*question.note_codes, *release_notes(question, gathered.hits, titles)]
    notes += filing_notes(question, gathered.hits, [source.url for source in sources], titles)
    if question.upstream is not None:
        notes.append(says("because_of", why=question.upstream.reason))
    notes += left_out_sentences(gathered.engines)
    if left:
        notes.append(says("passages_left_out", number=left))
    return once(notes)


def _title(question: MarketQuestion) -> str:
    return f"{question.about}: {question.kind.value.replace('_', ' ')}"


_MOST_QUOTES = 8


def commentary_of(quotes: Sequence[MarketQuote], leads: Sequence[AnalystAction]) -> tuple[AnalystAction, ...]:
    """Sentences on ratings, and the actions in engines' tables whose firm is named in none of them, newest first."""
    said = [
        AnalystAction(at=each.published, age=each.age, age_code=each.age_code, quote=each)
        for each in quotes[:_MOST_QUOTES]
    ]
    others = [lead for lead in leads if not any(fold(lead.firm) in fold(each.quote) for each in quotes)]
    return tuple(sorted((*said, *others), key=lambda each: each.at or "", reverse=True))


def actions_of_hits(hits: Iterable[Hit], now: datetime, titles: Mapping[str, str]) -> tuple[AnalystAction, ...]:
    """The actions in engines' tables (figures called 'grade'), newest first. `titles`: of engines, by name."""
    found = []
    for hit in hits:
        for figure in hit.figures:
            at = figure.at or hit.published
            if figure.name != "grade" or not figure.by or (at is not None and at.at > now):
                continue
            found.append(
                AnalystAction(
                    firm=figure.by,
                    action=str(hit.details.get("action") or ""),
                    grade_from=figure.previous_text,
                    grade_to=figure.text,
                    at=at.iso if at else None,
                    age=(age := freshness_of(at, now, Freshness.MARKET)).words,
                    age_code=age.code,
                    lead_by=titles.get(hit.engine, hit.engine),
                    lead_url=hit.url,
                )
            )
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))
