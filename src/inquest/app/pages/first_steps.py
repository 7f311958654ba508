"""What a new user connects first: a model, search, documents; and what there is of each already."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.wiring.engine_choices import engine_choices, network_is_there
from inquest.app.wiring.model_servers import ModelServer, model_servers
from inquest.domain.brief import Brief
from inquest.domain.search import ON_THIS_MACHINE

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_NETWORK_SECONDS = 1.0


@dataclass(frozen=True)
class FirstSteps:
    """What is set up. `engines`: the titles of those that can be asked; `network`: False where none can be reached."""

    model: str
    servers: tuple[ModelServer, ...]
    engines: tuple[str, ...]
    network: bool

    @property
    def nobody(self) -> bool:
        """Whether no engine on the web can be asked."""
        return not self.engines or not self.network


async def first_steps(app: Resources) -> FirstSteps:
    """What is set up. Raises SettingError."""
    ready = [
        engine.spec.title
        for engine in app.engines.values()
        if engine.lacks() is None and not ON_THIS_MACHINE & set(engine.spec.kinds)
    ]
    there, servers = await asyncio.gather(_network(app), _servers(app))
    return FirstSteps(in_words(app), servers, tuple(ready), there)


def in_words(app: Resources) -> str:
    """The model that reads; '': the local analyst."""
    return app.settings.model or ("models by role" if app.settings.uses_model else "")


async def _servers(app: Resources) -> tuple[ModelServer, ...]:
    return () if app.settings.uses_model else await model_servers(app)


async def _network(app: Resources) -> bool:
    choices = engine_choices(app.engines, Brief(text="-"))
    try:
        async with asyncio.timeout(_NETWORK_SECONDS):
            return await network_is_there(app.settings, app.engines, choices)
    except TimeoutError:
        return True  # slow is not absent
