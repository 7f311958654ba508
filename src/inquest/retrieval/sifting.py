"""From a page that was had to the page that is read: an aggregator's at its origin, noise left out."""

from __future__ import annotations

from dataclasses import replace

from inquest.domain.event import EventType, Stage
from inquest.domain.source import Category
from inquest.retrieval.case_ports import CasePorts
from inquest.retrieval.reading import Lead, PageRead, read_page
from inquest.sources.aggregators import origin_named_by
from inquest.sources.noise import noise_of_page
from inquest.sources.source_worth import too_noisy


async def sifted(page: PageRead, services: CasePorts, stage: Stage) -> PageRead:
    """The page to read, or without a document where it is not worth it, said with the reason.

    What the user named is never left out.
    """
    if page.document is None:
        return page
    if not page.document.text.strip():
        await left_out(page.lead.url, "it has no readable text", services, stage)
        return replace(page, document=None)
    page = await _at_its_origin(page, services, stage)
    assert page.document is not None
    own = any(hit.snapshot for hit in page.lead.hits)
    noise = noise_of_page(page.document)
    page = replace(page, noise=noise)
    why = None if page.lead.user_provided else too_noisy(noise, own=own)
    if why:
        await left_out(page.lead.url, why, services, stage)
        return replace(page, document=None)
    return page


async def _at_its_origin(page: PageRead, services: CasePorts, stage: Stage) -> PageRead:
    """An aggregator's page shows what another has written: it is read there, and where that fails, it stays and names
    its origin. Documents of the user's own archive are read as they are: a case of them asks nobody."""
    assert page.document is not None
    if services.rater.publisher(page.document.url).category != Category.AGGREGATOR:
        return page
    named = origin_named_by(page.document)
    if named is None:
        return page
    if any(hit.snapshot for hit in page.lead.hits):
        return replace(page, origin=named.url)
    origin = await read_page(Lead(named.url), services, stage)
    if origin.document is None or not origin.document.text.strip():
        return replace(page, origin=named.url, outages=(*page.outages, *origin.outages))
    await services.events.emit(
        EventType.DEPARTURE,
        f"Read {named.url} in place of {page.lead.url}, which shows what stands there ({named.how}).",
        stage=stage,
    )
    return replace(page, snapshot=origin.snapshot, document=origin.document)


async def left_out(url: str, why: str, services: CasePorts, stage: Stage) -> None:
    """Say that a page was left out, and why."""
    await services.events.emit(EventType.SOURCE_LEFT_OUT, f"Left out {url}: {why}", stage=stage, url=url, why=why)
