"""How old the domains of sources are: the registries asked through the door."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from inquest.app.build import open_app
from inquest.domain.errors import EngineError
from inquest.domain.source import DomainAge
from inquest.kit.domain_registry import NAME, ask_domain_age
from inquest.kit.exchange import Purpose
from inquest.kit.ports import Door
from inquest.sources.domain_age import age_warnings

__all__ = ["domain_age", "domain_ages_json"]


async def domain_age(door: Door, url: str) -> DomainAge:
    """Since when the domain of the URL has been registered. One request, kept in the case's recording if the door is a
    case's. Raises EngineError where it could not be asked, BudgetMet, NotRecorded; never a judgement."""
    conversation = ask_domain_age(url)
    try:
        request = next(conversation)
        while True:
            request = conversation.send(await door.fetch(request, purpose=Purpose.ENGINE, label=NAME))
    except StopIteration as end:
        age: DomainAge = end.value
        return age
    finally:
        conversation.close()


async def domain_ages_json(urls: Sequence[str]) -> list[dict[str, Any]]:
    """The ages for `inquest tier --age`, in the order asked; where one could not be asked, `could_not_ask` says why."""
    async with open_app() as app:
        door = await app.door()
        return list(await asyncio.gather(*(_age_json(door, url, app.clock.now()) for url in urls)))


async def _age_json(door: Door, url: str, now: Any) -> dict[str, Any]:
    try:
        age = await domain_age(door, url)
    except EngineError as error:
        return {"registered": None, "could_not_ask": str(error), "warnings": []}
    return {
        "registered": age.registered.iso if age.registered else None,
        "changed": age.changed.iso if age.changed else None,
        "expires": age.expires.iso if age.expires else None,
        "registrar": age.registrar,
        "why_unknown": age.why_unknown,
        "warnings": list(age_warnings(age, now=now)),
    }
