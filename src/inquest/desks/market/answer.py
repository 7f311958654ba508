"""The market desk's answer, built from findings: first the headline of what is there, later all of it (spec 003).

Nothing is said that no quote bears; what only an engine's table says is reported as that. It advises nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from inquest.desks.market.advice import DISCLAIMER, instructs, urges
from inquest.desks.market.against_filings import against_filings
from inquest.desks.market.analysts import actions_in, actions_of_hits, merged_actions
from inquest.desks.market.developments import (
    counts,
    developments_of,
    events_of,
    fit_of,
    publisher_of,
    quote_of,
    read,
    why_not_counted,
)
from inquest.desks.market.events import MOVE, SECTOR
from inquest.desks.market.measures import measures_named
from inquest.desks.market.notes import (
    filing_notes,
    left_out_sentences,
    missing_filings,
    no_news,
    nobody_asked,
    offers_for,
    price_notes,
    release_notes,
)
from inquest.desks.market.questions import focus_of
from inquest.desks.market.replies import CLAIM_ID, reply_to
from inquest.desks.market.sentiment import sentiment_of
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
    NoiseCount,
    QuestionKind,
    Sentiment,
)
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.sources.freshness import Freshness, freshness_of
from inquest.stories.stories import independent
from inquest.text.dates import utc
from inquest.text.phrases import capitalised, count, ended, listed
from inquest.text.sentences import content_words

_RECENT = timedelta(hours=48)
_NEWS_WINDOW = timedelta(days=7)
"""What is older is no recent news (spec 003, scenario 1)."""
_STALE = timedelta(days=120)
"""What is older is cited only where the question asks about a time that long ago: a recall of years past is no news."""
_LONG_AGO = timedelta(days=400)
_BREAKING = 2
_AGAINST = ("contradicts", "points the other way")
_MOST = 8
_SLOW_KINDS = frozenset(
    (QuestionKind.GUIDANCE, QuestionKind.STRATEGY, QuestionKind.INDUSTRY_TREND, QuestionKind.REGULATORY)
)
"""Questions whose answers are not of the hour: their window is the question's own."""
_OF_MOOD = frozenset((QuestionKind.STOCK_MOVEMENT, QuestionKind.LATEST_NEWS, QuestionKind.EARNINGS))
"""Questions to whose answer it belongs which way the news leans. Prices that rose are good news of a share, and not of
the cost of living."""


class SearchOutcome(NamedTuple):
    """What the search came to, beside findings and sources."""

    engines: Sequence[EngineNote] = ()
    own: Collection[str] = ()
    """The engines that search the user's own documents."""
    hits: Sequence[Hit] = ()
    """Looked through for analysts' grades, prices, releases and filings, which are reported as the engine's."""
    noise: NoiseCount = NoiseCount()
    outages: int = 0
    """Pages and models that should have been asked and could not be, beside the engines."""
    unread: int = 0
    """Of these, pages that were chosen and could not be read."""
    not_asked: Sequence[str] = ()
    """Titles of the plan's engines that were not needed."""
    cut: str = ""
    """Why the work was ended before it was done, in a sentence."""
    saved: bool = False


_NOTHING = SearchOutcome()


class _Parted(NamedTuple):
    recent: list[Finding]
    older: list[Finding]
    window: str
    note: str


def headline(question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source]) -> MarketAnswer:
    """The first word, as soon as the first pages are read: what is breaking, from whom; more is being read."""
    by_id, usable = _usable(question, findings, sources)
    recent = _parted(question, usable, by_id).recent
    developments = developments_of(read(recent, by_id, question.now, question.company), question.now)
    breaking, note = _breaking(developments)
    return MarketAnswer(
        state=AnswerState.HEADLINE,
        question=question,
        title=_title(question),
        at=question.now,
        breaking=breaking,
        breaking_note=note if developments else "Nothing has been found yet; more is being read.",
        sources=_sources(question, list(by_id.values())),
        notes=question.notes,
        disclaimer=DISCLAIMER,
    )


def answer(
    question: MarketQuestion,
    findings: Sequence[Finding],
    sources: Sequence[Source],
    gathered: SearchOutcome = _NOTHING,
) -> MarketAnswer:
    """All of the answer. `findings`: what pages say, and how passages bear on the claim of a yes-or-no question."""
    judged = [each for each in findings if each.claim_id == CLAIM_ID]
    said = [each for each in findings if each.claim_id is None]
    by_id, usable = _usable(question, said, sources)
    parted = _parted(question, usable, by_id)
    taken = read(parted.recent, by_id, question.now, question.company)
    developments = developments_of(taken, question.now)
    quoted = [
        (action, quote_of(finding, by_id[finding.source_id], question.now))
        for finding in [*parted.recent, *parted.older]
        for action in actions_in(finding.quote, question.company)
    ]
    commentary = merged_actions(quoted, _recent_leads(question, gathered))
    quotes = [quote_of(finding, by_id[finding.source_id], question.now) for finding in usable]
    filed = _filed(question, sources)
    against = tuple(
        each
        for each in (against_filings(question.filings, quotes, question.company) if question.filings else ())
        if each.relation in _AGAINST or each.filing in filed
    )
    # One thing that is asked about may have been reported long before the news of the day.
    earlier = (
        ()
        if any(fit_of(each) > 0 for each in parted.recent)
        else read(_context(parted.older, by_id, question), by_id, question.now, question.company)
    )
    reply = reply_to(question, (*taken, *earlier), developments, judged, by_id)
    breaking, note = _breaking(developments)
    found = bool(parted.recent or commentary or reply.points)
    older = len({each.source_id for each in parted.older})
    nothing = _state(question, gathered, found, older, nothing_read=not sources)
    titles = _titles(gathered.engines)
    missing = missing_filings(question, gathered.hits, sources, gathered.engines)
    note = nothing.note or (parted.note if found else f"{parted.note} {note}".strip())
    return MarketAnswer(
        state=nothing.state,
        question=question,
        title=_title(question),
        at=question.now,
        reply=reply if found else None,
        prices=price_notes(question, gathered.hits, titles),
        breaking=tuple(point.quote for point in reply.points[:_BREAKING]) or breaking,
        breaking_note=f"{missing} {note}".strip(),
        developments=_shown(developments, {each.id: fit_of(each) for each in usable}),
        window=parted.window,
        commentary=commentary,
        wider=_wider(parted.recent, by_id, question),
        context=tuple(
            quote_of(each, by_id[each.source_id], question.now)
            for each in _context(parted.older, by_id, question)
            if each.id not in {point.quote.finding_id for point in reply.points}
        ),
        filing_context=filed,
        against_filings=against,
        sentiment=_sentiment(question, parted.recent, by_id) if question.kind in _OF_MOOD else None,
        sources=_sources(question, sources),
        engines=tuple(gathered.engines),
        not_asked=tuple(gathered.not_asked),
        unread=gathered.unread,
        noise=gathered.noise,
        offers=nothing.offers,
        meanings=nothing.meanings,
        notes=_notes(question, gathered, sources, len(said) - len(usable)),
        disclaimer=DISCLAIMER,
        saved=gathered.saved,
    )


class _Nothing(NamedTuple):
    """The state of the answer, and what is said where there is nothing recent."""

    state: AnswerState
    note: str = ""
    meanings: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()


def _state(
    question: MarketQuestion, gathered: SearchOutcome, found: bool, older: int, *, nothing_read: bool
) -> _Nothing:
    left_out = any(each.state == "left_out" for each in gathered.engines)
    if found:
        partial = left_out or gathered.outages or gathered.cut
        return _Nothing(AnswerState.PARTIAL if partial else AnswerState.COMPLETE)
    offers = offers_for(question)
    unknown = f"so whether there is news of {question.about} is not known."
    if gathered.cut:
        # What was not looked at to the end is no sign that there is nothing.
        more = "Ask again with more time or a larger budget (--deadline, --budget-usd)."
        note = f"{ended(gathered.cut)} Nothing had been read until then, {unknown}"
        return _Nothing(AnswerState.PARTIAL, note, (), (more, *offers))
    pages = capitalised(count(gathered.unread, "page"))
    if gathered.unread and nothing_read:
        return _Nothing(AnswerState.PARTIAL, f"{pages} came up, and none could be read, {unknown}", (), offers)
    note, meanings = no_news(question, gathered.engines, older, own=gathered.own)
    if gathered.unread:
        note += f" {pages} that came up could not be read."
    nobody = nobody_asked(gathered.engines, gathered.own)
    return _Nothing(AnswerState.COULD_NOT_ASK if nobody else AnswerState.NO_RECENT_NEWS, note, meanings, offers)


def _usable(
    question: MarketQuestion, findings: Sequence[Finding], sources: Sequence[Source]
) -> tuple[dict[str, Source], list[Finding]]:
    by_id = {source.id: source for source in sources if counts(source, question.now)}
    usable = [
        finding
        for finding in findings
        if finding.source_id in by_id and not urges(finding.quote) and not instructs(finding.quote)
    ]
    return by_id, usable


def _parted(question: MarketQuestion, findings: Sequence[Finding], sources: Mapping[str, Source]) -> _Parted:
    """What is of the time asked about, and what is older or undated. Where nothing is of that time, and it reaches to
    now, what is of the past week."""
    since, until = _bounds(question)
    recent: list[Finding] = []
    older: list[Finding] = []
    for finding in findings:
        published = sources[finding.source_id].published
        inside = published is not None and utc(published.latest) >= since and utc(published.at) <= until
        (recent if inside else older).append(finding)
    window = _window(question)
    if recent or utc(question.timeframe.until) < utc(question.now):
        return _Parted(recent, older, window, "")
    week = utc(question.now) - _NEWS_WINDOW
    dates = {finding.id: sources[finding.source_id].published for finding in findings}
    recent = [each for each in findings if (at := dates[each.id]) is not None and utc(at.latest) >= week]
    kept = {each.id for each in recent}
    note = f"Nothing from {question.timeframe.words} was found; this is up to a week old."
    rest = [each for each in findings if each.id not in kept]
    return _Parted(recent, rest, "past 7 days", note) if recent else _Parted([], rest, window, "")


def _bounds(question: MarketQuestion) -> tuple[datetime, datetime]:
    frame, now = question.timeframe, utc(question.now)
    until = utc(frame.until)
    if until < now or question.kind in _SLOW_KINDS:
        return utc(frame.since), max(until, min(now, until + _RECENT))
    # What moved a share may have been reported days before; news of the hour is of the last two days.
    back = _NEWS_WINDOW if question.asks is not Asks.WHAT else _RECENT
    return min(utc(frame.since), now - back), now + timedelta(hours=1)


def _filed(question: MarketQuestion, sources: Sequence[Source]) -> tuple[FilingStatement, ...]:
    """What filings say that belongs into the answer: all of those that the user named; of the company's reports that
    were looked up, what bears on the question."""
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
    """What sources report of moves of its industry and of the market as a whole, one sentence of each."""
    found: dict[str, MarketQuote] = {}
    for each in recent:
        if {MOVE, SECTOR} <= set(events_of(each)):
            found.setdefault(each.source_id, quote_of(each, sources[each.source_id], question.now))
    return tuple(found.values())[: _MOST // 2]


def _context(older: Sequence[Finding], sources: Mapping[str, Source], question: MarketQuestion) -> list[Finding]:
    """What is older, bears on the question, and is not stale for the time that it names."""
    stale = _STALE if question.asks in (Asks.WHAT, Asks.WHY) else _LONG_AGO
    since = min(utc(question.now) - stale, utc(question.timeframe.since))
    filed = {each.source_id for each in question.filings}  # what those say is beside the news
    found = []
    for each in older:
        source = sources[each.source_id]
        fresh = source.published is None or utc(source.published.latest) >= since
        if each.source_id not in filed and fresh and fit_of(each) > 0:
            found.append(each)
    return sorted(found, key=lambda each: -fit_of(each))[: _MOST // 2]


def _shown(developments: Sequence[Development], fits: Mapping[str, float]) -> tuple[Development, ...]:
    """The first developments, those that answer the question before the others. `fits`: how well each finding does."""
    ordered = sorted(developments, key=lambda each: fits.get(each.heading.finding_id, 0.0) <= 0)
    return tuple(ordered[:_MOST])


def _breaking(developments: Sequence[Development]) -> tuple[tuple[MarketQuote, ...], str]:
    """The weightiest words of what is new, from one source or two."""
    if not developments:
        return (), ""
    first = developments[0]
    others = [each for each in (*first.impact, *first.details) if each.source_id != first.heading.source_id]
    note = "One independent source alone reports it." if first.witnesses < _BREAKING else ""
    if first.witnesses > 1 and first.unconfirmed:
        note = f"Of this, one independent source alone reports: {listed([each.value for each in first.unconfirmed])}."
    return (first.heading, *others[:1]), note


def _window(question: MarketQuestion) -> str:
    if utc(question.timeframe.until) < utc(question.now):
        return question.timeframe.words
    since, until = _bounds(question)
    hours = round((until - since) / timedelta(hours=1))
    if hours <= 49:
        return "past 24 to 48 hours"
    return "past 7 days" if hours <= 24 * 7 + 1 else question.timeframe.words.removeprefix("the ")


def _titles(engines: Sequence[EngineNote]) -> dict[str, str]:
    """What engines are called, by name."""
    return {each.engine: each.title or each.engine for each in engines}


def _recent_leads(question: MarketQuestion, gathered: SearchOutcome) -> list[AnalystAction]:
    """Grades of engines' tables within the time asked about; a week where it is shorter, because grades are rare."""
    since = min(_bounds(question)[0], utc(question.now) - _NEWS_WINDOW)
    graded = actions_of_hits(gathered.hits, question.now, _titles(gathered.engines))
    return [each for each in graded if each.at and each.at[:10] >= since.date().isoformat()]


def _sentiment(question: MarketQuestion, recent: Sequence[Finding], by_id: Mapping[str, Source]) -> Sentiment:
    by_witness: dict[str, list[MarketQuote]] = {}
    witness_of = {each: one.name for one in independent(by_id.values()) for each in one.source_ids}
    for finding in recent:
        quote = quote_of(finding, by_id[finding.source_id], question.now)
        by_witness.setdefault(witness_of[finding.source_id], []).append(quote)
    return sentiment_of(by_witness)


def _sources(question: MarketQuestion, sources: Sequence[Source]) -> tuple[MarketSource, ...]:
    found = []
    for source in sources:
        hidden = urges(source.title) or instructs(source.title)
        found.append(
            MarketSource(
                id=source.id,
                title="" if hidden else source.title,
                url=source.url,
                publisher=publisher_of(source),
                tier=source.rating.tier,
                published=source.published.iso if source.published else None,
                age=freshness_of(source.published, question.now, Freshness.MARKET).words,
                story=source.story,
                press_release=source.rating.press_release,
                note=why_not_counted(source, question.now),
            )
        )
    return tuple(found)


def _notes(question: MarketQuestion, gathered: SearchOutcome, sources: Sequence[Source], left: int) -> tuple[str, ...]:
    titles = _titles(gathered.engines)
    notes = [*question.notes, *question.timeframe.notes, *release_notes(question, gathered.hits, titles)]
    notes += filing_notes(question, gathered.hits, [source.url for source in sources], titles)
    if question.upstream is not None:
        notes.append(f"Asked because of another desk: {question.upstream.reason}")
    notes += left_out_sentences(gathered.engines)
    if left:
        were = "was" if left == 1 else "were"
        passages = count(left, "passage").capitalize()
        notes.append(f"{passages} {were} left out: of sources that do not count, or urging to trade.")
    return tuple(dict.fromkeys(notes))


def _title(question: MarketQuestion) -> str:
    return f"{question.about}: {question.kind.value.replace('_', ' ')}"
