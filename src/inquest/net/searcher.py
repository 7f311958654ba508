"""Drives engines through the door: their requests out, the replies in, tidied hits back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import replace
from functools import partial

from inquest.domain.errors import EngineError, EngineFormat, InputError, InquestError, NotRecorded
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.kit.dialect import secrets
from inquest.kit.engine import Engine
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.ports import HttpClient
from inquest.kit.service import MALFORMED
from inquest.net.hits import tidy

_LIKELY = 3
"""Hits of an answer whose sites are asked for robots.txt at once."""
_MOST_CALLS = 20
"""Requests that one search may make; an engine that asks for more goes round in circles."""


class Searcher:
    """Asks engines by name. Implements `kit.ports.EngineSearch`."""

    def __init__(
        self,
        engines: Mapping[str, Engine],
        door: HttpClient,
        spend: Callable[[Cost], None] | None = None,
        *,
        otherwise: Mapping[str, Engine] | None = None,
        expect: Callable[[Iterable[str]], None] = lambda urls: None,
    ) -> None:
        """`door`: the case's; `spend` (a Budget's) is told of every call that was made now and not taken from a
        recording; a sign-in, whose reply is a secret, is no search and costs nothing. `otherwise`, for a replay:
        engines that can do without their key, made with one (or without): they answer where the case never asked the
        question of the other. `expect` is told the addresses of each answer's first hits, which are the likeliest to be
        read."""
        self._engines = engines
        self._door = door
        self._spend = spend
        self._otherwise = otherwise or {}
        self._expect = expect

    async def search(self, engine: str, query: Query) -> list[Hit]:
        """The engine's hits for the query, tidied. Raises EngineError, BudgetMet, NotRecorded; InputError for a name
        that is no engine's."""
        asked = self._engines.get(engine)
        if asked is None:
            raise InputError(
                f"There is no search engine named '{engine}'.",
                advice=f"Known here: {', '.join(sorted(self._engines)) or 'none'}.",
            )
        try:
            hits = await self._driven(asked, query)
        except NotRecorded:
            if engine not in self._otherwise:
                raise
            hits = await self._driven(self._otherwise[engine], query)
        found = tidy(hits, query)
        self._expect(hit.url for hit in found[:_LIKELY] if not hit.snapshot)
        return found

    async def _driven(self, engine: Engine, query: Query) -> list[Hit]:
        conversation: Generator[Request, Reply, list[Hit]] | None = None

        def begun() -> Request:
            nonlocal conversation
            conversation = engine.search(query)
            return next(conversation)

        try:
            request = self._next(engine, begun)
            assert conversation is not None
            for _ in range(_MOST_CALLS):
                if not isinstance(request, Request):
                    return request
                request = _declared(engine, request)
                try:
                    reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=engine.name)
                except EngineError as error:
                    # Into the conversation: hits that were found before are not lost with what was asked beside them.
                    request = self._next(engine, partial(conversation.throw, error))
                    continue
                if self._spend is not None and not reply.recorded and not request.reply_secrets:
                    self._spend(Cost(search_calls=1, usd=_price(engine, reply)))
                request = self._next(engine, partial(conversation.send, reply))
        finally:
            if isinstance(conversation, Generator):
                conversation.close()
        raise EngineFormat(engine.name, f"{engine.spec.title} still had no answer after {_MOST_CALLS} requests.")

    def _next(self, engine: Engine, step: Callable[[], Request]) -> Request | list[Hit]:
        """The engine's next request, or its hits. Only the engine's own code runs here, so that whatever is malformed
        is the reply's doing; anything else that goes wrong is a defect of the engine, which may be anybody's, and costs
        this question alone."""
        try:
            request = step()
        except StopIteration as end:
            if isinstance(end.value, list) and all(isinstance(hit, Hit) for hit in end.value):
                return end.value
            raise EngineFormat(engine.name, f"{engine.spec.title} gives something that is no list of hits.") from None
        except InquestError:
            raise
        except MALFORMED as error:
            raise EngineFormat(
                engine.name, f"{engine.spec.title} answered something that is not its documented form."
            ) from error
        except (Exception, SystemExit) as error:
            defect = f"The engine for {engine.spec.title} has a defect ({type(error).__name__})."
            raise EngineFormat(engine.name, defect, advice="Tell whoever made it.") from error
        if not isinstance(request, Request):
            raise EngineFormat(engine.name, f"The engine for {engine.spec.title} asks something that is no request.")
        return request


def _price(engine: Engine, reply: Reply) -> float:
    """What the reply costs; where the engine cannot read that from it, the whole price of a call."""
    try:
        return engine.usd_of(reply)
    except MALFORMED:
        return engine.usd_per_call


def _declared(engine: Engine, request: Request) -> Request:
    """The request with its price, and with all that is the user's own declared to the door: keys, and what else differs
    from user to user and changes no answer. So another user's replay asks the same questions."""
    access = engine.access
    own = (access.key, access.second_key, access.account, access.contact)
    more = [form for value in own for form in secrets(value) if form not in request.secrets]
    return replace(request, secrets=(*request.secrets, *more), usd=engine.usd_per_call)
