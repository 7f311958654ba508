"""The filings that a user named beside a question: found, read, and what they say that news can be held against."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from inquest.domain.document import Document
from inquest.domain.event import Stage
from inquest.domain.market import FilingStatement, MarketQuestion
from inquest.domain.market_request import NamedFiling
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.reading import Lead, PageRead, read_page, search, source_of
from inquest.flow.services import Services
from inquest.kit.analyst import SourceReading
from inquest.logic.dates import utc
from inquest.logic.market_filing_statements import filing_statements, form_of
from inquest.logic.market_whom import LISTS
from inquest.logic.text import shorten

__all__ = ["NamedFilings", "named_filings"]

_WORDS = "edgar"
"""The engine that finds a filing by its text."""
_NEWEST = 100
"""Filings of a company among which a number is looked for."""


@dataclass
class NamedFilings:
    """What the filings came to."""

    sources: list[Source] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    """By source id."""
    statements: tuple[FilingStatement, ...] = ()
    outages: list[OutageNote] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was not found or does not count, in sentences."""


async def named_filings(filings: Sequence[NamedFiling], question: MarketQuestion, services: Services) -> NamedFilings:
    """Read the filings, numbered from S1 in the user's order."""
    found = NamedFilings()
    pages = await asyncio.gather(*(_page(each, question, services, found) for each in filings))
    for given, page in zip(filings, pages, strict=True):
        if page is None:
            continue
        found.outages += page.outages
        if page.document is None:
            continue
        filing = next((hit.filing for hit in page.lead.hits if hit.filing), None)
        reading = SourceReading(summary=shorten(page.document.text, 300), key_claims=(), relevance=1.0)
        source = source_of(page, reading, question.now, services)
        source = source.model_copy(update={"id": f"S{len(found.sources) + 1}"})
        filed = filing.filed if filing and filing.filed else source.published
        if filed and filing and filing.filed:
            source = source.model_copy(update={"published": filing.filed})
        found.sources.append(source)
        found.documents[source.id] = page.document
        at: datetime | None = filed.at if filed else None
        if at is not None and utc(at) > utc(question.now):
            found.notes.append(f"The filing {given.given} is dated after the time that was asked about.")
            continue
        said = filing_statements(
            question,
            page.document,
            form=(filing.form if filing else "") or form_of(page.document),
            filed=at,
            source_id=source.id,
        )
        if not said:
            found.notes.append(f"The filing {given.given} has no sentence with a figure that news can be held against.")
        found.statements = (*found.statements, *said)
    return found


async def _page(
    given: NamedFiling, question: MarketQuestion, services: Services, found: NamedFilings
) -> PageRead | None:
    """The filing's page; None where there is no such filing."""
    if given.snapshot:
        lead = Lead(given.url, user_provided=True)
        snapshot = await services.archive.snapshot(given.snapshot)
        return PageRead(lead, snapshot, await services.archive.document(given.snapshot))
    if given.url:
        return await read_page(Lead(given.url, user_provided=True), services, Stage.SOURCES)
    hit = await _numbered(given.accession, question, services, found)
    if hit is None:
        return None
    page = await read_page(Lead(hit.url, user_provided=True), services, Stage.SOURCES)
    return PageRead(Lead(hit.url, (hit,), user_provided=True), page.snapshot, page.document, page.outages)


async def _numbered(accession: str, question: MarketQuestion, services: Services, found: NamedFilings) -> Hit | None:
    """The filing of a number: among the company's newest, or by the text search. What could not be asked is noted."""
    about = question.company or " ".join(each.symbol for each in question.tickers)
    symbols = tuple(each.symbol for each in question.tickers)
    asked = [(LISTS, Query(text=about, tickers=symbols, kinds=(EngineKind.MARKET,), limit=_NEWEST))] if about else []
    asked.append((_WORDS, Query(text=f'"{accession}"', kinds=(EngineKind.MARKET,), limit=10)))
    ready = set(services.asks(EngineKind.MARKET))
    silent = [name for name, _ in asked if name not in ready]
    for engine, query in asked:
        if engine in silent:
            continue
        hits, outage = await search(engine, query, services, Stage.SOURCES)
        found.outages += [outage] if outage else []
        silent += [engine] if outage else []
        for hit in hits:
            if hit.filing and hit.filing.id == accession:
                return hit
    whose = f" of {about}" if about else ""
    if len(silent) == len(asked):
        found.notes.append(f"The filing {accession} could not be looked for: no register of filings could be asked.")
    else:
        found.notes.append(f"No filing{whose} with the number {accession} was found; name the company, or its address.")
    return None
