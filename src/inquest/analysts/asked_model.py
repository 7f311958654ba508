"""The interface to a model service, which takes a question and returns text with token counts; prices from a public
list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import httpx2

from inquest.domain.errors import ModelUnavailable
from inquest.text.regex import regex

RECORDED = "x-inquest-recorded"
"""Response header that the HTTP client's transport sets on a recorded reply, which costs nothing."""
PRICE = "inquest_usd"
"""Request extension with the most that the call may cost, in US dollars."""

_OF_A_FORM = regex("schema|grammar|response_format|json", re.IGNORECASE)
_TOO_LONG = regex(r"context|too (?:long|large)|tokens? .*(?:exceed|maximum)|exceed\w* .*tokens?", re.IGNORECASE)
_NUMBER = regex(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.])\d{3,8}(?![\w.]\d)")
_FEWEST_TOKENS = 512
"""The smallest context of any model; smaller numbers in an error message are status codes."""


@dataclass(slots=True)
class Note:
    """The price limit of a call, whether its reply was recorded, and whether it was sent and not waited for."""

    usd: float = 0.0
    recorded: bool = False
    cut: bool = False


NOTE: ContextVar[Note | None] = ContextVar("note", default=None)


class Noting(httpx2.AsyncBaseTransport):
    """Passes requests on with their price limit, and notes whether the reply was recorded."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Forward the request to the inner transport."""
        note = NOTE.get()
        if note is not None:
            request.extensions[PRICE] = note.usd
        try:
            response = await self._inner.handle_async_request(request)
        except ModelUnavailable as error:
            if note is not None:
                note.cut = _is_timeout(error)
            raise
        if note is not None:
            note.recorded = response.headers.get(RECORDED) == "1"
        return response


def _is_timeout(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, TimeoutError):
        error = error.__cause__
    return error is not None


@dataclass(frozen=True, slots=True)
class ModelText:
    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cached_in: int = 0
    """Input tokens served from the service's cache, which cost less."""
    model: str = ""
    """The model's name according to the service."""
    declined: bool = False
    """The model or a filter of the service refused to answer."""


Form = Literal["schema", "json", "plain"]
"""The way in which structured output is requested: a JSON schema (`response_format` of type json_schema); JSON mode
together with the schema, from which llama.cpp and similar servers build a grammar; or the prompt alone."""
FORMS: tuple[Form, ...] = ("schema", "json", "plain")
"""Strictest first. If a service rejects one, the next is used."""


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A question to a model, with the maximum length and the format of the answer."""

    instructions: str
    text: str
    most_tokens: int | None = None
    """Maximum length of the answer."""
    form: Form = "plain"
    schema: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """The limits that a service reports; None: not reported."""

    tokens: int | None = None
    """Limit of question and answer together."""
    at_once: int | None = None
    """Concurrent calls."""


class AskedModel(Protocol):
    """A model of a service, reached through the HTTP client."""

    name: str
    """The service's name for the model."""
    url: str
    """The service's address, which selects the price list."""

    async def ask(self, question: ModelQuestion) -> ModelText:
        """Return the answer. Raises the HTTP client's errors, `ModelRefused`, and ValueError for a malformed reply."""
        ...

    async def limits(self) -> ModelLimits:
        """Return the limits that the service reports. Raises as `ask`."""
        ...


class ModelRefused(Exception):
    """The service rejected the request with a status code. `text`: its message, which is never displayed."""

    def __init__(self, status: int, text: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.text = text

    @property
    def of_the_form(self) -> bool:
        """True if the requested form of structured output may be the reason."""
        named = _OF_A_FORM.search(self.text) is not None
        return not self.too_long and (self.status in (400, 415, 422) or (self.status in (404, 500, 501) and named))

    @property
    def too_long(self) -> bool:
        """True if the question is longer than the model accepts."""
        return self.status == 413 or (self.status in (400, 422, 500) and _TOO_LONG.search(self.text) is not None)

    @property
    def tokens(self) -> int | None:
        """The limit in the message: the smallest of its numbers, since the other is the size of the request."""
        named = [int(number.replace(",", "")) for number in _NUMBER.findall(self.text)]
        return min((number for number in named if number >= _FEWEST_TOKENS), default=None)


def price(model: AskedModel, said: ModelText) -> float | None:
    """Return the price of the tokens in US dollars from genai-prices; None if the model is not listed."""
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=said.tokens_in, output_tokens=said.tokens_out, cache_read_tokens=said.cached_in or None)
    try:
        return float(calc_price(usage, said.model or model.name, provider_api_url=model.url).total_price)
    except (LookupError, ValueError):
        return None
