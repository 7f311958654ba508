"""What the nodes of one case are given: engines as the brief names them, ratings, minds, budget."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inquest.app.engine_table import other_ways
from inquest.app.rating import Ratings
from inquest.desks.market.whom import LISTS
from inquest.domain.brief import Brief
from inquest.domain.case import LATE, Case
from inquest.domain.errors import BudgetMet
from inquest.domain.plan import NO_QUESTION, Plan
from inquest.domain.report import Cost
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import DomainAge
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.filings import SecEngine
from inquest.kit.ports import Clock, Door, EventSink
from inquest.text.securities import Listing
from inquest.text.urls import registrable_domain

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.flow.budget import CaseBudget
    from inquest.flow.services import Listings, Rerank, Services

__all__ = ["case_services"]

LOOK_UP_SECONDS = 3.0
_RESERVED = frozenset(("example", "test", "invalid", "localhost", "local", "internal"))
"""Top-level names without a registry (RFC 2606, RFC 6762)."""


async def case_services(
    app: App, case: Case, door: Any, budget: CaseBudget, sink: EventSink, clock: Clock, *, replay: bool = False
) -> Services:
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.pages import ReadPages
    from inquest.flow.fanout import CutList
    from inquest.flow.services import EngineChoice, Services
    from inquest.net.searcher import Searcher
    from inquest.readers import pick

    brief = case.brief
    engines = app.engines_for(brief)
    choices = _choices(engines, brief, EngineChoice)
    if case.plan is None and not replay and not await _network_is_there(app, engines, choices):
        choices = [_offline(choice) for choice in choices]
    if replay and case.plan:
        engines, choices = _keyed(engines), _as_planned(choices, case.plan)
    ratings = [path for name in brief.collections if (path := app.collections.ratings(name))]
    local = LocalAnalyst(app.reader, app.encoder)
    return Services(
        searcher=Searcher(engines, door, budget.spend, otherwise=other_ways(engines) if replay else None),
        pages=ReadPages(
            door, app.archive, pick, clock, budget.spend, app.second_tries(door, budget.spend, replay=replay)
        ),
        archive=app.archive,
        events=sink,
        clock=clock,
        budget=budget,
        mind=_mind(app, case, door, budget, local, replay=replay),
        local=local,
        rater=Ratings(app.settings, ratings, _own_domains(brief)),
        desks=app.desks,
        began=case.created_at,
        engines=tuple(choices),
        cut=CutList(budget, replayed=case.cut, why=_why_cut(case)) if replay else CutList(budget),
        domain_ages=_DomainAges(door, budget.spend) if _asks_the_net(choices) else None,
        reranker=_reranker(app, door, budget.spend, replay=replay),
        earlier_outages=case.outages if replay else (),
        listings=_listings(engines, choices, door, budget.spend) if brief.market else None,
        encoder=app.encoder if brief.market else None,
        replayed=replay,
    )


def _own_domains(brief: Brief) -> Collection[str]:
    """Where the companies of a check speak for themselves."""
    from inquest.sources.own_domains import own_domains

    if brief.check is None:
        return ()
    companies = {brief.check.company, *(claim.company for claim in brief.check.claims)}
    return frozenset(domain for company in companies if company for domain in own_domains(company))


def _asks_the_net(choices: list[Any]) -> bool:
    """Whether anybody outside is asked; a case of the user's own documents tells nobody what they are."""
    return any(choice.lacks is None and EngineKind.OWN not in choice.kinds for choice in choices)


def _listings(
    engines: Mapping[str, Engine], choices: list[Any], door: Door, spend: Callable[[Cost], None]
) -> Listings | None:
    """The companies as the register of filings lists them, where that is among the engines of the case. It is what its
    engines ask for before they search, so that it costs one request for all of them."""
    engine = engines[LISTS]
    if not isinstance(engine, SecEngine) or not any(each.name == LISTS and each.lacks is None for each in choices):
        return None

    async def listed() -> list[Listing]:
        reply = await door.fetch(engine.ask_for_companies(), purpose=Purpose.ENGINE, label=engine.name)
        if not reply.recorded:
            spend(Cost(search_calls=1))
        return engine.listings(reply)

    return listed


class _DomainAges:
    """kit.ports.DomainAges through the case's door; each request counts as a search."""

    def __init__(self, door: Door, spend: Callable[[Cost], None]) -> None:
        self._door, self._spend = door, spend

    async def age(self, url: str) -> DomainAge:
        from inquest.app.domain_ages import domain_age

        domain = registrable_domain(url)
        if domain.rpartition(".")[2] in _RESERVED:
            return DomainAge(domain=domain, why_unknown="it is of a reserved name that nobody can register")
        return await domain_age(self, url)

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """kit.ports.Door, counted."""
        reply = await self._door.fetch(request, purpose=purpose, label=label)
        if not reply.recorded:
            self._spend(Cost(search_calls=1))
        return reply


def _reranker(app: App, door: Door, spend: Callable[[Cost], None], *, replay: bool) -> Rerank | None:
    """The reranker of the settings, where it is not the local one; of a replay, whichever the case asked."""
    ranker = app.reranker(door, spend, replay=replay)
    return None if ranker.is_local else ranker.rank


def _why_cut(case: Case) -> BudgetMet | None:
    if all(label.startswith(LATE) for label in case.cut):
        return None
    why = case.why.split(". ")[0] + "."
    kind = "cancelled" if "asked to stop" in why else "usd" if "USD" in why else "time"
    return BudgetMet(kind, why)  # type: ignore[arg-type]


def _choices(engines: Any, brief: Brief, choice: Any) -> list[Any]:
    """The engines in order of preference: those asked for and only those, or all."""
    names = list(brief.engines) or list(engines)
    if brief.collections:
        own = [name for name in engines if EngineKind.OWN in engines[name].spec.kinds]
        names = [*own, *(name for name in names if name not in own)]
    made = []
    for name in names:
        engine: Engine = engines[name]
        lacks = engine.lacks()
        if EngineKind.OWN in engine.spec.kinds and not brief.collections:
            if name not in brief.engines:
                continue
            lacks = "no collection was named: add --collection NAME"
        made.append(
            choice(
                name=name,
                kinds=engine.spec.kinds,
                lacks=lacks,
                asked_for=name in brief.engines,
                title=engine.spec.title,
                # As the engine has it, and not as settings change it: what is asked of whom is the same on a replay.
                pause=1 / engine.spec.limits.per_second if engine.spec.limits.per_second > 0 else 0.0,
                usd=engine.spec.usd_per_call,
            )
        )
    return made


async def _network_is_there(app: App, engines: Mapping[str, Engine], choices: list[Any]) -> bool:
    """Whether any host of the engines that could be asked can be looked up. A proxy looks names up itself, and hosts
    of the user's own may be inside, so with either nothing is tried."""
    if app.settings.proxy or app.settings.allow_hosts:
        return True
    hosts = {
        urlsplit(next(engines[choice.name].search(Query(text="x"))).url).hostname
        for choice in choices
        if choice.lacks is None and EngineKind.OWN not in choice.kinds
    }
    tasks = [asyncio.ensure_future(_is_found(host)) for host in sorted(filter(None, hosts))]
    try:
        for found in asyncio.as_completed(tasks, timeout=LOOK_UP_SECONDS):
            if await found:
                return True
    except TimeoutError:
        return True  # slow is not absent: the engines will tell
    finally:
        for task in tasks:
            task.cancel()
    return not tasks


async def _is_found(host: str) -> bool:
    try:
        return bool(await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM))
    except OSError:
        return False


def _offline(choice: Any) -> Any:
    if choice.lacks or EngineKind.OWN in choice.kinds:
        return choice
    return replace(choice, lacks="there is no network: its address cannot be looked up")


def _keyed(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """The engines as if every key were there: on replay a request shows a placeholder where the key was."""
    from inquest.net.redaction import PLACEHOLDER

    return {
        name: type(engine)(_filled(engine, PLACEHOLDER)) if engine.lacks() else engine
        for name, engine in engines.items()
    }


def _filled(engine: Engine, placeholder: str) -> EngineAccess:
    access, spec = engine.access, engine.spec
    wanted = {"key": spec.key if not spec.key_optional else None, "second_key": spec.second_key}
    wanted["account"] = spec.account_setting
    return access.model_copy(
        update={name: placeholder for name, setting in wanted.items() if setting and not getattr(access, name)}
    )


def _as_planned(choices: list[Any], plan: Plan) -> list[Any]:
    """The engines as they were when the case was planned, whatever keys are set or missing now."""
    said = dict(line.split(": ", 1) for line in plan.left_out if ": " in line)
    known = [choice for choice in choices if choice.name in plan.engines or choice.name in said]
    return [
        replace(
            choice, lacks=None if choice.name in plan.engines or said[choice.name] == NO_QUESTION else said[choice.name]
        )
        for choice in known
    ]


def _mind(app: App, case: Case, door: Any, budget: CaseBudget, local: Any, *, replay: bool) -> Any:
    """The analyst of the settings; of a case that is replayed, the one that its plan names."""
    named = case.plan.analyst if replay and case.plan else None
    if named == "local" or (named is None and not app.settings.uses_model):
        return local
    from inquest.app.models import model_analyst

    return model_analyst(app.settings, door, budget, local, replayed=named)
