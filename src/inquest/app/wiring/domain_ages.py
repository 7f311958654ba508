"""How old the domains of sources are: the registries, asked through the case's HTTP client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from inquest.app.wiring.resources import open_resources
from inquest.domain.errors import EngineError
from inquest.domain.report import Cost
from inquest.domain.source import DomainAge
from inquest.kit.domain_registry import NAME, ask_domain_age
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.ports import HttpClient
from inquest.sources.domain_age import age_warnings
from inquest.text.urls import registrable_domain

_RESERVED = frozenset(("example", "test", "invalid", "localhost", "local", "internal"))
"""Top-level names without a registry (RFC 2606, RFC 6762)."""


async def domain_age(door: HttpClient, url: str) -> DomainAge:
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


class RegistryAges:
    """kit.ports.RegistryAges through the case's door; each request counts as a search."""

    def __init__(self, door: HttpClient, spend: Callable[[Cost], None]) -> None:
        self._door, self._spend = door, spend

    async def age(self, url: str) -> DomainAge:
        domain = registrable_domain(url)
        if domain.rpartition(".")[2] in _RESERVED:
            return DomainAge(domain=domain, why_unknown="it is of a reserved name that nobody can register")
        return await domain_age(self, url)

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """kit.ports.HttpClient, counted."""
        reply = await self._door.fetch(request, purpose=purpose, label=label)
        if not reply.recorded:
            self._spend(Cost(search_calls=1))
        return reply


async def domain_ages_json(urls: Sequence[str]) -> list[dict[str, Any]]:
    """The ages, in the order asked; where one could not be asked, `could_not_ask` says why."""
    async with open_resources() as app:
        door = await app.door()
        return list(await asyncio.gather(*(_age_json(door, url, app.clock.now()) for url in urls)))


async def _age_json(door: HttpClient, url: str, now: datetime) -> dict[str, Any]:
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
