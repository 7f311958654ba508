"""The contract of a reader: bytes in, a document out. Pure; never fetches anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextvars import ContextVar
from typing import ClassVar

from inquest.domain.document import Document, Snapshot

ON_PAGE: ContextVar[Callable[[int, int], None] | None] = ContextVar("on_page", default=None)
"""Called by readers of paged documents before each page (its number from 1, and how many there are), where a caller set
it. What it raises ends the reading: so a long one shows how far it is, and can be stopped."""


class Reader(ABC):
    """Makes the readable text of one kind of bytes."""

    name: ClassVar[str]
    """html, pdf, feed, text, markdown, row."""
    content_types: ClassVar[tuple[str, ...]]
    """Media types (without parameters) it takes."""

    @abstractmethod
    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The document. Deterministic: the same bytes give the same text.

        Raises PageUnreadable (encrypted, truncated, a scan without text) and PageTooLarge.
        """
