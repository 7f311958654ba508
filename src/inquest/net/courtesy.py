"""What sites ask of robots, asked once per site and believed for a day."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from urllib.parse import urldefrag, urljoin, urlsplit

from inquest.domain.errors import PageForbidden, PageRefused, PageUnavailable
from inquest.kit.exchange import Request
from inquest.kit.ports import Clock
from inquest.net.flight import SingleFlight
from inquest.net.guard import Forbidden, Guard, Place
from inquest.net.redaction import carries_secret
from inquest.net.robots import MAX_BYTES, KeptRobots, Rules, parse_robots
from inquest.net.wire import WireAnswer

_FOLLOWED = (301, 302, 303, 307, 308)


def leads_to(method: str, place: Place, status: int, location: str | None) -> str | None:
    """The next URL, or None where the reply is an end in itself.

    Only GET and HEAD are followed: a search or a model call that is sent elsewhere is not what was asked for, and its
    body may be nobody else's business.
    """
    if status not in _FOLLOWED or not location or method.upper() not in ("GET", "HEAD"):
        return None
    # Headers come as Latin-1; a Location in UTF-8 is out of order and common.
    with suppress(UnicodeEncodeError, UnicodeDecodeError):
        location = location.encode("latin-1").decode("utf-8")
    return urldefrag(urljoin(place.url, location.strip())).url


def headers_for(request: Request, first: Place, here: Place) -> tuple[tuple[str, str], ...]:
    """The request's headers; without those that carry a key, where it has been sent to another origin."""
    if here.origin == first.origin:
        return request.headers
    return tuple((name, value) for name, value in request.headers if not carries_secret(name, value, request.secrets))


_REDIRECTS = 5
"""RFC 9309, 2.3.1.2."""


class Courtesy:
    """The robots.txt of every site that was visited.

    As RFC 9309, 2.3.1 says: where there is no such file (4xx), or only redirects without end, everything is allowed;
    where the server is out of order (5xx), nothing is for now; a site that cannot be reached has no page for us either.
    """

    def __init__(
        self,
        guard: Guard,
        fetch: Callable[[Place], Awaitable[WireAnswer]],
        *,
        clock: Clock,
        agent: str,
        age: timedelta,
        kept: KeptRobots | None = None,
    ) -> None:
        """`fetch` brings the reply at a place, whatever its status and unfollowed; `agent`: our product token; `kept`:
        what this and other processes were told before; None: nothing is kept."""
        self._files = kept
        self._guard = guard
        self._fetch = fetch
        self._clock = clock
        self._agent = agent
        self._age = age
        self._kept: dict[str, tuple[datetime, Rules]] = {}
        self._asked: SingleFlight[Rules] = SingleFlight()

    async def rules(self, place: Place, page: str) -> Rules:
        """The site's rules. Raises PageRefused and PageUnavailable about the page, where they cannot be had."""
        kept = self._kept.get(place.origin)
        if kept is not None and self._clock.now() - kept[0] <= self._age:
            return kept[1]
        try:
            return await self._asked.run(place.origin, lambda: self._had(place))
        except PageUnavailable as error:
            raise PageUnavailable(page, str(error), advice=error.advice) from error
        except PageRefused as error:
            raise PageRefused(page, str(error), advice=error.advice) from error

    async def _had(self, site: Place) -> Rules:
        """From the files, or from the site."""
        found = None
        if self._files is not None:
            found = await asyncio.to_thread(self._files.find, site.origin, now=self._clock.now(), age=self._age)
        if found is None:
            found = self._clock.now(), await self._ask(site)
            if self._files is not None:
                await asyncio.to_thread(self._files.keep, site.origin, *found)
        at, body = found
        rules = parse_robots(body, self._agent)
        self._kept[site.origin] = (at, rules)
        return rules

    async def _ask(self, site: Place) -> bytes:
        """What the site's file says; b'' where it has none."""
        url = f"{site.scheme}://{urlsplit(site.url).netloc}/robots.txt"
        for _ in range(_REDIRECTS + 1):
            try:
                here = self._guard.place(url)
                answer = await self._fetch(here)
            except (Forbidden, PageForbidden):
                break
            if answer.status >= 500:
                raise PageRefused(
                    site.origin,
                    f"{site.host} could not say whether robots may read its pages (robots.txt: {answer.status}).",
                    advice="Try again later.",
                )
            target = leads_to("GET", here, answer.status, answer.header("location"))
            if target is None:
                return answer.body[:MAX_BYTES] if 200 <= answer.status < 300 else b""
            url = target
        return b""
