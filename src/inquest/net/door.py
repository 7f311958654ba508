"""The only door to the outside: every request of every case passes here, is guarded, limited, recorded and replayed.

`DoorTransport` is the door as a transport, which is what model clients take.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from types import TracebackType
from typing import Protocol
from urllib.parse import urlsplit

import httpx2

from inquest.domain.errors import NotRecorded, Outage, StorageError
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.mcp_server import McpServer
from inquest.kit.ports import Budget, Clock, Recording
from inquest.net.client import Network, build_transport, trust
from inquest.net.failures import failure_from_json, failure_to_json, unavailable
from inquest.net.guard import Guard
from inquest.net.outside import Allowances, Outside, Route, SecondsLeft, timed_out
from inquest.net.pace import SingleFlight
from inquest.net.redaction import fingerprint, redacted, redacted_reply, without_fields
from inquest.net.wire import Sink

_KEYS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
PRICE = "inquest_usd"
"""The extension of a client's request that says what the call may cost at most, in US dollars."""
_RECORDED = "x-inquest-recorded"
"""On a reply from a recording, so that whoever counts what calls cost knows that this one cost nothing now."""
# The door sets these itself, by what it sends.
_OF_THE_CONNECTION = frozenset("host connection content-length transfer-encoding accept-encoding".split())


class _Fetches(Protocol):
    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply: ...


class DoorTransport(httpx2.AsyncBaseTransport):
    """Carries a client's requests through the door as model calls.

    The door's typed errors (ModelUnavailable, NotRecorded, BudgetMet) come out as they are; a client that wraps what
    its transport raises keeps them as its error's `__cause__`. Replies come whole: there is no streaming.
    """

    def __init__(self, door: _Fetches, model: str) -> None:
        self._door = door
        self._model = model

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One call. Raises ModelUnavailable, ModelFormat, NotRecorded, BudgetMet."""
        body = await request.aread()
        headers = tuple(
            (name.lower(), value)
            for name, value in request.headers.multi_items()
            if name.lower() not in _OF_THE_CONNECTION
        )
        reply = await self._door.fetch(
            Request(
                url=str(request.url),
                method=request.method,
                headers=headers,
                body=body or None,
                secrets=tuple(_key(value) for name, value in headers if name in _KEYS),
                usd=float(request.extensions.get(PRICE, 0.0)),
            ),
            purpose=Purpose.MODEL,
            label=self._model,
        )
        return httpx2.Response(
            reply.status,
            headers=[*reply.headers, *([(_RECORDED, "1")] if reply.recorded else [])],
            content=reply.body,
            request=request,
        )


def _key(value: str) -> str:
    """The key in a header: what follows 'Bearer'."""
    return value.rpartition(" ")[2]


Mount = Callable[[Request], Awaitable[Reply]]
"""Answers the requests of one scheme without the network ('collection'). Raises Outage."""

DAY = timedelta(hours=24)
_SHORTER = 3
"""By what the time of an exchange is divided with somebody who took too long in the exchange before."""


@dataclass(frozen=True, slots=True)
class _Case:
    """For whom the door is held: what sets one case's door apart from another's."""

    id: str | None = None
    budget: Budget | None = None
    replay: bool = False
    cache_age: timedelta | None = DAY
    met: dict[str, Reply | Outage] = field(default_factory=dict)
    """Failures of this run, by fingerprint: the same question gets the same answer within one run, or its replay
    could not follow it. A resumed case begins with none, and so asks again; without a case there is no replay, and none
    are kept."""
    flights: SingleFlight[Reply] = field(default_factory=SingleFlight)
    slow: dict[str, bool] = field(default_factory=dict)
    """By engine or model, whether its last exchange took too long: the next is given less time."""
    longest: Mapping[Purpose, float] = field(default_factory=dict)
    """Seconds for one exchange, where a case has less time than the ceilings allow."""
    asked: set[str] | None = None
    """Of a case that began with this view, what it has asked so far: nothing else can be in its recording."""
    asking: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when somebody outside is first asked."""


class Door:
    """Fetches for engines, pages and models. Implements `kit.ports.HttpClient`.

    One is opened per process; `for_case` gives each case its own view of it, with the same connections and limits.
    Use as an async context manager, or call `aclose`.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        user_agent: str,
        recording: Recording | None = None,
        network: Network | None = None,
        allowances: Allowances | None = None,
        mounts: Mapping[str, Mount] | None = None,
    ) -> None:
        """Open the door. Nothing is connected to yet.

        `user_agent` begins with our product token for robots.txt: `Inquest/0.1 (+https://...)`. `mounts`: by scheme.
        Raises SettingError.
        """
        network = network or Network()
        trusted, proxied = trust(network.ca_file), network.proxy is not None

        def route(hosts: Iterable[str]) -> Route:
            guard = Guard(hosts, proxied=proxied)
            transport = build_transport(guard, trusted=trusted, proxy=network.proxy, resolve=network.resolve)
            return Route(guard, transport, proxied=proxied)

        routes = dict.fromkeys(Purpose, route(network.allow_hosts))
        if network.model_hosts:
            # Connections of their own: what is open to a model server is no route for a page.
            routes[Purpose.MODEL] = route((*network.allow_hosts, *network.model_hosts))
        allowances = allowances or Allowances()
        self._outside = Outside(
            routes,
            clock=clock,
            user_agent=user_agent,
            allowances=allowances,
            mcp=_mcp_route(network.mcp, routes[Purpose.ENGINE], allowances) if network.mcp else None,
        )
        self._recording = recording
        self._mounts = dict(mounts or {})
        self._case = _Case()

    def for_case(
        self,
        case_id: str | None,
        budget: Budget | None = None,
        *,
        replay: bool = False,
        cache_age: timedelta | None = DAY,
        longest: Mapping[Purpose, float] | None = None,
        begins: bool = False,
    ) -> Door:
        """This door, held for one case.

        `replay`: everything is answered from the case's recording and nothing touches the network. `cache_age`: how old
        a reply of another case may be that is used again for an engine or a page; None: none is. Model replies are
        never taken from another case. `longest`: seconds for one exchange of a kind, below the ceilings; one that takes
        longer is not tried again. `begins`: the case is new, so that nothing of it is recorded yet. The view need not
        be closed.
        """
        view = Door.__new__(Door)
        view._outside, view._recording, view._mounts = self._outside, self._recording, self._mounts
        view._case = _Case(case_id, budget, replay, cache_age, longest=longest or {}, asked=set() if begins else None)
        return view

    @property
    def asking(self) -> asyncio.Event:
        """Set when this view first asks somebody outside."""
        return self._case.asking

    def recorded_by(self, recording: Recording) -> Door:
        """The same view of the client, with another recording."""
        view = Door.__new__(Door)
        view._outside, view._recording, view._mounts, view._case = self._outside, recording, self._mounts, self._case
        return view

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        """A transport for a model client: `httpx2.AsyncClient(transport=door.transport("openai:gpt-5"))`."""
        return DoorTransport(self, model)

    async def aclose(self) -> None:
        """Close every connection, of every case."""
        await self._outside.aclose()

    async def __aenter__(self) -> Door:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """Carry the request out, or serve it from the recording.

        A page comes back readable (2xx, a type that can be read) or not at all; an engine's or model's reply has any
        status. Keys are replaced in the reply, too, should it repeat one. Raises PageForbidden, PageRefused,
        PageTooLarge, PageUnavailable, PageUnreadable for pages; EngineUnavailable and EngineFormat for engines;
        ModelUnavailable and ModelFormat for models; NotRecorded on replay; BudgetMet.
        """
        shown = redacted(request)
        key = fingerprint(shown, purpose)
        joined = self._case.flights.under_way(key)
        reply = await self._case.flights.run(key, lambda: self._fetch(request, shown, key, purpose, label))
        # Asked once, paid once: to whoever joins, the reply is one that was there already.
        return replace(reply, recorded=True) if joined else reply

    def expect(self, urls: Iterable[str]) -> None:
        """Say which pages may be wanted soon: their sites are asked for robots.txt beside whatever else is going on. Of
        no effect on a replay, and where nobody is to be asked any more."""
        budget = self._case.budget
        if not self._case.replay and (budget is None or budget.seconds_to_ask != 0.0):
            self._outside.expect(urls)

    async def download(self, request: Request, sink: Sink, *, largest: int, label: str) -> Reply:
        """Fetch a file that is no part of any case into the `sink`, piece by piece: guarded and limited like all else,
        never recorded. Each attempt, of which there may be several, begins the sink anew.

        Returns the reply with an empty body, or, where the status is not 2xx, with the body that came. `label`: who it
        is from, in messages. Raises ModelUnavailable, and ModelFormat where the file has more than `largest` bytes.
        """
        return await self._outside.ask(
            request, purpose=Purpose.FILE, label=label, seconds_left=lambda: None, sink=sink, largest=largest
        )

    async def _fetch(self, request: Request, shown: Request, key: str, purpose: Purpose, label: str) -> Reply:
        if self._case.replay:
            return await self._replayed(shown, key)
        met = self._case.met.get(key)
        if isinstance(met, Outage):
            raise met.with_traceback(None)
        # A reply that is a secret is in no recording, and asked for anew.
        known = met or (None if request.reply_secrets else await self._known(shown, key, purpose))
        if known is not None:
            return known
        try:
            reply = redacted_reply(await self._live(request, purpose, label), request.secrets)
        except StorageError:  # our own trouble, which no replay has to meet again
            raise
        except Outage as error:
            if self._case.id is not None:
                self._case.met[key] = error
                if self._recording is not None:
                    await self._recording.keep_failure(key, shown, failure_to_json(error), case_id=self._case.id)
            raise
        if self._case.id is not None and not _serves_again(reply):
            self._case.met[key] = reply
        if self._recording is not None:
            kept = without_fields(reply, request.reply_secrets)
            await self._recording.keep(key, shown, kept, case_id=self._case.id)
        return reply

    async def _replayed(self, shown: Request, key: str) -> Reply:
        if self._recording is not None and self._case.id is not None:
            reply = await self._recording.find(key, case_id=self._case.id, younger_than=None)
            if reply is not None:
                return replace(reply, recorded=True)
            failure = await self._recording.failure(key, case_id=self._case.id)
            if failure is not None:
                raise failure_from_json(failure)
        raise NotRecorded(
            f"The case never asked for {shown.url[:200]}, so there is no recorded answer.",
            advice="A replay answers with what was recorded; to ask anew, run the case again.",
        )

    async def _known(self, shown: Request, key: str, purpose: Purpose) -> Reply | None:
        """What this case was answered before, or another case lately."""
        if self._recording is None:
            return None
        asked = self._case.asked
        if self._case.id is not None and (asked is None or key in asked):
            reply = await self._recording.find(key, case_id=self._case.id, younger_than=None)
            if reply is not None and _serves_again(reply):
                return replace(reply, recorded=True)
        if asked is not None:
            asked.add(key)
        age = self._case.cache_age
        if age is None or purpose is Purpose.MODEL or urlsplit(shown.url).scheme not in ("http", "https"):
            return None
        reply = await self._recording.find(key, case_id=None, younger_than=age)
        if reply is None or not _serves_again(reply):
            return None
        reply = replace(reply, recorded=True)
        if self._case.id is not None:
            await self._recording.keep(key, shown, reply, case_id=self._case.id)  # this case's replay needs it
        return reply

    async def _live(self, request: Request, purpose: Purpose, label: str) -> Reply:
        budget = self._case.budget
        if budget is None:
            return await self._asked(request, purpose, label, lambda: None)
        budget.check()
        who = redacted(request).url[:200] if purpose is Purpose.PAGE or not label else label
        if budget.seconds_to_ask == 0.0:
            budget.fell_short("time")
            raise unavailable(purpose, who, f"{who} was not asked: the time of the case was over.")
        if not budget.reserve(request.usd):
            message = f"{who} was not asked: a call could cost more than what is left of the budget."
            raise unavailable(purpose, who, message, advice="A larger budget is given with --budget-usd.")
        try:
            async with asyncio.timeout(budget.seconds_to_ask) as limit:
                return await self._asked(request, purpose, label, lambda: budget.seconds_to_ask)
        except BaseException as error:
            budget.release(request.usd)
            if not (isinstance(error, TimeoutError) and limit.expired()):
                raise
            budget.check()
            budget.fell_short("time")
            message = f"{who} had not answered when the time of the case was over."
            raise unavailable(purpose, who, message) from error

    async def _asked(self, request: Request, purpose: Purpose, label: str, seconds_left: SecondsLeft) -> Reply:
        mount = self._mounts.get(urlsplit(request.url).scheme)
        if mount is not None:
            return await mount(request)
        self._case.asking.set()
        longest, slow = self._case.longest.get(purpose), self._case.slow
        if longest is not None and slow.get(label):
            longest /= _SHORTER
        try:
            return await self._outside.ask(
                request, purpose=purpose, label=label, seconds_left=seconds_left, longest=longest
            )
        except Outage as error:
            slow[label] = bool(label) and timed_out(error)
            raise


def _mcp_route(servers: Mapping[str, McpServer], web: Route, allowances: Allowances) -> Route:
    from inquest.net.mcp_client import McpGuard, McpTransport

    return Route(McpGuard(servers), McpTransport(servers, web, allowances.manners.ceilings[Purpose.ENGINE]))


def _serves_again(reply: Reply) -> bool:
    """Whether a kept reply is an answer, and not a trouble of that moment: such a one is asked for again."""
    return 200 <= reply.status < 400 or reply.status in (404, 410)
