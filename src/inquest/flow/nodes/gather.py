"""Gather: ask every engine every query at once, read the best pages as they come, and say what each one says.

Which pages become sources is decided over all answers, in the order of the plan, and so is the same on every replay.
The first few hits of each answer are fetched ahead of that decision, so that the pages do not wait for the slowest
engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.report import EarlierCheck, OutageNote
from inquest.domain.search import Hit, Query
from inquest.domain.source import Source
from inquest.flow.asking_all import ASIDE, ask_all, fitting
from inquest.flow.further import MORE_SOURCES, more_asked, queries_for
from inquest.flow.joining import new_outages
from inquest.flow.reading import Lead, PageRead, ReadSource, read_page, source_of
from inquest.flow.services import Services
from inquest.flow.sifting import left_out, sifted
from inquest.flow.state import CaseState, Delta
from inquest.flow.time_limits import search_limits
from inquest.kit.analyst import SourceReading
from inquest.kit.reranker import LOCAL
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.sources.ranking import rank_hits, reranked, text_of
from inquest.stories.stories import assign_stories, independent
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import reviews_of_hits, reviews_of_page

__all__ = ["departures_of", "each_once", "gather", "relevance_of", "searches"]

AHEAD = 2
"""Hits of each answer that are fetched before the choice is made."""
MINIMUM_RELEVANCE = 0.15
"""A page below this has nothing to do with the brief and is left out."""


@dataclass
class _Progress:
    """What the tasks of one gathering share: pages being read, by comparison key."""

    services: Services
    pages: dict[str, asyncio.Task[PageRead]] = field(default_factory=dict)
    said: int = 0

    def page(self, lead: Lead) -> asyncio.Task[PageRead]:
        if lead.key not in self.pages:
            self.pages[lead.key] = asyncio.ensure_future(read_page(lead, self.services, Stage.SOURCES))
        return self.pages[lead.key]

    def ahead(self, hits: list[Hit]) -> None:
        """Begin to read the first few of an answer."""
        for hit in hits[:AHEAD]:
            self.page(Lead(hit.url, (hit,)))

    async def close(self) -> None:
        for task in self.pages.values():
            task.cancel()
        await asyncio.gather(*self.pages.values(), return_exceptions=True)


async def gather(state: CaseState, services: Services) -> Delta:
    """Sources with their summaries and key claims, in order of worth to the brief."""
    assert state.plan is not None
    limit = state.brief.mode.settings.source_limit
    progress = _Progress(services)
    try:
        asked_all = await ask_all(*searches(state, services), progress.ahead, state, services)
        hits: list[Hit] = []
        more: list[Hit] = []
        asked: dict[str, list[str]] = {}
        outages: list[OutageNote] = [*asked_all.unasked]
        added: list[str] = []
        further = _further(state)
        for given in asked_all.answers:
            (more if given.query in further else hits).extend(given.hits)
            outages += given.outages
            added += given.added
            for hit in given.hits:
                asked.setdefault(comparison_key(hit.url), []).append(given.query.text)
        relevance, outage = await relevance_of(_topic_words(state), [*hits, *more], services)
        outages += [outage] if outage else []
        leads = _leads(state, hits, asked, relevance, services)
        read = await _read_best(leads, limit, state, progress, services)
        if more:  # what earlier rounds read stays read
            known = {item.lead.key for item in read if isinstance(item, PageRead)}
            known |= {item.page.lead.key for item in read if isinstance(item, ReadSource)}
            leads = [each for each in _leads(state, more, asked, relevance, services) if each.key not in known]
            most = MORE_SOURCES * len(more_asked(state))
            read += await _read_best(leads, most, state, progress, services)
    finally:
        await progress.close()
    for item in read:
        outages += item.outages
    kept = [item for item in read if isinstance(item, ReadSource)]
    sources, readings, documents = _numbered(kept)
    told = assign_stories(sources, documents)
    silent = departures_of(outages, asked_all.in_place)
    for words in silent:
        await services.events.emit(EventType.DEPARTURE, words, stage=Stage.SOURCES)
    delta: Delta = {
        "sources": sources,
        "readings": readings,
        "reviews": _reviews(hits, sources, documents),
        "outages": tuple(each_once(outages)),
        "departures": (*silent, *dict.fromkeys(added)),
    }
    if not sources:
        await services.events.emit(
            EventType.STAGE_FINISHED,
            "No source was found.",
            stage=Stage.SOURCES,
            marker="NO_SOURCES_FOUND",
        )
        return delta | {"markers": ("NO_SOURCES_FOUND",)}
    await _say_tally(told, services)
    return delta


def _queries(state: CaseState) -> list[Query]:
    """Of a topic, networks are asked for posts and archives for captures elsewhere: neither is a page to read here."""
    assert state.plan is not None
    queries = state.plan.queries
    return [query for query in queries if not (state.brief.topic and query.kinds and set(query.kinds) <= ASIDE)]


def searches(state: CaseState, services: Services) -> tuple[list[Query], Callable[[Query], list[str]]]:
    """The queries of the plan, near-identical ones once, and the engines that the search plan puts each of them to."""
    fits = partial(fitting, state=state, services=services)
    further, engines = _further(state), dict[Query, list[str]]()
    # Each round has searches of its own: what a further one asks takes no room from what was asked before.
    for is_further in (False, True):
        asked = [query for query in _queries(state) if (query in further) is is_further]
        questions = questions_on([(query, query.purpose or query.text) for query in asked], fits)
        about = {claim_id for question in questions for claim_id in question.claim_ids}
        plan = plan_searches(questions, services.engines, search_limits(state.brief, "gather", len(about)))
        for each, names in zip(questions, plan.engines, strict=True):
            engines.setdefault(each.query, list(names))
    return list(engines), lambda query: engines[query]


def _further(state: CaseState) -> set[Query]:
    """What further rounds ask."""
    topic = state.plan.topic if state.plan else ""
    return {query for asked in more_asked(state) for query in queries_for(asked, topic)}


async def relevance_of(
    topic: str, hits: list[Hit], services: Services
) -> tuple[dict[str, float] | None, OutageNote | None]:
    """What a reranker other than the local one says of all leads, in one call; None where none answers."""
    if services.reranker is None or not hits:
        return None, None
    ask = services.reranker
    leads = rank_hits(hits, topic=topic, rate=services.rater.publisher)
    (result,) = await services.side_by_side([("rerank", lambda: ask(topic, [text_of(lead) for lead in leads]))])
    if result is None:
        return None, None
    if result.outage is not None:
        return None, await services.outage("reranker", result.outage.engine, result.outage, Stage.SOURCES)
    # A replay of a case that asked no reranker is answered by the local one, which ranking has built in.
    return (None if result.by == LOCAL else reranked(leads, result.scores)), None


def _leads(
    state: CaseState,
    hits: list[Hit],
    asked: dict[str, list[str]],
    relevance: dict[str, float] | None,
    services: Services,
) -> list[Lead]:
    """The user's own pages first, then the hits by worth."""
    assert state.plan is not None
    ranking = rank_hits(hits, topic=_topic_words(state), rate=services.rater.publisher, relevance=relevance)
    known = {comparison_key(hit.url): each.hits for each in ranking for hit in each.hits}
    # What engines know of a page that the user named (a retraction, a date) is known of it all the same.
    leads = [Lead(url, known.get(comparison_key(url), ()), user_provided=True) for url in state.brief.urls]
    taken = {lead.key for lead in leads}
    for each in ranking:
        key = comparison_key(each.hit.url)
        if key not in taken:
            taken.add(key)
            leads.append(Lead(each.hit.url, each.hits, tuple(dict.fromkeys(asked.get(key, []))), ranked=each))
    return leads


def _topic_words(state: CaseState) -> str:
    assert state.plan is not None
    return " ".join((state.plan.topic, state.brief.text))


async def _read_best(
    leads: list[Lead], limit: int, state: CaseState, progress: _Progress, services: Services
) -> list[PageRead | ReadSource]:
    """Read leads in order until enough of them are sources, a batch at a time: what is missing is made up from the
    next best."""
    results: list[PageRead | ReadSource] = []
    position = 0
    good = 0
    while position < len(leads) and good < limit and not services.cut.is_too_late(f"read from {position}"):
        batch = leads[position : position + (limit - good)]
        position += len(batch)
        total = min(limit, len(leads))
        done = await services.side_by_side(
            [(f"read {lead.url}", partial(_read_one, lead, total, state, progress, services)) for lead in batch]
        )
        results += [item for item in done if item is not None]
        good = sum(isinstance(item, ReadSource) and not item.source.excluded for item in results)
    return results


async def _read_one(
    lead: Lead, total: int, state: CaseState, progress: _Progress, services: Services
) -> PageRead | ReadSource:
    page = await progress.page(lead)
    if page.document is None:
        for note in page.outages:
            await left_out(lead.url, note.why, services, Stage.SOURCES)
        return PageRead(lead, outages=page.outages)
    assert state.plan is not None
    page = await sifted(PageRead(lead, page.snapshot, page.document), services, Stage.SOURCES)
    if page.document is None:
        return page
    excluded = source_of(page, SourceReading(summary="", key_claims=()), state.brief.as_of, services).excluded
    reading = SourceReading(summary="", key_claims=(), relevance=0.0)
    outages: tuple[OutageNote, ...] = ()
    if not excluded:
        topic, document = state.plan.topic, page.document
        reading, outages = await services.answered(
            lambda analyst: analyst.read(state.brief, topic, document), Stage.SOURCES
        )
    if not excluded and not lead.user_provided and reading.relevance < MINIMUM_RELEVANCE:
        await left_out(lead.url, "it has little to do with the brief", services, Stage.SOURCES)
        return page
    source = source_of(page, reading, state.brief.as_of, services)
    progress.said += 1
    await _say_source(source, progress.said, max(total, progress.said), services)
    return ReadSource(page, source, reading, (*page.outages, *outages))


async def _say_source(source: Source, number: int, total: int, services: Services) -> None:
    finding = source.key_claims[0] if source.key_claims else source.excluded or source.summary
    await services.events.emit(
        EventType.SOURCE_FOUND,
        f"Analysing source {number}/{total}: {source.title}",
        stage=Stage.SOURCES,
        url=source.url,
        title=source.title,
        domain=source.domain,
        stars=source.rating.stars,
        tier=source.rating.tier,
        key_finding=shorten(finding, 300),
        summary=source.summary,
        user_provided=source.user_provided,
        excluded=source.excluded,
        number=number,
    )


async def _say_tally(sources: tuple[Source, ...], services: Services) -> None:
    high = sum(source.rating.stars >= 4 for source in sources)
    low = sum(source.rating.stars <= 2 for source in sources)
    apart = len(independent(sources))
    await services.events.emit(
        EventType.STAGE_FINISHED,
        f"{'The one source' if len(sources) == 1 else f'All {len(sources)} sources'} analysed, "
        f"{apart} independent of one another: "
        f"{high} of high credibility, {len(sources) - high - low} of medium, "
        f"{low} of low",
        stage=Stage.SOURCES,
        marker="PROGRESS",
        sources=len(sources),
        independent=apart,
        high=high,
        low=low,
    )


def _numbered(
    kept: list[ReadSource],
) -> tuple[tuple[Source, ...], dict[str, SourceReading], dict[str, Document]]:
    """Ids in order of worth, one source per snapshot and address; and by id what each says, and its text."""
    seen: set[str] = set()
    sources: list[Source] = []
    readings: dict[str, SourceReading] = {}
    documents: dict[str, Document] = {}
    for item in kept:
        keys = {item.source.snapshot, comparison_key(item.source.url)}
        if keys & seen:
            continue
        seen |= keys
        source = item.source.model_copy(update={"id": f"S{len(sources) + 1}"})
        sources.append(source)
        readings[source.id] = item.reading
        if item.page.document:
            documents[source.id] = item.page.document
    return tuple(sources), readings, documents


def _reviews(hits: list[Hit], sources: tuple[Source, ...], documents: dict[str, Document]) -> tuple[EarlierCheck, ...]:
    """Checks of claims that engines gave, and that the sources' pages declare themselves to be."""
    return (
        *reviews_of_hits(hits),
        *(check for s in sources if s.id in documents for check in reviews_of_page(documents[s.id])),
    )


def each_once(outages: list[OutageNote]) -> list[OutageNote]:
    """The same trouble once."""
    return list(new_outages(outages, ()))


def departures_of(outages: list[OutageNote], in_place: dict[str, str]) -> list[str]:
    """One line for each engine that did not answer every query. `in_place`: as `AskedAll` has it."""
    engines = dict.fromkeys(note.where for note in outages if note.what == "engine")
    silent = "The engine {} was in the plan and did not answer every query."
    return [in_place.get(name) or silent.format(name) for name in engines]
