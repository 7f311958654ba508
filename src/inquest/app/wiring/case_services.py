"""Services for the nodes of one case: engines, ratings of sources, ages of domains, analysts, budget."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from inquest.app.settings import Settings
from inquest.app.wiring.engine_choices import (
    as_planned,
    asks_the_net,
    engine_choices,
    keyed,
    network_is_there,
    offline,
    with_other_keys,
)
from inquest.app.wiring.pages import ReadPages, counted
from inquest.app.wiring.tracing import CaseClient
from inquest.domain.audit import WORKS
from inquest.domain.case import LATE, Case, CaseStatus
from inquest.domain.document import Document
from inquest.domain.errors import BudgetMet, EngineFormat, InputError, SettingError
from inquest.domain.plan import Brief
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.domain.source import DomainAge, Rating
from inquest.kit.domain_registry import NAME, ask_domain_age
from inquest.kit.engine import Engine
from inquest.kit.exchange import Request
from inquest.kit.filings import SecEngine
from inquest.kit.ports import NO_TRACES, Clock, EventSink, HttpClient, Tracer
from inquest.sources.ratings_table import load_ratings
from inquest.sources.tiers import rate, rate_document
from inquest.text.securities import Listing
from inquest.text.urls import clean, is_web_url, registrable_domain, with_scheme

if TYPE_CHECKING:
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.resources import Resources
    from inquest.flow.services import Listings, Services
    from inquest.kit.analyst import Analyst
    from inquest.retrieval.budget import CaseBudget
    from inquest.retrieval.engine_choice import EngineChoice


@dataclass(frozen=True)
class CaseWork:
    """A running case with its own client, budget, event sink and clock. `replay`: run from its recording alone."""

    case: Case
    door: CaseClient
    budget: CaseBudget
    sink: EventSink
    clock: Clock
    tracer: Tracer = NO_TRACES
    replay: bool = False


async def case_services(app: Resources, work: CaseWork) -> Services:
    """Create the services for the nodes of the case. Raises InputError for an unknown collection or engine in the
    brief, SettingError."""
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.model_services import suggested_servers
    from inquest.flow.services import Services
    from inquest.net.searcher import Searcher
    from inquest.readers import pick
    from inquest.retrieval.fanout import CutList

    case, door, budget, clock, replay = work.case, work.door, work.budget, work.clock, work.replay
    brief = case.brief
    if brief.collections:
        await app.collections.refresh(*brief.collections)
    engines = app.engines_for(brief)
    choices = engine_choices(engines, brief)
    hints: tuple[str, ...] = ()
    if case.plan is None and not replay:
        there, servers = await asyncio.gather(
            network_is_there(app.settings, engines, choices), suggested_servers(app.settings, app.clock)
        )
        hints = tuple(f"{server.sentence}." for server in servers)
        choices = choices if there else [offline(choice) for choice in choices]
    if replay and case.plan:
        engines, choices = keyed(engines), as_planned(choices, case.plan, engines)
    ratings = [path for name in brief.collections if (path := app.collections.ratings(name))]
    local = LocalAnalyst(app.reader, app.encoder)
    ranker = app.reranker(door, budget.spend, replay=replay)
    return Services(
        searcher=Searcher(
            engines,
            door,
            budget.spend,
            otherwise=with_other_keys(engines) if replay else None,
            expect=door.expect,
            archive=app.archive,
        ),
        pages=ReadPages(
            door, app.archive, pick, clock, budget.spend, app.second_tries(door, budget.spend, replay=replay)
        ),
        archive=app.archive,
        events=work.sink,
        clock=clock,
        budget=budget,
        analyst=_analyst(app.settings, work, local),
        local=local,
        rater=Ratings(app.settings, ratings, _own_domains(brief)),
        desks=app.desks,
        hints=hints,
        began=case.created_at,
        engines=tuple(choices),
        cut=CutList(budget, replayed=case.cut, why=_why_cut(case)) if replay else CutList(budget),
        domain_ages=RegistryAges(door, budget.spend) if asks_the_net(choices) else None,
        reranker=None if ranker.is_local else ranker.rank,
        earlier_outages=case.outages if replay else (),
        listings=_listings(engines, choices, door, budget.spend) if brief.market else None,
        work_of=_works(engines["crossref"], door, budget.spend) if brief.audit and "crossref" in engines else None,
        works_like=_works_like([engines[name] for name in WORKS], door, budget.spend)
        if brief.audit and engines.keys() >= set(WORKS)
        else None,
        encoder=app.encoder if brief.market else None,
        tracer=work.tracer,
        replayed=replay,
    )


def _own_domains(brief: Brief) -> Collection[str]:
    """The companies' own websites."""
    from inquest.sources.owners import own_domains

    if brief.check is None:
        return ()
    companies = {brief.check.company, *(claim.company for claim in brief.check.claims)}
    return frozenset(domain for company in companies if company for domain in own_domains(company))


def _listings(
    engines: Mapping[str, Engine], choices: Sequence[EngineChoice], door: HttpClient, spend: Callable[[Cost], None]
) -> Listings | None:
    """A function that fetches the SEC's list of companies, which its engine also requests, if that can be queried."""
    from inquest.desks.market.queries import LISTS

    engine = engines[LISTS]
    if not isinstance(engine, SecEngine) or not any(each.name == LISTS and each.lacks is None for each in choices):
        return None

    async def listed() -> list[Listing]:
        return engine.listings(await counted(door, spend, engine.ask_for_companies(), engine.name))

    return listed


def _works(crossref: Engine, door: HttpClient, spend: Callable[[Cost], None]) -> Callable[[str], Awaitable[Hit | None]]:
    """A function that returns Crossref's record of a DOI, or None. Raises Outage."""

    async def work_of(doi: str) -> Hit | None:
        url = f"https://api.crossref.org/works/{quote(doi, safe='/')}"
        reply = await counted(door, spend, Request(url=url), crossref.name)
        if reply.status in (404, 410):
            return None
        try:
            (hit,) = crossref.parse(reply)
        except (ValueError, KeyError, TypeError) as error:
            raise EngineFormat(crossref.name, f"Crossref's record of {doi} cannot be read.") from error
        return hit

    return work_of


def _works_like(
    registries: Sequence[Engine], door: HttpClient, spend: Callable[[Cost], None]
) -> Callable[[str], Awaitable[tuple[Hit, ...]]]:
    """A function that returns the works that registries find for a reference. Raises Outage."""

    async def works_like(reference: str) -> tuple[Hit, ...]:
        found: list[Hit] = []
        for engine in registries:
            reply = await counted(door, spend, engine.request(Query(text=reference, limit=5)), engine.name)
            found += engine.parsed(reply, engine.parse)
        return tuple(found)

    return works_like


def _why_cut(case: Case) -> BudgetMet | None:
    if all(label.startswith(LATE) for label in case.cut):
        return None
    kind = case.budget_met or ("cancelled" if case.status is CaseStatus.CANCELLED else "time")
    return BudgetMet(kind, case.why.split(". ")[0] + ".")


def _analyst(settings: Settings, work: CaseWork, local: LocalAnalyst) -> Analyst:
    """The analyst of the settings; in a replay, the one named in the plan."""
    plan = work.case.plan
    named = plan.analyst if work.replay and plan else None
    if named == "local" or (named is None and not settings.uses_model):
        return local
    from inquest.app.wiring.model_services import model_analyst

    limited = work.case.brief.budget_usd is not None
    return model_analyst(settings, work.door, work.budget, local, replayed=named, limited=limited)


_MOST_BYTES = 64 * 2**20


class Ratings:
    """kit.ports.Rater: the user's file first, then the ratings of collections in use, then the table."""

    def __init__(self, settings: Settings, more: Iterable[Path] = (), own_domains: Collection[str] = ()) -> None:
        """`own_domains`: those of the case's companies (`sources.owners`). Raises SettingError or InputError for a file
        that cannot be used."""
        self._own = frozenset(own_domains)
        files = ([settings.ratings] if settings.ratings else []) + list(more)
        self._extra = [load_ratings(_text(path), path.name) for path in files]
        self._documents: dict[tuple[str, str], Rating] = {}

    def publisher(self, url: str) -> Rating:
        """The rating of the publisher at the URL."""
        return rate(url, extra=self._extra, own_domains=self._own)

    def document(self, document: Document) -> Rating:
        """The publisher's rating, lowered for a press release. Cached, because a page is a source of many claims."""
        key = (document.url, document.snapshot)
        if key not in self._documents:
            self._documents[key] = rate_document(
                document.url,
                title=document.title,
                text=document.text,
                author=document.author,
                extra=self._extra,
                own_domains=self._own,
            )
        return self._documents[key]


def _text(path: Path) -> str:
    """Read UTF-8, or the UTF-16 of 'Unicode text' saved by spreadsheets."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path.name} is too large for a list of ratings: at most {_MOST_BYTES // 2**20} MB.")
        body = path.read_bytes()
    except OSError as error:
        raise SettingError(f"The ratings file {path} cannot be read.", advice="Check INQUEST_RATINGS.") from error
    try:
        return body.decode("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not UTF-8 text.", advice="Save it as CSV in UTF-8.") from error


def rate_urls(urls: Sequence[str], settings: Settings) -> list[dict[str, Any]]:
    """The JSON of `inquest tier`, in the order of the URLs."""
    ratings = Ratings(settings)
    rows = []
    for url in urls:
        address = with_scheme(url)
        rating = ratings.publisher(clean(address) if is_web_url(address) else url)
        rows.append({"url": url, **rating.model_dump(mode="json")})
    return rows


_RESERVED = frozenset(("example", "test", "invalid", "localhost", "local", "internal"))
"""Top-level names without a registry (RFC 2606, RFC 6762)."""


class RegistryAges:
    """kit.ports.RegistryAges through the case's client; each request counts as a search."""

    def __init__(self, door: HttpClient, spend: Callable[[Cost], None]) -> None:
        self._door, self._spend = door, spend

    async def age(self, url: str) -> DomainAge:
        domain = registrable_domain(url)
        if domain.rpartition(".")[2] in _RESERVED:
            return DomainAge(domain=domain, why_unknown="its top-level name is reserved and has no registry")
        conversation = ask_domain_age(url)
        try:
            request = next(conversation)
            while True:
                request = conversation.send(await counted(self._door, self._spend, request, NAME))
        except StopIteration as end:
            age: DomainAge = end.value
            return age
        finally:
            conversation.close()
