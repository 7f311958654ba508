"""The contract of a second reader: who is asked for a page that bars us or is gone.

As an engine, it builds requests and parses replies and never does I/O. A new one is one file in `second_readers/`.
What it brings stands in for the page: the document keeps the page's own address, and the snapshot says how its bytes
came to us. It is never asked for a page whose site forbids it (robots.txt), wants a login or is paid for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

from inquest.domain.errors import EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A page as a third party has it."""

    reply: Reply
    """With the bytes to be kept, and the content type by which they are read."""
    provenance: str
    """For `Snapshot.provenance`: 'reader jina', 'archived copy web.archive.org 2024-03-05'."""
    note: str
    """For a person who sees the source: how it was read."""


class SecondReader(ABC):
    """A service that may have pages we cannot fetch."""

    name: ClassVar[str]
    """The file's name, and what users write in INQUEST_SECOND_READERS."""
    title: ClassVar[str]
    limits: ClassVar[Limits]
    key: ClassVar[str | None] = None
    """The setting of its key, which is optional; None: it has none."""
    keeps_what_is_gone: ClassVar[bool]
    """It may have pages that are no longer there. Without, it is asked only where a page bars us."""

    def __init__(self, key: str | None = None) -> None:
        self.access_key = key

    @abstractmethod
    def ask(self, url: str) -> Generator[Request, Reply, Copy | None]:
        """Look for a copy, as a generator: yields requests, is sent replies, returns the copy, or None for none. Raises
        EngineError (see `check`); what a malformed reply leads to is up to whoever drives it."""

    def check(self, reply: Reply) -> None:
        """Raise the typed error that a service's status stands for."""
        status, title = reply.status, self.title
        if status in (401, 403):
            where = f"Check {self.key}." if self.key else "It may be blocking this address."
            raise EngineKeyRefused(self.name, f"{title} refused the request ({status}).", advice=where)
        if status in (402, 429):
            raise EngineQuota(self.name, f"{title} says its quota or rate is used up ({status}).")
        if status >= 500:
            raise EngineUnavailable(self.name, f"{title} is out of order ({status}).")
        if not 200 <= status < 300:
            raise EngineFormat(self.name, f"{title} did not accept the request ({status}).")
