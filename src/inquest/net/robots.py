"""robots.txt as RFC 9309 reads it: groups by product token, the longest matching rule speaks, `*` and `$` in paths.

The standard library's parser takes the first rule that matches and knows no wildcards, so it answers otherwise than
the standard for many newspapers' files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit

MAX_BYTES = 500 * 1024
"""What is read of a file; RFC 9309, 2.5, asks for at least this much."""

_MAX_CRAWL_DELAY = 5.0
"""Seconds. Crawl-delay is no part of the standard; within this bound it costs nothing to be polite."""


@dataclass(frozen=True, slots=True)
class _Rule:
    allow: bool
    path: str

    def matches(self, target: str) -> bool:
        pattern, anchored = (self.path[:-1], True) if self.path.endswith("$") else (self.path, False)
        pieces = pattern.split("*")
        if not target.startswith(pieces[0]):
            return False
        # Each piece is looked for at its first place, which is enough for `*`; the last must end the path under `$`.
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
    """What one site's robots.txt says to us."""

    rules: tuple[_Rule, ...] = ()
    delay: float = 0.0
    """Seconds between requests, as the site asks (Crawl-delay), within reason."""

    def allows(self, url: str) -> bool:
        """Whether the URL may be fetched. robots.txt itself always may."""
        parts = urlsplit(url)
        target = _normal(parts.path or "/") + (f"?{_normal(parts.query)}" if parts.query else "")
        if target == "/robots.txt":
            return True
        matching = [rule for rule in self.rules if rule.matches(target)]
        if not matching:
            return True
        # RFC 9309, 2.2.2: the most octets; where rules are equivalent, allow.
        return max(matching, key=lambda rule: (len(rule.path), rule.allow)).allow


ALLOW_ALL = Rules()


@dataclass(slots=True)
class _Group:
    agents: list[str] = field(default_factory=list)
    rules: list[_Rule] = field(default_factory=list)
    delay: float = 0.0


def parse_robots(body: bytes, agent: str) -> Rules:
    """The rules for the product token `agent` ('Inquest'): those of every group that names it, else those of `*`."""
    text = body[:MAX_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")
    groups = _groups(text)
    wanted = agent.lower()
    ours = [group for group in groups if wanted in group.agents] or [group for group in groups if "*" in group.agents]
    return Rules(
        tuple(rule for group in ours for rule in group.rules),
        max((group.delay for group in ours), default=0.0),
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
    """One spelling per path: what needs no escape is plain, everything else is %XX in upper case (2.2.2)."""

    def spelled(match: re.Match[str]) -> str:
        char = chr(int(match.group(1), 16))
        return char if char.isascii() and (char.isalnum() or char in "-._~") else match.group().upper()

    return quote(re.sub(r"%([0-9a-fA-F]{2})", spelled, path), safe="%/?:@!$&'()*+,;=-._~[]")


class KeptRobots:
    """One small file per site, in a folder per day (UTC). A cache: what cannot be read or written here is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, origin: str, *, now: datetime, age: timedelta) -> tuple[datetime, bytes] | None:
        """When the site was asked and what its file said (b'': it has none); None where nothing younger than `age` is
        kept."""
        for day in (now, now - timedelta(days=1)):
            found = _read(self._path(origin, day), origin)
            if found is not None and timedelta() <= now - found[0] <= age:
                return found
        return None

    def keep(self, origin: str, at: datetime, body: bytes) -> None:
        """Keep what the site said. Days that are too old to be believed are removed with the first of a new day."""
        path = self._path(origin, at)
        head = json.dumps({"origin": origin, "at": at.isoformat()}).encode()
        with suppress(OSError):
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
                self._forget_before(at - timedelta(days=1))
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
            with os.fdopen(handle, "wb") as file:
                file.write(head + b"\n" + body)
            Path(name).replace(path)

    def _forget_before(self, day: datetime) -> None:
        for folder in self._folder.iterdir():
            if folder.is_dir() and folder.name < _day(day):
                shutil.rmtree(folder, ignore_errors=True)

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
