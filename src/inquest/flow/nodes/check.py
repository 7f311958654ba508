"""Extract the claims of the sources, and check them all concurrently: search for each, read new pages, and judge the
relevant passages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from inquest.claims.plan_queries import language_to_ask_in, words_of_every_language
from inquest.desks.inquiry.brief_claims import asserted, brief_reading, most_claims, with_brief_claims
from inquest.desks.verification.topic_claims import claims_to_check, own_article
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.gathering import finding_of, judged, opening, unanswered
from inquest.flow.nodes.gather import fitting
from inquest.flow.nodes.plan import CHECK_QUERIES
from inquest.flow.nodes.vet import classify_ahead
from inquest.flow.planned import search_limits
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta, coverage_with
from inquest.kit.analyst import ClaimDraft, Passage, SourceReading
from inquest.retrieval.answers import Found, Search
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.fanout import Piece
from inquest.retrieval.near_passages import ROOM, ROOM_HERE, near_passages
from inquest.retrieval.passages import passages_on
from inquest.retrieval.reading import Lead, leads_of, source_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import plan_searches, queries_in, questions_on
from inquest.sources.ranking import rank_hits
from inquest.text.phrases import capitalised, count
from inquest.text.sentences import shorten
from inquest.text.urls import comparison_key
from inquest.verdicts.reviews import earlier_checks, reviews_of

_NONE = "NO_CLAIMS_EXTRACTED"


async def claims(state: CaseState, services: Services) -> Delta:
    """Return the claims of the sources that count, most important first; for a topic its title and the nearest ones."""
    counted = [(s, state.readings[s.id]) for s in state.sources if not s.excluded and s.id in state.readings]
    # A topic is its own claim, which the sources are expected to make.
    own = asserted(state.brief.text, state.planned.questions, state.planned.stated) if state.brief.topic is None else {}
    if not counted and not own:
        return await services.skipped("No sources available for claim extraction.", Stage.CLAIMS, _NONE)
    await services.progress(Stage.CLAIMS, f"Extracting claims from {len(counted)} sources")
    topic, limit = state.planned.topic, most_claims(len(own), state.brief.mode.settings.claim_limit)
    drafts: tuple[ClaimDraft, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    if counted:
        stated = [brief_reading(own, services.now(state.brief.as_of)), *counted] if own else counted
        drafts, outages = await services.judged("claims", lambda each: each.merge(topic, stated, limit), Stage.CLAIMS)
    by_id = {source.id: (source, reading) for source, reading in counted}
    drafts = with_brief_claims(own, drafts, limit)
    made = tuple(claim_of(number, draft, by_id, own.get(draft.text, "")) for number, draft in enumerate(drafts, 1))
    every = made
    if (about := state.brief.topic) is not None:
        made = claims_to_check(made, about, own_article(about, {source.id: source for source in state.sources}))
    if not made:
        return await services.skipped("The sources make no claim that can be checked.", Stage.CLAIMS, _NONE)
    for claim in made:
        await services.events.emit(
            EventType.CLAIM_EXTRACTED,
            f'"{claim.text}"',
            stage=Stage.CLAIMS,
            claim_id=claim.id,
            claim_text=claim.text,
            importance=claim.importance,
            source_ids=list(claim.source_ids),
        )
    text = f"Extracted {len(made)} checkable claims."
    await services.progress(Stage.CLAIMS, text, EventType.STAGE_FINISHED, claims=len(made))
    kept = {each.text for each in made}
    if about is not None and (left := sum(each.text not in kept for each in every)):
        verb = "is" if left == 1 else "are"
        beside = f"{capitalised(count(left, 'claim'))} from the sources {verb} off topic and not checked"
        await services.progress(Stage.CLAIMS, beside)
    return {"claims": made, "outages": outages}


def claim_of(
    number: int, draft: ClaimDraft, readings: dict[str, tuple[Source, SourceReading]], question: str = ""
) -> Claim:
    """Make the claim of a draft, with its mentions. `readings`: by source id; `question`: that it answers."""
    mentions = []
    for source_id, index in draft.members:
        source, reading = readings[source_id]
        key = reading.key_claims[index]
        at = Mention(source_id=source_id, snapshot=source.snapshot, quote=key.quote, start=key.start, end=key.end)
        mentions.append(at)
    return Claim(
        id=f"C{number}",
        text=draft.text,
        type=draft.type,
        importance=draft.importance,
        mentions=tuple(mentions),
        queries=draft.queries,
        question=question,
    )


COMPARED = 90
"""Full-size passages of all pages of a case that are compared with a claim, the nearest of which are judged."""
PAGES_PER_CLAIM = 3
"""New pages read for a claim."""


@dataclass(frozen=True)
class _Checked:
    claim: Claim
    found: Found
    judged: tuple[tuple[Passage, Reading], ...]
    outages: tuple[OutageNote, ...]


async def check(state: CaseState, services: Services) -> Delta:
    """Find findings and new sources on every claim."""
    if not state.claims:
        delta = await services.skipped("No claims to verify.", Stage.FACT_CHECK, "NO_CLAIMS_TO_VERIFY")
        return {**delta, "reviews": earlier_checks(state.reviews, (), topic=state.planned.topic)}
    counted = [source for source in state.sources if not source.excluded]
    known = {each.snapshot: each for each in (await texts_of(counted, services)).values()}
    searches = _searches(state, services)
    rules = SearchRules(Stage.FACT_CHECK, "check", suited=lambda query: _in_plan(state, services))
    retriever = Retriever((each for own in searches.values() for each in own), rules, services)
    try:
        work: list[Piece[_Checked | None]] = [
            (
                f"check {each.id}",
                partial(_check_one, each, searches.get(each.id, []), state, known, retriever, services),
            )
            for each in state.claims
        ]
        # The judge waits for the publishers of these sources, and asks about those of new sources itself.
        work.append(("publishers", partial(classify_ahead, state.sources, state.claims, services)))
        done = [item for item in await services.side_by_side(work) if item is not None]
        missing = await unanswered(searches, [item.claim.id for item in done], retriever)
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
    outages = [*missing, *(note for item in done for note in item.outages)]
    if (error := services.local.outage) is not None:
        outages.append(await services.outage("model", services.local.local_model, error, Stage.FACT_CHECK))
    if len(done) < len(state.claims):
        outages += await services.model_unasked((*state.outages, *outages), Stage.FACT_CHECK)
    reviews = reviews_of((hit for item in done for hit in item.found.hits), (texts[source.snapshot] for source in new))
    coverage = [(item.claim.id, item.found.coverage) for item in done]
    return {
        "coverage": coverage_with(state.coverage, coverage, Coverage(read=len(known))),
        "reviews": earlier_checks((*state.reviews, *reviews), state.claims, topic=state.planned.topic),
        "sources": (*state.sources, *new),
        "findings": tuple(findings),
        "outages": tuple({(n.what, n.where, n.why): n for n in outages}.values()),
    }


def _texts(found: Sequence[Found]) -> dict[str, Document]:
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
    # The sources of an inquiry were read for the subject of its claims, or for one of them.
    compared = passages_on(claim.text, texts, COMPARED, found_for_it=texts.keys())
    room = ROOM_HERE if services.analyst is services.local else ROOM
    passages = await asyncio.to_thread(near_passages, claim.text, compared, services.local.likeness, room)
    judgements, missing = await judged(claim, passages, services, Stage.FACT_CHECK)
    pairs = tuple(zip(passages, judgements, strict=True))
    return _Checked(claim, found, pairs, (*found.outages, *missing))


def _in_plan(state: CaseState, services: Services) -> list[EngineChoice]:
    return [engine for engine in services.engines if engine.name in state.planned.engines]


def _searches(state: CaseState, services: Services) -> dict[str, list[Search]]:
    """Plan the searches for all claims: their own, one in the language of the place, one for earlier fact checks."""
    engines = _in_plan(state, services)
    queries: list[tuple[Query, str]] = []
    for claim in state.claims:
        query = Query(text=claim.text, purpose=claim.text, until=state.brief.as_of, limit=PAGES_PER_CLAIM * 2)
        changes: list[dict[str, object]] = [{"text": text} for text in claim.queries[:CHECK_QUERIES]]
        language = language_to_ask_in((claim.text, state.brief.text), state.sources)
        if language and (text := words_of_every_language(claim)):
            changes.append({"text": text, "language": language})
        changes.append({"kinds": (EngineKind.FACT_CHECK,), "purpose": f"Who has checked: {claim.text}"})
        queries += [(query.model_copy(update=each), claim.id) for each in changes]

    def suited(query: Query) -> list[str]:
        if EngineKind.FACT_CHECK in query.kinds:
            return [engine.name for engine in engines if EngineKind.FACT_CHECK in engine.kinds]
        return fitting(query, state, services)

    translated = [(each, about) for query, about in queries for each in queries_in(state.brief.languages, [query])]
    questions = questions_on(translated, suited)
    plan = plan_searches(questions, engines, search_limits(state.brief, "check", len(state.claims)))
    searches: dict[str, list[Search]] = {}
    for question, names in zip(questions, plan.engines, strict=True):
        for claim_id in question.claim_ids:
            searches.setdefault(claim_id, []).extend(Search(name, question.query) for name in names)
    return searches


def _new_sources(done: list[_Checked], state: CaseState, services: Services) -> tuple[Source, ...]:
    """Make sources of the new pages that a finding rests on."""
    sources: dict[str, Source] = {}
    known = {source.snapshot for source in state.sources}
    for item in done:
        deciding = {p.snapshot for p, j in item.judged if j.stance.decides}
        for page in item.found.read:
            assert page.document is not None
            snapshot = page.document.snapshot
            if snapshot in deciding and snapshot not in known and snapshot not in sources:
                source = source_of(page, opening(page), state.brief.as_of, services, state.planned.meant)
                sources[snapshot] = source.model_copy(update={"id": f"S{len(state.sources) + len(sources) + 1}"})
    return tuple(sources.values())
