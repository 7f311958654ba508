"""All engines and rerankers; and the engines of a case in order, with reasons for those that it cannot query."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inquest.app.settings import EngineSetting, Settings, load_settings
from inquest.collection.registry_store import tables_in
from inquest.domain.errors import SettingError
from inquest.domain.plan import NO_QUESTION, Brief, Plan, UnaskedEngine
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.mcp_server import PREFIX, mcp_engine
from inquest.kit.reranker import RerankerAccess, rerankers
from inquest.net.redaction import PLACEHOLDER
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.urls import host_of

if TYPE_CHECKING:
    from inquest.kit.reranker import Reranker


def made_engines(settings: Settings) -> dict[str, Engine]:
    """Every engine by name, with its settings."""
    from inquest.kit.discover import engines

    found, tables = engines("inquest.engines"), tables_in(settings.home)
    found |= {f"{PREFIX}{name}": mcp_engine(name, server) for name, server in settings.mcp.items()}
    for name, setting in settings.engine.items():
        limited = setting.model_copy(update={"url": None}) != EngineSetting()
        if limited and name not in found:
            from inquest.net.searcher import label_of

            if name not in map(label_of, reranker_kinds()):
                known = ", ".join(sorted(found))
                raise SettingError(f"Limits are set for an unknown engine '{name}'.", advice=f"Engines: {known}.")
    return {
        name: kind(
            EngineAccess(
                key=settings.key(kind.spec.key),
                url=settings.address(kind.spec),
                account=settings.key(kind.spec.account_setting),
                second_key=settings.key(kind.spec.second_key),
                contact=settings.contact,
                tables=tables,
            )
        )
        for name, kind in found.items()
    }


def with_other_keys(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """Each engine with an optional key, without its key or with a placeholder: a replay may run on a machine that has a
    key although the case had none, or the reverse."""
    return {
        name: type(engine)(engine.access.model_copy(update={"key": None if engine.access.key else PLACEHOLDER}))
        for name, engine in engines.items()
        if engine.spec.key and engine.spec.key_optional
    }


def engine_table() -> list[dict[str, Any]]:
    """The rows of `inquest engines`."""
    rows = []
    settings = load_settings()
    for name, engine in made_engines(settings).items():
        spec, limits = engine.spec, settings.limits(engine.spec)
        rows.append(
            {
                "name": name,
                "title": spec.title,
                "kinds": [kind.value for kind in spec.kinds],
                "ready": engine.lacks() is None,
                "lacks": engine.lacks(),
                "key": spec.key,
                **limits.model_dump(include={"per_second", "per_day", "per_month", "concurrency", "timeout"}),
                "usd_per_call": spec.usd_per_call,
                "filters": [name for name in ("time", "domains", "language") if getattr(spec, f"filters_{name}")],
                "documentation": spec.documentation,
                "terms": spec.terms,
            }
        )
    return rows


@lru_cache(maxsize=1)
def reranker_kinds() -> dict[str, type[Reranker]]:
    """Every reranker class by name, the local one first."""
    return rerankers("inquest.rerankers")


def made_reranker(settings: Settings) -> Reranker:
    """The reranker of the settings. Raises SettingError if it is unknown or lacks its key."""
    name, kinds = settings.reranker.strip().lower(), reranker_kinds()
    if name not in kinds:
        raise SettingError(
            f"INQUEST_RERANKER names '{settings.reranker}', which does not exist.",
            advice=f"Write one of {', '.join(kinds)}.",
        )
    made = kinds[name](RerankerAccess(key=settings.key(kinds[name].spec.key), model=settings.reranker_model))
    if lacks := made.lacks():
        raise SettingError(f"The reranker {name} cannot be used: it {lacks}.")
    return made


def rerankers_of_a_replay(settings: Settings) -> list[Reranker]:
    """Every reranker that is a service, with each possible model; the case's recording has only the one it used."""
    return [
        kind(RerankerAccess(key=PLACEHOLDER, model=model))
        for kind in reranker_kinds().values()
        if kind.spec.key
        for model in dict.fromkeys((settings.reranker_model, None))
    ]


_LOOK_UP_SECONDS = 3.0
"""Seconds to wait for the addresses of engines; after that the network counts as slow, not absent."""


def engine_choices(engines: Mapping[str, Engine], brief: Brief) -> list[EngineChoice]:
    """The engines in order of preference: those of the brief, or all."""
    names = list(brief.engines) or list(engines)
    if brief.collections:
        own = [name for name in engines if EngineKind.OWN in engines[name].spec.kinds]
        names = [*own, *(name for name in names if name not in own)]
    made = []
    for name in names:
        engine = engines[name]
        lacks = engine.lacks()
        if EngineKind.OWN in engine.spec.kinds and not brief.collections:
            if name not in brief.engines:
                continue
            lacks = "no collection was named: add --collection NAME"
        made.append(
            EngineChoice(
                name=name,
                kinds=engine.spec.kinds,
                lacks=lacks,
                asked_for=name in brief.engines,
                title=engine.spec.title,
                # Without the settings, so that a replay distributes queries in the same way.
                pause=1 / engine.spec.limits.per_second if engine.spec.limits.per_second > 0 else 0.0,
                usd=engine.usd_per_call,
                sees_days=engine.spec.sees_days,
                filters_language=engine.spec.filters_language,
                site=host_of(engine.spec.homepage).removeprefix("www."),
            )
        )
    return made


def asks_the_net(choices: Sequence[EngineChoice]) -> bool:
    """True if an outside service is queried. A case on the user's own documents must not reveal them."""
    return any(choice.lacks is None and not ON_THIS_MACHINE & set(choice.kinds) for choice in choices)


async def network_is_there(settings: Settings, engines: Mapping[str, Engine], choices: Sequence[EngineChoice]) -> bool:
    """True if DNS finds any host of the engines. Not tried with a proxy, which resolves names itself, or with hosts of
    the user, which may be on a private network."""
    if settings.proxy or settings.allow_hosts:
        return True
    hosts = {
        urlsplit(next(engines[choice.name].search(Query(text="x"))).url).hostname
        for choice in choices
        if choice.lacks is None and not _is_here(choice)
    }

    async def is_found(host: str) -> bool:
        try:
            return bool(await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM))
        except OSError:
            return False

    tasks = [asyncio.ensure_future(is_found(host)) for host in sorted(filter(None, hosts))]
    try:
        for found in asyncio.as_completed(tasks, timeout=_LOOK_UP_SECONDS):
            if await found:
                return True
    except TimeoutError:
        return True  # slow is not absent
    finally:
        for task in tasks:
            task.cancel()
    return not tasks


def _is_here(choice: EngineChoice) -> bool:
    """True if the engine may work without a network; an MCP server may."""
    return bool(ON_THIS_MACHINE & set(choice.kinds)) or choice.name.startswith(PREFIX)


def offline(choice: EngineChoice) -> EngineChoice:
    """The choice without a network; engines on this machine can still be queried."""
    if choice.lacks or _is_here(choice):
        return choice
    return replace(choice, lacks="there is no network: its host cannot be found")


def keyed(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """The engines with placeholders for missing keys, as in recorded requests."""
    found = dict(engines)
    for name, engine in engines.items():
        if engine.lacks():
            access, spec = engine.access, engine.spec
            wanted = {"key": None if spec.key_optional else spec.key, "second_key": spec.second_key}
            wanted["account"] = spec.account_setting
            filled = {each: PLACEHOLDER for each, setting in wanted.items() if setting and not getattr(access, each)}
            found[name] = type(engine)(access.model_copy(update={**filled, "tables": (spec.name,)}))
    return found


def as_planned(
    choices: Sequence[EngineChoice], plan: Plan, engines: Mapping[str, Engine] | None = None
) -> list[EngineChoice]:
    """The engines as planned, regardless of the keys that are set now. `engines`: the source of prices instead of the
    choices."""
    lacks: dict[str, str | None] = {each.engine: each.lacks or None for each in plan.unasked or _left_out(plan)}
    lacks.update(dict.fromkeys(plan.engines))
    prices = {name: engine.spec.usd_per_call for name, engine in (engines or {}).items()}

    def price(choice: EngineChoice) -> float:
        return prices.get(choice.name, choice.usd) if plan.paid is None or choice.name in plan.paid else 0.0

    return [replace(choice, lacks=lacks[choice.name], usd=price(choice)) for choice in choices if choice.name in lacks]


def _left_out(plan: Plan) -> list[UnaskedEngine]:
    """The engines left out of a plan of an earlier version, which has them only in words."""
    lines = (line.split(": ", 1) for line in plan.left_out if ": " in line)
    return [UnaskedEngine(engine=engine, lacks="" if why == NO_QUESTION else why) for engine, why in lines]
