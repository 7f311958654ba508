"""The engines of a case: which of them, in which order, and what those that cannot be asked lack."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from inquest.app.settings import Settings
from inquest.domain.brief import Brief
from inquest.domain.plan import NO_QUESTION, Plan, UnaskedEngine
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.kit.engine import Engine, EngineAccess
from inquest.retrieval.engine_choice import EngineChoice

_LOOK_UP_SECONDS = 3.0
"""How long the addresses of engines are waited for before the network is taken to be slow, and not absent."""


def engine_choices(engines: Mapping[str, Engine], brief: Brief) -> list[EngineChoice]:
    """The engines in order of preference: those asked for and only those, or all."""
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
                # As the engine has it, and not as settings change it: what is asked of whom is the same on a replay.
                pause=1 / engine.spec.limits.per_second if engine.spec.limits.per_second > 0 else 0.0,
                usd=engine.usd_per_call,
                sees_days=engine.spec.sees_days,
                filters_language=engine.spec.filters_language,
            )
        )
    return made


def asks_the_net(choices: Sequence[EngineChoice]) -> bool:
    """Whether anybody outside is asked; a case of the user's own documents tells nobody what they are."""
    return any(choice.lacks is None and not ON_THIS_MACHINE & set(choice.kinds) for choice in choices)


async def network_is_there(settings: Settings, engines: Mapping[str, Engine], choices: Sequence[EngineChoice]) -> bool:
    """Whether any host of the engines that could be asked can be looked up. A proxy looks names up itself, and hosts
    of the user's own may be inside, so with either nothing is tried."""
    if settings.proxy or settings.allow_hosts:
        return True
    hosts = {
        urlsplit(next(engines[choice.name].search(Query(text="x"))).url).hostname
        for choice in choices
        if choice.lacks is None and not ON_THIS_MACHINE & set(choice.kinds)
    }
    tasks = [asyncio.ensure_future(_is_found(host)) for host in sorted(filter(None, hosts))]
    try:
        for found in asyncio.as_completed(tasks, timeout=_LOOK_UP_SECONDS):
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


def offline(choice: EngineChoice) -> EngineChoice:
    """The choice where there is no network: what lies on this machine can still be asked."""
    if choice.lacks or ON_THIS_MACHINE & set(choice.kinds):
        return choice
    return replace(choice, lacks="there is no network: its address cannot be looked up")


def keyed(engines: Mapping[str, Engine]) -> dict[str, Engine]:
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
    filled = {name: placeholder for name, setting in wanted.items() if setting and not getattr(access, name)}
    return access.model_copy(update={**filled, "tables": (spec.name,)})


def as_planned(
    choices: Sequence[EngineChoice], plan: Plan, engines: Mapping[str, Engine] | None = None
) -> list[EngineChoice]:
    """The engines as they were when the case was planned, whatever keys are set or missing now. `engines`: whose price
    is asked for; without, the choices have it."""
    lacks: dict[str, str | None] = {each.engine: each.lacks or None for each in plan.unasked or _told_by(plan)}
    lacks.update(dict.fromkeys(plan.engines))
    prices = {name: engine.spec.usd_per_call for name, engine in (engines or {}).items()}

    def price(choice: EngineChoice) -> float:
        return prices.get(choice.name, choice.usd) if plan.paid is None or choice.name in plan.paid else 0.0

    return [replace(choice, lacks=lacks[choice.name], usd=price(choice)) for choice in choices if choice.name in lacks]


def _told_by(plan: Plan) -> list[UnaskedEngine]:
    """The engines that a plan of an earlier version leaves out: it has them in words alone."""
    lines = (line.split(": ", 1) for line in plan.left_out if ": " in line)
    return [UnaskedEngine(engine=engine, lacks="" if why == NO_QUESTION else why) for engine, why in lines]
