"""A page as a web archive holds it: what `archive` takes out of a WARC or WACZ and `collection` takes in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


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
    record: str = "response"
    """The type of its record in the archive."""
    repeats: bool = False
    """The record only names another one with the same bytes at another address, which are these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCapture:
    """A record of a web archive that gives no page, or a place in it that is damaged."""

    record: str
    """The type of the record: request, revisit, ...; damage: 'damaged'."""
    outcome: Literal["accompanies", "seen again", "left out", "unreadable"]
    """accompanies: it belongs to other records and never is a page (request, warcinfo, metadata)."""
    why: str = ""
    """In words, after the address: 'is ...'."""
    url: str = ""
    """'': it has none; `why` names the place."""
