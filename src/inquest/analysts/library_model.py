"""A model whose service has its own interface (Anthropic, Google), called through pydantic-ai and its client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition

from inquest.analysts.asked_model import ModelLimits, ModelQuestion, ModelRefused, ModelText
from inquest.domain.errors import InquestError

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings


class LibraryModel:
    """A model of such a service (analysts.asked_model.AskedModel)."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.model_name
        self.url = model.base_url or ""

    async def ask(self, question: ModelQuestion) -> ModelText:
        """Return the answer. Raises the transport's errors, ModelRefused, and ValueError for a malformed reply."""
        asked = ModelRequest(parts=[UserPromptPart(content=question.text)], instructions=question.instructions)
        parameters = None
        if question.form == "schema" and dict(self._model.profile).get("supports_json_schema_output"):
            answer = OutputObjectDefinition(json_schema=dict(question.schema), name="answer")
            parameters = ModelRequestParameters(output_mode="native", output_object=answer)
        # The HTTP client retries transient errors; the library's own retries would multiply them unseen.
        # Temperature only where it is certainly accepted: reasoning models reject it.
        takes = not dict(self._model.profile).get("anthropic_disallows_sampling_settings")
        settings: ModelSettings = {"max_retries": 0, "temperature": 0.0} if takes else {"max_retries": 0}
        if question.most_tokens is not None:
            settings["max_tokens"] = question.most_tokens
        try:
            response = await model_request(
                self._model, [asked], model_settings=settings, model_request_parameters=parameters
            )
        except ModelHTTPError as error:
            raise self._own(error) or ModelRefused(error.status_code, str(error.body)) from error
        except AgentRunError as error:
            raise self._own(error) or ValueError(str(error)) from error
        usage = response.usage
        return ModelText(
            text=response.text or "",
            tokens_in=usage.input_tokens,
            tokens_out=usage.output_tokens,
            cached_in=usage.cache_read_tokens,
            model=response.model_name or "",
        )

    async def limits(self) -> ModelLimits:
        """Return no limits: these services' models accept 200,000 tokens and more."""
        return ModelLimits()

    @staticmethod
    def _own(error: BaseException) -> InquestError | None:
        """Return the transport's error, which a library keeps as the cause of its own."""
        cause = error.__cause__
        while cause is not None and not isinstance(cause, InquestError):
            cause = cause.__cause__
        return cause
