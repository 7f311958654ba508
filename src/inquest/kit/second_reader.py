"""The contract of a second reader: a service for pages that block us or no longer exist.

Like an engine, it builds requests and parses replies and never does I/O. A new one is one class in `second_readers/`.
Its copy replaces the page: the document keeps the page's own address, and the snapshot records how its bytes were
obtained. It is never used for pages that robots.txt forbids, or that require a login or payment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

from inquest.domain.reasons import Reason
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request, check_status


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A third party's copy of a page."""

    reply: Reply
    """The bytes to archive, and their content type."""
    provenance: str
    """For `Snapshot.provenance`: 'reader jina', 'archived copy web.archive.org 2024-03-05'."""
    note: Reason
    """A note on how the page was read, for display with the source."""


class SecondReader(ABC):
    """A service with copies of pages."""

    name: ClassVar[str]
    """The name in INQUEST_SECOND_READERS."""
    title: ClassVar[str]
    limits: ClassVar[Limits]
    key: ClassVar[str | None] = None
    """The setting of its optional key; None: keyless."""
    keeps_what_is_gone: ClassVar[bool]
    """True if it may have pages that no longer exist; otherwise it is used only for pages that block us."""

    def __init__(self, key: str | None = None) -> None:
        self.access_key = key

    @abstractmethod
    def ask(self, url: str) -> Generator[Request, Reply, Copy | None]:
        """Find a copy, as a generator that yields requests, is sent replies and returns the copy or None. Raises
        EngineError, and any of `MALFORMED` on a malformed body."""

    def check(self, reply: Reply) -> None:
        """Raise the typed error for a status."""
        check_status(self.name, self.title, self.key, reply)
