"""Ask for a market answer: every engine at once, the best pages read as they come, the first word as soon as there is
one.

What is read is decided over all answers and so is the same on every replay; the first leads of each answer are read
ahead of that decision, so that the first headline does not wait for the slowest engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from inquest.desks.market.answer import SearchOutcome, answer, headline
from inquest.desks.market.developments import why_not_counted
from inquest.desks.market.filings import FilingNamed, exhibits_of, filing_statements, is_periodic, latest_reports
from inquest.desks.market.findings import market_findings, promotes, too_short
from inquest.desks.market.notes import engine_notes
from inquest.desks.market.queries import PRIMARY, can_replace, goes_to
from inquest.desks.market.ranking import AT_ONCE, rank_market, without_unknown
from inquest.desks.market.replies import CLAIM_ID
from inquest.desks.market.subjects import named_by_leads
from inquest.desks.market.summary import market_summary
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import EngineError, ModelError
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding, Stance
from inquest.domain.market import EngineNote, FilingStatement, MarketQuestion
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Source
from inquest.flow.joining import new_outages
from inquest.flow.judging import finding_of, judged
from inquest.flow.market_filings import NamedFilings, named_filings
from inquest.flow.nodes.gather import fitting, found_with, relevance_of, tell_departures
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import SourceReading
from inquest.retrieval.answers import AskedAll, Attempt, Search
from inquest.retrieval.case_ports import WaitLimit
from inquest.retrieval.failover import replaced_by
from inquest.retrieval.passages import passages_on
from inquest.retrieval.reading import Lead, PageRead, engines_for_links, leads_of, left_out, source_of
from inquest.retrieval.retriever import Retriever, SearchRules, Waits
from inquest.retrieval.search_plan import Question, SearchLimits, plan_searches, weight
from inquest.sources.ranking import RankedHit, reranked, text_of
from inquest.stories.stories import assign_stories
from inquest.text.phrases import capitalised, count
from inquest.text.sentences import shorten
from inquest.text.similarity import likeness

ENGINE_SECONDS, PAGE_SECONDS = 8.0, 15.0
"""No engine and no page is waited for longer: whoever asks what happened today wants to know it now."""
ASKING_SECONDS, ALL_SECONDS = 12.0, 25.0
"""What all engines together may take, those who stand in for others included; and what all of it may, pages too."""
LAST_SECONDS = 6.0
"""A page that is worth reading is given this long, however late it is."""
MOST_SEARCHES, MOST_USD = 14, 0.03
"""Searches of news and the web, and what they may cost: engines of markets and filings come on top."""
SEARCH_SECONDS = 2.0
"""Seconds that may pass before the last query goes to an engine that wants pauses between calls."""
AHEAD = 2
"""Leads of each answer that are read before the choice is made."""
ENOUGH = 5
"""With fewer sources than these, the next best pages are read as well."""
_MOST_BATCHES = 3
_UNREAD = frozenset(("price", "change_percent"))
"""Of a hit with such figures the page is a table that changes by the minute."""
_GRACE = timedelta(hours=1)
_GENERAL = frozenset((EngineKind.NEWS, EngineKind.WEB))
_DECIDED = (Stance.SUPPORTS, Stance.CONTRADICTS)


@dataclass(frozen=True)
class _Looked:
    """A page that was read, and what it says to the question."""

    page: PageRead
    findings: tuple[Finding, ...] = ()


@dataclass
class _Desk:
    """What the tasks of one answer share: pages being looked at, and whether the first word is out."""

    question: MarketQuestion
    services: Services
    searches: Sequence[Search]
    links_by: tuple[str, ...]
    wait_limit: WaitLimit
    looks: dict[str, asyncio.Task[PageRead]] = field(default_factory=dict)
    said: bool = False

    def __post_init__(self) -> None:
        waits = Waits(
            engine=ENGINE_SECONDS,
            asking=WaitLimit(ASKING_SECONDS, self.services),
            page=PAGE_SECONDS,
            last_page=LAST_SECONDS,
            reading=self.wait_limit,
        )
        rules = SearchRules(
            Stage.SOURCES,
            may=lambda out, other, query: can_replace(other, query, self.question, out=out),
            links_by=self.links_by,
            waits=waits,
            answered=self.answered,
        )
        self.retriever = Retriever(self.searches, rules, self.services)

    def answered(self, hits: list[Hit]) -> None:
        """Begin to read the best of one answer."""
        ranking = rank_market(_readable(hits), self.question, self.services.rater.publisher)
        for lead in ranking.leads[:AHEAD]:
            self.look(Lead(lead.hit.url, lead.hits))

    def look(self, lead: Lead) -> asyncio.Task[PageRead]:
        """The page, being looked at from now on."""
        if lead.key not in self.looks:
            self.looks[lead.key] = asyncio.ensure_future(self._look(lead))
        return self.looks[lead.key]

    def has_read(self, lead: Lead) -> bool:
        """Whether the page is there. A replay never says so: it follows what the case was cut to, label by label."""
        task = self.looks.get(lead.key)
        done = task is not None and task.done() and not task.cancelled() and task.exception() is None
        return done and not self.services.replayed

    async def close(self) -> None:
        """Stop whatever nobody waits for any more."""
        for task in self.looks.values():
            task.cancel()
        await asyncio.gather(*self.looks.values(), self.retriever.close(), return_exceptions=True)

    async def _look(self, lead: Lead) -> PageRead:
        page = await self.retriever.page(lead)
        if page.document is None:
            return page
        why = "it is too short for an article" if too_short(page.document) else ""
        why = why or ("it urges its reader to trade" if promotes(page.document) else "")
        if why and not lead.user_provided:
            await left_out(lead.url, why, self.services, Stage.SOURCES)
            return replace(page, document=None)
        await self._first_word(page)
        return page

    async def _first_word(self, page: PageRead) -> None:
        if self.said or page.document is None:
            return
        source = _source(page, (), self.question, self.services).model_copy(update={"id": "S1"})
        first = headline(self.question, market_findings(self.question, source, page.document), [source])
        if self.said or not first.breaking:
            return
        self.said = True
        quote = first.breaking[0]
        await self.services.events.emit(
            EventType.ANSWER_HEADLINE,
            f"“{quote.quote}” [{quote.publisher}, {quote.age or 'no date'}]",
            stage=Stage.SOURCES,
            marker="PROGRESS",
            answer=first.model_dump(mode="json"),
        )


async def ask_market(state: CaseState, services: Services) -> Delta:
    """Sources with their findings, how the engines took part, and what was taken out as noise."""
    assert state.plan is not None and state.market is not None and state.brief.market is not None
    question = state.market.question
    links_by = engines_for_links(state.plan.engines, services)
    desk = _Desk(question, services, _searches(question, state, services), links_by, WaitLimit(ALL_SECONDS, services))
    named = state.brief.market.filings
    filings = asyncio.ensure_future(named_filings(named, question, desk.wait_limit, ALL_SECONDS, services))
    try:
        asked = await desk.retriever.ask_all()
        hits = [hit for given in asked.attempts for hit in given.hits]
        outages = asked.outages
        question = named_by_leads(question, hits)
        relevance, outage = await _relevance(state, hits, services)
        outages += [outage] if outage else []
        ranking = rank_market(_readable(hits), question, services.rater.publisher, relevance=relevance)
        looked = await _read_best(ranking.leads, asked, question, desk, services)
        looked += await _beside(looked, hits, question, desk)
        filed = await filings
    finally:
        filings.cancel()
        await asyncio.gather(desk.close(), filings, return_exceptions=True)
    outages += [note for each in looked for note in each.page.outages] + list(filed.outages)
    sources, findings, documents = _numbered(looked, filed, question, services)
    statements = (*filed.statements, *_of_reports(looked, sources, question))
    on_claim, missing = await _on_claim(question, sources, documents, services)
    outages += missing
    departed = await tell_departures(outages, asked, services)
    await services.events.emit(
        EventType.STAGE_FINISHED,
        f"{capitalised(count(len(sources), 'source'))} read, of {count(ranking.noise.seen, 'lead')}.",
        stage=Stage.SOURCES,
        marker="PROGRESS" if sources else "NO_SOURCES_FOUND",
        sources=len(sources),
    )
    engines = _engines(asked, hits, services)
    left = {each.engine for each in engines if each.state == "left_out"}
    notes = new_outages(outages, ())
    return {
        "sources": sources,
        "findings": (*findings, *on_claim),
        "outages": notes,
        "departures": departed,
        "market": state.market.model_copy(
            update={
                "question": question.model_copy(
                    update={"filings": statements, "notes": (*question.notes, *filed.notes)}
                ),
                "engines": engines,
                "figures": tuple(hit for hit in hits if hit.figures or hit.filing),
                "noise": ranking.noise,
                "missing": sum(note.where not in left for note in (*state.outages, *notes)),
                "unread": sum(each.page.document is None and bool(each.page.outages) for each in looked),
            }
        ),
        **({} if sources else {"markers": ("NO_SOURCES_FOUND",)}),
    }


def _searches(question: MarketQuestion, state: CaseState, services: Services) -> list[Search]:
    """The queries with their engines. Those of markets and filings, and the user's own documents, are asked what they
    are for; of those that search news and the web the search plan takes what is likeliest to bear fruit, and one that
    wants long pauses is asked the first of its queries only: waiting for its turn would hold back the answer."""
    assert state.plan is not None
    queries, alone = state.plan.queries, len(state.plan.engines) == 1
    ready = [each for each in services.engines if each.name in state.plan.engines]
    general = {each.name for each in ready if set(each.kinds) <= _GENERAL} - PRIMARY
    suited = {
        query: [
            name
            for name in fitting(query, state, services)
            if alone or (goes_to(name, query, question) and (name not in PRIMARY or place == 0))
        ]
        for place, query in enumerate(queries)
    }
    questions = [
        Question(query, (CLAIM_ID,), weight(place), tuple(name for name in suited[query] if name in general))
        for place, query in enumerate(queries)
    ]
    limits = SearchLimits(per_claim=MOST_SEARCHES, seconds=SEARCH_SECONDS, usd=MOST_USD)
    planned = plan_searches(questions, ready, limits).engines
    return [
        Search(name, query)
        for query, names in zip(queries, planned, strict=True)
        for name in suited[query]
        if name in names or name not in general or alone
    ]


def _readable(hits: Sequence[Hit]) -> list[Hit]:
    return [hit for hit in hits if not any(figure.name in _UNREAD for figure in hit.figures)]


async def _relevance(
    state: CaseState, hits: Sequence[Hit], services: Services
) -> tuple[Mapping[str, float] | None, OutageNote | None]:
    """How well leads fit, by a reranker of the settings or else by their likeness to the imagined article; None: by
    words alone."""
    assert state.market is not None
    question, article = state.market.question, state.market.article
    readable = _readable(hits)
    scores, outage = await relevance_of(question.text, readable, services)
    if scores is not None or outage is not None or not article or services.encoder is None or not readable:
        return scores, outage
    leads = rank_market(readable, question, services.rater.publisher)
    every: list[RankedHit] = [*leads.leads, *(each.lead for each in leads.removed)]
    texts = [text_of(lead) for lead in every]
    try:
        vectors = await asyncio.to_thread(services.encoder.encode, [article, question.text, *texts])
    except ModelError:
        return None, None  # the plan says which small model there is; the words of the article are in the queries
    # The mean of the two, so that an article that was imagined wrongly cannot outweigh what was asked.
    near = [sum(max(0.0, likeness(one, each)) for one in vectors[:2]) / 2 for each in vectors[2:]]
    return reranked(every, near), None


async def _read_best(
    ranked: Sequence[RankedHit], asked: AskedAll, question: MarketQuestion, desk: _Desk, services: Services
) -> list[_Looked]:
    """What the best leads say; more are read where too few of them say anything."""
    queries = found_with(asked)
    leads = [replace(lead, queries=queries.get(lead.key, ())) for lead in leads_of(ranked)]
    looked: list[_Looked] = []
    for number in range(_MOST_BATCHES):
        batch = leads[number * AT_ONCE : (number + 1) * AT_ONCE]
        if not batch or (number and sum(bool(each.findings) for each in looked) >= ENOUGH):
            break
        if number and desk.wait_limit.is_over(f"read from {number * AT_ONCE}", LAST_SECONDS):
            break
        # What was read ahead is used even where the budget is met by now: the first word may have come from it.
        there = {lead.key for lead in batch if desk.has_read(lead)}
        done = iter(
            await services.side_by_side(
                [
                    (f"read {lead.url}", partial(_looked, lead, question, desk))
                    for lead in batch
                    if lead.key not in there
                ]
            )
        )
        for lead in batch:
            each = await _looked(lead, question, desk) if lead.key in there else next(done)
            looked += [each] if each is not None else []
    return looked


async def _beside(
    looked: Sequence[_Looked], hits: Sequence[Hit], question: MarketQuestion, desk: _Desk
) -> list[_Looked]:
    """What the exhibits say that current reports among the pages only refer to, for the news is in the press release;
    and the company's newest periodic reports, where they were asked for."""
    known = {each.page.lead.key for each in looked}
    reports = [(each.page.lead, each.page.document) for each in looked if each.page.document is not None]
    leads = [replace(lead, url=url) for lead, document in reports for url in exhibits_of(document)]
    leads += [Lead(hit.url, (hit,)) for hit in latest_reports(hits, question.now)]
    done = await desk.services.side_by_side(
        [(f"read {lead.url}", partial(_looked, lead, question, desk)) for lead in leads if lead.key not in known]
    )
    return [each for each in done if each is not None]


def _of_reports(
    looked: Sequence[_Looked], sources: Sequence[Source], question: MarketQuestion
) -> tuple[FilingStatement, ...]:
    """What the periodic reports among the pages say that news can be held against."""
    ids = {source.snapshot: source.id for source in sources}
    found: list[FilingStatement] = []
    for each in looked:
        filing = next((hit.filing for hit in each.page.lead.hits if hit.filing), None)
        document = each.page.document
        if filing is None or document is None or not is_periodic(filing) or document.snapshot not in ids:
            continue
        at = filing.filed.at if filing.filed else None
        named = FilingNamed(form=filing.form, filed=at, source_id=ids[document.snapshot])
        found += filing_statements(question, document, named)
    return tuple(found)


async def _on_claim(
    question: MarketQuestion, sources: Sequence[Source], documents: Mapping[str, Document], services: Services
) -> tuple[tuple[Finding, ...], tuple[OutageNote, ...]]:
    """How the pages bear on the statement of a yes-or-no question. What the model leaves open is judged by rule too."""
    counted = {source.snapshot: source for source in sources if not source.excluded}
    texts = {each.snapshot: each for each in documents.values() if each.snapshot in counted}
    if not question.claim or not texts:
        return (), ()
    claim = Claim(id=CLAIM_ID, text=question.claim)
    passages = passages_on(claim.text, texts)
    (done,) = await services.side_by_side(
        [
            (
                "judge the question",
                partial(judged, claim, passages, services, Stage.SOURCES, desk="market"),
            )
        ]
    )
    found, outages = done if done is not None else ((), ())
    if not any(each.stance in _DECIDED for each in found):
        found = await services.local.assess(claim.text, passages)
    pairs = [(one, each) for one, each in zip(passages, found, strict=True) if each.stance in _DECIDED]
    return tuple(
        finding_of(number, claim, counted[passage.snapshot], passage, each, texts).model_copy(
            update={"id": f"{CLAIM_ID}-{number}"}
        )
        for number, (passage, each) in enumerate(pairs, 1)
    ), outages


async def _looked(lead: Lead, question: MarketQuestion, desk: _Desk) -> _Looked:
    page = replace(await asyncio.shield(desk.look(lead)), lead=lead)
    if page.document is None:
        return _Looked(page)
    source = _source(page, (), question, desk.services).model_copy(update={"id": "S0"})
    findings = market_findings(question, source, page.document)
    if not findings:
        await left_out(lead.url, "it says nothing on what was asked", desk.services, Stage.SOURCES)
    return _Looked(page, findings)


def _source(page: PageRead, findings: Sequence[Finding], question: MarketQuestion, services: Services) -> Source:
    said = shorten(" ".join(finding.quote for finding in findings[:2]), 500)
    relevance = page.lead.ranked.relevance if page.lead.ranked else 0.5
    reading = SourceReading(summary=said, key_claims=(), relevance=max(0.0, min(1.0, relevance)))
    source = source_of(page, reading, question.now + _GRACE, services)
    why = why_not_counted(source, question.now)
    return source.model_copy(update={"excluded": why}) if why else source


def _numbered(
    looked: Sequence[_Looked], filed: NamedFilings, question: MarketQuestion, services: Services
) -> tuple[tuple[Source, ...], tuple[Finding, ...], dict[str, Document]]:
    """Sources and findings with their ids, one source per snapshot, and the documents by source id; the filings'
    sources have theirs already."""
    sources: list[Source] = list(filed.sources)
    documents: dict[str, Document] = dict(filed.documents)
    findings: list[Finding] = []
    seen = {source.snapshot for source in sources}
    for each in looked:
        filing = any(hit.filing and is_periodic(hit.filing) for hit in each.page.lead.hits)
        document = each.page.document
        if document is None or document.snapshot in seen or not (each.findings or filing):
            continue
        seen.add(document.snapshot)
        source_id = f"S{len(sources) + 1}"
        sources.append(_source(each.page, each.findings, question, services).model_copy(update={"id": source_id}))
        documents[source_id] = document
        findings += [
            finding.model_copy(update={"id": f"F{len(findings) + place}", "source_id": source_id})
            for place, finding in enumerate(each.findings, 1)
        ]
    by_story = assign_stories(tuple(sources), documents)
    return without_unknown(by_story, question.company), tuple(findings), documents


def _engines(asked: AskedAll, hits: Sequence[Hit], services: Services) -> tuple[EngineNote, ...]:
    """How each engine took part. One that answered some of its questions is left out only where its limit was met."""
    by_engine: dict[str, list[Attempt]] = {}
    for given in asked.attempts:
        by_engine.setdefault(given.engine, []).append(given)
    out: dict[str, EngineError | str] = {}
    for name, given_by in by_engine.items():
        failed = [given for given in given_by if given.outages]
        if failed and (len(failed) == len(given_by) or any(given.error is not None for given in failed)):
            error = next((given.error for given in failed if given.error is not None), None)
            out[name] = error or failed[0].outages[0].why
    if not by_engine and not services.cut.labels:
        out = {each.name: each.lacks for each in services.engines if each.lacks}
    return engine_notes(
        hits,
        tuple(by_engine),
        out,
        instead=replaced_by(asked.failed),
        titles={each.name: each.title or each.name for each in services.engines},
    )


def _not_needed(state: CaseState, services: Services) -> tuple[str, ...]:
    """Titles of the plan's engines that no question went to."""
    assert state.plan is not None and state.market is not None
    took_part = {each.engine for each in state.market.engines}
    names = [name for name in state.plan.engines if name not in took_part] if took_part else []
    titles = {each.name: each.title for each in services.engines}
    return tuple(titles.get(name) or name for name in names)


async def answer_market(state: CaseState, services: Services) -> Delta:
    """The answer, by rule. No model is asked for its words: each sentence of it is a source's own, and is not waited
    for."""
    assert state.market is not None and state.brief.market is not None
    market = state.market
    gathered = SearchOutcome(
        engines=market.engines,
        own={each.name for each in services.engines if EngineKind.OWN in each.kinds},
        hits=market.figures,
        noise=market.noise,
        outages=market.missing,
        unread=market.unread,
        not_asked=_not_needed(state, services),
        cut=services.cut.why.sentence if services.cut.why else "",
        saved=state.brief.market.saved,
    )
    made = answer(market.question, state.findings, state.sources, gathered)
    summary = market_summary(made)
    await services.events.emit(
        EventType.ANSWER_READY, made.title, stage=Stage.SUMMARY, marker="PROGRESS", state=made.state.value
    )
    return {"answer": made, "summary": summary}
