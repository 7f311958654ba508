"""One exchange with a service: request and reply. No I/O happens here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Purpose(StrEnum):
    """The purpose of a request, which decides on limits, retries and robots.txt."""

    ENGINE = "engine"
    PAGE = "page"
    MODEL = "model"
    FILE = "file"
    """A model file from a public hub, saved to disk and never recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request, built by engines and sent by the HTTP client (`net`) only. Schemes: http and https;
    `collection://NAME/search?q=...` (the user's own documents) and `registry://NAME/rows?q=...` (a register's table)
    never leave the machine."""

    url: str
    """With its query string."""
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    secrets: tuple[str, ...] = ()
    """Values (keys) that must never be stored, shown or logged; the client replaces them in everything it keeps."""
    usd: float = 0.0
    """The maximum price of the call in US dollars; not part of the fingerprint."""
    reply_secrets: tuple[str, ...] = ()
    """Names of JSON fields of the reply that hold secrets (`access_token`). They are returned and never stored, so that
    such a request is sent live each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply of any status. The body is after transfer and content decoding."""

    url: str
    """After redirects."""
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case."""
    body: bytes
    at: datetime
    """When it was received; on replay, when it was recorded."""
    recorded: bool = False
    """True if it was served from a recording, at no cost."""

    def header(self, name: str) -> str | None:
        """Return the first header of that name (any case), or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def content_type(self) -> str:
        return self.header("content-type") or ""

    def text(self) -> str:
        """Return the body as text in the declared encoding or UTF-8, with undecodable bytes replaced."""
        charset = "utf-8"
        for part in self.content_type.split(";")[1:]:
            key, _, value = part.strip().partition("=")
            if key.lower() == "charset" and value:
                charset = value.strip("\"' ")
        try:
            return self.body.decode(charset, errors="replace")
        except (LookupError, ValueError):
            # The charset is unknown or not one of text ('idna', 'undefined').
            return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Return the body as JSON. Raises ValueError, which becomes EngineFormat."""
        return json.loads(self.body)
