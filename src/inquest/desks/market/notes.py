"""Notes of an answer: data of engines' tables with engine and time, the state of each engine, and the text for an
answer without recent news (spec 003, error handling)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter

from inquest.desks.market.events import says
from inquest.desks.market.queries import FILINGS_ENGINES
from inquest.domain.document import Precision, Published
from inquest.domain.errors import EngineError
from inquest.domain.market import EngineNote, MarketQuestion, QuestionKind, Timeframe
from inquest.domain.reasons import Reason, as_written, in_words, once
from inquest.domain.search import Figure, Filing, Hit
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.text.dates import utc
from inquest.text.entities import same_name
from inquest.text.phrases import ended
from inquest.text.securities import forms_in, parse_ticker
from inquest.text.urls import registrable_domain

_AHEAD = timedelta(hours=1)
"""Tolerance for an engine's clock ahead of 'now'."""
_MOST_RELEASES = 6
_MOST_FILINGS = 3
_NAME = "\0"
"""Placeholder for an engine's name in a reason until it is known how many engines share the reason."""


def price_notes(question: MarketQuestion, hits: Iterable[Hit], titles: Mapping[str, str]) -> tuple[Reason, ...]:
    """The prices in engines' tables as of the question's 'now', because today's price does not answer a question about
    last spring; one sentence for each price. `titles`: of engines, by name."""
    prices: list[tuple[Reason, str]] = []
    late = False
    for hit in hits:
        by_name = {figure.name: figure for figure in hit.figures}
        price, change = by_name.get("price"), by_name.get("change_percent")
        if price is None or price.value is None:
            continue
        symbol = price.subject.removesuffix(".US")
        symbols = {price.subject.upper(), symbol.upper()}
        ticker = next((each for each in question.tickers if each.symbol.upper() in symbols), None)
        at = price.at or hit.published
        if question.tickers and ticker is None:
            continue
        if at is None or utc(at.at) > utc(question.now) + _AHEAD:
            late = True
            continue
        moved = f"{change.value:+.2f}%" if change is not None and change.value is not None else ""
        code, name = "was_at_moved" if moved else "was_at", ticker.shown if ticker else symbol
        was = says(code, name=name, price=float(price.value), moved=moved, when=_when(at))
        prices.append((was, titles.get(hit.engine, hit.engine)))
    by_price = grouped(prices)
    found = [says("price", was=was, engines=list(dict.fromkeys(engines))) for was, engines in by_price.items()]
    return (*found, says("late_prices")) if late else tuple(found)


def release_notes(question: MarketQuestion, hits: Iterable[Hit], titles: Mapping[str, str]) -> tuple[Reason, ...]:
    """The statistics in engines' calendars, for a question on economic figures."""
    if question.kind is not QuestionKind.ECONOMIC_RELEASE:
        return ()
    shown = (_release(each, hit, question, titles) for hit in hits for each in hit.figures)
    return once(each for each in shown if each)[:_MOST_RELEASES]


def filing_notes(
    question: MarketQuestion, hits: Iterable[Hit], read: Iterable[str], titles: Mapping[str, str]
) -> tuple[Reason, ...]:
    """The company's filings that registers list and that were not read, newest first. `read`: addresses."""
    folders, hits = {_folder(url) for url in read}, list(hits)
    seen = {hit.filing.id for hit in hits if hit.filing and _folder(hit.url) in folders}
    since, until = utc(question.timeframe.since) - timedelta(days=7), utc(question.now) + _AHEAD
    found: dict[str, tuple[datetime, str, Reason]] = {}
    for hit in hits:
        filing = hit.filing
        if filing is None or filing.filed is None or filing.id in (*seen, *found) or not _may_be_of(filing, question):
            continue
        if since <= utc(filing.filed.latest) and utc(filing.filed.at) <= until:
            title, date = f"{hit.title}{f' ({hit.snippet})' if hit.snippet else ''}", filing.filed.at.date().isoformat()
            note = says("filed", date=date, title=title, url=hit.url, engine=titles.get(hit.engine, hit.engine))
            found[filing.id] = (utc(filing.filed.at), in_words(note), note)
    newest = sorted(found.values(), key=itemgetter(0, 1), reverse=True)
    return tuple(note for *_, note in newest[:_MOST_FILINGS])


def missing_filings(
    question: MarketQuestion, hits: Iterable[Hit], sources: Iterable[Source], notes: Sequence[EngineNote]
) -> tuple[Reason, ...]:
    """The sentence on forms that the question names ('its last 10-K') but that were not read; () if all were."""
    read = {each.url for each in sources}
    forms = {hit.filing.form.removesuffix("/A") for hit in hits if hit.filing and hit.url in read}
    forms |= {form for each in sources for form in forms_in(each.title)} | {each.form for each in question.filings}
    missing = [each for each in forms_in(question.text) if each not in forms]
    if not missing:
        return ()
    registers = [each for each in notes if each.engine in FILINGS_ENGINES]
    asked = any(each.state != "left_out" for each in registers)
    return (says("forms_missing" if asked else "no_register", forms=missing, name=question.about),)


def _may_be_of(filing: Filing, question: MarketQuestion) -> bool:
    """True if a filing may be the company's, by its ticker or, without one, by its name."""
    asked = {each.symbol.upper() for each in question.tickers}
    if asked and filing.tickers:
        return not asked.isdisjoint(each.upper() for each in filing.tickers)
    named = question.company
    return bool(asked) or bool(named and (not filing.filer or same_name(named, filing.filer)))


def _folder(url: str) -> str:
    """The folder of a filing's documents, so that one of its exhibits counts as read."""
    return url.rpartition("/")[0] if "/Archives/edgar/data/" in url else url


def _release(figure: Figure, hit: Hit, question: MarketQuestion, named: Mapping[str, str]) -> Reason | None:
    """The sentence on a statistic of a calendar; None for a different figure or one released later."""
    at = figure.at or hit.published
    calendar = figure.forecast is not None or figure.previous is not None
    if not calendar or figure.value is None or at is None or utc(at.at) > utc(question.now) + _AHEAD:
        return None
    beside = {"expected": figure.forecast, "before": figure.previous}
    figures = {name: float(value) for name, value in beside.items() if value is not None}
    what = ", ".join(filter(None, (figure.subject, figure.name, figure.period)))
    engine = named.get(hit.engine, hit.engine)
    shown = says("_and_".join(figures), **figures)
    return says("release", name=what, value=float(figure.value), beside=shown, when=_when(at), engine=engine)


def _when(at: Published) -> Reason:
    """Such as 'at 18:44 UTC on 20 November 2026', to the known precision."""
    timed = at.precision is Precision.TIME
    date = (utc(at.at) if timed else at.at).date().isoformat()
    return says("at_time" if timed else "on_the", date=date, time=f"{utc(at.at):%H:%M}")


_SHOWN = 6
"""Engines that a sentence names; the notes name all."""
_MEANINGS = (says("nothing_lately"), says("not_covered"))
_LONGER = says("ask_longer")


def engine_notes(
    hits: Iterable[Hit],
    asked: Sequence[str],
    out: Mapping[str, EngineError | str],
    *,
    instead: Mapping[str, Sequence[str]] | None = None,
    titles: Mapping[str, str] | None = None,
) -> tuple[EngineNote, ...]:
    """The state of each engine, in the order queried. `out`: engines that did not answer, with the error or reason;
    `instead`: their replacements, of which those that answered are named."""
    names, numbers = titles or {}, Counter(hit.engine for hit in hits)
    notes = []
    for engine in dict.fromkeys([*asked, *out, *numbers]):
        beside = [each for each in (instead or {}).get(engine, ()) if each not in out] if engine in out else []
        notes.append(
            EngineNote(
                engine=engine,
                title=names.get(engine, engine),
                state="left_out" if engine in out else "answered" if numbers[engine] else "empty",
                hits=numbers[engine],
                why=ended(str(out[engine]).strip() or "It gave no reason") if engine in out else "",
                instead=tuple(names.get(each, each) for each in dict.fromkeys(beside)),
            )
        )
    return tuple(notes)


def left_out_sentences(notes: Sequence[EngineNote]) -> tuple[Reason, ...]:
    """Sentences on the engines that were left out, grouped by reason, with their replacements; () if all answered."""
    left = [note for note in notes if note.state == "left_out"]
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for note in left:
        # Without the engine's name, so that one network failure is reported once.
        why = re.sub(rf"^(?:{re.escape(note.engine)}|{re.escape(note.title)})(?=\s)", _NAME, note.why)
        alike.setdefault((why.split(": set ")[0].rstrip("."), note.instead), []).append(note.title)
    found = []
    for (why, instead), titles in alike.items():
        code = "left_out_and_replaced" if instead else "left_out"
        why = why.replace(_NAME, "it" if len(titles) == 1 else "each", 1)
        found.append(says(code, names=few(titles), why=why, others=list(instead)))
    if found and len(left) < len(notes):
        found.append(says("less_complete"))
    return tuple(found)


def unused_notes(unused: Iterable[str], sources: Iterable[Source]) -> tuple[Reason, ...]:
    """The note on the sites of pages that were read and not used (`unused`: addresses); () without any."""
    used = {source.domain for source in sources}
    names = [site for site in dict.fromkeys(map(registrable_domain, unused)) if site not in used]
    return (says("pages_left_out", names=few(names)),) if names else ()


def nobody_asked(notes: Sequence[EngineNote], own: Collection[str] = ()) -> bool:
    """True if engines failed and only those for the user's `own` documents answered, which is not evidence of
    absence."""
    answered = [note for note in notes if note.state != "left_out"]
    return len(answered) < len(notes) and all(note.engine in own for note in answered)


def no_news(
    question: MarketQuestion, notes: Sequence[EngineNote], found_older: int = 0, *, own: Collection[str] = ()
) -> tuple[tuple[Reason, ...], tuple[Reason, ...]]:
    """The sentences and the possible meanings of an answer without recent news."""
    asked = [note.title for note in notes if note.state != "left_out"]
    out = [note.title for note in notes if note.state == "left_out"]
    if not asked or nobody_asked(notes, own):
        code = "only_own_asked" if asked else "nobody_asked_of" if out else "nobody_asked"
        return (says(code, name=question.about, names=few(out)),), ()
    found = [says("no_news", name=question.about, when=spoken(question.timeframe), names=few(asked))]
    found += [says("not_asked", names=few(out))] if out else []
    found += [says("older", number=found_older)] if found_older else []
    unknown = [says("not_a_ticker", name=each.shown) for each in question.tickers if each.known is False]
    of_company = (says("few_media"),) if question.tickers or question.company else ()
    return tuple(found), (*unknown, *of_company, *_MEANINGS)


def spoken(timeframe: Timeframe) -> Reason:
    """The period in words."""
    return timeframe.words_code or as_written(timeframe.words)


def few(titles: Sequence[str]) -> list[str] | list[Reason]:
    """The first titles and the number of the others."""
    if len(titles) <= _SHOWN + 1:
        return list(titles)
    return [*(as_written(each) for each in titles[:_SHOWN]), says("others", number=len(titles) - _SHOWN)]


def offers_for(question: MarketQuestion) -> tuple[Reason, ...]:
    """The next steps that are offered if nothing was found."""
    name = question.company or (question.tickers[0].shown if question.tickers else "")
    if question.kind is QuestionKind.ECONOMIC_RELEASE:
        return says("look_it_up"), _LONGER
    if not name:
        return says("name_a_company"), _LONGER
    if any(each.known is False for each in question.tickers) and not question.company:
        return says("check_ticker", name=name), says("name_company_instead"), _LONGER
    offers = [says("investor_pages", name=name)]
    parsed = [parse_ticker(each.symbol) for each in question.tickers]
    if all(ticker and ticker.exchange not in (None, "US") for ticker in parsed):
        offers += [says("announcements")] if parsed else []
    else:
        offers += [says("recent_8k", name=name), says("last_10k")]
    return *offers, _LONGER
