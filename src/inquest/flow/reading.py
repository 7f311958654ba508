"""From hits to sources: fetch, archive, read, rate and summarise, each page as soon as its turn comes."""

from __future__ import annotations

from dataclasses import dataclass

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import EngineError, Outage
from inquest.domain.event import Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import Hit, Query
from inquest.domain.source import Source
from inquest.flow.services import Services
from inquest.flow.state import InquiryState
from inquest.kit.analyst import SourceReading
from inquest.logic.source_names import telling_title
from inquest.logic.text import shorten
from inquest.logic.urls import comparison_key

__all__ = ["Lead", "PageRead", "ReadSource", "answer", "read_page", "search", "source_of"]


@dataclass(frozen=True)
class Lead:
    """An address worth reading, and who led to it."""

    url: str
    hits: tuple[Hit, ...] = ()
    queries: tuple[str, ...] = ()
    user_provided: bool = False

    @property
    def key(self) -> str:
        return comparison_key(self.url)


@dataclass(frozen=True)
class PageRead:
    """A page that was had, or why it was not."""

    lead: Lead
    snapshot: Snapshot | None = None
    document: Document | None = None
    outages: tuple[OutageNote, ...] = ()


@dataclass(frozen=True)
class ReadSource:
    """A source with what it says; the id is given when all are in, in the order of the plan."""

    page: PageRead
    source: Source
    reading: SourceReading
    outages: tuple[OutageNote, ...] = ()


async def search(engine: str, query: Query, services: Services, stage: Stage) -> tuple[list[Hit], OutageNote | None]:
    """One engine's answer to one query, or the outage."""
    hits, note, _ = await answer(engine, query, services, stage)
    return hits, note


async def answer(
    engine: str, query: Query, services: Services, stage: Stage
) -> tuple[list[Hit], OutageNote | None, EngineError | None]:
    """As `search`, with what the engine met."""
    try:
        return await services.searcher.search(engine, query), None, None
    except Outage as error:
        met = error if isinstance(error, EngineError) else None
        return [], await services.outage("engine", engine, error, stage), met


async def read_page(lead: Lead, services: Services, stage: Stage) -> PageRead:
    """Fetch, archive and read. An outage is a result, not an exception."""
    hit = next((hit for hit in lead.hits if hit.snapshot), lead.hits[0] if lead.hits else None)
    try:
        snapshot, document = await services.pages.read(lead.url, hit=hit)
    except Outage as error:
        return PageRead(lead, outages=(await services.outage("page", lead.url, error, stage),))
    return PageRead(lead, snapshot, document)


def source_of(page: PageRead, reading: SourceReading, state: InquiryState, services: Services) -> Source:
    """The witness that a page is, without its id."""
    assert page.document is not None and page.snapshot is not None
    document, lead = page.document, page.lead
    rating = services.rater.document(document)
    published = document.published or next((hit.published for hit in lead.hits if hit.published), None)
    excluded = None
    as_of = state.brief.as_of
    if as_of and published and published.at > as_of:
        excluded = f"published {published.iso}, after {as_of:%Y-%m-%d}"
    named = document.title or next((hit.title for hit in lead.hits if hit.title), "") or lead.url
    title = telling_title(named, document.url)
    return Source(
        id="",
        url=document.url,
        title=shorten(title, 300),
        domain=rating.domain,
        publisher=document.publisher or next((hit.publisher for hit in lead.hits if hit.publisher), None),
        author=document.author or next((hit.author for hit in lead.hits if hit.author), None),
        published=published,
        rating=rating,
        snapshot=document.snapshot,
        retrieved_at=page.snapshot.retrieved_at,
        language=document.language,
        summary=shorten(reading.summary, 500),
        key_claims=tuple(claim.text for claim in reading.key_claims[:3]),
        relevance=reading.relevance,
        user_provided=lead.user_provided,
        engines=tuple(dict.fromkeys(hit.engine for hit in lead.hits)),
        queries=lead.queries,
        excluded=excluded,
        notes=document.notes,
    )
