"""What sites ask of robots, asked once per site and believed for a day."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from inquest.domain.errors import PageForbidden, PageRefused, PageUnavailable
from inquest.kit.ports import Clock
from inquest.net.flight import SingleFlight
from inquest.net.guard import Forbidden, Guard, Place
from inquest.net.redirects import leads_to
from inquest.net.robots import ALLOW_ALL, Rules, parse_robots
from inquest.net.wire import Answer

__all__ = ["Courtesy"]

_REDIRECTS = 5
"""RFC 9309, 2.3.1.2."""


class Courtesy:
    """The robots.txt of every site that was visited.

    As RFC 9309, 2.3.1 says: where there is no such file (4xx), or only redirects without end, everything is allowed;
    where the server is out of order (5xx), nothing is for now; a site that cannot be reached has no page for us either.
    """

    def __init__(
        self, guard: Guard, fetch: Callable[[Place], Awaitable[Answer]], *, clock: Clock, agent: str, age: timedelta
    ) -> None:
        """`fetch` brings the reply at a place, whatever its status and unfollowed; `agent`: our product token."""
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
            return await self._asked.run(place.origin, lambda: self._ask(place))
        except PageUnavailable as error:
            raise PageUnavailable(page, str(error), advice=error.advice) from error
        except PageRefused as error:
            raise PageRefused(page, str(error), advice=error.advice) from error

    async def _ask(self, site: Place) -> Rules:
        rules = ALLOW_ALL
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
                if 200 <= answer.status < 300:
                    rules = parse_robots(answer.body, self._agent)
                break
            url = target
        self._kept[site.origin] = (self._clock.now(), rules)
        return rules
