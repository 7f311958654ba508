"""Read the reports that sources of a topic credit and that no engine found, by a link or the publisher's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from inquest.domain.by_key import grouped
from inquest.domain.document import Document
from inquest.domain.event import Stage
from inquest.domain.investigation import SoughtReport
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.joining import new_outages
from inquest.flow.nodes.gather import read_source, report_source
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta
from inquest.retrieval.reading import Lead, ReadSource, search
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.sources.publisher_names import name_key, names_of
from inquest.stories.crediting import Credit, article_of, credits_among, lines_of_sources
from inquest.text.urls import comparison_key, registrable_domain

_HOPS = 3
"""Credits are followed this far from the sources that engines found."""
_PAGES = 6
"""Pages read for credits in one case."""
_ENGINES = 2
"""Engines that are asked for the report of a publisher."""
_KINDS = frozenset((EngineKind.NEWS, EngineKind.WEB))


async def trace(state: CaseState, services: Services) -> Delta:
    """Add credited reports to the sources, and record each search; not in a case that uses only the user's own
    documents."""
    assert state.plan is not None
    kinds = {each.name: set(each.kinds) for each in services.engines}
    if all(kinds.get(name) == {EngineKind.OWN} for name in state.plan.engines):
        return {"sought": ()}
    sources, readings = list(state.sources), dict(state.readings)
    sought: dict[str, SoughtReport] = {}
    outages: list[OutageNote] = []
    tracing = _Tracing(state, services, Retriever((), SearchRules(Stage.SOURCES), services))
    for hop in range(_HOPS):
        credits = _wanted(sources, await texts_of(sources, services))
        wanted = [credit for credit in credits if _key(credit) not in sought][: _PAGES - len(sought)]
        if not wanted:
            break
        taken = {comparison_key(each.url) for each in sources}
        found = await services.side_by_side(
            [(f"trace {hop}.{n}", partial(_sought, each, taken, tracing)) for n, each in enumerate(wanted)]
        )
        before = len(sources)
        for credit, answer in zip(wanted, found, strict=True):
            if answer is None:
                continue
            report, item, errors = answer
            outages += errors
            if item is not None and comparison_key(item.source.url) not in taken:
                taken.add(comparison_key(item.source.url))
                source = item.source.model_copy(update={"id": f"S{len(sources) + 1}"})
                sources.append(source)
                readings[source.id] = item.reading
                report = report.model_copy(update={"source_id": source.id})
                finding = source.key_claims[0] if source.key_claims else source.summary
                text = f"Found the report by {credit.name} that other sources cite: {source.title}"
                await report_source(source, text, finding, len(sources), services)
            sought[_key(credit)] = report
        if len(sources) == before:
            break
    await tracing.retriever.close()
    return {
        "sources": tuple(sources),
        "readings": readings,
        "sought": tuple(sought.values()),
        "outages": new_outages(outages, ()),
    }


def _wanted(sources: Sequence[Source], documents: dict[str, Document]) -> list[Credit]:
    """Return one credit to each report that is not among the sources, the most credited first."""
    articles = [article_of(each, documents[each.id]) for each in sources if each.id in documents]
    named = grouped((_key(credit), credit) for credit in credits_among(articles).outside.values())
    ranked = sorted(named.values(), key=lambda same: (-len(same), not any(each.url for each in same)))
    credits = [next((each for each in same if each.url), same[0]) for same in ranked]
    return [*credits, *lines_of_sources(articles)]


def _key(credit: Credit) -> str:
    return comparison_key(credit.url) if credit.url else credit.name


_Answer = tuple[SoughtReport, ReadSource | None, list[OutageNote]]


@dataclass(frozen=True)
class _Tracing:
    state: CaseState
    services: Services
    retriever: Retriever


async def _sought(credit: Credit, taken: set[str], tracing: _Tracing) -> _Answer:
    """Find a report at its link (archives are asked if the page is gone), or else by the name of its publisher."""
    if credit.url:
        item, outages = await _read(Lead(credit.url), tracing)
        why = "" if item else next((note.why for note in outages), "the page has no text to read")
        return SoughtReport(name=credit.name, url=credit.url, why=why), item, outages
    state, services = tracing.state, tracing.services
    assert state.plan is not None
    query = Query(
        text=f"{credit.name} {state.plan.topic}", kinds=tuple(sorted(_KINDS)), purpose=f"The report of {credit.name}"
    )
    ready = [each.name for each in services.engines if each.lacks is None and _KINDS & set(each.kinds)]
    asked = [name for name in state.plan.engines if name in ready][:_ENGINES]
    outages = []
    unread: Hit | None = None
    for engine in asked:
        hits, outage = await search(engine, query, services, Stage.SOURCES)
        outages += [outage] if outage else []
        for hit in hits:
            names = names_of(hit.publisher, registrable_domain(hit.url))
            if name_key(credit.name) in names and comparison_key(hit.url) not in taken:
                item, errors = await _read(Lead(hit.url, (hit,)), tracing)
                outages += errors
                if item is not None:
                    return SoughtReport(name=credit.name, url=hit.url), item, outages
                unread = unread or hit
    why = "; ".join(f"{note.where}: {note.why}" for note in outages)
    why = why or f"{', '.join(asked)} found no page from that publisher"
    report = SoughtReport(name=credit.name, why=why if asked else "no engine could be queried")
    if unread is not None:
        report = report.model_copy(update={"url": unread.url, "published": unread.published})
    return report, None, outages


async def _read(lead: Lead, tracing: _Tracing) -> tuple[ReadSource | None, list[OutageNote]]:
    page = await tracing.retriever.page(lead)
    if page.document is None:
        return None, list(page.outages)
    source = await read_source(page, tracing.state, tracing.services)
    return source, list(source.outages)
