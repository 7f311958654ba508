"""Vet sources: ask registries for the age of unknown domains, and archives for the first capture of pages that may be
the origin of a story or whose date is uncertain.

It runs in parallel with the claims and their check, and `judge` adds the results to the sources. Only in detailed mode
and for a few sources, because each is a request to a public service.
"""

from __future__ import annotations

from functools import partial

from inquest.domain.errors import EngineError, Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.plan import Mode
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.domain.source import DomainAge, Source
from inquest.domain.value import Published
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta, Vetted
from inquest.retrieval.reading import search
from inquest.sources.captures import earliest_capture, earliest_of
from inquest.sources.source_worth import date_is_open
from inquest.stories.stories import possible_origins
from inquest.text.urls import is_web_url, registrable_domain

AGES = 5
"""Domains per case that registries are asked about."""
CAPTURES = 5
"""Pages per case whose first capture is requested, possible origins first."""
_ARCHIVES = {"wayback": "the Wayback Machine", "memento": "a public archive"}


async def vet(state: CaseState, services: Services) -> Delta:
    """Ask registries and archives about the sources; return the answers by source id."""
    if state.brief.mode is not Mode.DETAILED:
        return {}
    counted = [source for source in state.sources if not source.excluded and is_web_url(source.url)]
    engine = capture_engine(services)
    by_id = {source.id: source for source in counted}
    # Possible origins of a story, likeliest first, then the sources whose date is uncertain.
    first = possible_origins(counted, await texts_of(counted, services)) if engine else []
    undated = dict.fromkeys([*first, *(each.id for each in counted if date_is_open(each))]) if engine else ()
    open_dates = [by_id[id] for id in undated][:CAPTURES]
    domains = {registrable_domain(source.url): source.url for source in reversed(counted) if not source.rating.known}
    asked = list(reversed(domains.items()))[:AGES] if services.domain_ages else []
    if not asked and not open_dates:
        return {}
    work = [(f"age of {domain}", partial(_age, domain, url, services)) for domain, url in asked]
    work += [(f"first capture of {s.url}", partial(_capture, s, engine or "", services)) for s in open_dates]
    answers = [answer for answer in await services.side_by_side(work) if answer is not None]
    ages = {domain: age for domain, age, _, _ in answers if age is not None}
    captures = {url: captured for url, _, captured, _ in answers if captured is not None}
    archive = _ARCHIVES.get(engine or "", engine or "")
    vetted = {
        each.id: Vetted(age=ages.get(registrable_domain(each.url)), captured=captures.get(each.url), archive=archive)
        for each in counted
    }
    notes: dict[tuple[str, str], OutageNote] = {}  # one per service that could not be asked
    for *_, met in answers:
        if isinstance(met, OutageNote):
            notes.setdefault((met.what, met.where), met)
        elif met is not None:
            where = met.engine if isinstance(met, EngineError) else "the registry of domains"
            if ("registry", where) not in notes:
                notes["registry", where] = await services.outage("registry", where, met, Stage.SOURCES)
    return {
        "vetted": {name: each for name, each in vetted.items() if each.age or each.captured},
        "outages": tuple(notes.values()),
    }


def capture_engine(services: Services) -> str | None:
    """Return the archive to ask for first captures; None: none is ready."""
    ready = services.asks(EngineKind.ARCHIVE)
    return "wayback" if "wayback" in ready else next(iter(ready), None)


_Answer = tuple[str, DomainAge | None, Published | None, OutageNote | Outage | None]
"""The domain or address, its age or first capture, and the outage."""


async def _age(domain: str, url: str, services: Services) -> _Answer:
    assert services.domain_ages is not None
    try:
        return domain, await services.domain_ages.age(url), None, None
    except Outage as error:
        return domain, None, None, error


async def _capture(source: Source, engine: str, services: Services) -> _Answer:
    hits, outage = await search(engine, earliest_capture(source.url), services, Stage.SOURCES)
    first = earliest_of(hits)
    if first is not None and first.published is not None:
        await services.events.emit(
            EventType.QUERY_ANSWERED,
            f"{engine} first captured {source.url} on {first.published.iso[:10]}",
            stage=Stage.SOURCES,
            engine=engine,
            query=source.url,
            hits=len(hits),
        )
    return source.url, None, first.published if first else None, outage
