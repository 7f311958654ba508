"""What sites ask of robots, asked once per site and believed for a day."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from inquest.domain.errors import PageForbidden, PageRefused, PageUnavailable
from inquest.kit.ports import Clock
from inquest.net.flight import SingleFlight
from inquest.net.guard import Forbidden, Guard, Place
from inquest.net.kept_robots import KeptRobots
from inquest.net.redirects import leads_to
from inquest.net.robots import MAX_BYTES, Rules, parse_robots
from inquest.net.wire import WireAnswer

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
