"""What engines' own tables say beside the pages that were read: prices, releases of statistics, filings. Each is told
as that engine's word, with its time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from inquest.domain.document import Precision, Published
from inquest.domain.leads import Figure
from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.text.dates import utc
from inquest.text.phrases import day, listed

__all__ = ["filing_notes", "price_notes", "release_notes"]

_AHEAD = timedelta(hours=1)
"""How far ahead of 'now' an engine's clock may run."""
_MOST_RELEASES = 6
_MOST_FILINGS = 3


def price_notes(
    question: MarketQuestion, hits: Iterable[Hit], titles: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """What engines' tables say of prices, as of the question's 'now': a price of today is no answer to a question about
    last spring. One sentence for engines that say the same. `titles`: what engines are called, by name."""
    said: dict[str, list[str]] = {}
    late = False
    for hit in hits:
        by_name = {figure.name: figure for figure in hit.figures}
        price, change = by_name.get("price"), by_name.get("change_percent")
        at = (price.at if price else None) or hit.published
        if price is None or price.value is None or not _is_asked(price, question):
            continue
        if at is None or utc(at.at) > utc(question.now) + _AHEAD:
            late = True
            continue
        moved = f", {change.value:+.2f} %" if change is not None and change.value is not None else ""
        told = f"{_shown(price, question)} stood at {price.value:g}{moved} {_when(at)}"
        said.setdefault(told, []).append((titles or {}).get(hit.engine, hit.engine))
    found = [f"{told} ({listed(list(dict.fromkeys(by)))}; no page was read)." for told, by in said.items()]
    if late:
        found.append("Prices that engines gave are not of the time that was asked about, and are left out.")
    return tuple(found)


def release_notes(
    question: MarketQuestion, hits: Iterable[Hit], titles: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """What engines' calendars say of statistics that a question on economic figures asks about."""
    if question.kind is not QuestionKind.ECONOMIC_RELEASE:
        return ()
    told = (_release(each, hit, question, titles or {}) for hit in hits for each in hit.figures)
    return tuple(dict.fromkeys(each for each in told if each))[:_MOST_RELEASES]


def filing_notes(
    question: MarketQuestion, hits: Iterable[Hit], read: Iterable[str], titles: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """The company's filings that registers list and nobody read, newest first. `read`: the addresses of what was
    read."""
    named, seen = titles or {}, {_folder(url) for url in read}
    since, until = utc(question.timeframe.since) - timedelta(days=7), utc(question.now) + _AHEAD
    found: dict[str, tuple[datetime, str]] = {}
    for hit in hits:
        filing = hit.filing
        if filing is None or filing.filed is None or not (question.tickers or question.company):
            continue
        if _folder(hit.url) in seen:
            found[filing.id] = (utc(filing.filed.at), "")
        elif filing.id not in found and since <= utc(filing.filed.latest) and utc(filing.filed.at) <= until:
            about = f" ({hit.snippet})" if hit.snippet else ""
            said = (
                f"Filed {day(filing.filed.at)}: {hit.title}{about}, {hit.url}, as "
                f"{named.get(hit.engine, hit.engine)} lists it; the document was not read."
            )
            found[filing.id] = (utc(filing.filed.at), said)
    newest = sorted((each for each in found.values() if each[1]), key=lambda each: (each[0], each[1]), reverse=True)
    return tuple(said for _, said in newest[:_MOST_FILINGS])


def _folder(url: str) -> str:
    """Where the documents of one filing lie: who read an exhibit of it has read of it."""
    return url.rpartition("/")[0] if "/Archives/edgar/data/" in url else url


def _is_asked(price: Figure, question: MarketQuestion) -> bool:
    symbols = {each.symbol.upper() for each in question.tickers}
    return not symbols or bool(symbols & {price.subject.upper(), _symbol(price).upper()})


def _shown(price: Figure, question: MarketQuestion) -> str:
    """The ticker as the question has it, where the price is of one of its."""
    symbol = _symbol(price)
    return next((each.shown for each in question.tickers if each.symbol.upper() == symbol.upper()), symbol)


def _symbol(price: Figure) -> str:
    return price.subject.removesuffix(".US")


def _release(figure: Figure, hit: Hit, question: MarketQuestion, named: Mapping[str, str]) -> str:
    """A statistic as a calendar has it; '' where it is none, or was not out at the time that is asked about."""
    at = figure.at or hit.published
    calendar = figure.forecast is not None or figure.previous is not None
    if not calendar or figure.value is None or at is None or utc(at.at) > utc(question.now) + _AHEAD:
        return ""
    beside = ((figure.forecast, "expected"), (figure.previous, "before"))
    told = ", ".join(f"{word} {value:g}" for value, word in beside if value is not None)
    what = f"{figure.name}, {figure.period}" if figure.period else figure.name
    return (
        f"{figure.subject}, {what}: {figure.value:g} ({told}), released {_when(at)}, as "
        f"{named.get(hit.engine, hit.engine)} gives it; no page was read."
    )


def _when(at: Published) -> str:
    """'at 18:44 UTC on 20 November 2026', as exactly as it is known."""
    return f"at {utc(at.at):%H:%M} UTC on {day(utc(at.at))}" if at.precision is Precision.TIME else f"on {day(at.at)}"
