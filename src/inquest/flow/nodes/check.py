"""Check: for every claim at once, search for it, read what is new, and judge the passages that bear on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from inquest.claims.other_languages import language_to_ask_in, words_of_every_language
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.reading import Reading
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.classifying import classify_ahead
from inquest.flow.judging import finding_of, judged
from inquest.flow.nodes.gather import fitting
from inquest.flow.nodes.plan import CHECK_QUERIES
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta
from inquest.flow.time_limits import search_limits
from inquest.kit.analyst import Passage, SourceReading
from inquest.retrieval.answers import Found, Search
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import Piece
from inquest.retrieval.passages import PASSAGES_PER_CLAIM, passages_on
from inquest.retrieval.reading import Lead, leads_of, source_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import plan_searches, queries_in, questions_on
from inquest.sources.ranking import rank_hits
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import earlier_checks, reviews_of

PASSAGES_OF_TOPIC = 16
"""Passages of full size judged for a claim of a topic: a verification costs half a dollar at most (spec 001)."""
PAGES_PER_CLAIM = 3
"""New pages read for one claim."""


@dataclass(frozen=True)
class _Checked:
    claim: Claim
    found: Found
    judged: tuple[tuple[Passage, Reading], ...]
    outages: tuple[OutageNote, ...]


async def check(state: CaseState, services: Services) -> Delta:
    """Findings on every claim, and the sources that were found on the way."""
    if not state.claims:
        await services.events.emit(
            EventType.STAGE_FINISHED, "No claims to verify.", stage=Stage.FACT_CHECK, marker="NO_CLAIMS_TO_VERIFY"
        )
        topic = state.plan.topic if state.plan else ""
        return {"markers": ("NO_CLAIMS_TO_VERIFY",), "reviews": earlier_checks(state.reviews, (), topic=topic)}
    counted = [source for source in state.sources if not source.excluded]
    known = {each.snapshot: each for each in (await texts_of(counted, services)).values()}
    searches = _searches(state, services)
    rules = SearchRules(Stage.FACT_CHECK, "check", suited=lambda query: _in_plan(state, services))
    retriever = Retriever((each for own in searches.values() for each in own), rules, services)
    try:
        work: list[Piece[_Checked | None]] = [
            (
                f"check {claim.id}",
                partial(_check_one, claim, searches.get(claim.id, []), state, known, retriever, services),
            )
            for claim in state.claims
        ]
        # The judge waits for what is asked about publishers here; of the sources found from now on it asks itself.
        work.append(("publishers", partial(classify_ahead, state.sources, state.claims, services)))
        checked = await services.side_by_side(work)
        done = [item for item in checked if item is not None]
        asked = {search for item in done for search in searches.get(item.claim.id, ())}
        planned = dict.fromkeys(each for own in searches.values() for each in own)
        unanswered = await retriever.unanswered(each for each in planned if each not in asked)
    finally:
        await retriever.close()
    new = _new_sources(done, state, services)
    by_snapshot = {source.snapshot: source for source in reversed((*state.sources, *new))}
    findings: list[Finding] = []
    texts = known | _texts([item.found for item in done])
    for item in done:
        for passage, judgement in item.judged:
            source = by_snapshot.get(passage.snapshot)
            if source and not source.excluded and judgement.stance is not Stance.NEUTRAL:
                findings.append(finding_of(len(findings) + 1, item.claim, source, passage, judgement, texts))
    outages = [*unanswered, *(note for item in done for note in item.outages)]
    if services.local.outage is not None:
        outages.append(
            await services.outage("model", services.local.local_model, services.local.outage, Stage.FACT_CHECK)
        )
    if len(done) < len(state.claims):
        outages += await services.model_unasked((*state.outages, *outages), Stage.FACT_CHECK)
    found = reviews_of((hit for item in done for hit in item.found.hits), (texts[source.snapshot] for source in new))
    assert state.plan is not None
    coverage = dict(state.coverage)
    for item in done:
        before = coverage.get(item.claim.id, Coverage(read=len(known)))
        coverage[item.claim.id] = before + item.found.coverage
    return {
        "coverage": coverage,
        "reviews": earlier_checks((*state.reviews, *found), state.claims, topic=state.plan.topic),
        "sources": (*state.sources, *new),
        "findings": tuple(findings),
        "outages": tuple({(n.what, n.where, n.why): n for n in outages}.values()),
    }


def _texts(found: Sequence[Found]) -> dict[str, Document]:
    """The texts of the pages that were read, by snapshot."""
    return {page.document.snapshot: page.document for each in found for page in each.read if page.document}


async def _check_one(
    claim: Claim,
    searches: Sequence[Search],
    state: CaseState,
    known: dict[str, Document],
    retriever: Retriever,
    services: Services,
) -> _Checked:
    number = state.claims.index(claim) + 1
    await services.progress(
        Stage.FACT_CHECK, f'Verifying claim {number}/{len(state.claims)}: "{shorten(claim.text, 120)}"'
    )
    seen = {comparison_key(source.url) for source in state.sources} | {source.snapshot for source in state.sources}

    def new(hits: Sequence[Hit]) -> list[Lead]:
        ranked = rank_hits(hits, topic=claim.text, rate=services.rater.publisher)
        return leads_of(ranked, seen=seen, queries=claim.queries[:1])[:PAGES_PER_CLAIM]

    found = await retriever.find(searches, new)
    texts = known | _texts([found])
    # What an inquiry has read was read for the matter of its claims, or for one of them.
    most = PASSAGES_OF_TOPIC if state.brief.topic is not None else PASSAGES_PER_CLAIM
    passages = passages_on(claim.text, texts, most, found_for_it=texts.keys())
    judgements, missing = await judged(claim, passages, services, Stage.FACT_CHECK)
    pairs = tuple(zip(passages, judgements, strict=True))
    return _Checked(claim, found, pairs, (*found.outages, *missing))


def _in_plan(state: CaseState, services: Services) -> list[EngineChoice]:
    assert state.plan is not None
    return [engine for engine in services.engines if engine.name in state.plan.engines]


def _searches(state: CaseState, services: Services) -> dict[str, list[Search]]:
    """By claim id, the searches for it: the claim's own queries, and who has checked it before. Planned for all claims
    together."""
    limit, until = PAGES_PER_CLAIM * 2, state.brief.as_of
    engines = _in_plan(state, services)
    queries: list[tuple[Query, str]] = []
    for claim in state.claims:
        who = f"Who has checked: {claim.text}"
        queries += [
            (Query(text=text, purpose=claim.text, until=until, limit=limit), claim.id)
            for text in claim.queries[:CHECK_QUERIES]
        ]
        language = language_to_ask_in((claim.text, state.brief.text), state.sources)
        if language and (there := words_of_every_language(claim)):
            queries.append(
                (Query(text=there, purpose=claim.text, until=until, limit=limit, language=language), claim.id)
            )
        checked = Query(text=claim.text, kinds=(EngineKind.FACT_CHECK,), purpose=who, until=until, limit=limit)
        queries.append((checked, claim.id))

    def suited(query: Query) -> list[str]:
        if EngineKind.FACT_CHECK in query.kinds:
            return [engine.name for engine in engines if EngineKind.FACT_CHECK in engine.kinds]
        return fitting(query, state, services)

    languages = state.brief.languages
    put = [(each, about) for query, about in queries for each in queries_in(languages, [query])]
    questions = questions_on(put, suited)
    plan = plan_searches(questions, engines, search_limits(state.brief, "check", len(state.claims)))
    searches: dict[str, list[Search]] = {}
    for question, names in zip(questions, plan.engines, strict=True):
        for claim_id in question.claim_ids:
            searches.setdefault(claim_id, []).extend(Search(name, question.query) for name in names)
    return searches


def _new_sources(done: list[_Checked], state: CaseState, services: Services) -> tuple[Source, ...]:
    """Pages found while checking become sources where a finding rests on them."""
    sources: dict[str, Source] = {}
    taken = {source.snapshot for source in state.sources}
    for item in done:
        speaking = {p.snapshot for p, j in item.judged if j.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)}
        for page in item.found.read:
            assert page.document is not None
            snapshot = page.document.snapshot
            if snapshot in taken or snapshot not in speaking or snapshot in sources:
                continue
            lead = shorten(page.document.text, 300)
            reading = SourceReading(summary=lead, key_claims=(), relevance=0.5)
            source = source_of(page, reading, state.brief.as_of, services, state.plan.meant if state.plan else ())
            sources[snapshot] = source.model_copy(update={"id": f"S{len(state.sources) + len(sources) + 1}"})
    return tuple(sources.values())
