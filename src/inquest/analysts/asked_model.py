"""What a model service is to whoever asks it: a question in, a text with its tokens out; and prices by the list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import httpx2

from inquest.text.regex import regex

RECORDED = "x-inquest-recorded"
"""The header that the HTTP client's transport puts on a reply from a recording, which costs nothing now."""
PRICE = "inquest_usd"
"""The extension of a request that says what the call may cost at most, in US dollars."""

_OF_A_FORM = regex("schema|grammar|response_format|json", re.IGNORECASE)
_TOO_LONG = regex(r"context|too (?:long|large)|tokens? .*(?:exceed|maximum)|exceed\w* .*tokens?", re.IGNORECASE)
_NUMBER = regex(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.])\d{3,8}(?![\w.]\d)")
_FEWEST_TOKENS = 512
"""A context of fewer has no model; smaller numbers in a refusal are its status."""


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


Form = Literal["schema", "json", "plain"]
"""How structured output is asked for: a JSON schema (`response_format` of type json_schema); JSON mode, with the schema
beside it, from which llama.cpp and its kin make a grammar; or by the prompt alone."""
FORMS: tuple[Form, ...] = ("schema", "json", "plain")
"""The strictest first. A service that refuses one is asked in the next."""


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """What a model is asked, and how."""

    instructions: str
    text: str
    most_tokens: int | None = None
    """Tokens of the answer at most."""
    form: Form = "plain"
    schema: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """What a service says of what it can take; None: it does not say."""

    tokens: int | None = None
    """Of question and answer together."""
    at_once: int | None = None
    """Calls that it answers side by side."""


class AskedModel(Protocol):
    """A model at its service, through the HTTP client."""

    name: str
    """As the service calls it."""
    url: str
    """The service's address, for its prices."""

    async def ask(self, question: ModelQuestion) -> ModelText:
        """The answer. Raises the HTTP client's own errors, `ModelRefused`, and ValueError where it has not its form."""
        ...

    async def limits(self) -> ModelLimits:
        """What the service says of its limits. Raises as `ask`."""
        ...


class ModelRefused(Exception):
    """The service answered with a status that is no answer. `text`: what it said, which nobody is shown."""

    def __init__(self, status: int, text: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.text = text

    @property
    def of_the_form(self) -> bool:
        """Whether it may be the way in which structured output was asked for that was refused."""
        named = _OF_A_FORM.search(self.text) is not None
        return not self.too_long and (self.status in (400, 415, 422) or (self.status in (404, 500, 501) and named))

    @property
    def too_long(self) -> bool:
        """Whether the question was longer than the model can take."""
        return self.status == 413 or (self.status in (400, 422, 500) and _TOO_LONG.search(self.text) is not None)

    @property
    def tokens(self) -> int | None:
        """The limit that is named: of the limit and what was asked for, it is the smaller."""
        named = [int(number.replace(",", "")) for number in _NUMBER.findall(self.text)]
        return min((number for number in named if number >= _FEWEST_TOKENS), default=None)


def price(model: AskedModel, said: ModelText) -> float | None:
    """US dollars for the tokens, by the price list of genai-prices; None where it has none for the model."""
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=said.tokens_in, output_tokens=said.tokens_out, cache_read_tokens=said.cached_in or None)
    try:
        return float(calc_price(usage, said.model or model.name, provider_api_url=model.url).total_price)
    except (LookupError, ValueError):
        return None
