"""A page as a web archive holds it: what `archive` takes out of a WARC file and `collection` takes in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One page in a web archive."""

    url: str
    body: bytes
    """After transfer and content decoding."""
    content_type: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case; without those that described the bytes on the wire."""
    retrieved_at: datetime | None
    """None: the archive does not say."""
