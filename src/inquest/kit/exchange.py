"""One exchange with the outside: what is asked, and what comes back. No I/O happens here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Purpose(StrEnum):
    """Why the door is asked; it decides the limits, the retries and whether robots.txt has a say."""

    ENGINE = "engine"
    PAGE = "page"
    MODEL = "model"
    FILE = "file"
    """A file of a model for this machine, from a public hub: onto the disk, never recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be asked. Built by engines, carried out by the door (`net`) only. Schemes: http and https;
    `collection://NAME/search?q=...` (the user's own documents) and `registry://NAME/rows?q=...` (a register's table)
    never leave the machine."""

    url: str
    """With its query string."""
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    secrets: tuple[str, ...] = ()
    """Values (keys) that must never be stored, shown or logged; the door replaces them in whatever it keeps."""
    usd: float = 0.0
    """What the call may cost at most, in US dollars; no part of the question."""
    reply_secrets: tuple[str, ...] = ()
    """Names of fields in the JSON of the reply whose values are secrets (`access_token`): whoever asks is given them,
    and nothing keeps them, so that such a request is asked live each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back, whatever the status. The body is after transfer and content decoding."""

    url: str
    """After redirects."""
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case."""
    body: bytes
    at: datetime
    """When it was received; on replay, when it was received then."""
    recorded: bool = False
    """It was served from a recording and cost nothing now."""

    def header(self, name: str) -> str | None:
        """The first header of that name (any case), or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def content_type(self) -> str:
        return self.header("content-type") or ""

    def text(self) -> str:
        """The body as text: UTF-8, or what the content type declares, with undecodable bytes replaced."""
        charset = "utf-8"
        for part in self.content_type.split(";")[1:]:
            key, _, value = part.strip().partition("=")
            if key.lower() == "charset" and value:
                charset = value.strip("\"' ")
        try:
            return self.body.decode(charset, errors="replace")
        except (LookupError, ValueError):
            # No such charset, or one that is no charset of text ('idna', 'undefined'): a server may write anything.
            return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """The body as JSON. Raises ValueError, which whoever drives an engine turns into EngineFormat."""
        return json.loads(self.body)
