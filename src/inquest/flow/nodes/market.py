"""Plan a market answer: read the question, choose queries and engines. And read the filings that the user named, for
statements to compare news with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from inquest.desks.market.events import says
from inquest.desks.market.filings import filing_statements
from inquest.desks.market.queries import (
    FILINGS_ENGINES,
    LISTS,
    article_terms,
    expansion_terms,
    goes_to,
    market_queries,
    step_back,
)
from inquest.desks.market.questions import read_question
from inquest.desks.market.subjects import named_by_leads
from inquest.domain.document import Document
from inquest.domain.errors import EngineUnavailable, ModelUnavailable, Outage, PageUnavailable
from inquest.domain.event import Stage
from inquest.domain.market import FilingStatement, MarketQuestion, MarketReading, MarketRequest, NamedFiling
from inquest.domain.reasons import Reason
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Source
from inquest.flow.gathering import opening
from inquest.flow.planned import made_plan
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta, MarketState, new_outages
from inquest.kit.analyst import Analyst
from inquest.retrieval.case_ports import WaitLimit, in_time
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.reading import Lead, PageRead, read_page, search, source_of
from inquest.text.dates import utc
from inquest.text.securities import Listing

_SETTLED = "The question determines the queries: approve the plan, or ask another question."
LISTINGS_SECONDS, MODEL_SECONDS = 6.0, 15.0
"""Timeouts of the list of companies and of the model; the question can be answered without them."""
_KINDS = frozenset((EngineKind.MARKET, EngineKind.NEWS, EngineKind.WEB, EngineKind.OWN))


async def plan_market(state: CaseState, services: Services) -> Delta:
    """Plan the answer to a question. Raises InputError if it is not a question or a ticker is invalid."""
    request = state.brief.market
    assert request is not None and state.brief.as_of is not None
    before = state.plan
    if before is not None and state.market is not None:
        return {"plan": before.model_copy(update={"revision": before.revision + 1, "notes": (_SETTLED, *before.notes)})}
    question, reading, outages = await _read(state, request, services)
    question = question.model_copy(update={"step_back": step_back(question)})
    ready = services.ready
    expansion = article_terms(reading.article, question) if reading.article else ()
    queries = market_queries(question, expansion or expansion_terms(question))
    chosen = [engine for engine in ready if engine.asked_for or _is_asked(engine, queries, question)]
    plan = made_plan(
        state,
        chosen,
        services,
        topic=f"{question.about}: {question.kind.value.replace('_', ' ')}",
        questions=(question.text, question.step_back),
        queries=queries,
        source_kinds=("news", "companies' releases", "filings", "analysts' actions"),
        notes=question.notes,
    )
    return {
        "plan": plan,
        "market": MarketState(question=question, article=reading.article),
        "outages": new_outages(outages, state.outages),
    }


async def _read(
    state: CaseState, request: MarketRequest, services: Services
) -> tuple[MarketQuestion, MarketReading, list[OutageNote]]:
    """Read the question by rule, with the listed companies and the model's reading; return both and the outages."""
    assert state.brief.as_of is not None
    read_as = partial(read_question, state.brief.text, state.brief.as_of, request)
    plain = read_as(listings=(), reading=MarketReading())
    outages: list[OutageNote] = []
    known: list[Listing] = []
    reading = MarketReading()

    async def listed() -> None:
        if services.listings is None or not (plain.tickers or plain.company):
            return
        try:
            known.extend(await in_time("listings", services.listings, LISTINGS_SECONDS, services))
        except TimeoutError:
            late = EngineUnavailable(LISTS, f"{LISTS} had not returned its list of companies in time.")
            outages.append(await services.outage("engine", LISTS, late, Stage.PLAN))
        except Outage as error:
            outages.append(await services.outage("engine", LISTS, error, Stage.PLAN))

    async def modelled() -> None:
        nonlocal reading

        async def asked(analyst: Analyst) -> MarketReading:
            read = partial(analyst.read_market_question, plain.text)
            if analyst is services.local:
                return await read()
            try:
                return await in_time("read the question", read, MODEL_SECONDS, services)
            except TimeoutError:
                late = f"{analyst.name} did not answer in time."
                raise ModelUnavailable(analyst.name, late) from None

        reading, failed = await services.answered(asked, Stage.PLAN)
        outages.extend(failed)

    await services.side_by_side([("listings", listed), ("read the question", modelled)])
    return named_by_leads(read_as(listings=known, reading=reading), ()), reading, outages


def _is_asked(engine: EngineChoice, queries: Sequence[Query], question: MarketQuestion) -> bool:
    if EngineKind.OWN in engine.kinds:
        return True
    fitting = [query for query in queries if set(query.kinds) & set(engine.kinds)]
    named = bool(question.tickers or question.company) or engine.name not in FILINGS_ENGINES
    return named and bool(_KINDS & set(engine.kinds)) and any(goes_to(engine.name, each, question) for each in fitting)


_WORDS = "edgar"
"""The engine that finds a filing by its text."""
_NEWEST = 100
"""Newest filings of a company that are searched for a number."""


@dataclass
class NamedFilings:
    """The filings that were read, and their statements."""

    sources: list[Source] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    """By source id."""
    statements: tuple[FilingStatement, ...] = ()
    outages: list[OutageNote] = field(default_factory=list)
    notes: list[Reason] = field(default_factory=list)
    """Sentences on filings that were not found or do not count."""


@dataclass(frozen=True)
class _Lookup:
    """The result for one filing, in one value: if cut off nothing of it is kept, as a replay does not begin it."""

    page: PageRead | None
    """None: the filing does not exist, or no engine could be queried for it."""
    outages: tuple[OutageNote, ...] = ()
    """Outages of the engines that were queried for it."""
    note: Reason | None = None


async def named_filings(
    filings: Sequence[NamedFiling], question: MarketQuestion, wait_limit: WaitLimit, seconds: float, services: Services
) -> NamedFilings:
    """Read the filings, numbered from S1 in the user's order.

    The timeout of each is `seconds`, within `wait_limit`; waiting ends when the user stops or the budget is met. A
    filing that was not read is an outage. Uploaded files are always read."""
    found = NamedFilings()
    remote = {f"filing {each.given}": each for each in filings if not each.snapshot}
    left = wait_limit.left(seconds)

    async def sought(label: str, given: NamedFiling) -> _Lookup:
        try:
            return await in_time(label, lambda: _look_up(given, question, services), left, services)
        except TimeoutError:
            return await _unread(given, "it did not arrive in time", services)

    asked = await services.side_by_side([(label, partial(sought, label, each)) for label, each in remote.items()])
    results = dict(zip(remote, asked, strict=True))
    for given in filings:
        looked = await _look_up(given, question, services) if given.snapshot else results[f"filing {given.given}"]
        if looked is None:
            looked = await _unread(given, "it did not arrive before the answer was cut short", services)
        found.outages += looked.outages
        found.notes += [looked.note] if looked.note else []
        page = looked.page
        if page is None:
            continue
        found.outages += page.outages
        if page.document is None:
            found.notes.append(says("filing_unread", name=given.given))
            continue
        filing = next((hit.filing for hit in page.lead.hits if hit.filing), None)
        source = source_of(page, opening(page, relevance=1.0), question.now, services)
        filed = (filing.filed if filing else None) or source.published
        source = source.model_copy(update={"id": f"S{len(found.sources) + 1}", "published": filed})
        found.sources.append(source)
        found.documents[source.id] = page.document
        at = filed.at if filed else None
        if at is not None and utc(at) > utc(question.now):
            found.notes.append(says("filing_ahead", name=given.given))
            continue
        form = filing.form if filing else ""
        statements = filing_statements(question, page.document, form, at, source.id)
        if not statements:
            found.notes.append(says("filing_without_figures", name=given.given))
        found.statements = (*found.statements, *statements)
    return found


async def _unread(given: NamedFiling, why: str, services: Services) -> _Lookup:
    where = given.url or given.given
    error = PageUnavailable(where, f"The filing {given.given} was not read: {why}.")
    return _Lookup(PageRead(Lead(where), outages=(await services.outage("page", where, error, Stage.SOURCES),)))


async def _look_up(given: NamedFiling, question: MarketQuestion, services: Services) -> _Lookup:
    if given.snapshot:
        lead = Lead(given.url, user_provided=True)
        snapshot = await services.archive.snapshot(given.snapshot)
        return _Lookup(PageRead(lead, snapshot, await services.archive.document(given.snapshot)))
    if given.url:
        return _Lookup(await read_page(Lead(given.url, user_provided=True), services, Stage.SOURCES))
    return await _numbered(given.accession, question, services)


async def _numbered(accession: str, question: MarketQuestion, services: Services) -> _Lookup:
    """Find the filing of a number among the company's newest, or by the text search."""
    about = question.company or " ".join(each.shown for each in question.tickers)
    symbols = tuple(each.symbol for each in question.tickers)
    asked = [(LISTS, Query(text=about, tickers=symbols, kinds=(EngineKind.MARKET,), limit=_NEWEST))] if about else []
    asked.append((_WORDS, Query(text=f'"{accession}"', kinds=(EngineKind.MARKET,), limit=10)))
    ready = set(services.asks(EngineKind.MARKET))
    unavailable = [name for name, _ in asked if name not in ready]
    outages: list[OutageNote] = []
    for engine, query in asked:
        if engine in unavailable:
            continue
        hits, outage, _ = await search(engine, query, services, Stage.SOURCES)
        outages += [outage] if outage else []
        unavailable += [engine] if outage else []
        hit = next((hit for hit in hits if hit.filing and hit.filing.id == accession), None)
        if hit is not None:
            page = await read_page(Lead(hit.url, user_provided=True), services, Stage.SOURCES)
            return _Lookup(replace(page, lead=Lead(hit.url, (hit,), user_provided=True)), tuple(outages))
    if len(unavailable) == len(asked):
        note = says("filing_not_sought", name=accession)
    else:
        note = says("filing_not_found_of" if about else "filing_not_found", number=accession, name=about)
    return _Lookup(None, tuple(outages), note)
