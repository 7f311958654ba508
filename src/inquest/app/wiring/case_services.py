"""What the nodes of one case are given: engines as the brief names them, ratings, analysts, budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.settings import Settings
from inquest.app.wiring.domain_ages import RegistryAges
from inquest.app.wiring.engine_choices import as_planned, asks_the_net, engine_choices, keyed, network_is_there, offline
from inquest.app.wiring.engine_table import other_ways
from inquest.app.wiring.model_servers import model_servers
from inquest.app.wiring.ratings import Ratings
from inquest.app.wiring.tracing import CaseClient
from inquest.domain.brief import Brief
from inquest.domain.case import LATE, Case, CaseStatus
from inquest.domain.errors import BudgetMet
from inquest.domain.report import Cost
from inquest.kit.engine import Engine
from inquest.kit.exchange import Purpose
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
            engines, door, budget.spend, otherwise=other_ways(engines) if replay else None, expect=door.expect
        ),
        pages=ReadPages(
            door, app.archive, pick, clock, budget.spend, app.second_tries(door, budget.spend, replay=replay)
        ),
        archive=app.archive,
        events=work.sink,
        clock=clock,
        budget=budget,
        mind=_analyst(app.settings, work, local),
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
        encoder=app.encoder if brief.market else None,
        tracer=work.tracer,
        replayed=replay,
    )


async def _hints(app: Resources) -> tuple[str, ...]:
    """The model servers of this machine, where no model is set; a case begins with its engines, not with these."""
    return () if app.settings.uses_model else tuple(f"{each.sentence}." for each in await model_servers(app))


def _own_domains(brief: Brief) -> Collection[str]:
    """Where the companies of a check speak for themselves."""
    from inquest.sources.own_domains import own_domains

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
