"""The market desk's answer, built from findings: first a headline, later the whole (spec 003).

Every statement has a quote; data of an engine's table is marked as such. The answer contains no advice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from inquest.desks.market.developments import (
    ReadFinding,
    developments_of,
    grave,
    publisher_of,
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
    QuestionKind,
    SearchOutcome,
)
from inquest.domain.reasons import Reason, as_written, in_words, noted, once, sentences
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.domain.value import firsts, grouped
from inquest.sources.ranking import Freshness, freshness_of
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
_NEWS = (Asks.WHAT, Asks.WHY)
"""Questions for the news and their causes; the others are about one thing."""
_OF_MOOD = frozenset((QuestionKind.STOCK_MOVEMENT, QuestionKind.LATEST_NEWS, QuestionKind.EARNINGS))
"""Questions whose answer includes the sentiment of the news. Rising prices are good news about a share, but not about
the cost of living."""


_NOTHING = SearchOutcome()


def answer(
    question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source], gathered: SearchOutcome = _NOTHING
) -> MarketAnswer:
    """The whole answer. `findings`: sentences of pages, and passages judged on the claim in a yes-or-no question."""
    reported = [each for each in findings if each.claim_id is None]
    counted = {source.id: source for source in sources if not why_not_counted(source, question.now)}
    usable = read(question, [x for x in reported if x.source_id in counted and not is_unfit(x.quote)], counted)
    recent, older, window, note = _parted(question, usable)
    # A firm's grade heads a development only if it was asked about, or may be the cause of a move.
    rating = question.kind in (QuestionKind.ANALYST_ACTION, QuestionKind.STOCK_MOVEMENT)
    events = [each for each in recent if rating or each.events[:1] != ("rating",)]
    developments = developments_of(events, on_one_thing=(one := question.asks not in _NEWS))
    rated = [each.quote for each in (*recent, *older) if "rating" in each.events]
    graded = actions_of_hits(gathered.hits, question.now, _titles(gathered.engines))
    # Grades are rare, so those of a week count for any period.
    first = min(_bounds(question)[0], utc(question.now) - _NEWS_WINDOW).date().isoformat()
    commentary = commentary_of(rated, [each for each in graded if each.at and each.at[:10] >= first])
    filed = _filed(question, sources)
    judged = [each for each in findings if each.claim_id == CLAIM_ID and each.source_id in counted]
    # The subject of the question may have been reported long before today's news.
    context = _context(older, question)
    earlier = [x for x in older if x.answers] or (() if any(x.fit > 0 for x in recent) else context)
    reply = reply_to(question, (*recent, *earlier), developments, read(question, judged, counted))
    replied = {point.quote.finding_id for point in reply.points}
    breaking, alone = _breaking(developments)
    found = bool(recent or commentary or reply.points)
    before = len({each.source.id for each in older})
    state, nothing, meanings, offers = _state(question, gathered, found, before, nothing_read=not sources)
    missing = missing_filings(question, gathered.hits, sources, gathered.engines)
    note = (*missing, *(nothing or (note if found else (*note, *alone))))
    prices = price_notes(question, gathered.hits, _titles(gathered.engines))
    by_witness = grouped((each.witness, each.quote) for each in recent)
    moved = [each for each in recent if question.company and not one and {MOVE, SECTOR} <= {*each.events}]
    return MarketAnswer(
        state=state,
        question=question,
        title=f"{question.about}: {question.kind.value.replace('_', ' ')}",
        at=question.now,
        reply=reply if found else None,
        prices=sentences(prices),
        price_codes=prices,
        breaking=tuple(point.quote for point in reply.points[:_BREAKING]) or breaking,
        breaking_note=" ".join(sentences(note)),
        breaking_codes=note,
        developments=developments[:_MOST],
        window=in_words(window).removeprefix("the "),
        window_code=window,
        commentary=commentary,
        wider=tuple(firsts((each.source.id, each.quote) for each in moved).values())[: _MOST // 2],
        context=tuple(each.quote for each in context if each.finding.id not in replied),
        filing_context=filed,
        against_filings=tuple(x for x in gathered.against_filings if x.relation != "agrees" or x.filing in filed),
        sentiment=sentiment_of(by_witness) if question.kind in _OF_MOOD and not one else None,
        sources=_sources(question, sources),
        engines=tuple(gathered.engines),
        not_asked=tuple(gathered.not_asked),
        unread=gathered.unread,
        noise=gathered.noise,
        offers=sentences(offers),
        offer_codes=offers,
        meanings=sentences(meanings),
        meaning_codes=meanings,
        **noted(_notes(question, gathered, sources, len(reported) - len(usable))),
        disclaimer=in_words(DISCLAIMER),
        saved=gathered.saved,
    )


def headline(question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source]) -> MarketAnswer:
    """The breaking news on the first pages, while others are still being read."""
    found = answer(question, findings, sources)
    note = _breaking(found.developments)[1]
    noted = {"breaking_note": " ".join(sentences(note)), "breaking_codes": note}
    return found.model_copy(update={"state": AnswerState.HEADLINE, "reply": None, **noted})


def _state(
    question: MarketQuestion, gathered: SearchOutcome, found: bool, older: int, *, nothing_read: bool
) -> tuple[AnswerState, tuple[Reason, ...], tuple[Reason, ...], tuple[Reason, ...]]:
    """The state of an answer and, if there is no recent news, the note, its possible meanings and the offers."""
    if found:
        left_out = any(each.state == "left_out" for each in gathered.engines)
        partial = left_out or gathered.outages or gathered.cut
        return AnswerState.PARTIAL if partial else AnswerState.COMPLETE, (), (), ()
    offers = offers_for(question)
    if gathered.cut:
        cut = (as_written(ended(gathered.cut)), says("nothing_read", name=question.about))
        return AnswerState.PARTIAL, cut, (), (says("more_time"), *offers)
    if gathered.unread and nothing_read:
        unread = says("none_readable", number=gathered.unread, name=question.about)
        return AnswerState.PARTIAL, (unread,), (), offers
    note, meanings = no_news(question, gathered.engines, older, own=gathered.own)
    if gathered.unread:
        note = (*note, says("some_unread", number=gathered.unread))
    nobody = nobody_asked(gathered.engines, gathered.own)
    return AnswerState.COULD_NOT_ASK if nobody else AnswerState.NO_RECENT_NEWS, note, meanings, offers


def _parted(
    question: MarketQuestion, findings: Sequence[ReadFinding]
) -> tuple[list[ReadFinding], list[ReadFinding], Reason, tuple[Reason, ...]]:
    """Separate findings of the period asked about from older ones, with the period and a note; if it ends now and has
    none, take the past week."""
    since, until = _bounds(question)
    dated = [(each, published) for each in findings if (published := each.source.published)]
    recent = [each for each, at in dated if utc(at.latest) >= since and utc(at.at) <= until]
    window = _window(question)
    note: tuple[Reason, ...] = ()
    if not recent and utc(question.timeframe.until) >= utc(question.now):
        week = utc(question.now) - _NEWS_WINDOW
        recent = [each for each, at in dated if utc(at.latest) >= week]
        if recent:
            window, note = says("window_week"), (says("nothing_from", when=spoken(question.timeframe)),)
    return recent, [each for each in findings if each not in recent], window, note


def _bounds(question: MarketQuestion) -> tuple[datetime, datetime]:
    since, until, now = utc(question.timeframe.since), utc(question.timeframe.until), utc(question.now)
    # The cause of a move may have been reported days before.
    before = since - _NEWS_WINDOW if question.asks is Asks.WHY else since
    if until < now or question.kind in _SLOW_KINDS:
        return before, max(until, min(now, until + _RECENT))
    # Latest news is from the last two days.
    back = _NEWS_WINDOW if question.asks is not Asks.WHAT else _RECENT
    return min(since, now - back), now + timedelta(hours=1)


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


def _context(older: Sequence[ReadFinding], question: MarketQuestion) -> list[ReadFinding]:
    """Older findings on the question that are not stale for the period it names."""
    stale = _STALE if question.asks in _NEWS else _LONG_AGO
    since = min(utc(question.now) - stale, utc(question.timeframe.since))
    filed = {each.source_id for each in question.filings}  # shown separately from the news
    fresh = [each for each in older if (at := each.source.published) is None or utc(at.latest) >= since]
    found = [each for each in fresh if each.fit > 0 and each.source.id not in filed]
    return sorted(found, key=lambda each: -each.fit)[: _MOST // 2]


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
    since, until = _bounds(question)
    if utc(question.timeframe.until) < utc(question.now):
        dates = {"date": since.date().isoformat(), "until": until.date().isoformat()}
        return says("from_to", **dates) if question.asks is Asks.WHY else spoken(question.timeframe)
    hours = round((until - since) / timedelta(hours=1))
    if hours <= 49:
        return says("window_two_days")
    return says("window_week") if hours <= 24 * 7 + 1 else spoken(question.timeframe)


def _titles(engines: Sequence[EngineNote]) -> dict[str, str]:
    return {each.engine: each.title or each.engine for each in engines}


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


_MOST_QUOTES = 8


def commentary_of(quotes: Sequence[MarketQuote], leads: Sequence[AnalystAction]) -> tuple[AnalystAction, ...]:
    """Sentences on ratings, and the actions in engines' tables whose firm is named in none of them, newest first."""
    said = [
        AnalystAction(at=each.published, age=each.age, age_code=each.age_code, quote=each)
        for each in tuple({(each.publisher, each.quote): each for each in quotes}.values())[:_MOST_QUOTES]
    ]
    others = [lead for lead in leads if not any(fold(lead.firm) in fold(each.quote) for each in quotes)]
    return tuple(sorted((*said, *others), key=lambda each: each.at or "", reverse=True))


def actions_of_hits(hits: Iterable[Hit], now: datetime, titles: Mapping[str, str]) -> tuple[AnalystAction, ...]:
    """The actions in engines' tables (figures called 'grade'). `titles`: of engines, by name."""
    grades = [
        (hit, figure, figure.at or hit.published)
        for hit in hits
        for figure in hit.figures
        if figure.name == "grade" and figure.by
    ]
    return tuple(
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
        for hit, figure, at in grades
        if at is None or at.at <= now
    )
