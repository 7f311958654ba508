"""The contract of a reader: bytes in, a document out. Pure; never fetches anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import BudgetMet

ON_PAGE: ContextVar[Callable[[int, int], None] | None] = ContextVar("on_page", default=None)
"""Called by readers of paged documents before each page (its number from 1, and how many there are), where a caller set
it. What it raises ends the reading: so a long one shows how far it is, and can be stopped."""


@contextmanager
def told_of_pages(tell: Callable[[int, int], object] | None = None) -> Iterator[Callable[[int, int], None]]:
    """Have `tell` called before each page that is read within the block, also in a thread: by readers themselves, and
    by whoever is given what this gives. Once the caller has left, with an error or not, they stop at the next one."""
    left = False

    def on_page(page: int, pages: int) -> None:
        if left:
            raise BudgetMet("cancelled", "The reading was stopped.")
        if tell is not None:
            tell(page, pages)

    token = ON_PAGE.set(on_page)
    try:
        yield on_page
    finally:
        left = True
        ON_PAGE.reset(token)


class Reader(ABC):
    """Extracts the readable text from one kind of bytes."""

    name: ClassVar[str]
    """html, pdf, feed, text, markdown, row."""
    content_types: ClassVar[tuple[str, ...]]
    """Media types (without parameters) it takes."""

    @abstractmethod
    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The document. Deterministic: the same bytes give the same text. Raises PageUnreadable (encrypted, truncated,
        a scan without text) and PageTooLarge."""
