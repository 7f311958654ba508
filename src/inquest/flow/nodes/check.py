"""Check: for every claim at once, search for it, read what is new, and judge the passages that bear on it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import Coverage, EarlierCheck, OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.evidence import PASSAGES_PER_CLAIM, judged, passages_on
from inquest.flow.nodes.plan import CHECK_QUERIES
from inquest.flow.reading import Lead, PageRead, answer, further_leads, read_page, source_of
from inquest.flow.resolving import is_unresolved
from inquest.flow.services import Services
from inquest.flow.sifting import sifted
from inquest.flow.state import CaseState, Delta
from inquest.flow.time_limits import search_limits
from inquest.kit.analyst import Judgement, Passage, SourceReading
from inquest.retrieval.failover import asked_or_next
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.sources.ranking import rank_hits
from inquest.text.grounding import check_grounded
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import earlier_checks, reviews_of_hits, reviews_of_page

__all__ = ["check", "finding_of"]

PASSAGES_OF_TOPIC = 16
"""Passages of full size judged for a claim of a topic: a verification costs half a dollar at most (spec 001)."""
PAGES_PER_CLAIM = 3
"""New pages read for one claim."""


@dataclass(frozen=True)
class _Checked:
    claim: Claim
    new: tuple[PageRead, ...]
    judged: tuple[tuple[Passage, Judgement], ...]
    reviews: tuple[EarlierCheck, ...]
    outages: tuple[OutageNote, ...]
    coverage: Coverage


async def check(state: CaseState, services: Services) -> Delta:
    """Findings on every claim, and the sources that were found on the way."""
    if not state.claims:
        await services.events.emit(
            EventType.STAGE_FINISHED, "No claims to verify.", stage=Stage.FACT_CHECK, marker="NO_CLAIMS_TO_VERIFY"
        )
        topic = state.plan.topic if state.plan else ""
        return {"markers": ("NO_CLAIMS_TO_VERIFY",), "reviews": earlier_checks(state.reviews, (), topic=topic)}
    known = await _documents(state, services)
    pages: dict[str, asyncio.Task[PageRead]] = {}
    searches = _searches(state, services)
    try:
        checked = await services.side_by_side(
            [
                (
                    f"check {claim.id}",
                    partial(_check_one, claim, searches.get(claim.id, []), state, known, pages, services),
                )
                for claim in state.claims
            ]
        )
    finally:
        for task in pages.values():
            task.cancel()
        await asyncio.gather(*pages.values(), return_exceptions=True)
    done = [item for item in checked if item is not None]
    new = _new_sources(done, state, services)
    by_snapshot = {source.snapshot: source for source in reversed((*state.sources, *new))}
    findings: list[Finding] = []
    texts = known | {p.document.snapshot: p.document for item in done for p in item.new if p.document}
    for item in done:
        for passage, judgement in item.judged:
            source = by_snapshot.get(passage.snapshot)
            if source and not source.excluded and judgement.stance is not Stance.NEUTRAL:
                findings.append(finding_of(len(findings) + 1, item.claim, source, passage, judgement, texts))
    outages = [note for item in done for note in item.outages]
    if services.local.outage is not None:
        outages.append(
            await services.outage("model", services.local.local_model, services.local.outage, Stage.FACT_CHECK)
        )
    found = [check for item in done for check in item.reviews]
    found += [check for source in new for check in reviews_of_page(texts[source.snapshot])]
    assert state.plan is not None
    coverage = dict(state.coverage)
    for item in done:
        coverage[item.claim.id] = coverage.get(item.claim.id, Coverage()) + item.coverage
    return {
        "coverage": coverage,
        "reviews": earlier_checks((*state.reviews, *found), state.claims, topic=state.plan.topic),
        "sources": (*state.sources, *new),
        "findings": tuple(findings),
        "outages": tuple({(n.what, n.where, n.why): n for n in outages}.values()),
    }


async def _documents(state: CaseState, services: Services) -> dict[str, Document]:
    """The texts of the sources that count, by snapshot."""
    found = {}
    for source in state.sources:
        if not source.excluded:
            document = await services.archive.document(source.snapshot)
            if document:
                found[source.snapshot] = document
    return found


async def _check_one(
    claim: Claim,
    searches: Sequence[tuple[str, Query]],
    state: CaseState,
    known: dict[str, Document],
    pages: dict[str, asyncio.Task[PageRead]],
    services: Services,
) -> _Checked:
    number = state.claims.index(claim) + 1
    await services.progress(
        Stage.FACT_CHECK, f'Verifying claim {number}/{len(state.claims)}: "{shorten(claim.text, 120)}"'
    )
    hits, outages, coverage = await _search_for(searches, state, services)
    new = await _read_new(hits, claim, state, pages, services)
    for page in new:
        outages += page.outages
    texts = known | {page.document.snapshot: page.document for page in new if page.document}
    # What an inquiry has read was read for the matter of its claims, or for one of them.
    most = PASSAGES_OF_TOPIC if state.brief.topic is not None else PASSAGES_PER_CLAIM
    passages = passages_on(claim.text, texts, most, found_for_it=texts.keys())
    found, missing = await judged(claim.id, claim.text, passages, services, Stage.FACT_CHECK)
    outages += missing
    pairs = tuple(zip(passages, found, strict=True))
    coverage += Coverage(unread=sum(page.document is None and bool(page.outages) for page in new))
    read = tuple(page for page in new if page.document)
    return _Checked(claim, read, pairs, reviews_of_hits(hits), tuple(outages), coverage)


def _searches(state: CaseState, services: Services) -> dict[str, list[tuple[str, Query]]]:
    """By claim id, the searches for it: the claim's own queries, and who has checked it before. Planned for all claims
    together."""
    assert state.plan is not None
    limit, until = PAGES_PER_CLAIM * 2, state.brief.as_of
    engines = [engine for engine in services.engines if engine.name in state.plan.engines]
    queries: list[tuple[Query, str]] = []
    for claim in state.claims:
        who = f"Who has checked: {claim.text}"
        queries += [
            (Query(text=text, purpose=claim.text, until=until, limit=limit), claim.id)
            for text in claim.queries[:CHECK_QUERIES]
        ]
        checked = Query(text=claim.text, kinds=(EngineKind.FACT_CHECK,), purpose=who, until=until, limit=limit)
        queries.append((checked, claim.id))

    def suited(query: Query) -> list[str]:
        # Archives are asked for addresses; posts on a topic are gathered for themselves, and are no evidence.
        left_out = {EngineKind.ARCHIVE, *({EngineKind.SOCIAL} if state.brief.topic else ())}
        if EngineKind.FACT_CHECK in query.kinds:
            return [engine.name for engine in engines if EngineKind.FACT_CHECK in engine.kinds]
        return [engine.name for engine in engines if not {EngineKind.FACT_CHECK, *left_out} & set(engine.kinds)]

    questions = questions_on(queries, suited)
    plan = plan_searches(questions, engines, search_limits(state.brief, "check", len(state.claims)))
    searches: dict[str, list[tuple[str, Query]]] = {}
    for question, names in zip(questions, plan.engines, strict=True):
        for claim_id in question.claim_ids:
            searches.setdefault(claim_id, []).extend((name, question.query) for name in names)
    return searches


async def _search_for(
    asked: Sequence[tuple[str, Query]], state: CaseState, services: Services
) -> tuple[list[Hit], list[OutageNote], Coverage]:
    """What engines find for a claim, what could not be asked, and how far they answered."""
    names = state.plan.engines if state.plan else ()
    suited = [engine for engine in services.engines if engine.name in names]
    answers = await asked_or_next(
        asked, suited, lambda engine, query: answer(engine, query, services, Stage.FACT_CHECK)
    )
    hits = [hit for found, *_ in answers for hit in found if not is_unresolved(hit)]
    notes = [note for _, own, _ in answers for note in own]
    out = tuple(dict.fromkeys(note.where for note in notes))
    return hits, notes, Coverage(answered=sum(answered for *_, answered in answers), out=out)


async def _read_new(
    hits: list[Hit],
    claim: Claim,
    state: CaseState,
    pages: dict[str, asyncio.Task[PageRead]],
    services: Services,
) -> list[PageRead]:
    """The best pages for the claim that are not sources yet; two claims that want the same page share one fetch."""
    seen = {comparison_key(source.url) for source in state.sources} | {source.snapshot for source in state.sources}
    leads = []
    for ranked in rank_hits(hits, topic=claim.text, rate=services.rater.publisher):
        key = comparison_key(ranked.hit.url)
        if key not in seen and ranked.hit.snapshot not in seen:
            seen.add(key)
            queries = (claim.queries[0],) if claim.queries else ()
            leads.append(Lead(ranked.hit.url, ranked.hits, queries, ranked=ranked))
    tasks = []
    for lead in leads[:PAGES_PER_CLAIM]:
        if lead.key not in pages:
            pages[lead.key] = asyncio.ensure_future(_read_and_sifted(lead, services))
        tasks.append(pages[lead.key])
    read = await asyncio.gather(*tasks)
    further = further_leads(read)
    for lead in further:
        if lead.key not in pages:
            pages[lead.key] = asyncio.ensure_future(_read_and_sifted(lead, services))
    read = [*read, *await asyncio.gather(*(pages[lead.key] for lead in further))]
    leads = [*leads[:PAGES_PER_CLAIM], *further]
    # Each claim keeps its own way to a shared page: whose fetch came first must not show in the report.
    return [
        replace(page, lead=replace(page.lead, hits=lead.hits, queries=lead.queries, ranked=lead.ranked))
        for page, lead in zip(read, leads, strict=False)
    ]


async def _read_and_sifted(lead: Lead, services: Services) -> PageRead:
    return await sifted(await read_page(lead, services, Stage.FACT_CHECK), services, Stage.FACT_CHECK)


def _new_sources(done: list[_Checked], state: CaseState, services: Services) -> tuple[Source, ...]:
    """Pages found while checking become sources where a finding rests on them."""
    sources: dict[str, Source] = {}
    taken = {source.snapshot for source in state.sources}
    for item in done:
        speaking = {p.snapshot for p, j in item.judged if j.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)}
        for page in item.new:
            assert page.document is not None
            snapshot = page.document.snapshot
            if snapshot in taken or snapshot not in speaking or snapshot in sources:
                continue
            lead = shorten(page.document.text, 300)
            reading = SourceReading(summary=lead, key_claims=(), relevance=0.5)
            source = source_of(page, reading, state.brief.as_of, services)
            sources[snapshot] = source.model_copy(update={"id": f"S{len(state.sources) + len(sources) + 1}"})
    return tuple(sources.values())


def finding_of(
    number: int,
    claim: Claim,
    source: Source,
    passage: Passage,
    judgement: Judgement,
    texts: dict[str, Document],
) -> Finding:
    """What a judged passage says of a claim, with its quote where it stands in the source's text (`texts` by
    snapshot). Raises where the quote does not stand there."""
    document = texts[passage.snapshot]
    start = passage.start + judgement.start
    finding = Finding(
        id=f"F{number}",
        claim_id=claim.id,
        source_id=source.id,
        agent="inquiry",
        stance=judgement.stance,
        contradiction_type=judgement.contradiction_type,
        confidence=judgement.confidence,
        quote=judgement.quote,
        snapshot=passage.snapshot,
        start=start,
        end=start + len(judgement.quote),
        page=document.page_of(start),
        summary=judgement.reasons[0] if judgement.reasons else "",
        details=judgement.attribution,
        reasons=judgement.reasons,
        reason_codes=judgement.reason_codes,
    )
    check_grounded(finding, document.text)
    return finding
