"""Notes of an answer: data of engines' tables with engine and time, the state of each engine, and the text for an
answer without recent news (spec 003, error handling)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from inquest.desks.market.queries import FILINGS_ENGINES
from inquest.domain.document import Precision, Published
from inquest.domain.errors import EngineError
from inquest.domain.languages import agreeing
from inquest.domain.leads import Figure, Filing
from inquest.domain.market import EngineNote, MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.text.dates import utc
from inquest.text.entities import same_name
from inquest.text.phrases import day, ended, listed
from inquest.text.securities import forms_in, parse_ticker

_AHEAD = timedelta(hours=1)
"""Tolerance for an engine's clock ahead of 'now'."""
_MOST_RELEASES = 6
_MOST_FILINGS = 3


def price_notes(question: MarketQuestion, hits: Iterable[Hit], titles: Mapping[str, str]) -> tuple[str, ...]:
    """The prices in engines' tables as of the question's 'now', because today's price does not answer a question about
    last spring; one sentence for each price. `titles`: of engines, by name."""
    engines: dict[str, list[str]] = {}
    late = False
    for hit in hits:
        by_name = {figure.name: figure for figure in hit.figures}
        price, change = by_name.get("price"), by_name.get("change_percent")
        at = (price.at if price else None) or hit.published
        symbol = price.subject.removesuffix(".US") if price else ""
        symbols = {price.subject.upper(), symbol.upper()} if price else set()
        ticker = next((each for each in question.tickers if each.symbol.upper() in symbols), None)
        if price is None or price.value is None or (question.tickers and ticker is None):
            continue
        if at is None or utc(at.at) > utc(question.now) + _AHEAD:
            late = True
            continue
        moved = f", {change.value:+.2f}%" if change is not None and change.value is not None else ""
        shown = f"{ticker.shown if ticker else symbol} was at {price.value:g}{moved} {_when(at)}"
        engines.setdefault(shown, []).append(titles.get(hit.engine, hit.engine))
    found = [f"{shown} ({listed(list(dict.fromkeys(by)))}; no page was read)." for shown, by in engines.items()]
    if late:
        found.append("Prices of engines that are not of the time asked about are left out.")
    return tuple(found)


def release_notes(question: MarketQuestion, hits: Iterable[Hit], titles: Mapping[str, str]) -> tuple[str, ...]:
    """The statistics in engines' calendars, for a question on economic figures."""
    if question.kind is not QuestionKind.ECONOMIC_RELEASE:
        return ()
    shown = (_release(each, hit, question, titles) for hit in hits for each in hit.figures)
    return tuple(dict.fromkeys(each for each in shown if each))[:_MOST_RELEASES]


def filing_notes(
    question: MarketQuestion, hits: Iterable[Hit], read: Iterable[str], titles: Mapping[str, str]
) -> tuple[str, ...]:
    """The company's filings that registers list and that were not read, newest first. `read`: addresses."""
    seen = {_folder(url) for url in read}
    since, until = utc(question.timeframe.since) - timedelta(days=7), utc(question.now) + _AHEAD
    found: dict[str, tuple[datetime, str]] = {}
    for hit in hits:
        filing = hit.filing
        if filing is None or filing.filed is None or not _may_be_of(filing, question):
            continue
        if _folder(hit.url) in seen:
            found[filing.id] = (utc(filing.filed.at), "")
        elif filing.id not in found and since <= utc(filing.filed.latest) and utc(filing.filed.at) <= until:
            about = f" ({hit.snippet})" if hit.snippet else ""
            sentence = (
                f"Filed {day(filing.filed.at)}: {hit.title}{about}, {hit.url}, as "
                f"{titles.get(hit.engine, hit.engine)} lists it; the document was not read."
            )
            found[filing.id] = (utc(filing.filed.at), sentence)
    newest = sorted((each for each in found.values() if each[1]), reverse=True)
    return tuple(sentence for _, sentence in newest[:_MOST_FILINGS])


def missing_filings(
    question: MarketQuestion, hits: Iterable[Hit], sources: Iterable[Source], notes: Sequence[EngineNote]
) -> str:
    """The sentence on forms that the question names ('its last 10-K') and that were not read; '' if all were."""
    read = {each.url for each in sources}
    forms = {hit.filing.form.removesuffix("/A") for hit in hits if hit.filing and hit.url in read}
    forms |= {form for each in sources for form in forms_in(each.title)} | {each.form for each in question.filings}
    missing = [each for each in forms_in(question.text) if each not in forms]
    if not missing:
        return ""
    registers = [each for each in notes if each.engine in FILINGS_ENGINES]
    asked = any(each.state != "left_out" for each in registers)
    why = "was found and read" if asked else "could be searched for: no register of filings could be asked"
    return f"No {' or '.join(missing)} of {question.about} {why}; the answer is based on other sources."


def _may_be_of(filing: Filing, question: MarketQuestion) -> bool:
    """True if it may be the company's, by its ticker or, without one, by its name."""
    asked = {each.symbol.upper() for each in question.tickers}
    if asked and filing.tickers:
        return not asked.isdisjoint(each.upper() for each in filing.tickers)
    named = question.company
    return bool(asked) or bool(named and (not filing.filer or same_name(named, filing.filer)))


def _folder(url: str) -> str:
    """The folder of a filing's documents, so that one of its exhibits counts as read."""
    return url.rpartition("/")[0] if "/Archives/edgar/data/" in url else url


def _release(figure: Figure, hit: Hit, question: MarketQuestion, named: Mapping[str, str]) -> str:
    """The sentence on a statistic of a calendar; '' for another figure or one released later."""
    at = figure.at or hit.published
    calendar = figure.forecast is not None or figure.previous is not None
    if not calendar or figure.value is None or at is None or utc(at.at) > utc(question.now) + _AHEAD:
        return ""
    beside = ((figure.forecast, "expected"), (figure.previous, "before"))
    shown = ", ".join(f"{word} {value:g}" for value, word in beside if value is not None)
    what = f"{figure.name}, {figure.period}" if figure.period else figure.name
    return (
        f"{figure.subject}, {what}: {figure.value:g} ({shown}), released {_when(at)}, as "
        f"{named.get(hit.engine, hit.engine)} gives it; no page was read."
    )


def _when(at: Published) -> str:
    """'at 18:44 UTC on 20 November 2026', to the known precision."""
    return f"at {utc(at.at):%H:%M} UTC on {day(utc(at.at))}" if at.precision is Precision.TIME else f"on {day(at.at)}"


_SHOWN = 6
"""Engines that a sentence names; the notes name all."""
_OF_COMPANIES = "few media follow it (a small or private company)"
_MEANINGS = ("nothing material has happened lately", "the engines that were asked do not cover it")
_LONGER = "Ask about a longer time."


def engine_notes(
    hits: Iterable[Hit],
    asked: Sequence[str],
    out: Mapping[str, EngineError | str],
    *,
    instead: Mapping[str, Sequence[str]] | None = None,
    titles: Mapping[str, str] | None = None,
) -> tuple[EngineNote, ...]:
    """The state of each engine, in the order asked. `out`: engines that did not answer, with the error or reason;
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


def left_out_sentences(notes: Sequence[EngineNote]) -> tuple[str, ...]:
    """Sentences on the engines that were left out, grouped by reason, with their replacements; () if all answered."""
    left = [note for note in notes if note.state == "left_out"]
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for note in left:
        # Without the engine's name, so that one network failure is reported once.
        why = re.sub(rf"^(?:{re.escape(note.engine)}|{re.escape(note.title)})\s+(?:was )?", "", note.why)
        alike.setdefault((why.split(": set ")[0].rstrip("."), note.instead), []).append(note.title)
    found = []
    for (why, instead), titles in alike.items():
        number = len(titles)
        place = f" {listed(instead)} answered in {agreeing(number, 'its', 'their')} place." if instead else ""
        found.append(f"{listed(few(titles))} {agreeing(number, 'was', 'were')} left out ({why}).{place}")
    if found and len(left) < len(notes):
        found.append("The answer may be less complete than usual.")
    return tuple(found)


def nobody_asked(notes: Sequence[EngineNote], own: Collection[str] = ()) -> bool:
    """True if engines failed and only those of the user's `own` documents answered, which is no evidence of absence."""
    answered = [note for note in notes if note.state != "left_out"]
    return len(answered) < len(notes) and all(note.engine in own for note in answered)


def no_news(
    question: MarketQuestion, notes: Sequence[EngineNote], found_older: int = 0, *, own: Collection[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """The sentence and the possible meanings of an answer without recent news."""
    asked = [note.title for note in notes if note.state != "left_out"]
    out = [note.title for note in notes if note.state == "left_out"]
    if not asked or nobody_asked(notes, own):
        engines = f" ({listed(few(out))})" if out else ""
        source = "No source but your own documents" if asked else "No source"
        return f"{source} could be asked about {question.about}{engines}, so nothing is known either way.", ()
    sentence = f"No news of {question.about} was found ({question.timeframe.words}); {listed(few(asked))} answered."
    if out:
        sentence += f" {listed(few(out))} could not be asked."
    if found_older:
        sentence += f" {found_older} older {agreeing(found_older, 'report', 'reports')} came up."
    unknown = [each.shown for each in question.tickers if each.known is False]
    of_company = (_OF_COMPANIES,) if question.tickers or question.company else ()
    return sentence, (*(f"{symbol} is not a listed ticker" for symbol in unknown), *of_company, *_MEANINGS)


def few(titles: Sequence[str]) -> Sequence[str]:
    """The first titles and the number of the others."""
    return [*titles[:_SHOWN], f"{len(titles) - _SHOWN} others"] if len(titles) > _SHOWN + 1 else titles


def offers_for(question: MarketQuestion) -> tuple[str, ...]:
    """The next steps that are offered if nothing was found."""
    name = question.company or (question.tickers[0].shown if question.tickers else "")
    if question.kind is QuestionKind.ECONOMIC_RELEASE:
        return "Look it up at the office of statistics or the central bank that releases it.", _LONGER
    if not name:
        return "Name a company or give its ticker (--ticker).", _LONGER
    if any(each.known is False for each in question.tickers) and not question.company:
        check = f"Check how the ticker {name} is written: for a listing elsewhere with its exchange (like BMW.DE)."
        return check, "Name the company instead (--company).", _LONGER
    offers = [f"Search the investor relations pages of {name}."]
    parsed = [parse_ticker(each.symbol) for each in question.tickers]
    if parsed and all(ticker and ticker.exchange not in (None, "US") for ticker in parsed):
        offers.append("Look for its announcements at the exchange or the regulator where it is listed.")
    else:
        offers += [f"Look for recent 8-K filings of {name} at the SEC.", "Read its last 10-K and 10-Q (--filing)."]
    return *offers, _LONGER
