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


@dataclass(slots=True)
class _Note:
    """What the transport saw of one call."""

    recorded: bool = False


_NOTE: ContextVar[_Note | None] = ContextVar("note", default=None)


class Noting(httpx2.AsyncBaseTransport):
    """Passes requests on, and notes for whoever asks whether the reply was a recorded one."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """As the transport inside."""
        response = await self._inner.handle_async_request(request)
        note = _NOTE.get()
        if note is not None:
            note.recorded = response.headers.get(RECORDED) == "1"
        return response


class ModelService:
    """A model that can be asked. May be asked concurrently."""

    def __init__(self, name: str, make: Callable[[], Model], budget: Budget, *, key: str) -> None:
        """`name`: as the settings write it. `make` builds the client, which is put off until it is needed (it takes
        seconds to import). `key`: the setting that holds its key, for advice."""
        self.name = name
        self._make = make
        self._model: Model | None = None
        self._budget = budget
        self._key = key

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
        note = _Note()
        token = _NOTE.set(note)
        asked = ModelRequest(parts=[UserPromptPart(content=question)], instructions=instructions)
        try:
            response = await model_request(model, [asked], model_settings=_settings(model))
        except AgentRunError as error:
            raise self._meaning(error) from error
        finally:
            _NOTE.reset(token)
        if not note.recorded:
            self._budget.spend(_cost(model, response))
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


def _settings(model: Model) -> ModelSettings:
    # The door tries again what can pass; a client's own retries would go on top of that, unseen. Temperature only where
    # it is sure to be taken: models that reason refuse it.
    profile = dict(model.profile)
    takes = not (profile.get("openai_supports_reasoning") or profile.get("anthropic_disallows_sampling_settings"))
    return {"max_retries": 0, "temperature": 0.0} if takes else {"max_retries": 0}


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
