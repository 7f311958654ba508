"""The contract of a reader: bytes in, a document out. It never fetches anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import BudgetMet

ON_PAGE: ContextVar[Callable[[int, int], None]] = ContextVar("on_page", default=lambda page, pages: None)
"""A caller's function that readers of paged documents call before each page with its number (from 1) and the number of
pages, to report progress. An exception ends the reading."""


@contextmanager
def page_progress(report: Callable[[int, int], object] | None = None) -> Iterator[Callable[[int, int], None]]:
    """Set ON_PAGE within the block, also for threads, to a function that calls `report`. After the block, it stops any
    reading that is still running, at the next page."""
    left = False

    def on_page(page: int, pages: int) -> None:
        if left:
            raise BudgetMet("cancelled", "The reading was stopped.")
        if report is not None:
            report(page, pages)

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

    @abstractmethod
    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Extract the document, deterministically. Raises PageUnreadable (encrypted, truncated, without text) and
        PageTooLarge."""
