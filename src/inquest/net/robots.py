"""robots.txt according to RFC 9309, fetched once per site and cached for a day.

Supports groups by product token, precedence of the longest matching rule, and `*` and `$` in paths. The standard
library's parser takes the first matching rule and has no wildcards, so it is wrong for many newspapers' files.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from inquest.domain.errors import PageForbidden, PageRefused, PageUnavailable
from inquest.kit.exchange import Request
from inquest.kit.ports import Clock
from inquest.net.guard import Forbidden, Guard, Place
from inquest.net.pace import SingleFlight
from inquest.net.redaction import carries_secret
from inquest.net.wire import WireAnswer

MAX_BYTES = 500 * 1024
"""Maximum size read; RFC 9309, 2.5, requires at least this much."""

_MAX_CRAWL_DELAY = 5.0
"""Maximum Crawl-delay in seconds that is observed; it is not part of the standard."""


@dataclass(frozen=True, slots=True)
class _Rule:
    allow: bool
    path: str

    def matches(self, target: str) -> bool:
        pattern, anchored = (self.path[:-1], True) if self.path.endswith("$") else (self.path, False)
        pieces = pattern.split("*")
        if not target.startswith(pieces[0]):
            return False
        # Taking the first occurrence of each piece is sufficient for `*`; with `$` the last piece must end the path.
        at = len(pieces[0])
        for number, piece in enumerate(pieces[1:], 2):
            if anchored and number == len(pieces):
                return len(target) - len(piece) >= at and target.endswith(piece)
            found = target.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return not anchored or at == len(target)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in a site's robots.txt that apply to us."""

    rules: tuple[_Rule, ...] = ()
    delay: float = 0.0
    """Seconds between requests (Crawl-delay, capped)."""

    def allows(self, url: str) -> bool:
        """Return True if the URL may be fetched; robots.txt itself always may."""
        parts = urlsplit(url)
        target = _normal(parts.path or "/") + (f"?{_normal(parts.query)}" if parts.query else "")
        if target == "/robots.txt":
            return True
        matching = [rule for rule in self.rules if rule.matches(target)]
        if not matching:
            return True
        # RFC 9309, 2.2.2: the rule with the most octets; between equivalent rules, allow.
        return max(matching, key=lambda rule: (len(rule.path), rule.allow)).allow


ALLOW_ALL = Rules()


@dataclass(slots=True)
class _Group:
    agents: list[str] = field(default_factory=list)
    rules: list[_Rule] = field(default_factory=list)
    delay: float = 0.0


def parse_robots(body: bytes, agent: str) -> Rules:
    """Return the rules for the product token `agent` ('Inquest'): of all groups that name it, else of `*`."""
    text = body[:MAX_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")
    groups = _groups(text)
    wanted = agent.lower()
    ours = [group for group in groups if wanted in group.agents] or [group for group in groups if "*" in group.agents]
    return Rules(
        tuple(rule for group in ours for rule in group.rules), max((group.delay for group in ours), default=0.0)
    )


def _groups(text: str) -> list[_Group]:
    groups: list[_Group] = []
    naming = False  # consecutive user-agent lines name one group
    for line in re.split(r"\r\n|\r|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            if not naming:
                groups.append(_Group())
            naming = True
            token = re.match(r"\*|[a-zA-Z_-]+", value)
            groups[-1].agents.append(token.group().lower() if token else value.lower())
        elif key in ("allow", "disallow"):
            naming = False
            if groups and value:  # an empty rule matches nothing
                groups[-1].rules.append(_Rule(key == "allow", _normal(value)))
        elif key == "crawl-delay":
            naming = False
            if groups and re.fullmatch(r"\d{1,6}(?:\.\d+)?", value):
                groups[-1].delay = min(float(value), _MAX_CRAWL_DELAY)
    return groups


def _normal(path: str) -> str:
    """Normalize a path: unreserved characters are plain, all others are %XX in upper case (2.2.2)."""

    def spelled(match: re.Match[str]) -> str:
        char = chr(int(match.group(1), 16))
        return char if char.isascii() and (char.isalnum() or char in "-._~") else match.group().upper()

    return quote(re.sub(r"%([0-9a-fA-F]{2})", spelled, path), safe="%/?:@!$&'()*+,;=-._~[]")


class KeptRobots:
    """A cache of one file per site, in a folder per day (UTC). Errors in reading or writing it are ignored."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, origin: str, *, now: datetime, age: timedelta) -> tuple[datetime, bytes] | None:
        """Return the time of the request and the content (b'' if the site has no file), or None if nothing younger than
        `age` is cached."""
        for day in (now, now - timedelta(days=1)):
            found = _read(self._path(origin, day), origin)
            if found is not None and timedelta() <= now - found[0] <= age:
                return found
        return None

    def keep(self, origin: str, at: datetime, body: bytes) -> None:
        """Store a site's file. The first file of a day deletes the folders of outdated days."""
        path = self._path(origin, at)
        head = json.dumps({"origin": origin, "at": at.isoformat()}).encode()
        with suppress(OSError):
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
                for folder in self._folder.iterdir():
                    if folder.is_dir() and folder.name < _day(at - timedelta(days=1)):
                        shutil.rmtree(folder, ignore_errors=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
            with os.fdopen(handle, "wb") as file:
                file.write(head + b"\n" + body)
            Path(name).replace(path)

    def _path(self, origin: str, at: datetime) -> Path:
        return self._folder / _day(at) / hashlib.sha256(origin.encode()).hexdigest()[:40]


def _day(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()


def _read(path: Path, origin: str) -> tuple[datetime, bytes] | None:
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        given = json.loads(head)
        at = datetime.fromisoformat(given["at"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return (at, body) if given.get("origin") == origin and at.tzinfo is not None else None


_FOLLOWED = (301, 302, 303, 307, 308)


def leads_to(method: str, place: Place, status: int, location: str | None) -> str | None:
    """Return the target of a redirect, or None if the reply is final. Only GET and HEAD are followed: the body of a
    search or model call must not be sent to another address."""
    if status not in _FOLLOWED or not location or method.upper() not in ("GET", "HEAD"):
        return None
    # Headers are decoded as Latin-1; a Location in UTF-8 is invalid but common.
    with suppress(UnicodeEncodeError, UnicodeDecodeError):
        location = location.encode("latin-1").decode("utf-8")
    return urldefrag(urljoin(place.url, location.strip())).url


def headers_for(request: Request, first: Place, here: Place) -> tuple[tuple[str, str], ...]:
    """Return the request's headers, without those that carry a key after a redirect to another origin."""
    if here.origin == first.origin:
        return request.headers
    return tuple((name, value) for name, value in request.headers if not carries_secret(name, value, request.secrets))


_REDIRECTS = 5
"""RFC 9309, 2.3.1.2."""


class Courtesy:
    """The robots.txt of all visited sites. According to RFC 9309, 2.3.1, everything is allowed if there is no file
    (4xx) or too many redirects, and nothing while the server fails (5xx); the pages of an unreachable site are
    unreachable too."""

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
        """`fetch` returns the reply at a place with any status, not following redirects; `agent`: our product token;
        `kept`: the cache shared with other processes, or None."""
        self._files = kept
        self._guard = guard
        self._fetch = fetch
        self._clock = clock
        self._agent = agent
        self._age = age
        self._kept: dict[str, tuple[datetime, Rules]] = {}
        self._asked: SingleFlight[Rules] = SingleFlight()

    async def rules(self, place: Place, page: str) -> Rules:
        """Return the site's rules. Raises PageRefused and PageUnavailable for the page if they are not available."""
        kept = self._kept.get(place.origin)
        if kept is not None and self._clock.now() - kept[0] <= self._age:
            return kept[1]
        try:
            return await self._asked.run(place.origin, lambda: self._had(place))
        except (PageUnavailable, PageRefused) as error:
            raise type(error)(page, error.said, advice=error.advised) from error

    async def _had(self, site: Place) -> Rules:
        """Return the rules from the cache or the site."""
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
        """Return the content of the site's file; b'' if it has none."""
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
                    f"{site.host} did not say whether robots may read its pages (robots.txt: {answer.status}).",
                    advice="Try again later.",
                )
            target = leads_to("GET", here, answer.status, answer.header("location"))
            if target is None:
                return answer.body[:MAX_BYTES] if 200 <= answer.status < 300 else b""
            url = target
        return b""
