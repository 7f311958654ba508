"""Live requests: guard, robots.txt, pace, retries, redirects, and translation of outcomes into typed errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from inquest.domain.errors import Outage, PageRefused, PageUnavailable, PageUnreadable
from inquest.domain.reasons import Reason
from inquest.kit.engine import Limits
from inquest.kit.exchange import Purpose, Reply, Request, day_is_used_up
from inquest.kit.ports import Clock, QuotaCounter
from inquest.net.failures import forbidden, too_large, unavailable
from inquest.net.guard import Forbidden, Guard, Place
from inquest.net.pace import Breaker, Pace, can_pass, retry_after, tried
from inquest.net.policy import Ceilings, RequestPolicy, is_readable
from inquest.net.redaction import redacted_text
from inquest.net.robots import MAX_BYTES, Courtesy, KeptRobots, headers_for, leads_to
from inquest.net.wire import Failure, FailureKind, Intake, Sink, WireAnswer, exchange

_ACCEPT_PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5"
_NOBODY = "keyless"
"""The account of engines whose calls are not counted."""
_USED_UP = (402, 403, 429)
_ROBOTS_SECONDS = 8.0
"""Time limit for robots.txt."""
_SAID = 2_000
"""Bytes of a refusal that are searched for its reason."""
SecondsLeft = Callable[[], float | None]


@dataclass(frozen=True, slots=True)
class Route:
    """A guard and the connections it controls."""

    guard: Guard
    transport: httpx2.AsyncBaseTransport
    proxied: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One request with its context."""

    request: Request
    purpose: Purpose
    label: str
    seconds_left: SecondsLeft
    sink: Sink | None = None
    """Receives the body of a 2xx reply instead of the reply."""
    largest: int | None = None
    """Maximum size of that body in bytes, if below that of its purpose."""
    longest: float | None = None
    """Seconds for one exchange, if below its ceilings; a timeout is then not retried."""
    case: str | None = None

    @property
    def service(self) -> str:
        """The engine or model whose service answers: an engine may ask that of another."""
        return self.request.service or self.label

    @property
    def who(self) -> str:
        """The subject of an error: the engine, the model, or the page's URL."""
        if self.purpose is Purpose.PAGE or not self.label:
            return redacted_text(self.request.url, self.request.secrets)
        return self.label

    def subject(self, host: str, titles: Mapping[str, str]) -> str:
        """Return the subject of a sentence about the other side."""
        return host if self.purpose is Purpose.PAGE or not self.label else titles.get(self.service, self.service)


@dataclass(frozen=True)
class Allowances:
    """Limits, quotas and behaviour of live requests."""

    limits: Mapping[str, Limits] = field(default_factory=dict)
    """By name of the engine or model."""
    quotas: QuotaCounter | None = None
    """Counts shared with other processes."""
    accounts: Mapping[str, str] = field(default_factory=dict)
    """Account names for counting calls, by engine. Engines without one are paced in this process only, but observe
    pauses recorded by other processes."""
    policy: RequestPolicy = field(default_factory=RequestPolicy)
    titles: Mapping[str, str] = field(default_factory=dict)
    """Display names, by name of the engine."""
    robots_folder: Path | None = None
    """Folder of cached robots.txt files; None: they are not stored."""


class Outside:
    """Makes all live requests of a process; shared by its cases."""

    def __init__(
        self,
        routes: Mapping[Purpose, Route],
        *,
        clock: Clock,
        user_agent: str,
        allowances: Allowances,
        mcp: Callable[[bool], Route] | None = None,
    ) -> None:
        """`mcp`: makes the route to engines that are MCP servers; True: their programs run until the case ends."""
        self._routes = routes
        self._mcp = mcp
        self._mcp_of: dict[str | None, Route] = {}
        """By case."""
        self._clock = clock
        self._user_agent = user_agent
        self._allowances = allowances
        self._policy = policy = allowances.policy
        self._paces: dict[str, Pace] = {}
        self._breakers: dict[str, Breaker] = {}
        self._courtesy = Courtesy(
            routes[Purpose.PAGE].guard,
            self._robots_txt,
            clock=clock,
            agent=user_agent.partition("/")[0],
            age=policy.robots_age,
            kept=KeptRobots(allowances.robots_folder) if allowances.robots_folder else None,
        )
        self._ahead: dict[str, asyncio.Task[None]] = {}
        """Requests for robots.txt made in advance, by origin."""

    async def aclose(self) -> None:
        """Close every connection."""
        for task in self._ahead.values():
            task.cancel()
        await asyncio.gather(*self._ahead.values(), return_exceptions=True)
        routes = (*self._routes.values(), *self._mcp_of.values())
        for transport in {id(route.transport): route.transport for route in routes}.values():
            await transport.aclose()

    async def end_case(self, case: str | None) -> None:
        """End what runs for this case alone."""
        route = self._mcp_of.pop(case, None)
        if route is not None:
            await route.transport.aclose()

    async def ask(self, call: Call) -> Reply:
        """Return the reply: 2xx for a page, any status for an engine or model. Raises Outage."""
        request, purpose = call.request, call.purpose
        label = urlsplit(request.url).netloc if purpose is Purpose.PAGE else call.service
        breaker = self._breaker(purpose, label)
        wait = breaker.wait()
        if wait > 0:
            # Without the seconds left, so that the same outage has the same message.
            whose = call.subject(urlsplit(request.url).hostname or call.who, self._allowances.titles)
            message = f"{whose} failed several times in a row and is not queried for a while."
            left_alone = unavailable(purpose, call.who, message)
            left_alone.after_failures = True
            raise left_alone
        try:
            reply = await (self._page(call) if purpose is Purpose.PAGE else self._followed(call))
        except Outage as error:
            # A rejection by the guard or an answer that is too large does not mean that the other side is down.
            if _failure_in(error) in _NOT_THERE or (isinstance(error, PageUnavailable) and (error.status or 0) >= 500):
                breaker.failed()
            else:
                breaker.abandoned()
            raise
        except BaseException:
            breaker.abandoned()
            raise
        if reply.status >= 500:
            breaker.failed()
        else:
            breaker.succeeded()
        return reply

    # Pages ----------------------------------------------------------------------------------------------------------

    async def _page(self, call: Call) -> Reply:
        reply = await self._followed(call)
        status, host = reply.status, urlsplit(reply.url).hostname or reply.url

        def said(what: str) -> Reason:
            return Reason(code=f"outages.{what}", data={"name": host, "number": status})

        if status in (401, 402, 403, 451):
            # 403 although robots.txt permits the page is a block of programs; the others mean login, payment or law.
            raise PageRefused(call.who, said("not_let"), technical=status == 403)
        if status in (404, 410):
            raise PageUnavailable(call.who, said("no_such_page"), status=status)
        if not 200 <= status < 300 or status in (204, 205):
            again = Reason(code="outages.try_later") if can_pass(status) else ""
            raise PageUnavailable(call.who, said("instead_of_page"), advice=again, status=status)
        return reply

    def expect(self, urls: Iterable[str]) -> None:
        """Fetch robots.txt of the sites of these pages in the background, once each, so that later requests for pages
        need not wait for it. Errors are raised when a page is requested."""
        if not self._policy.obey_robots:
            return

        async def greet(place: Place) -> None:
            with suppress(Outage):
                await self._courtesy.rules(place, place.url)

        for url in urls:
            try:
                place = self._routes[Purpose.PAGE].guard.place(url)
            except Forbidden:
                continue
            if place.origin not in self._ahead and self._breaker(Purpose.PAGE, urlsplit(url).netloc).wait() <= 0:
                self._ahead[place.origin] = asyncio.ensure_future(greet(place))

    async def _heed_robots(self, call: Call, place: Place) -> None:
        """Raise PageRefused if the site's robots.txt disallows the page."""
        if not self._policy.obey_robots:
            return
        rules = await self._courtesy.rules(place, call.who)
        if rules.delay:
            self._host_pace(place).slow_down(rules.delay)
        if not rules.allows(place.url):
            raise PageRefused(call.who, f"{place.host} does not allow robots to read this page (robots.txt).")

    async def _robots_txt(self, place: Place) -> WireAnswer:
        call = Call(Request(url=place.url), Purpose.PAGE, "", seconds_left=lambda: None)
        ceilings = replace(self._policy.ceilings[Purpose.PAGE], unpacked=MAX_BYTES, packed=MAX_BYTES)
        ceilings = ceilings.within(_ROBOTS_SECONDS)
        return await self._answer(call, place, ceilings, robots=True)

    # Any purpose ----------------------------------------------------------------------------------------------------

    async def _followed(self, call: Call) -> Reply:
        """Return the reply after all redirects. The guard checks every hop, for pages also robots.txt."""
        request, purpose = call.request, call.purpose
        ceilings = self._ceilings(purpose, call.service)
        if call.largest is not None:
            ceilings = replace(ceilings, packed=call.largest, unpacked=call.largest)
        if call.longest is not None:
            ceilings = ceilings.within(call.longest)
        first = here = self._place(call, request.url, hop=False)
        seen = {here.url}
        while True:
            if purpose is Purpose.PAGE:
                await self._heed_robots(call, here)
            headers = headers_for(request, first, here)
            asking = replace(call, request=replace(request, url=here.url, headers=headers))
            answer = await self._answer(asking, here, ceilings)
            target = leads_to(request.method, here, answer.status, answer.header("location"))
            if target is None:
                return Reply(
                    url=here.url, status=answer.status, headers=answer.headers, body=answer.body, at=self._clock.now()
                )
            here = self._place(call, target, hop=True)
            if here.url in seen or len(seen) > self._policy.max_redirects:
                how = "in a circle" if here.url in seen else f"more than {self._policy.max_redirects} times"
                raise unavailable(
                    purpose,
                    call.who,
                    f"{call.subject(here.host, self._allowances.titles)} redirects {how}.",
                    status=answer.status,
                )
            seen.add(here.url)

    def _place(self, call: Call, url: str, *, hop: bool) -> Place:
        try:
            return self._route(call).guard.place(url)
        except Forbidden as error:
            raise self._no(call, url, error, hop=hop) from error

    def _route(self, call: Call) -> Route:
        if self._mcp is None or call.purpose is not Purpose.ENGINE or not call.request.url.startswith("mcp:"):
            return self._routes[call.purpose]
        if call.case not in self._mcp_of:
            self._mcp_of[call.case] = self._mcp(call.case is not None)
        return self._mcp_of[call.case]

    def _no(self, call: Call, url: str, reason: Forbidden, *, hop: bool) -> Outage:
        shown = redacted_text(url, call.request.secrets)[:200]
        message = f"{shown} is not fetched: it {reason}."
        if hop:
            message = f"It redirects to an address that is not fetched: {shown}, which {reason}."
        return forbidden(call.purpose, call.who, message)

    async def _answer(self, call: Call, place: Place, ceilings: Ceilings, *, robots: bool = False) -> WireAnswer:
        """Make the request of one hop, with retries. Raises Outage."""
        purpose, request = call.purpose, call.request
        route = self._route(call)
        pace = self._pace(call, place)

        def wanted(status: int, headers: tuple[tuple[str, str], ...]) -> bool:
            location = next((value for name, value in headers if name == "location"), None)
            if leads_to(request.method, place, status, location) is not None:
                return False
            if purpose is not Purpose.PAGE:
                return True
            if not 200 <= status < 300:
                return False
            content_type = next((value for name, value in headers if name == "content-type"), "")
            if not robots and not is_readable(content_type, place.url):
                media = content_type.partition(";")[0].strip() or "an unspecified type"
                raise PageUnreadable(call.who, f"{place.host} sent {media[:80]}, which is not a readable type.")
            return True

        async def once() -> WireAnswer:
            async with pace.turn(counted=not robots, reserve=self._reservation(call)):
                answer = await exchange(
                    route.transport,
                    replace(request, url=place.url, headers=self._headers(request, purpose)),
                    ceilings,
                    Intake(wanted, cut=robots, sink=call.sink),
                    proxied=route.proxied,
                )
            await self._remember_rest(call, answer, pace)
            return answer

        try:
            return await tried(
                once,
                policy=self._policy,
                slow_attempts=1 if purpose is Purpose.MODEL or call.longest is not None or robots else 2,
                now=self._clock.now,
                seconds_left=call.seconds_left,
            )
        except Forbidden as error:
            raise self._no(call, place.url, error, hop=False) from error
        except Failure as failure:
            message = (
                f"{call.subject(place.host, self._allowances.titles)} {redacted_text(str(failure), request.secrets)}."
            )
            if failure.kind is FailureKind.TOO_LARGE:
                raise too_large(purpose, call.who, message) from failure
            raise unavailable(purpose, call.who, message, advice=_advice(failure.kind, purpose)) from failure

    def _reservation(self, call: Call) -> Callable[[], Awaitable[float]] | None:
        """Return the function that counts this call and reserves its turn, if processes share that."""
        quotas, engine, limits = self._allowances.quotas, call.service, self._allowances.limits.get(call.service)
        if quotas is None or call.purpose is not Purpose.ENGINE or limits is None:
            return None
        account, now = self._allowances.accounts.get(engine), self._clock.now
        if account is None:
            return lambda: quotas.heed(engine, _NOBODY, at=now())
        return lambda: quotas.take(engine, account, limits, at=now())

    async def _remember_rest(self, call: Call, answer: WireAnswer, pace: Pace) -> None:
        """Record the pause that an engine asks for, for all cases and processes, and that of a model for this one."""
        now, who = self._clock.now(), {call.service}
        seconds = retry_after(answer.header("retry-after"), now) if answer.status == 429 else None
        if call.purpose is Purpose.MODEL and answer.status != 429:
            pace.ease()
        elif call.purpose is Purpose.MODEL and (seconds or 0.0) <= self._policy.longest_wait:
            pace.hold(seconds or self._policy.first_wait)
        if self._allowances.quotas is None or call.purpose is not Purpose.ENGINE or answer.status not in _USED_UP:
            return
        if day_is_used_up(answer.body[:_SAID].decode("utf-8", "replace")):
            # All engines of a key share its daily limit. Services count days in UTC.
            midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
            seconds = max(seconds or 0.0, (midnight - now).total_seconds())
            limits = self._allowances.limits.get(call.service)
            pool = (limits.counted_with if limits else "") or call.service
            who |= {name for name, each in self._allowances.limits.items() if pool in (name, each.counted_with)}
        if seconds:
            until = now + timedelta(seconds=min(seconds, 86_400))
            for name in sorted(who):
                await self._allowances.quotas.rest(
                    name, self._allowances.accounts.get(name, _NOBODY), until=until, at=now
                )

    def _headers(self, request: Request, purpose: Purpose) -> tuple[tuple[str, str], ...]:
        named = {name.lower() for name, _ in request.headers}
        ours = [("User-Agent", self._user_agent)]
        if purpose is Purpose.PAGE:
            ours += [("Accept", _ACCEPT_PAGE), ("Accept-Language", "en, *;q=0.5")]
        return (*(header for header in ours if header[0].lower() not in named), *request.headers)

    def _ceilings(self, purpose: Purpose, label: str) -> Ceilings:
        ceilings = self._policy.ceilings[purpose]
        if purpose is not Purpose.PAGE and label in self._allowances.limits:
            seconds = self._allowances.limits[label].timeout
            ceilings = replace(ceilings, total=seconds, first_byte=min(seconds, ceilings.first_byte))
        return ceilings

    def _pace(self, call: Call, place: Place) -> Pace:
        if call.purpose is Purpose.PAGE:
            return self._host_pace(place)
        limits = self._allowances.limits.get(call.service) or Limits(
            per_second=0.0, concurrency=self._policy.model_concurrency
        )
        interval = 1 / limits.per_second if limits.per_second > 0 else 0.0
        return self._paced(f"{call.purpose}:{call.service}", interval, limits.concurrency, limits.burst)

    def _host_pace(self, place: Place) -> Pace:
        interval = 0.0 if place.own else self._policy.page_interval
        concurrency = 32 if place.own else self._policy.page_concurrency
        return self._paced(f"host:{place.host}:{place.port}", interval, concurrency)

    def _paced(self, key: str, interval: float, concurrency: int, burst: int = 1) -> Pace:
        if key not in self._paces:
            now = asyncio.get_running_loop().time
            self._paces[key] = Pace(interval=interval, concurrency=concurrency, burst=burst, now=now)
        return self._paces[key]

    def _breaker(self, purpose: Purpose, label: str) -> Breaker:
        key = f"{purpose}:{label}"
        if key not in self._breakers:
            policy, now = self._policy, asyncio.get_running_loop().time
            self._breakers[key] = Breaker(threshold=policy.breaker_threshold, rest=policy.breaker_rest, now=now)
        return self._breakers[key]


def timed_out(error: BaseException) -> bool:
    """Return True if the error is due to a timeout."""
    return _failure_in(error) is FailureKind.SLOW


def _failure_in(error: BaseException | None) -> FailureKind | None:
    """Return the kind of the Failure that caused an error, or None."""
    while error is not None and not isinstance(error, Failure):
        error = error.__cause__
    return error.kind if error is not None else None


_NOT_THERE = frozenset((FailureKind.UNREACHABLE, FailureKind.UNKNOWN_NAME, FailureKind.SLOW))
"""Failures counted by the breaker."""
_ADVICE = {
    FailureKind.UNREACHABLE: "Try again later.",
    FailureKind.SLOW: "Try again later, or give the case more time (--deadline).",
    FailureKind.INSECURE: "If your own certificate authority issued it, name its file in INQUEST_CA_FILE.",
}


def _advice(kind: FailureKind, purpose: Purpose) -> str:
    """Return advice for the user, who may have mistyped the address of a page but not that of a service."""
    if kind is not FailureKind.UNKNOWN_NAME:
        return _ADVICE.get(kind, "")
    if purpose is Purpose.PAGE:
        return "Check the spelling and the network connection."
    return "Check the network connection; if it works, the service has moved or its address in the settings is wrong."
