"""What the nodes of one case are given: engines, ratings, analysts, budget; and the model servers of this machine."""

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
from inquest.app.wiring.ratings import Ratings, RegistryAges
from inquest.app.wiring.tracing import CaseClient
from inquest.domain.brief import Brief
from inquest.domain.case import LATE, Case, CaseStatus
from inquest.domain.errors import BudgetMet, EngineFormat, InquestError
from inquest.domain.report import Cost
from inquest.domain.search import Hit
from inquest.kit.engine import Engine
from inquest.kit.exchange import Purpose, Request
from inquest.kit.filings import SecEngine
from inquest.kit.ports import Clock, EventSink, HttpClient
from inquest.kit.tracing import NO_TRACES, Tracer
from inquest.text.securities import Listing

if TYPE_CHECKING:
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.resources import Resources
    from inquest.flow.services import Listings, Rerank, Services
    from inquest.kit.analyst import Analyst
    from inquest.retrieval.budget import CaseBudget
    from inquest.retrieval.engine_choice import EngineChoice


PORTS = {11434: "Ollama", 8080: "llama.cpp", 1234: "LM Studio", 8000: "vLLM"}
"""Where each listens if nothing else is set, by its own documentation."""
_OWNERS = {"library": "Ollama", "llamacpp": "llama.cpp", "organization_owner": "LM Studio", "vllm": "vLLM"}
"""What each calls the owner of a model (`owned_by` of /v1/models): two servers may have changed ports."""
_FIND_SECONDS = 1.0
_MOST = 20
"""Models of one server that are shown."""


@dataclass(frozen=True)
class ModelServer:
    """A model server on this machine. `models`: each as it is written in settings, with the server's address."""

    title: str
    url: str
    models: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The models as the server names them."""
        return tuple(each.partition(":")[2].partition(" at ")[0] for each in self.models)

    @property
    def sentence(self) -> str:
        """For a person: which models it has, and the command to use one."""
        if not self.models:
            return f"{self.title} at {self.url} has no model yet"
        use = f"`inquest models use '{self.models[0]}'`"
        return f"{self.title} at {self.url} has {', '.join(self.names)}; to use one: {use}"


async def model_servers(app: Resources) -> tuple[ModelServer, ...]:
    """The servers that answer on their usual ports of this machine. Nobody else is asked, no key is sent, and no proxy
    is in between."""
    from inquest.net.client import Network
    from inquest.net.door import Door

    network = Network(model_hosts=[f"127.0.0.1:{port}" for port in PORTS])
    async with Door(clock=app.clock, user_agent="Inquest", network=network) as door:

        async def one(port: int, title: str) -> ModelServer | None:
            url = f"http://127.0.0.1:{port}/v1"
            with suppress(InquestError, TimeoutError, ValueError, KeyError, TypeError, AttributeError):
                async with asyncio.timeout(_FIND_SECONDS):
                    reply = await door.fetch(Request(url=f"{url}/models"), purpose=Purpose.MODEL, label=title)
                return _server(title, url, json.loads(reply.body)) if reply.status == 200 else None
            return None

        found = await asyncio.gather(*(one(port, title) for port, title in PORTS.items()))
    return tuple(each for each in found if each)


def _server(title: str, url: str, said: Any) -> ModelServer:
    """The server whose /v1/models says this. Raises ValueError, KeyError, TypeError, AttributeError for another's."""
    entries = said["data"] or ()
    title = next((_OWNERS[owner] for each in entries if (owner := each.get("owned_by")) in _OWNERS), title)
    provider = "ollama" if title == "Ollama" else "openai"
    names = [name for each in entries[:_MOST] if isinstance(name := each["id"], str) and not set(name) & set(" \n\t")]
    return ModelServer(title, url, tuple(f"{provider}:{name} at {url}" for name in names))


@dataclass(frozen=True)
class CaseWork:
    """A case at work, and what is its own: connections, budget, where its events go, its clock."""

    case: Case
    door: CaseClient
    budget: CaseBudget
    sink: EventSink
    clock: Clock
    tracer: Tracer = NO_TRACES
    replay: bool = False
    """It is run again from its recording alone."""


async def case_services(app: Resources, work: CaseWork) -> Services:
    """The services that the nodes of the case are given. Raises InputError for a collection or engine that the brief
    names and is not there, SettingError."""
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.pages import ReadPages
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
        there, hints = await asyncio.gather(network_is_there(app.settings, engines, choices), _hints(app))
        choices = choices if there else [offline(choice) for choice in choices]
    if replay and case.plan:
        engines, choices = keyed(engines), as_planned(choices, case.plan, engines)
    ratings = [path for name in brief.collections if (path := app.collections.ratings(name))]
    local = LocalAnalyst(app.reader, app.encoder)
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
        reranker=_reranker(app, door, budget.spend, replay=replay),
        earlier_outages=case.outages if replay else (),
        listings=_listings(engines, choices, door, budget.spend) if brief.market else None,
        work_of=_works(engines["crossref"], door, budget.spend) if brief.audit and "crossref" in engines else None,
        encoder=app.encoder if brief.market else None,
        tracer=work.tracer,
        replayed=replay,
    )


async def _hints(app: Resources) -> tuple[str, ...]:
    """The model servers of this machine, where no model is set; a case begins with its engines, not with these."""
    return () if app.settings.uses_model else tuple(f"{each.sentence}." for each in await model_servers(app))


def _own_domains(brief: Brief) -> Collection[str]:
    """Where the companies of a check speak for themselves."""
    from inquest.sources.owners import own_domains

    if brief.check is None:
        return ()
    companies = {brief.check.company, *(claim.company for claim in brief.check.claims)}
    return frozenset(domain for company in companies if company for domain in own_domains(company))


def _listings(
    engines: Mapping[str, Engine], choices: Sequence[EngineChoice], door: HttpClient, spend: Callable[[Cost], None]
) -> Listings | None:
    """The companies as the register of filings lists them, where that is among the engines of the case. It is what its
    engines ask for before they search, so that it costs one request for all of them."""
    from inquest.desks.market.queries import LISTS

    engine = engines[LISTS]
    if not isinstance(engine, SecEngine) or not any(each.name == LISTS and each.lacks is None for each in choices):
        return None

    async def listed() -> list[Listing]:
        reply = await door.fetch(engine.ask_for_companies(), purpose=Purpose.ENGINE, label=engine.name)
        if not reply.recorded:
            spend(Cost(search_calls=1))
        return engine.listings(reply)

    return listed


def _works(crossref: Engine, door: HttpClient, spend: Callable[[Cost], None]) -> Callable[[str], Awaitable[Hit | None]]:
    """The record of a DOI at Crossref; None: it has none. Raises Outage."""

    async def work_of(doi: str) -> Hit | None:
        url = f"https://api.crossref.org/works/{quote(doi, safe='/')}"
        reply = await door.fetch(Request(url=url), purpose=Purpose.ENGINE, label=crossref.name)
        if not reply.recorded:
            spend(Cost(search_calls=1))
        if reply.status in (404, 410):
            return None
        try:
            (hit,) = crossref.parse(reply)
        except (ValueError, KeyError, TypeError) as error:
            raise EngineFormat(crossref.name, f"Crossref has no readable record of {doi}.") from error
        return hit

    return work_of


def _reranker(app: Resources, door: HttpClient, spend: Callable[[Cost], None], *, replay: bool) -> Rerank | None:
    """The reranker of the settings, where it is not the local one; of a replay, whichever the case asked."""
    ranker = app.reranker(door, spend, replay=replay)
    return None if ranker.is_local else ranker.rank


def _why_cut(case: Case) -> BudgetMet | None:
    if all(label.startswith(LATE) for label in case.cut):
        return None
    kind = case.budget_met or ("cancelled" if case.status is CaseStatus.CANCELLED else "time")
    return BudgetMet(kind, case.why.split(". ")[0] + ".")


def _analyst(settings: Settings, work: CaseWork, local: LocalAnalyst) -> Analyst:
    """The analyst of the settings; of a case that is replayed, the one that its plan names."""
    plan = work.case.plan
    named = plan.analyst if work.replay and plan else None
    if named == "local" or (named is None and not settings.uses_model):
        return local
    from inquest.app.wiring.model_services import model_analyst

    limited = work.case.brief.budget_usd is not None
    return model_analyst(settings, work.door, work.budget, local, replayed=named, limited=limited)
