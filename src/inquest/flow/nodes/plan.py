"""Plan an inquiry or a topic: read the pages that the user named, choose engines, and draft questions and queries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from inquest.claims.meant import meant_in, times_in
from inquest.desks.inquiry.brief_claims import with_brief
from inquest.desks.inquiry.planning import kinds_left_out, other_topic, with_own
from inquest.desks.verification.topic_queries import topic_queries
from inquest.domain.document import Document
from inquest.domain.errors import Outage
from inquest.domain.event import Stage
from inquest.domain.plan import AnalysedUrl, Decision, Mode
from inquest.domain.reasons import Reason, sentences
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Query
from inquest.flow.nodes.vet import AGES, CAPTURES, MOST, capture_engine
from inquest.flow.planned import CLAIMS_DETAILED, further_draft, last_notes, made_plan, registry_notes
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import language_notes, queries_in
from inquest.text.phrases import capitalised
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key, registrable_domain, shown_address

CHECK_QUERIES = 2
"""Further queries per claim when it is checked; the plan announces them, so they do not count as departures."""
_NEAR_AN_ADDRESS = 10
"""Documents, found by the words of an address, among which that of the address is searched."""


async def plan(state: CaseState, services: Services) -> Delta:
    """Plan the brief, or revise the plan as the user asked. Nothing is searched yet."""
    brief = state.brief
    outages: list[OutageNote] = []
    before = state.plan
    if before is None:
        analysed, outages = await named_pages(state, services)
    else:
        analysed = before.user_sources
    left_out = kinds_left_out(each.text for each in state.approvals if each.decision is Decision.REVISE)
    ready = [engine for engine in services.ready if set(engine.kinds) - left_out]
    last = state.approvals[-1] if state.approvals else None
    change = last.text if last and last.decision is Decision.REVISE else ""
    missing: Sequence[OutageNote] = ()
    if before is not None and last is not None and last.about:
        draft = further_draft(before, last)
    else:
        draft, missing = await services.judged(
            f"plan {before.revision + 1 if before else 1}",
            lambda analyst: analyst.plan(brief, analysed, kinds_of(ready), change=change, before=before),
            Stage.PLAN,
        )
        outages += missing
    anew: Delta = {}
    if draft.other_topic and before is not None:
        # The brief is replaced; the pages named for the earlier one do not belong to the new topic.
        was, brief = before.topic, brief.model_copy(update={"text": other_topic(change) or change, "urls": ()})
        draft, missing = await services.judged(
            f"plan {before.revision + 1} anew", lambda analyst: analyst.plan(brief, (), kinds_of(ready)), Stage.PLAN
        )
        outages += missing
        draft = draft.model_copy(update={"notes": (f"The topic is new; it was previously: {was}", *draft.notes)})
        state, before, analysed = state.model_copy(update={"brief": brief}), None, ()
        anew = {"brief": brief}
    if before is None:
        draft = with_brief(draft, brief.text)
    else:
        draft = draft.model_copy(update={"stated": draft.stated or before.stated})
        draft = with_own(draft, before, change, brief.text) if change else draft
    wanted = {kind for query in draft.queries for kind in query.kinds}
    # Fact checkers are asked once there are claims, whatever kinds the queries have.
    always = {EngineKind.OWN, EngineKind.FACT_CHECK}
    chosen = [e for e in ready if e.asked_for or not wanted or wanted & set(e.kinds) or always & set(e.kinds)]
    made = made_plan(
        state,
        chosen,
        services,
        topic=draft.topic,
        questions=draft.questions,
        queries=queries_in(brief.languages, draft.queries),
        stated=draft.stated,
        meant=draft.meant or meant_in(brief.text if anew else f"{brief.text}\n{change}"),
        times=times_in(brief.text),
        source_kinds=draft.source_kinds,
        user_sources=analysed,
        notes=(
            *(f"Planned by rules: {each.why}" for each in missing),
            *draft.notes,
            *plan_notes(chosen, state, services),
        ),
    )
    return {"plan": made, "outages": tuple(outages), **anew}


async def named_pages(state: CaseState, services: Services) -> tuple[tuple[AnalysedUrl, ...], list[OutageNote]]:
    """Read and rate the pages that the user named."""
    read = await services.side_by_side(
        [(f"analyse {url}", partial(_analyse, url, state, services)) for url in state.brief.urls]
    )
    return tuple(item[0] for item in read if item), [item[1] for item in read if item and item[1]]


async def _analyse(url: str, state: CaseState, services: Services) -> tuple[AnalysedUrl, OutageNote | None]:
    rating = services.rater.publisher(url)
    await services.progress(Stage.PLAN, f"Reading {shown_address(url)}")
    named = [engine for engine in services.engines if engine.name in state.brief.engines]
    only_own = bool(named) and all(set(engine.kinds) == {EngineKind.OWN} for engine in named)
    kept = await _in_collections(url, state, services) if only_own else None
    try:
        document = kept or (await services.pages.read(url))[1]
    except Outage as error:
        kept = await _in_collections(url, state, services)
        if kept is None:
            note = await services.outage("page", url, error, Stage.PLAN)
            return AnalysedUrl(url=url, domain=registrable_domain(url), why_not=note.why), note
        document = kept
    reading, _ = await services.judged(
        f"read {url} before the plan", lambda analyst: analyst.read(state.brief, state.brief.text, document), Stage.PLAN
    )
    return AnalysedUrl(
        url=url,
        title=document.title or url,
        domain=rating.domain,
        stars=rating.stars,
        summary=shorten(reading.summary, 500),
        snapshot=document.snapshot,
    ), None


async def _in_collections(url: str, state: CaseState, services: Services) -> Document | None:
    """Return the page from a collection of the user that has it under the same address."""
    if not state.brief.collections:
        return None
    query, key = Query(text=url, purpose="The page in your own documents", limit=_NEAR_AN_ADDRESS), comparison_key(url)
    for engine in services.asks(EngineKind.OWN):
        try:
            hits = await services.searcher.search(engine, query)
            hit = next((each for each in hits if each.snapshot and comparison_key(each.url) == key), None)
            if hit is not None:
                return (await services.pages.read(url, hit=hit))[1]
        except Outage:
            continue  # the caller reports that the page could not be read
    return None


def kinds_of(engines: Sequence[EngineChoice]) -> list[EngineKind]:
    """Return the kinds of these engines, each once."""
    return list(dict.fromkeys(kind for engine in engines for kind in engine.kinds))


def plan_notes(chosen: Sequence[EngineChoice], state: CaseState, services: Services) -> tuple[str, ...]:
    """Note what the user should know before approving."""
    notes = [f"Each claim is then searched for with up to {CHECK_QUERIES} further queries on the same engines."]
    own = [engine for engine in chosen if EngineKind.OWN in engine.kinds]
    if not chosen and state.brief.urls:
        notes.insert(0, "Only the pages you named can be read.")
    elif chosen and len(own) == len(chosen):
        names = ", ".join(state.brief.collections)
        notes.insert(0, f"Only your own documents will be searched (collection {names}); nothing leaves this machine.")
    if checkers := [engine.title or engine.name for engine in chosen if EngineKind.FACT_CHECK in engine.kinds]:
        notes.append(f"{', '.join(checkers)}: queried to see whether anyone has already checked each claim.")
    notes += [
        f"{each.title or each.name} covers only the last {each.sees_days} days." for each in chosen if each.sees_days
    ]
    detailed = state.brief.mode is Mode.DETAILED
    notes += registry_notes(MOST if services.analyst is not services.local else AGES * detailed, chosen, services)
    if detailed and (archive := capture_engine(services)):
        title = next((each.title for each in chosen if each.name == archive and each.title), capitalised(archive))
        notes.append(
            f"{title} is queried for the first capture of up to {CAPTURES} sources: possible "
            "origins of a story, and those whose date is unknown."
        )
    notes += language_notes(state.brief.languages, chosen)
    limits = state.brief.mode.settings
    claims = limits.claim_limit or CLAIMS_DETAILED
    return (*notes, *last_notes(state.brief, claims, limits.source_limit, chosen, services))


_SETTLED = "The queries on a topic are set by rules: approve the plan, or change the topic."


async def plan_topic(state: CaseState, services: Services) -> Delta:
    """Plan by rule; a revision is noted and changes nothing."""
    topic, before = state.brief.topic, state.plan
    assert topic is not None
    pages, outages = await named_pages(state, services) if before is None else (before.user_sources, [])
    ready = services.ready
    now = services.now(state.brief.as_of)
    asked = topic_queries(topic, now, kinds=kinds_of(ready))
    wanted = {kind for each in asked for kind in each.query.kinds}
    always = {EngineKind.OWN, EngineKind.FACT_CHECK, EngineKind.ARCHIVE}
    chosen = [e for e in ready if e.asked_for or (wanted | always) & set(e.kinds)]
    queries = tuple(each.query for each in asked)
    if languages := state.brief.languages:  # in place of the language of the topic
        anyhow = (each.model_copy(update={"language": None}) for each in queries)
        queries = tuple(dict.fromkeys(queries_in(languages, anyhow)))
    strategies = dict.fromkeys(each.strategy for each in asked)
    codes = ("ask_confirmed", "ask_first", "ask_agree", "ask_known")
    questions = tuple(Reason(code=f"summary.{code}", data={"title": topic.title}) for code in codes)
    plan = made_plan(
        state,
        chosen,
        services,
        topic=topic.title,
        questions=sentences(questions),
        question_codes=questions,
        meant=meant_in(topic.title),
        times=times_in(topic.title),
        queries=queries,
        source_kinds=tuple(strategy.value for strategy in strategies),
        user_sources=pages,
        notes=(*((_SETTLED,) if before else ()), *plan_notes(chosen, state, services)),
    )
    return {"plan": plan, "outages": tuple(outages)}
