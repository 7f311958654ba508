"""What a model service is to whoever asks it: a question in, a text with its tokens out; and prices by the list."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

import httpx2

RECORDED = "x-inquest-recorded"
"""The header that the HTTP client's transport puts on a reply from a recording, which costs nothing now."""
PRICE = "inquest_usd"
"""The extension of a request that says what the call may cost at most, in US dollars."""


@dataclass(slots=True)
class Note:
    """What the transport is given of one call, and what it saw of it."""

    usd: float = 0.0
    recorded: bool = False


NOTE: ContextVar[Note | None] = ContextVar("note", default=None)


class Noting(httpx2.AsyncBaseTransport):
    """Passes requests on, and notes for whoever asks whether the reply was a recorded one."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """As the transport inside."""
        note = NOTE.get()
        if note is not None:
            request.extensions[PRICE] = note.usd
        response = await self._inner.handle_async_request(request)
        if note is not None:
            note.recorded = response.headers.get(RECORDED) == "1"
        return response


@dataclass(frozen=True, slots=True)
class ModelText:
    """A model's answer."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cached_in: int = 0
    """Of the tokens in, those that the service had in a cache, which cost less."""
    model: str = ""
    """The model as the service names it."""


class AskedModel(Protocol):
    """A model at its service, through the HTTP client."""

    name: str
    """As the service calls it."""
    url: str
    """The service's address, for its prices."""

    async def ask(self, instructions: str, question: str, most_tokens: int | None) -> ModelText:
        """The answer. Raises the HTTP client's own errors, `ModelRefused`, and ValueError where it has not its form."""
        ...


class ModelRefused(Exception):
    """The service answered with a status that is no answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def price(model: AskedModel, said: ModelText) -> float | None:
    """US dollars for the tokens, by the price list of genai-prices; None where it has none for the model."""
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=said.tokens_in, output_tokens=said.tokens_out, cache_read_tokens=said.cached_in or None)
    try:
        return float(calc_price(usage, said.model or model.name, provider_api_url=model.url).total_price)
    except (LookupError, ValueError):
        return None
