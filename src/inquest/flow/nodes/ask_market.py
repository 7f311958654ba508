"""Gather and answer a market question: ask all engines at once, read the best pages, and emit a first headline early.

The pages are chosen over all answers and so are the same on every replay. The first leads of each answer are read
before that choice, so that the first headline does not wait for the slowest engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from inquest.claims.standalone import in_its_name
from inquest.desks.market.answer import answer, headline
from inquest.desks.market.developments import why_not_counted
from inquest.desks.market.filings import (
    against_filings,
    comparisons,
    exhibits_of,
    filing_statements,
    is_periodic,
    latest_reports,
)
from inquest.desks.market.findings import answering_finding, market_findings, promotes, too_short
from inquest.desks.market.notes import engine_notes, unused_notes
from inquest.desks.market.queries import AT_ONCE, PRIMARY, can_replace, goes_to, rank_market, without_unknown
from inquest.desks.market.replies import CLAIM_ID
from inquest.desks.market.subjects import named_by_leads, subject_of
from inquest.desks.market.summary import market_summary
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import EngineError, ModelError, ModelFormat
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import Finding
from inquest.domain.market import AgainstFiling, EngineNote, FilingStatement, MarketQuestion, SearchOutcome
from inquest.domain.reasons import sentences
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Filing, Hit
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.flow.gathering import finding_of, judged
from inquest.flow.nodes.gather import fitting, found_with, relevance_of, report_departures
from inquest.flow.nodes.market import NamedFilings, named_filings
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta, new_outages
from inquest.kit.analyst import Analyst, AnswerDraft, AnswerMaterial, Passage, SourceReading
from inquest.retrieval.answers import AskedAll, Search
from inquest.retrieval.case_ports import WaitLimit
from inquest.retrieval.failover import replaced_by
from inquest.retrieval.passages import passages_on
from inquest.retrieval.reading import Lead, PageRead, engines_for_links, leads_of, left_out, source_of
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import Question, SearchLimits, plan_searches, weight
from inquest.sources.ranking import RankedHit, reranked, text_of
from inquest.stories.stories import assign_stories
from inquest.text.phrases import capitalised, count
from inquest.text.sentences import shorten
from inquest.text.similarity import likeness

ENGINE_SECONDS, PAGE_SECONDS = 8.0, 15.0
"""Timeouts of one engine and one page: a question about today needs a fast answer."""
ASKING_SECONDS, ALL_SECONDS = 12.0, 25.0
"""Timeouts of all engines together, replacements included, and of the whole work, pages included."""
LAST_SECONDS = 6.0
"""Minimum timeout of a chosen page, however late it is begun."""
MOST_SEARCHES, MOST_USD = 14, 0.03
"""Limits of the searches of news and the web; those of markets and filings are extra."""
SEARCH_SECONDS = 2.0
"""Seconds within which the last query must be sent to an engine that requires pauses between calls."""
AHEAD = 2
"""Leads of each answer that are read before the choice."""
ENOUGH = 5
"""With fewer pages that have findings, the next best are read too."""
_MOST_BATCHES = 3
_UNREAD = frozenset(("price", "change_percent"))
"""A hit with such figures leads to a table that changes by the minute."""
_GRACE = timedelta(hours=1)
_GENERAL = frozenset((EngineKind.NEWS, EngineKind.WEB))


@dataclass(frozen=True)
class _ReadPage:
    """A page that was read, and its findings on the question. `may_decide`: it may decide the claim of the question in
    other words, unless it is about another company."""

    page: PageRead
    findings: tuple[Finding, ...] = ()
    may_decide: bool = False

    @property
    def periodic(self) -> Filing | None:
        """The periodic report that it is."""
        return next((hit.filing for hit in self.page.lead.hits if hit.filing and is_periodic(hit.filing)), None)


@dataclass
class _Desk:
    """Shared data of the tasks of one answer: the retriever, and whether the first headline is out."""

    question: MarketQuestion
    services: Services
    searches: Sequence[Search]
    links_by: tuple[str, ...]
    wait_limit: WaitLimit
    has_headline: bool = False

    def __post_init__(self) -> None:
        asking = WaitLimit(ASKING_SECONDS, self.services)
        rules = SearchRules(
            Stage.SOURCES,
            may=lambda out, other, query: can_replace(other, query, self.question, out=out),
            links_by=self.links_by,
            asking=asking,
            engine_seconds=partial(asking.left, ENGINE_SECONDS),
            page_seconds=partial(self.wait_limit.left, PAGE_SECONDS, LAST_SECONDS),
            answered=self.answered,
            looked=self.looked,
        )
        self.retriever = Retriever(self.searches, rules, self.services)

    def answered(self, hits: list[Hit]) -> None:
        """Begin to read the best hits of one answer."""
        ranking = rank_market(_readable(hits), self.question, self.services.rater.publisher)
        for lead in ranking.leads[:AHEAD]:
            self.retriever.begin(Lead(lead.hit.url, lead.hits))

    async def looked(self, page: PageRead) -> PageRead:
        """Leave out a page that is too short or promotes shares; the first of the others makes the headline."""
        assert page.document is not None
        why = "it is too short for an article" if too_short(page.document) else ""
        why = why or ("it urges readers to trade" if promotes(page.document) else "")
        if why and not page.lead.user_provided:
            await left_out(page.lead.url, why, self.services, Stage.SOURCES)
            return replace(page, document=None)
        if self.has_headline:
            return page
        source = _source(page, (), self.question, self.services).model_copy(update={"id": "S1"})
        first = headline(self.question, market_findings(self.question, source, page.document), [source])
        if not first.breaking:
            return page
        self.has_headline = True
        quote = first.breaking[0]
        text, answer = f"“{quote.quote}” [{quote.publisher}, {quote.age or 'no date'}]", first.model_dump(mode="json")
        await self.services.progress(Stage.SOURCES, text, EventType.ANSWER_HEADLINE, answer=answer)
        return page


async def ask_market(state: CaseState, services: Services) -> Delta:
    """Gather sources and findings for the question, with notes on engines and noise."""
    assert state.market is not None and (state.brief.market is not None)
    question = state.market.question
    links_by = engines_for_links(state.planned.engines, services)
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
        looked += await _filings_beside(looked, hits, question, desk)
        filed = await filings
    finally:
        filings.cancel()
        await asyncio.gather(desk.retriever.close(), filings, return_exceptions=True)
    outages += [note for each in looked for note in each.page.outages] + list(filed.outages)
    sources, findings, documents, statements = _numbered(looked, filed, question, services)
    known = without_unknown(sources, question.company)
    (on_claim, missing), (answering, unanswered), (against, missed) = await asyncio.gather(
        _judge_claim(question, known, documents, services),
        _answered(question, known, documents, services),
        _compare_filings(question, statements, findings, sources, services),
    )
    outages += (*missing, *unanswered, *missed)
    decisive = {each.snapshot for each in (*on_claim, *answering)}
    silent = [each for each in looked if not each.findings and _snapshot(each) not in decisive]
    for each in silent:
        if each.page.document is not None:
            await left_out(each.page.lead.url, "no sentence on the question was found in it", services, Stage.SOURCES)
    unread = {_snapshot(each) for each in silent if not each.periodic}
    sources = without_unknown(tuple(each for each in sources if each.snapshot not in unread), question.company)
    from_plan = await report_departures(outages, asked, services)
    await services.events.emit(
        EventType.STAGE_FINISHED,
        f"{capitalised(count(len(sources), 'source'))} read, out of {count(ranking.noise.seen, 'lead')}.",
        stage=Stage.SOURCES,
        marker="PROGRESS" if sources else "NO_SOURCES_FOUND",
        sources=len(sources),
    )
    engines = _engines(asked, hits, services)
    left = {each.engine for each in engines if each.state == "left_out"}
    notes = new_outages(outages, ())
    unused = [each.page.lead.url for each in silent if not each.page.outages]
    codes = (*question.note_codes, *filed.notes, *unused_notes(unused, sources))
    noted = {"filings": statements, "notes": sentences(codes), "note_codes": codes}
    question = question.model_copy(update=noted)
    return {
        "sources": sources,
        "findings": (*findings, *answering, *on_claim),
        "outages": notes,
        **from_plan,
        "market": state.market.model_copy(
            update={
                "question": question,
                "gathered": SearchOutcome(
                    engines=engines,
                    hits=tuple(hit for hit in hits if hit.figures or (hit.filing and hit.url not in unused)),
                    against_filings=against,
                    noise=ranking.noise,
                    outages=sum(note.where not in left for note in (*state.outages, *notes)),
                    unread=sum(each.page.document is None and bool(each.page.outages) for each in looked),
                ),
            }
        ),
        **({} if sources else {"markers": ("NO_SOURCES_FOUND",)}),
    }


def _searches(question: MarketQuestion, state: CaseState, services: Services) -> list[Search]:
    """Assign the queries to engines. Engines of markets and filings and the user's own documents get all queries that
    suit them. For news and the web the search plan selects the most promising; engines that require long pauses take
    only the first query, because waiting for the others would delay the answer."""
    queries, alone = state.planned.queries, len(state.planned.engines) == 1
    ready = [each for each in services.engines if each.name in state.planned.engines]
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
    """Score the leads by the reranker, or else by similarity to the imagined article; None: neither is available."""
    assert state.market is not None
    question, article = state.market.question, state.market.article
    readable = _readable(hits)
    scores, outage = await relevance_of(question.text, readable, services)
    if scores is not None or outage is not None or not article or services.encoder is None or not readable:
        return scores, outage
    every = rank_market(readable, question, services.rater.publisher).leads
    texts = [text_of(lead.hit, lead.hits) for lead in every]
    try:
        vectors = await asyncio.to_thread(services.encoder.encode, [article, question.text, *texts])
    except ModelError:
        return None, None  # the plan names the small model; the words of the article are in the queries
    # The mean of the two, so that a wrongly imagined article cannot outweigh the question.
    near = [sum(max(0.0, likeness(one, each)) for one in vectors[:2]) / 2 for each in vectors[2:]]
    return reranked(every, near), None


async def _read_best(
    ranked: Sequence[RankedHit], asked: AskedAll, question: MarketQuestion, desk: _Desk, services: Services
) -> list[_ReadPage]:
    """Read the best leads, and more of them if too few have findings."""
    queries = found_with(asked)
    leads = [replace(lead, queries=queries.get(lead.key, ())) for lead in leads_of(ranked)]
    looked: list[_ReadPage] = []
    for number in range(_MOST_BATCHES):
        batch = leads[number * AT_ONCE : (number + 1) * AT_ONCE]
        if not batch or (number and sum(bool(each.findings) for each in looked) >= ENOUGH):
            break
        if number and desk.wait_limit.is_over(f"read from {number * AT_ONCE}", LAST_SECONDS):
            break
        # Pages read ahead are used even if the budget is met by now: the headline may have come from one.
        there = {lead.key for lead in batch if desk.retriever.has_read(lead)}
        work = [(f"read {x.url}", partial(_read_page, x, question, desk)) for x in batch if x.key not in there]
        pages = iter(await services.side_by_side(work))
        for lead in batch:
            page = await _read_page(lead, question, desk) if lead.key in there else next(pages)
            looked += [page] if page is not None else []
    return looked


async def _filings_beside(
    looked: Sequence[_ReadPage], hits: Sequence[Hit], question: MarketQuestion, desk: _Desk
) -> list[_ReadPage]:
    """Read exhibits of the filings among the pages, which have the news, and newest periodic reports if asked for."""
    known = {each.page.lead.key for each in looked}
    reports = [(each.page.lead, each.page.document) for each in looked if each.page.document is not None]
    leads = [replace(lead, url=url) for lead, document in reports for url in exhibits_of(document)]
    leads += [Lead(hit.url, (hit,)) for hit in latest_reports(hits, question.now)]
    done = await desk.services.side_by_side(
        [(f"read {lead.url}", partial(_read_page, lead, question, desk)) for lead in leads if lead.key not in known]
    )
    return [each for each in done if each is not None]


async def _judge_claim(
    question: MarketQuestion, sources: Sequence[Source], documents: Mapping[str, Document], services: Services
) -> tuple[tuple[Finding, ...], tuple[OutageNote, ...]]:
    """Judge the pages on the statement of a yes-or-no question; by the local analyst if the budget is met."""
    counted = {source.snapshot: source for source in sources if not source.excluded}
    texts = {each.snapshot: each for each in documents.values() if each.snapshot in counted}
    if not question.claim or not texts:
        return (), ()
    claim = Claim(id=CLAIM_ID, text=question.claim)
    passages = passages_on(claim.text, texts)
    judge = partial(judged, claim, passages, services, Stage.SOURCES, desk="market")
    (done,) = await services.side_by_side([("judge the question", judge)])
    found, outages = done or (await services.local.assess(claim.text, passages), ())
    pairs = [(one, each) for one, each in zip(passages, found, strict=True) if each.stance.decides]
    return tuple(
        finding_of(number, claim, counted[passage.snapshot], passage, each, texts).model_copy(
            update={"id": f"{CLAIM_ID}-{number}"}
        )
        for number, (passage, each) in enumerate(pairs, 1)
    ), outages


async def _answered(
    question: MarketQuestion, sources: Sequence[Source], documents: Mapping[str, Document], services: Services
) -> tuple[tuple[Finding, ...], tuple[OutageNote, ...]]:
    """The sentences by which the model, if there is one, answers a question that is no yes-or-no question."""
    counted = {source.snapshot: source for source in sources if not source.excluded}
    texts = {each.snapshot: each for each in documents.values() if each.snapshot in counted}
    if question.claim or not texts or services.analyst is services.local:
        return (), ()
    passages = tuple(passages_on(question.text, texts))
    material = AnswerMaterial(question=question.text, desk="market", topic=question.about, passages=passages)

    async def asked(analyst: Analyst) -> AnswerDraft | None:
        try:
            return await analyst.answer(material)
        except ModelFormat:
            return None  # a rule chooses the sentences

    ask = partial(services.answered, asked, Stage.SOURCES)
    (done,) = await services.side_by_side([("answer the question", ask)])
    draft, outages = done or (None, ())
    quotes = draft.quotes if draft else ()
    return tuple(
        answering_finding(number, each, counted[each.snapshot], texts[each.snapshot])
        for number, each in enumerate(quotes, 1)
    ), outages


async def _compare_filings(
    question: MarketQuestion,
    statements: Sequence[FilingStatement],
    findings: Sequence[Finding],
    sources: Sequence[Source],
    services: Services,
) -> tuple[tuple[AgainstFiling, ...], tuple[OutageNote, ...]]:
    """Judge later news on statements of the filings; statements cut off by the budget are not compared."""
    counted = {source.id: source for source in sources if not source.excluded}
    compared = comparisons(statements, findings, counted)
    work = []
    for number, each in enumerate(compared, 1):
        said = each.statement.quote
        claim = Claim(id=f"filing {number}", text=in_its_name(said, question.company) if question.company else said)
        passages = [_news_passage(finding, counted[finding.source_id]) for finding in each.news]
        judge = partial(judged, claim, passages, services, Stage.SOURCES, desk="market")
        work.append((f"compare filing {number}", judge))
    found: list[AgainstFiling] = []
    outages: list[OutageNote] = []
    for each, done in zip(compared, await services.side_by_side(work), strict=True):
        readings, missing = done or ((), ())
        found += against_filings(each, readings, counted, question.now) if readings else ()
        outages += missing
    return tuple(found), tuple(outages)


def _news_passage(finding: Finding, source: Source) -> Passage:
    return Passage(
        id=finding.id,
        source_id=source.id,
        snapshot=finding.snapshot,
        text=finding.quote,
        start=finding.start,
        title=source.title,
        domain=source.domain,
        published=source.published,
    )


async def _read_page(lead: Lead, question: MarketQuestion, desk: _Desk) -> _ReadPage:
    page = await desk.retriever.page(lead)
    if page.document is None:
        return _ReadPage(page)
    source = _source(page, (), question, desk.services).model_copy(update={"id": "S0"})
    findings = market_findings(question, source, page.document)
    other = subject_of(question).is_about_another(page.document.title, page.document.text)
    return _ReadPage(page, findings, bool(question.claim) and not other)


def _snapshot(each: _ReadPage) -> str:
    return each.page.document.snapshot if each.page.document else ""


def _source(page: PageRead, findings: Sequence[Finding], question: MarketQuestion, services: Services) -> Source:
    summary = shorten(" ".join(finding.quote for finding in findings[:2]), 500)
    relevance = page.lead.ranked.relevance if page.lead.ranked else 0.5
    reading = SourceReading(summary=summary, key_claims=(), relevance=max(0.0, min(1.0, relevance)))
    source = source_of(page, reading, question.now + _GRACE, services)
    why = why_not_counted(source, question.now)
    return source.model_copy(update={"excluded": why}) if why else source


def _numbered(
    looked: Sequence[_ReadPage], filed: NamedFilings, question: MarketQuestion, services: Services
) -> tuple[tuple[Source, ...], tuple[Finding, ...], dict[str, Document], tuple[FilingStatement, ...]]:
    """Number sources and findings after those of the user's filings, one source per snapshot; return their documents,
    and the statements of filings to compare news with, too."""
    sources: list[Source] = list(filed.sources)
    documents: dict[str, Document] = dict(filed.documents)
    findings: list[Finding] = []
    statements = list(filed.statements)
    seen = {source.snapshot for source in sources}
    for each in looked:
        filing, document = each.periodic, each.page.document
        if document is None or document.snapshot in seen or not (each.findings or filing or each.may_decide):
            continue
        seen.add(document.snapshot)
        source_id = f"S{len(sources) + 1}"
        sources.append(_source(each.page, each.findings, question, services).model_copy(update={"id": source_id}))
        documents[source_id] = document
        findings += [
            finding.model_copy(update={"id": f"F{len(findings) + place}", "source_id": source_id})
            for place, finding in enumerate(each.findings, 1)
        ]
        if filing is not None:
            at = filing.filed.at if filing.filed else None
            statements += filing_statements(question, document, filing.form, at, source_id)
    return assign_stories(tuple(sources), documents), tuple(findings), documents, tuple(statements)


def _engines(asked: AskedAll, hits: Sequence[Hit], services: Services) -> tuple[EngineNote, ...]:
    """Return a note on each engine; one that answered some of its queries is left out only if it met its limit."""
    by_engine = grouped((attempt.engine, attempt) for attempt in asked.attempts)
    out: dict[str, EngineError | str] = {}
    for name, attempts in by_engine.items():
        failed = [attempt for attempt in attempts if attempt.outages]
        error = next((attempt.error for attempt in failed if attempt.error is not None), None)
        if error is not None or (failed and len(failed) == len(attempts)):
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


async def answer_market(state: CaseState, services: Services) -> Delta:
    """Answer by rule. No model writes it, because each sentence is quoted from a source and the answer must be fast."""
    assert state.market is not None and (state.brief.market is not None)
    market = state.market
    took_part = {each.engine for each in market.gathered.engines}
    not_asked = [name for name in state.planned.engines if name not in took_part] if took_part else []
    more = {
        "own": tuple(each.name for each in services.engines if EngineKind.OWN in each.kinds),
        "not_asked": tuple(services.titles(not_asked)),
        "cut": services.cut.why.sentence if services.cut.why else "",
        "saved": state.brief.market.saved,
    }
    made = answer(market.question, state.findings, state.sources, market.gathered.model_copy(update=more))
    summary = market_summary(made)
    await services.progress(Stage.SUMMARY, made.title, EventType.ANSWER_READY, state=made.state.value)
    return {"answer": made, "summary": summary}
