"""How old the domains of sources are, for `inquest tier --age`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from inquest.app.wiring.domain_ages import domain_age
from inquest.app.wiring.resources import open_resources
from inquest.domain.errors import EngineError
from inquest.kit.ports import HttpClient
from inquest.sources.domain_age import age_warnings


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
