"""The nodes that only a topic has: reports that sources credit and no engine found, social posts, the result of the
investigation, and the summary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from inquest.desks.inquiry.writing import note, others_in_table
from inquest.desks.verification.investigation_result import (
    LEVEL_HEADING,
    TopicMaterial,
    investigation_result,
    level_reasons,
)
from inquest.desks.verification.origin_report import story_path
from inquest.desks.verification.topic_claims import beside_the_topic, main_claims, near_first
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.investigation import SoughtReport
from inquest.domain.report import OutageNote, Section, Summary
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.domain.topic import Topic
from inquest.domain.value import firsts, grouped
from inquest.flow.nodes.gather import read_source, report_source
from inquest.flow.nodes.write import report_event, write
from inquest.flow.planned import search_limits
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta, new_outages
from inquest.retrieval.answers import Search
from inquest.retrieval.reading import Lead, ReadSource, search
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.sources.publisher_names import name_key, names_of
from inquest.stories.crediting import Credit, article_of, credits_among, lines_of_sources
from inquest.text.phrases import capitalised, count, listed
from inquest.text.urls import comparison_key, registrable_domain

_HOPS = 3
"""Credits are followed this far from the sources that engines found."""
_PAGES = 6
"""Pages read for credits in one case."""
_ENGINES = 2
"""Engines that are asked for the report of a publisher."""
_KINDS = frozenset((EngineKind.NEWS, EngineKind.WEB))


async def trace(state: CaseState, services: Services) -> Delta:
    """Add credited reports to the sources, and record each search; not in a case on the user's own documents."""
    kinds = {each.name: set(each.kinds) for each in services.engines}
    if all(kinds.get(name) == {EngineKind.OWN} for name in state.planned.engines):
        return {"sought": ()}
    sources, readings = list(state.sources), dict(state.readings)
    sought: dict[str, SoughtReport] = {}
    outages: list[OutageNote] = []
    retriever = Retriever((), SearchRules(Stage.SOURCES), services)
    for hop in range(_HOPS):
        credits = _wanted(sources, await texts_of(sources, services), state.brief.topic)
        wanted = [credit for credit in credits if _key(credit) not in sought][: _PAGES - len(sought)]
        if not wanted:
            break
        taken = {comparison_key(each.url) for each in sources}
        work = [partial(_sought, each, taken, state, retriever, services) for each in wanted]
        found = await services.side_by_side([(f"trace {hop}.{n}", each) for n, each in enumerate(work)])
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
    await retriever.close()
    return {
        "sources": tuple(sources),
        "readings": readings,
        "sought": tuple(sought.values()),
        "outages": new_outages(outages, ()),
    }


def _wanted(sources: Sequence[Source], documents: dict[str, Document], topic: Topic | None) -> list[Credit]:
    """Return one credit of a page on the topic to each report that is not among the sources, most credited first."""
    beside = beside_the_topic(topic, {each.id: each for each in sources}, documents) if topic else ()
    read = [each for each in sources if each.id in documents and each.id not in beside]
    articles = [article_of(each, documents[each.id]) for each in read]
    named = grouped((_key(credit), credit) for credit in credits_among(articles).outside.values())
    ranked = sorted(named.values(), key=lambda same: (-len(same), not any(each.url for each in same)))
    credits = [next((each for each in same if each.url), same[0]) for same in ranked]
    return [*credits, *lines_of_sources(articles)]


def _key(credit: Credit) -> str:
    return comparison_key(credit.url) if credit.url else credit.name


async def _sought(
    credit: Credit, taken: set[str], state: CaseState, retriever: Retriever, services: Services
) -> tuple[SoughtReport, ReadSource | None, list[OutageNote]]:
    """Find a report at its link (archives are asked if the page is gone), or else by the name of its publisher."""
    if credit.url:
        item = await read_source(Lead(credit.url), state, retriever, services)
        read = item if isinstance(item, ReadSource) else None
        why = "" if read else next((note.why for note in item.outages), "the page has no text to read")
        return SoughtReport(name=credit.name, url=credit.url, why=why), read, [*item.outages]
    query = Query(
        text=f"{credit.name} {state.planned.topic}", kinds=tuple(sorted(_KINDS)), purpose=f"The report of {credit.name}"
    )
    ready = [each.name for each in services.engines if each.lacks is None and _KINDS & set(each.kinds)]
    asked = [name for name in state.planned.engines if name in ready][:_ENGINES]
    outages = []
    unread: Hit | None = None
    for engine in asked:
        hits, outage, _ = await search(engine, query, services, Stage.SOURCES)
        outages += [outage] if outage else []
        for hit in hits:
            names = names_of(hit.publisher, registrable_domain(hit.url))
            if name_key(credit.name) in names and comparison_key(hit.url) not in taken:
                item = await read_source(Lead(hit.url, (hit,)), state, retriever, services)
                outages += item.outages
                if isinstance(item, ReadSource):
                    return SoughtReport(name=credit.name, url=hit.url), item, outages
                unread = unread or hit
    why = "; ".join(f"{note.where}: {note.why}" for note in outages)
    why = why or f"{', '.join(asked)} found no page from that publisher"
    report = SoughtReport(name=credit.name, why=why if asked else "no engine could be queried")
    if unread is not None:
        report = report.model_copy(update={"url": unread.url, "published": unread.published})
    return report, None, outages


async def investigation(state: CaseState, services: Services) -> Delta:
    """Conclude the investigation from the results of the case."""
    topic = state.brief.topic
    assert topic is not None
    asked = state.planned.engines
    known = [engine for engine in services.engines if EngineKind.SOCIAL in engine.kinds]
    failed = {note.where: note.why for note in state.outages if note.what == "engine"}
    gave = {hit.engine for hit in state.posts}
    silent = {engine.name: engine.lacks for engine in known if engine.lacks}
    silent |= {e.name: failed[e.name] for e in known if e.name in failed and e.name not in gave and e.name in asked}
    gathered = TopicMaterial(
        now=services.now(state.brief.as_of),
        sources={source.id: source for source in state.sources},
        documents=await texts_of(state.sources, services),
        claims=state.claims,
        findings=state.findings,
        assessments=state.assessments,
        hits=state.posts,
        sought=state.sought,
        networks=[engine.name for engine in known if engine.name in asked and engine.name not in silent],
        no_networks=silent,
        sees_days={each.name: each.sees_days for each in services.engines if each.sees_days},
        # A service counts once, however often it failed.
        outages=len({(note.what, note.where) for note in state.missing}),
    )
    result = investigation_result(topic, gathered)
    level = result.recommended_verification_level.value
    before = result.upgrade.before.value
    await services.events.emit(
        EventType.TOPIC_INVESTIGATED,
        f"{before} -> {level}" if result.verification_upgraded else f"The level stays {level}.",
        stage=Stage.JUDGE,
        level=level,
        before=before,
        confidence=result.confidence_level,
        requires_human_review=result.requires_human_review,
        review_reason=result.review_reason,
    )
    mains = main_claims(state.claims, topic, state.findings)
    path = story_path(mains, state.findings, gathered.sources, result.origin) if result.origin else ()
    for each in path:
        await report_event(each, services)
    return {"investigation": result, "timeline": path}


async def social(state: CaseState, services: Services) -> Delta:
    """Search all ready networks for posts; return each post once."""
    networks = [name for name in services.asks(EngineKind.SOCIAL) if name in state.planned.engines]
    queries = [query for query in state.planned.queries if EngineKind.SOCIAL in query.kinds]
    engines = [engine for engine in services.engines if engine.name in networks]
    questions = questions_on([(query, "posts") for query in queries], lambda query: networks)
    plan = plan_searches(questions, engines, search_limits(state.brief, "posts", 1))
    work = [
        Search(name, each.query.model_copy(update={"until": state.brief.as_of or each.query.until}))
        for each, names in zip(questions, plan.engines, strict=True)
        for name in names
    ]
    # A network has only its own posts: none can replace another.
    retriever = Retriever(work, SearchRules(Stage.SOURCES, verb="posts of", suited=lambda query: ()), services)
    try:
        asked = await retriever.ask_all()
    finally:
        await retriever.close()
    found = [hit for each in asked.attempts for hit in each.hits if hit.post is not None]
    posts = firsts((comparison_key(hit.url), hit) for hit in found)
    if work:
        out = list(dict.fromkeys(each.engine for each in asked.attempts if not each.answered))
        answered = len({each.engine for each in work} - set(out))
        text = f"{capitalised(count(len(posts), 'post'))} found on {count(answered, 'network')}" if answered else ""
        silent = f"{listed(out)} could not be queried" if out else ""
        text = f"{'; '.join(filter(None, (text, silent)))}."
        await services.progress(Stage.SOURCES, text, EventType.STAGE_FINISHED, posts=len(posts))
    return {"posts": tuple(posts.values()), "outages": new_outages(asked.outages, ())}


MOST_SUMMARISED = 7
"""Claims in the summary of a topic; the table of verdicts has all."""


async def write_topic(state: CaseState, services: Services) -> Delta:
    """Write the summary, the verification level first, even if nothing was found. It has the main claims and those
    nearest to the topic only."""
    result, topic = state.investigation, state.brief.topic
    assert result is not None and topic is not None
    mains = main_claims(state.claims, topic, state.findings)
    rest = near_first([claim for claim in state.claims if claim not in mains], topic)
    claims = (*mains, *rest)[:MOST_SUMMARISED]
    places = {claim.id: place for place, claim in enumerate(claims)}
    assessments = tuple(sorted(state.assessments, key=lambda each: places.get(each.claim_id, len(places))))
    # The questions of a topic's plan are tasks of the desk: no page answers 'Do dates and numbers agree?'.
    plan = state.planned.model_copy(update={"questions": (), "question_codes": ()})
    summarised = state.model_copy(update={"claims": claims, "assessments": assessments, "plan": plan})
    delta = await write(summarised, services)
    reasons = level_reasons(result)
    statements = (*map(note, reasons), *others_in_table(len(state.claims) - len(mains)))
    about = Section(heading=LEVEL_HEADING, statements=statements)
    written: Summary = delta.get("summary") or Summary(title=topic.title, sections=())
    summary = Summary(title=written.title, sections=(about, *written.sections), dropped=written.dropped)
    return delta | {"summary": summary}
