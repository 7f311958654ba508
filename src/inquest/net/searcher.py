"""Drives engines through the door: their requests out, the replies in, tidied hits back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from inquest.domain.errors import EngineFormat, InputError
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.kit.engine import Engine
from inquest.kit.exchange import Purpose, Request
from inquest.kit.ports import Door
from inquest.net.hits import tidy

__all__ = ["Searcher"]

_MOST_CALLS = 20
"""Requests that one search may make; an engine that asks for more goes round in circles."""


class Searcher:
    """Asks engines by name. Implements `kit.ports.Searcher`."""

    def __init__(self, engines: Mapping[str, Engine], door: Door, spend: Callable[[Cost], None] | None = None) -> None:
        """`door`: the case's; `spend` (a Budget's) is told of every call that was made now and not taken from a
        recording."""
        self._engines = engines
        self._door = door
        self._spend = spend

    async def search(self, engine: str, query: Query) -> list[Hit]:
        """The engine's hits for the query, tidied. Raises EngineError, BudgetMet, NotRecorded; InputError for a name
        that is no engine's."""
        asked = self._engines.get(engine)
        if asked is None:
            raise InputError(
                f"There is no search engine named '{engine}'.",
                advice=f"Known here: {', '.join(sorted(self._engines)) or 'none'}.",
            )
        return tidy(await self._driven(asked, query), query)

    async def _driven(self, engine: Engine, query: Query) -> list[Hit]:
        conversation = engine.search(query)
        try:
            request = self._next(engine, lambda: next(conversation))
            for _ in range(_MOST_CALLS):
                if not isinstance(request, Request):
                    return request
                reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=engine.name)
                if self._spend is not None and not reply.recorded:
                    self._spend(Cost(search_calls=1, usd=engine.spec.usd_per_call))
                request = self._next(engine, partial(conversation.send, reply))
        finally:
            conversation.close()
        raise EngineFormat(engine.name, f"{engine.spec.title} still had no answer after {_MOST_CALLS} requests.")

    def _next(self, engine: Engine, step: Callable[[], Request]) -> Request | list[Hit]:
        """The engine's next request, or its hits. Only the engine's own code runs here, so that whatever is malformed
        is the reply's doing."""
        try:
            return step()
        except StopIteration as end:
            hits: list[Hit] = end.value
            return hits
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise EngineFormat(
                engine.name, f"{engine.spec.title} answered something that is not its documented form."
            ) from error
