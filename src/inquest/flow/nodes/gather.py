"""Gather sources: run all searches at once, read the best pages, and summarise each.

The pages are chosen over all answers, in the order of the plan, and so are the same on every replay. The first hits of
each answer are fetched before that choice, so that pages do not wait for the slowest engine.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from inquest.claims.plan_queries import likely_kinds
from inquest.domain.event import EventType, Stage
from inquest.domain.reasons import Reason, in_words
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.planned import MORE_SOURCES, more_asked, queries_for, search_limits
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta, departed, new_outages
from inquest.kit.analyst import SourceReading
from inquest.kit.reranker import LOCAL
from inquest.retrieval.answers import AskedAll, Search
from inquest.retrieval.failover import departures
from inquest.retrieval.reading import Lead, PageRead, ReadSource, engines_for_links, leads_of, left_out, source_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.sources.ranking import rank_hits, reranked, text_of
from inquest.stories.stories import assign_stories, independent
from inquest.text.phrases import listed
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import reviews_of

AHEAD = 2
"""Hits of each answer that are fetched before the choice."""
MINIMUM_RELEVANCE = 0.15
"""A less relevant page is left out."""
_INSTEAD = 5
"""Pages read at once in place of those left out: one by one, ten would take ten answers of a model in turn, two minutes
and more."""
_ASIDE = frozenset((EngineKind.SOCIAL, EngineKind.ARCHIVE))
"""For a topic, other nodes ask these for posts and captures: neither is a page to read as a source."""
_SPECIAL = frozenset((EngineKind.ARCHIVE, EngineKind.FACT_CHECK, EngineKind.REGISTRY))


async def gather(state: CaseState, services: Services) -> Delta:
    """Gather sources with their summaries and key claims, the best for the brief first."""

    def ahead(hits: list[Hit]) -> None:
        for hit in hits[:AHEAD]:
            retriever.fetch(Lead(hit.url, (hit,)))

    rules = SearchRules(Stage.SOURCES, links_by=engines_for_links(state.planned.engines, services), answered=ahead)
    retriever = Retriever(searches(state, services), rules, services)
    try:
        asked = await retriever.ask_all()
        further = _further(state)
        hits = [hit for each in asked.attempts if each.query not in further for hit in each.hits]
        more = [hit for each in asked.attempts if each.query in further for hit in each.hits]
        relevance, outage = await relevance_of(_topic_words(state), [*hits, *more], services)
        outages = [*asked.outages, *([outage] if outage else [])]
        leads = _leads(state, hits, asked, relevance, services)
        limit = state.brief.mode.settings.source_limit
        read = await _read_best(leads, limit, state, retriever, services)
        if more:  # pages of earlier rounds are read again
            known = {item.lead.key if isinstance(item, PageRead) else item.page.lead.key for item in read}
            leads = [each for each in _leads(state, more, asked, relevance, services) if each.key not in known]
            most = MORE_SOURCES * len(more_asked(state))
            read += await _read_best(leads, most, state, retriever, services)
    finally:
        await retriever.close()
    for item in read:
        outages += item.outages
    kept = _numbered([item for item in read if isinstance(item, ReadSource)])
    sources = tuple(item.source for item in kept)
    documents = {item.source.id: item.page.document for item in kept if item.page.document}
    with_stories = await asyncio.to_thread(assign_stories, sources, documents)
    from_plan = await report_departures(outages, asked, services)
    delta: Delta = {
        "sources": sources,
        "readings": {item.source.id: item.reading for item in kept},
        "reviews": reviews_of(hits, documents.values()),
        "outages": new_outages(outages, ()),
        **from_plan,
    }
    if not sources:
        return delta | await services.skipped(_none_found(asked, services), Stage.SOURCES, "NO_SOURCES_FOUND")
    high = sum(source.rating.stars >= 4 for source in with_stories)
    low = sum(source.rating.stars <= 2 for source in with_stories)
    apart = len(independent(with_stories))
    every = "The one source" if len(with_stories) == 1 else f"All {len(with_stories)} sources"
    text = f"{every} analysed, {apart} independent of one another: {high} of high credibility, "
    text += f"{len(with_stories) - high - low} of medium, {low} of low"
    counts = {"sources": len(sources), "independent": apart, "high": high, "low": low}
    await services.progress(Stage.SOURCES, text, EventType.STAGE_FINISHED, **counts)
    return delta


def _none_found(asked: AskedAll, services: Services) -> str:
    """State that there is no source, and which engines could not be queried."""
    names = dict.fromkeys(note.where for note in asked.outages if note.what == "engine")
    out = services.titles(names)
    if not out:
        return "No source was found."
    if not any(each.answered for each in asked.attempts):
        return f"No search was possible: {listed(out)} could not be queried."
    return f"No source was found, and {listed(out)} could not be queried."


def fitting(query: Query, state: CaseState, services: Services) -> list[str]:
    """Return the engines of the plan that suit the query, in order of preference. For a topic never a social network: a
    post read as a page would be evidence. A query without kinds goes to the likeliest engines, or else to all that
    accept words."""
    by_name = {engine.name: engine for engine in services.engines}
    planned = [by_name[name] for name in state.planned.engines if name in by_name]
    of_plan = [each for each in planned if not (state.brief.topic and set(each.kinds) <= _ASIDE)]
    alone = len(state.planned.engines) == 1
    wanted = set(query.kinds)
    if not wanted:
        likely = set(likely_kinds(f"{query.text} {query.purpose}"))
        wanted = likely if any(likely & set(each.kinds) for each in of_plan) else set(EngineKind) - _SPECIAL
    # A query without kinds goes to engines that the user named too, but archives know only addresses, checkers claims.
    return [
        each.name
        for each in of_plan
        if {EngineKind.OWN, *wanted} & set(each.kinds)
        or (each.asked_for and (alone or not (query.kinds or set(each.kinds) <= _SPECIAL)))
    ]


def searches(state: CaseState, services: Services) -> list[Search]:
    """Return the searches of the plan: each query with its engines, near-identical queries once."""
    aside = [
        query for query in state.planned.queries if state.brief.topic and query.kinds and set(query.kinds) <= _ASIDE
    ]
    fits = partial(fitting, state=state, services=services)
    further, found = _further(state), dict[Query, list[Search]]()
    # Each round has its own limits: the queries of a further one do not displace the earlier ones.
    for is_further in (False, True):
        asked = [each for each in state.planned.queries if each not in aside and (each in further) is is_further]
        questions = questions_on([(query, query.purpose or query.text) for query in asked], fits)
        about = {claim_id for question in questions for claim_id in question.claim_ids}
        plan = plan_searches(questions, services.engines, search_limits(state.brief, "gather", len(about)))
        for each, names in zip(questions, plan.engines, strict=True):
            found.setdefault(each.query, [Search(name, each.query) for name in names])
    return [search for each in found.values() for search in each]


def _further(state: CaseState) -> set[Query]:
    """Return the queries of further rounds."""
    return {query for asked in more_asked(state) for query in queries_for(asked, state.planned.topic)}


async def relevance_of(
    topic: str, hits: list[Hit], services: Services
) -> tuple[dict[str, float] | None, OutageNote | None]:
    """Score all leads by a reranker other than the local one, in one call; None if none is set or it fails."""
    if services.reranker is None or not hits:
        return None, None
    leads = rank_hits(hits, topic=topic, rate=services.rater.publisher)
    texts = [text_of(lead.hit, lead.hits) for lead in leads]
    (result,) = await services.side_by_side([("rerank", partial(services.reranker, topic, texts))])
    if result is None:
        return None, None
    if result.outage is not None:
        return None, await services.outage("reranker", result.outage.who, result.outage, Stage.SOURCES)
    # A replay of a case that asked no reranker is answered by the local one built into ranking.
    return (None if result.by == LOCAL else reranked(leads, result.scores)), None


def found_with(asked: AskedAll) -> dict[str, tuple[str, ...]]:
    """Return the queries that led to each page, by its comparison key."""
    queries: dict[str, dict[str, None]] = {}
    for each in asked.attempts:
        for hit in each.hits:
            queries.setdefault(comparison_key(hit.url), {})[each.query.text] = None
    return {key: tuple(texts) for key, texts in queries.items()}


def _leads(
    state: CaseState, hits: Sequence[Hit], asked: AskedAll, relevance: dict[str, float] | None, services: Services
) -> list[Lead]:
    """Return the pages that the user named, then the hits by rank."""
    ranking = rank_hits(hits, topic=_topic_words(state), rate=services.rater.publisher, relevance=relevance)
    known = {comparison_key(hit.url): each.hits for each in ranking for hit in each.hits}
    # Data of engines on a page that the user named (a retraction, a date) are kept.
    given = [Lead(url, known.get(comparison_key(url), ()), user_provided=True) for url in state.brief.urls]
    queries = found_with(asked)
    found = leads_of(ranking, seen={lead.key for lead in given})
    return [*given, *(replace(lead, queries=queries.get(lead.key, ())) for lead in found)]


def _topic_words(state: CaseState) -> str:
    return " ".join((state.planned.topic, state.brief.text))


async def _read_best(
    leads: list[Lead], limit: int, state: CaseState, retriever: Retriever, services: Services
) -> list[PageRead | ReadSource]:
    """Read leads in order, a batch at a time, until `limit` of them are sources, or a whole batch is read in place of
    pages that were not and all of it is left out: those behind it rank lower still."""
    total, numbers = min(limit, len(leads)), itertools.count(1)

    async def report(source: Source) -> None:
        number = next(numbers)
        finding = source.key_claims[0] if source.key_claims else source.excluded or source.summary
        text = f"Analysing source {number}/{max(total, number)}: {source.title}"
        await report_source(source, text, shorten(finding, 300), number, services)

    results: list[PageRead | ReadSource] = []
    position = good = 0
    while position < len(leads) and good < limit and not services.cut.is_too_late(f"read from {position}"):
        batch = leads[position : position + max(limit - good, min(limit, _INSTEAD))]
        position += len(batch)
        done = await services.side_by_side(
            [(f"read {lead.url}", partial(_read_one, lead, state, retriever, report, services)) for lead in batch]
        )
        results += [item for item in done if item is not None]
        good = sum(isinstance(item, ReadSource) and not item.source.excluded for item in results)
        irrelevant = [item for item in done if isinstance(item, PageRead) and item.document is not None]
        if position > limit and len(irrelevant) == len(batch) >= _INSTEAD:
            break
    return results


async def _read_one(
    lead: Lead, state: CaseState, retriever: Retriever, report: Callable[[Source], Awaitable[None]], services: Services
) -> PageRead | ReadSource:
    item = await read_source(lead, state, retriever, services)
    if isinstance(item, PageRead):
        return item
    counts = lead.user_provided or item.source.excluded
    if not counts and item.reading.relevance < MINIMUM_RELEVANCE:
        await left_out(lead.url, "it has little to do with the brief", services, Stage.SOURCES)
        return item.page
    await report(item.source)
    return item


async def read_source(lead: Lead, state: CaseState, retriever: Retriever, services: Services) -> PageRead | ReadSource:
    """Read a page and make a source of it, summarised by the analyst unless it is excluded as evidence; the page alone
    if it has no document."""
    page = await retriever.page(lead)
    if page.document is None:
        return page
    topic, document, outages = state.planned.topic, page.document, page.outages
    reading = SourceReading(summary="", key_claims=(), relevance=0.0)
    source = source_of(page, reading, state.brief.as_of, services, state.planned.meant)
    if not source.excluded:
        reading, more = await services.answered(
            lambda analyst: analyst.read(state.brief, topic, document), Stage.SOURCES
        )
        source = source_of(page, reading, state.brief.as_of, services, state.planned.meant)
        outages += more
    return ReadSource(page, source, reading, outages)


async def report_source(source: Source, text: str, finding: str, number: int, services: Services) -> None:
    """Emit the event of a source that was read. `finding`: its most important statement."""
    await services.events.emit(
        EventType.SOURCE_FOUND,
        text,
        stage=Stage.SOURCES,
        url=source.url,
        title=source.title,
        domain=source.domain,
        stars=source.rating.stars,
        tier=source.rating.tier,
        key_finding=finding,
        summary=source.summary,
        user_provided=source.user_provided,
        excluded=source.excluded,
        number=number,
    )


def _numbered(kept: list[ReadSource]) -> list[ReadSource]:
    """Number the sources, one per snapshot and address."""
    seen: set[str] = set()
    found: list[ReadSource] = []
    for item in kept:
        keys = {item.source.snapshot, comparison_key(item.source.url)}
        if not keys & seen:
            source = item.source.model_copy(update={"id": f"S{len(found) + 1}"})
            found.append(replace(item, source=source))
            seen |= keys
    return found


async def report_departures(outages: list[OutageNote], asked: AskedAll, services: Services) -> Delta:
    """Report the engines that did not answer every query; return all departures, with queries that were added."""
    answered = {each.engine for each in asked.attempts if each.answered}
    by_engines = departures(asked.failed, answered, services.titles)
    named = {name for names in by_engines for name in names}
    rest = list(dict.fromkeys(note.where for note in outages if note.what == "engine" and note.where not in named))
    lines = list(by_engines.values())
    if rest:
        lines.append(Reason(code="routing.partly_answered", data={"engines": services.titles(rest)}))
    for line in lines:
        await services.events.emit(EventType.DEPARTURE, in_words(line), stage=Stage.SOURCES)
    queries = {in_words(query): query for each in asked.attempts for query in each.added}
    return departed((*lines, *queries.values()))
