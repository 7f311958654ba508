"""The single route to the network: every request of every case is guarded, limited, recorded and replayed here.

`DoorTransport` is the transport for model clients.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from types import TracebackType
from urllib.parse import urlsplit

import httpx2

from inquest.domain.errors import NotRecorded, Outage, StorageError
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.ports import Budget, Clock, HttpClient, Recording
from inquest.net.client import Network, build_transport, trust
from inquest.net.failures import failure_from_json, failure_to_json, unavailable
from inquest.net.guard import Guard
from inquest.net.outside import Allowances, Call, Outside, Route, SecondsLeft, timed_out
from inquest.net.pace import SingleFlight
from inquest.net.redaction import fingerprint, redacted, redacted_reply, without_fields
from inquest.net.wire import Sink

_KEYS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
PRICE = "inquest_usd"
"""Request extension with the maximum cost of the call in US dollars."""
_RECORDED = "x-inquest-recorded"
"""Header of replies from a recording, which cost nothing now."""
# Set by the door for the request it sends.
_OF_THE_CONNECTION = frozenset("host connection content-length transfer-encoding accept-encoding".split())


class DoorTransport(httpx2.AsyncBaseTransport):
    """Carries a client's requests through the door as model calls. The door's typed errors (ModelUnavailable,
    NotRecorded, BudgetMet) are raised unchanged; a client that wraps errors of its transport keeps them as `__cause__`.
    Replies are complete: there is no streaming."""

    def __init__(self, door: HttpClient, model: str) -> None:
        self._door = door
        self._model = model

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make one call. Raises ModelUnavailable, ModelFormat, NotRecorded, BudgetMet."""
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
                secrets=tuple(value.rpartition(" ")[2] for name, value in headers if name in _KEYS),  # after 'Bearer'
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


Mount = Callable[[Request], Awaitable[Reply]]
"""Answers the requests of one scheme without the network ('collection'). Raises Outage."""

DAY = timedelta(hours=24)
_SHORTER = 3
"""Divisor of the time for an exchange after one with the same engine, model or site that timed out."""


@dataclass(frozen=True, slots=True)
class _Case:
    """The state of one case's view of the door."""

    id: str | None = None
    budget: Budget | None = None
    replay: bool = False
    cache_age: timedelta | None = DAY
    met: dict[str, Reply | Outage] = field(default_factory=dict)
    """Failures of this run by fingerprint. Within one run the same request must have the same outcome, or a replay
    could not follow it; a resumed case tries again. Unused without a case, because there is no replay then."""
    flights: SingleFlight[Reply] = field(default_factory=SingleFlight)
    slow: dict[str, bool] = field(default_factory=dict)
    """By engine, model or site, whether its last exchange timed out; the next one gets less time."""
    longest: Mapping[Purpose, float] = field(default_factory=dict)
    """Seconds for one exchange, if the case has less time than the ceilings allow."""
    asked: set[str] | None = None
    """Fingerprints requested so far, for a case that began with this view; its recording can contain no others."""
    asking: asyncio.Event = field(default_factory=asyncio.Event)
    """Set at the first request to the network."""


class Door:
    """Fetches for engines, pages and models. Implements `kit.ports.HttpClient`. One is opened per process; `for_case`
    gives each case its own view of it, with the same connections and limits. Use as an async context manager, or call
    `aclose`."""

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
        """Set up the door without connecting to anything. `user_agent` begins with our product token for robots.txt:
        `Inquest/0.1 (+https://...)`. `mounts`: by scheme. Raises SettingError."""
        network = network or Network()
        trusted, proxied = trust(network.ca_file), network.proxy is not None

        def route(hosts: Iterable[str]) -> Route:
            guard = Guard(hosts, proxied=proxied)
            transport = build_transport(guard, trusted=trusted, proxy=network.proxy, resolve=network.resolve)
            return Route(guard, transport, proxied=proxied)

        routes = dict.fromkeys(Purpose, route(network.allow_hosts))
        if network.model_hosts:
            # Separate connections, so that pages cannot use one that is open to a model server.
            routes[Purpose.MODEL] = route((*network.allow_hosts, *network.model_hosts))
        allowances = allowances or Allowances()

        def mcp(keeps: bool) -> Route:
            from inquest.net.mcp_client import McpGuard, McpTransport

            ceilings = allowances.policy.ceilings[Purpose.ENGINE]
            calls = McpTransport(network.mcp, routes[Purpose.ENGINE], ceilings, keeps=keeps)
            return Route(McpGuard(network.mcp), calls)

        self._outside = Outside(
            routes, clock=clock, user_agent=user_agent, allowances=allowances, mcp=mcp if network.mcp else None
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
        """Return a view of this door for one case. `end_case` ends what runs for the case. `replay`: answer everything
        from the case's recording, without the network. `cache_age`: the maximum age of replies of other cases that may
        be reused for engines and pages (None: no reuse; model replies are never reused). `longest`: seconds for one
        exchange by purpose, below the ceilings; slower ones are not retried. `begins`: the case is new, so nothing of
        it is recorded yet."""
        view = copy(self)
        view._case = _Case(case_id, budget, replay, cache_age, longest=longest or {}, asked=set() if begins else None)
        return view

    @property
    def asking(self) -> asyncio.Event:
        """Event set at the first request of this view to the network."""
        return self._case.asking

    def recorded_by(self, recording: Recording) -> Door:
        """Return the same view with another recording."""
        view = copy(self)
        view._recording = recording
        return view

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        """Return a transport for a model client: `httpx2.AsyncClient(transport=door.transport("openai:gpt-5"))`."""
        return DoorTransport(self, model)

    async def end_case(self) -> None:
        """End the programs that answer for this case."""
        await self._outside.end_case(self._case.id)

    async def aclose(self) -> None:
        """Close the connections of all cases."""
        await self._outside.aclose()

    async def __aenter__(self) -> Door:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        """Make the request, or serve it from the recording. A page is returned only if it is readable (2xx, a supported
        type). Keys repeated in the reply are redacted. Raises PageError, EngineUnavailable, EngineFormat,
        ModelUnavailable, ModelFormat; NotRecorded on replay; BudgetMet."""
        shown = redacted(request)
        key = fingerprint(shown, purpose)
        joined = self._case.flights.under_way(key)
        reply = await self._case.flights.run(key, lambda: self._fetch(request, shown, key, purpose, label))
        # Paid once: callers that joined get the reply as a recorded one.
        return replace(reply, recorded=True) if joined else reply

    def expect(self, urls: Iterable[str]) -> None:
        """Fetch robots.txt of the sites of pages that may be needed soon, in the background. Does nothing on a replay
        or when the time for requests is over."""
        budget = self._case.budget
        if not self._case.replay and (budget is None or budget.seconds_to_ask != 0.0):
            self._outside.expect(urls)

    async def download(self, request: Request, sink: Sink | None = None, *, largest: int, label: str) -> Reply:
        """Fetch a file that belongs to no case: guarded and limited, but not recorded. The body of a 2xx reply goes to
        the `sink` if there is one; each attempt restarts it. `label` names the source in messages. Raises
        ModelUnavailable, and ModelFormat if the file has more than `largest` bytes."""
        return await self._outside.ask(Call(request, Purpose.FILE, label, lambda: None, sink=sink, largest=largest))

    async def _fetch(self, request: Request, shown: Request, key: str, purpose: Purpose, label: str) -> Reply:
        if self._case.replay:
            return await self._replayed(shown, key)
        met = self._case.met.get(key)
        if isinstance(met, Outage):
            raise met.with_traceback(None)
        # Replies that are secrets are not recorded, and so requested again.
        known = met or (None if request.reply_secrets else await self._known(shown, key, purpose))
        if known is not None:
            return known
        try:
            reply = redacted_reply(await self._live(request, purpose, label), request.secrets)
        except StorageError:  # an error on our side, which a replay need not repeat
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
            f"The case never requested {shown.url[:200]}, so there is no recorded reply.",
            advice="A replay uses recorded replies only; run the case again to make new requests.",
        )

    async def _known(self, shown: Request, key: str, purpose: Purpose) -> Reply | None:
        """Return an earlier reply of this case, or a recent one of another."""
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
            raise unavailable(purpose, who, f"{who} was not queried: the time limit of the case was reached.")
        if not budget.reserve(request.usd, purpose):
            message = f"{who} was not queried: it would have exceeded the remaining budget."
            advice = "Set a larger budget: --budget-usd, --budget-tokens or --budget-calls."
            raise unavailable(purpose, who, message, advice=advice)
        try:
            async with asyncio.timeout(budget.seconds_to_ask) as limit:
                return await self._asked(request, purpose, label, lambda: budget.seconds_to_ask)
        except BaseException as error:
            budget.release(request.usd)
            if not (isinstance(error, TimeoutError) and limit.expired()):
                raise
            budget.check()
            budget.fell_short("time")
            message = f"{who} had not answered when the time limit of the case was reached."
            raise unavailable(purpose, who, message) from error

    async def _asked(self, request: Request, purpose: Purpose, label: str, seconds_left: SecondsLeft) -> Reply:
        mount = self._mounts.get(urlsplit(request.url).scheme)
        if mount is not None:
            return await mount(request)
        self._case.asking.set()
        longest, slow = self._case.longest.get(purpose), self._case.slow
        who = urlsplit(request.url).netloc if purpose is Purpose.PAGE else label
        if longest is not None and slow.get(who):
            longest /= _SHORTER
        try:
            reply = await self._outside.ask(
                Call(request, purpose, label, seconds_left, longest=longest, case=self._case.id)
            )
        except Outage as error:
            slow[who] = bool(who) and timed_out(error)
            raise
        slow.pop(who, None)
        return reply


def _serves_again(reply: Reply) -> bool:
    """Return True if a recorded reply is an answer and not a temporary failure, which is requested again."""
    return 200 <= reply.status < 400 or reply.status in (404, 410)
