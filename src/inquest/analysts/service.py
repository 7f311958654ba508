"""One model behind the door: asks it once, counts what that cost, and says in our own errors what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx2

from inquest.domain.errors import InquestError, ModelError, ModelFormat, ModelKeyRefused, ModelUnavailable
from inquest.domain.report import Cost
from inquest.kit.ports import Budget

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

__all__ = ["RECORDED", "ModelService", "Noting"]

RECORDED = "x-inquest-recorded"
"""The header that the door's transport puts on a reply from a recording, which costs nothing now."""


PRICE = "inquest_usd"
"""The extension of a request that tells the door what the call may cost at most, in US dollars."""
_MOST_TOKENS = 4000
"""Tokens of an answer where a case has a budget: without an end to them there is no highest price."""
_CHARACTERS_PER_TOKEN = 3.0
"""Fewer than in any language with spaces, so that the estimate is not too low."""
_UNKNOWN_PRICE = 1e-6
"""US dollars for a call of a paid service whose price is in no list: refused only where nothing may be spent."""


@dataclass(slots=True)
class _Note:
    """What the transport is told of one call, and what it saw of it."""

    usd: float = 0.0
    recorded: bool = False


_NOTE: ContextVar[_Note | None] = ContextVar("note", default=None)


class Noting(httpx2.AsyncBaseTransport):
    """Passes requests on, and notes for whoever asks whether the reply was a recorded one."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """As the transport inside."""
        note = _NOTE.get()
        if note is not None:
            request.extensions[PRICE] = note.usd
        response = await self._inner.handle_async_request(request)
        if note is not None:
            note.recorded = response.headers.get(RECORDED) == "1"
        return response


class ModelService:
    """A model that can be asked. May be asked concurrently."""

    def __init__(
        self,
        name: str,
        make: Callable[[], Model],
        budget: Budget,
        *,
        key: str,
        limited: bool = False,
        free: bool = False,
    ) -> None:
        """`name`: as the settings write it. `make` builds the client, which is put off until it is needed (it takes
        seconds to import). `key`: the setting that holds its key, for advice. `limited`: the case has a budget of
        money, so that answers have a greatest length. `free`: it costs nothing, as a server of one's own."""
        self.name = name
        self._make = make
        self._model: Model | None = None
        self._budget = budget
        self._key = key
        self._limited, self._free = limited, free

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """US dollars for so many tokens."""
        if self._free:
            return 0.0
        if self._model is None:
            self._model = self._make()
        return _price(self._model, tokens_in, tokens_out)

    async def ask(self, instructions: str, question: str) -> str:
        """The model's answer as text. Raises ModelKeyRefused, ModelUnavailable; ModelFormat where what came back is no
        answer at all; BudgetMet; NotRecorded on replay."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        self._budget.check()
        if self._model is None:
            self._model = self._make()
        model = self._model
        bound = 0.0 if self._free else _highest_price(model, len(instructions) + len(question))
        note = _Note(bound)
        token = _NOTE.set(note)
        asked = ModelRequest(parts=[UserPromptPart(content=question)], instructions=instructions)
        try:
            response = await model_request(model, [asked], model_settings=_settings(model, self._limited))
        except AgentRunError as error:
            raise self._meaning(error) from error
        finally:
            _NOTE.reset(token)
        if not note.recorded:
            self._budget.spend(_cost(model, response), reserved=bound)
        return response.text or ""

    def _meaning(self, error: Exception) -> InquestError:
        """Our error for the client's: the door's own, where that is what it wraps."""
        from pydantic_ai.exceptions import ModelHTTPError

        for cause in _chain(error):
            if isinstance(cause, InquestError):
                return cause
        if isinstance(error, ModelHTTPError):
            return self._refusal(error.status_code)
        return ModelFormat(self.name, f"{self.name} answered something that is not its documented form.")

    def _refusal(self, status: int) -> ModelError:
        name = self.name
        if status in (401, 403):
            return ModelKeyRefused(name, f"{name} refused the key ({status}).", advice=f"Check {self._key}.")
        if status in (402, 429):
            return ModelUnavailable(
                name, f"{name} says its quota or rate is used up ({status}).", advice="Try again later."
            )
        if status == 404:
            return ModelUnavailable(name, f"{name} is not known to its service (404).", advice="Check INQUEST_MODEL.")
        if status >= 500:
            return ModelUnavailable(name, f"{name} is out of order ({status}).", advice="Try again later.")
        return ModelFormat(name, f"{name} did not accept the request ({status}).")


def _chain(error: BaseException) -> list[BaseException]:
    """The error and what it was raised from: a client keeps what its transport raised as the cause of its own error."""
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__
    return found


def _highest_price(model: Model, characters: int) -> float:
    """US dollars that a question of this length may cost at most."""
    return _price(model, int(characters / _CHARACTERS_PER_TOKEN) + 1, _MOST_TOKENS)


def _price(model: Model, tokens_in: int, tokens_out: int) -> float:
    """US dollars for so many tokens, by the price list of genai-prices."""
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    try:
        return float(calc_price(usage, model.model_name, provider_api_url=model.base_url or "").total_price)
    except (LookupError, ValueError):
        return _UNKNOWN_PRICE


def _settings(model: Model, limited: bool) -> ModelSettings:
    # The door tries again what can pass; a client's own retries would go on top of that, unseen. Temperature only where
    # it is sure to be taken: models that reason refuse it.
    profile = dict(model.profile)
    takes = not (profile.get("openai_supports_reasoning") or profile.get("anthropic_disallows_sampling_settings"))
    settings: ModelSettings = {"max_retries": 0, "temperature": 0.0} if takes else {"max_retries": 0}
    return {**settings, "max_tokens": _MOST_TOKENS} if limited else settings


def _cost(model: Model, response: ModelResponse) -> Cost:
    """What the answer cost, by the price list that comes with genai-prices; a model that is not in it costs 0 USD, and
    its tokens are counted all the same."""
    from genai_prices import calc_price

    usage = response.usage
    usd = 0.0
    try:
        priced = calc_price(usage, response.model_name or model.model_name, provider_api_url=model.base_url or "")
        usd = float(priced.total_price)
    except (LookupError, ValueError):
        pass
    return Cost(model_calls=1, tokens_in=usage.input_tokens, tokens_out=usage.output_tokens, usd=usd)
