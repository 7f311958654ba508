"""The market desk's answer, built from findings: first the headline of what is there, later all of it (spec 003).

Nothing is said that no quote bears; what only an engine's table says is told as that. It reports, and advises nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from inquest.desks.market.advice import DISCLAIMER, instructs, urges
from inquest.desks.market.against_filings import against_filings
from inquest.desks.market.analysts import actions_in, actions_of_hits, merged_actions
from inquest.desks.market.developments import counts, developments_of, publisher_of, quote_of, why_not_counted
from inquest.desks.market.engines import left_out_sentences, no_news, nobody_asked, offers_for
from inquest.desks.market.notes import figure_notes, filing_notes
from inquest.desks.market.sentiment import sentiment_of
from inquest.domain.finding import Finding
from inquest.domain.market import (
    AnalystAction,
    AnswerState,
    Development,
    EngineNote,
    MarketAnswer,
    MarketQuestion,
    MarketQuote,
    MarketSource,
    Noise,
    QuestionKind,
    Sentiment,
)
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.sources.freshness import Freshness, freshness_of
from inquest.stories.stories import independent
from inquest.text.dates import utc
from inquest.text.phrases import count, ended, listed

__all__ = ["answer", "headline"]

_RECENT = timedelta(hours=48)
_NEWS_WINDOW = timedelta(days=7)
"""What is older is no recent news (spec 003, scenario 1)."""
_BREAKING = 2
_MOST = 8
_SLOW_KINDS = frozenset(
    (QuestionKind.GUIDANCE, QuestionKind.STRATEGY, QuestionKind.INDUSTRY_TREND, QuestionKind.REGULATORY)
)
"""Questions whose answers are not of the hour: their window is the question's own."""


def headline(question: MarketQuestion, findings: Sequence[Finding], sources: Iterable[Source]) -> MarketAnswer:
    """The first word, as soon as the first pages are read: what is breaking, from whom; more is being read."""
    by_id, usable = _usable(question, findings, sources)
    recent, _ = _parted(question, usable, by_id)
    developments = developments_of(recent, by_id, question.now) if recent else ()
    breaking, note = _breaking(developments)
    if not developments:
        note = "Nothing has been found yet; more is being read."
    return MarketAnswer(
        state=AnswerState.HEADLINE,
        question=question,
        title=_title(question),
        at=question.now,
        breaking=breaking,
        breaking_note=note,
        sources=_sources(question, by_id.values()),
        notes=question.notes,
        disclaimer=DISCLAIMER,
    )


def answer(
    question: MarketQuestion,
    findings: Sequence[Finding],
    sources: Iterable[Source],
    *,
    engines: Sequence[EngineNote] = (),
    own: Collection[str] = (),
    hits: Iterable[Hit] = (),
    noise: Noise | None = None,
    outages: int = 0,
    cut: str = "",
    saved: bool = False,
) -> MarketAnswer:
    """All of the answer. `own`: the engines that search the user's own documents. `hits` are looked through for
    analysts' grades, quotes of prices, releases and filings, which are told as the engine's; `outages`: pages and
    models that should have been asked and could not be, beside the engines; `cut`: why the work was ended before it was
    done, in a sentence."""
    hits = list(hits)
    sources = list(sources)
    by_id, usable = _usable(question, findings, sources)
    recent, older = _parted(question, usable, by_id)
    window, widened = _window(question), ""
    if not recent and utc(question.timeframe.until) >= utc(question.now):
        recent, older = _of_the_week(question, older, by_id)
        if recent:
            window = "past 7 days"
            widened = f"Nothing from {question.timeframe.words} was found; this is up to a week old."
    prefer = "analyst" if question.kind is QuestionKind.ANALYST_ACTION else ""
    developments = developments_of(recent, by_id, question.now, prefer=prefer) if recent else ()
    quoted = [
        (action, quote_of(finding, by_id[finding.source_id], question.now))
        for finding in [*recent, *older]
        for action in actions_in(finding.quote, question.company)
    ]
    commentary = merged_actions(quoted, _recent_leads(question, hits, engines))
    quotes = [quote_of(finding, by_id[finding.source_id], question.now) for finding in usable]
    against = against_filings(question.filings, quotes, question.company) if question.filings else ()
    breaking, note = _breaking(developments)
    note = f"{widened} {note}".strip()
    left_out = [each for each in engines if each.state == "left_out"]
    state = AnswerState.PARTIAL if left_out or outages or cut else AnswerState.COMPLETE
    meanings: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    if not recent and not commentary and cut:
        # What was not looked at to the end is no sign that there is nothing.
        note = (
            f"{ended(cut)} Nothing had been read until then, so whether there is news of {question.about} is not known."
        )
        offers = ("Ask again with more time or a larger budget (--deadline, --budget-usd).", *offers_for(question))
    elif not recent and not commentary:
        state = AnswerState.COULD_NOT_ASK if nobody_asked(engines, own) else AnswerState.NO_RECENT_NEWS
        note, meanings = no_news(question, engines, len({each.source_id for each in older}), own=own)
        offers = offers_for(question)
    elif not recent:
        note = "No recent report beside the analysts' actions below was found."
    return MarketAnswer(
        state=state,
        question=question,
        title=_title(question),
        at=question.now,
        breaking=breaking,
        breaking_note=note,
        developments=developments[:_MOST],
        window=window,
        commentary=commentary,
        context=tuple(quote_of(each, by_id[each.source_id], question.now) for each in older[:_MOST]),
        filing_context=question.filings,
        against_filings=against,
        # Prices that rose are good news of a share, and not of the cost of living.
        sentiment=None if question.kind is QuestionKind.ECONOMIC_RELEASE else _sentiment(question, recent, by_id),
        sources=_sources(question, sources),
        engines=tuple(engines),
        noise=noise or Noise(),
        offers=offers,
        meanings=meanings,
        notes=_notes(question, engines, hits, sources, len(usable), len(findings)),
        disclaimer=DISCLAIMER,
        saved=saved,
    )


def _usable(
    question: MarketQuestion, findings: Sequence[Finding], sources: Iterable[Source]
) -> tuple[dict[str, Source], list[Finding]]:
    by_id = {source.id: source for source in sources if counts(source, question.now)}
    usable = [
        finding
        for finding in findings
        if finding.source_id in by_id and not urges(finding.quote) and not instructs(finding.quote)
    ]
    return by_id, usable


def _parted(
    question: MarketQuestion, findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[list[Finding], list[Finding]]:
    """What is of the time asked about, and what is older or undated."""
    since, until = _bounds(question)
    recent: list[Finding] = []
    older: list[Finding] = []
    for finding in findings:
        published = sources[finding.source_id].published
        inside = published is not None and utc(published.latest) >= since and utc(published.at) <= until
        (recent if inside else older).append(finding)
    return recent, older


def _of_the_week(
    question: MarketQuestion, findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[list[Finding], list[Finding]]:
    """Where nothing is of the time asked about: what is of the past week, and the rest."""
    since = utc(question.now) - _NEWS_WINDOW
    dates = {finding.id: sources[finding.source_id].published for finding in findings}
    recent = [each for each in findings if (at := dates[each.id]) is not None and utc(at.latest) >= since]
    kept = {each.id for each in recent}
    return recent, [each for each in findings if each.id not in kept]


def _bounds(question: MarketQuestion) -> tuple[datetime, datetime]:
    frame, now = question.timeframe, utc(question.now)
    until = utc(frame.until)
    if until >= now and question.kind not in _SLOW_KINDS:
        # A question about today is answered with what is of the last two days, or up to a week where it asks for more.
        return min(utc(frame.since), now - _RECENT), now + timedelta(hours=1)
    return utc(frame.since), max(until, min(now, until + _RECENT))


def _breaking(developments: Sequence[Development]) -> tuple[tuple[MarketQuote, ...], str]:
    if not developments:
        return (), ""
    first = developments[0]
    chosen = [first.heading]
    chosen += [quote for quote in (*first.impact, *first.details) if quote.source_id != first.heading.source_id][:1]
    if len(chosen) < _BREAKING and len(developments) > 1 and developments[1].witnesses >= 2:
        chosen.append(developments[1].heading)
    note = "Told by one independent source only." if first.witnesses < 2 else ""
    if first.witnesses > 1 and first.unconfirmed:
        note = f"Of this, one independent source alone tells of: {listed([each.value for each in first.unconfirmed])}."
    return tuple(chosen[:_BREAKING]), note


def _window(question: MarketQuestion) -> str:
    since, until = _bounds(question)
    hours = round((until - since) / timedelta(hours=1))
    if utc(question.timeframe.until) < utc(question.now):
        return question.timeframe.words
    return "past 24 to 48 hours" if hours <= 49 else question.timeframe.words


def _titles(engines: Sequence[EngineNote]) -> dict[str, str]:
    """What engines are called, by name."""
    return {each.engine: each.title or each.engine for each in engines}


def _recent_leads(question: MarketQuestion, hits: Sequence[Hit], engines: Sequence[EngineNote]) -> list[AnalystAction]:
    """Grades of engines' tables within the time asked about; a week where it is shorter, because grades are rare."""
    since = min(_bounds(question)[0], utc(question.now) - _NEWS_WINDOW)
    titles = _titles(engines)
    return [
        each
        for each in actions_of_hits(hits, question.now, titles)
        if each.at and each.at[:10] >= since.date().isoformat()
    ]


def _sentiment(question: MarketQuestion, recent: Sequence[Finding], by_id: Mapping[str, Source]) -> Sentiment:
    by_witness: dict[str, list[MarketQuote]] = {}
    witness_of = {each: one.name for one in independent(by_id.values()) for each in one.source_ids}
    for finding in recent:
        quote = quote_of(finding, by_id[finding.source_id], question.now)
        by_witness.setdefault(witness_of[finding.source_id], []).append(quote)
    return sentiment_of(by_witness)


def _sources(question: MarketQuestion, sources: Iterable[Source]) -> tuple[MarketSource, ...]:
    found = []
    for source in sources:
        age = freshness_of(source.published, question.now, Freshness.MARKET)
        hidden = urges(source.title) or instructs(source.title)
        note = why_not_counted(source, question.now)
        found.append(
            MarketSource(
                id=source.id,
                title="" if hidden else source.title,
                url=source.url,
                publisher=publisher_of(source),
                tier=source.rating.tier,
                published=source.published.iso if source.published else None,
                age=age.words,
                row=age.label,
                story=source.story,
                press_release=source.rating.press_release,
                note=note,
            )
        )
    return tuple(found)


def _notes(
    question: MarketQuestion,
    engines: Sequence[EngineNote],
    hits: Sequence[Hit],
    sources: Sequence[Source],
    usable: int,
    findings: int,
) -> tuple[str, ...]:
    titles = _titles(engines)
    notes = [*question.notes, *question.timeframe.notes, *figure_notes(question, hits, titles)]
    notes += filing_notes(question, hits, [source.url for source in sources], titles)
    if question.upstream is not None:
        notes.append(f"Asked because of another desk: {question.upstream.reason}")
    notes += left_out_sentences(engines)
    if usable < findings:
        left = findings - usable
        notes.append(f"{count(left, 'passage').capitalize()} {'was' if left == 1 else 'were'} left out: of sources "
        f"that do "
                     "not count, or urging to trade.")  # fmt: skip
    return tuple(dict.fromkeys(notes))


def _title(question: MarketQuestion) -> str:
    return f"{question.about}: {question.kind.value.replace('_', ' ')}"
