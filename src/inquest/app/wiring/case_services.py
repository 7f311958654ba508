"""Services for the nodes of one case: engines, ratings, analysts, budget; and the model servers on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
    other_ways,
)
from inquest.app.wiring.pages import ReadPages, counted
from inquest.app.wiring.ratings import Ratings, RegistryAges
from inquest.app.wiring.tracing import CaseClient
from inquest.domain.audit import WORKS
from inquest.domain.case import LATE, Case, CaseStatus
from inquest.domain.errors import BudgetMet, EngineFormat, InquestError
from inquest.domain.plan import Brief
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.kit.engine import Engine
from inquest.kit.exchange import Purpose, Request
from inquest.kit.filings import SecEngine
from inquest.kit.ports import Clock, EventSink, HttpClient
from inquest.kit.tracing import NO_TRACES, Tracer
from inquest.text.securities import Listing

if TYPE_CHECKING:
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.resources import Resources
    from inquest.flow.services import Listings, Services
    from inquest.kit.analyst import Analyst
    from inquest.retrieval.budget import CaseBudget
    from inquest.retrieval.engine_choice import EngineChoice

PORTS = {11434: "Ollama", 8080: "llama.cpp", 1234: "LM Studio", 8000: "vLLM"}
"""The default port of each server, by its documentation."""
_OWNERS = {"library": "Ollama", "llamacpp": "llama.cpp", "organization_owner": "LM Studio", "vllm": "vLLM"}
"""`owned_by` in the reply of /v1/models identifies a server that runs on another's port."""
_FIND_SECONDS = 1.0
_MOST_MODELS = 20


@dataclass(frozen=True)
class ModelServer:
    """A model server on this machine. `models`: as written in settings, with the server's address."""

    title: str
    url: str
    models: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The models as the server names them."""
        return tuple(model.partition(":")[2].partition(" at ")[0] for model in self.models)

    @property
    def sentence(self) -> str:
        """The server's models and the command to use one, in words."""
        if not self.models:
            return f"{self.title} at {self.url} has no model yet"
        use = f"use one with `inquest models use '{self.models[0]}'`"
        return f"{self.title} at {self.url} has {', '.join(self.names)}; {use}"


async def model_servers(app: Resources) -> tuple[ModelServer, ...]:
    """Find model servers on their default ports on this machine. No other host is contacted; no key or proxy is
    used."""
    from inquest.net.client import Network
    from inquest.net.door import Door
    from inquest.net.outside import Allowances
    from inquest.net.policy import RequestPolicy

    network = Network(model_hosts=[f"127.0.0.1:{port}" for port in PORTS])
    once = Allowances(policy=RequestPolicy(attempts=1))  # most ports refuse
    async with Door(clock=app.clock, user_agent="Inquest", network=network, allowances=once) as door:

        async def server_at(port: int, title: str) -> ModelServer | None:
            url = f"http://127.0.0.1:{port}/v1"
            with suppress(InquestError, TimeoutError, ValueError, KeyError, TypeError, AttributeError):
                async with asyncio.timeout(_FIND_SECONDS):
                    reply = await door.fetch(Request(url=f"{url}/models"), purpose=Purpose.MODEL, label=title)
                return _server(title, url, json.loads(reply.body)) if reply.status == 200 else None
            return None

        servers = await asyncio.gather(*(server_at(port, title) for port, title in PORTS.items()))
    return tuple(filter(None, servers))


async def suggested_servers(app: Resources) -> tuple[ModelServer, ...]:
    """The model servers on this machine, if no model is set."""
    return () if app.settings.uses_model else await model_servers(app)


def _server(title: str, url: str, reply: Any) -> ModelServer:
    """Read a reply of /v1/models. Raises ValueError, KeyError, TypeError or AttributeError for any other reply."""
    entries = reply["data"] or ()
    title = next((_OWNERS[owner] for entry in entries if (owner := entry.get("owned_by")) in _OWNERS), title)
    provider = "ollama" if title == "Ollama" else "openai"
    names = [entry["id"] for entry in entries[:_MOST_MODELS]]
    usable = [name for name in names if isinstance(name, str) and not set(name) & set(" \n\t")]
    return ModelServer(title, url, tuple(f"{provider}:{name} at {url}" for name in usable))


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
        there, servers = await asyncio.gather(network_is_there(app.settings, engines, choices), suggested_servers(app))
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
            otherwise=other_ways(engines) if replay else None,
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
    """A function that fetches the company list of the SEC, if its engine can be queried. The engine requests the same
    list before it searches, so one request serves both."""
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
