"""A request to a chat model is, byte for byte, what the client library sends, so that old recordings are still
found."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider

from inquest.analysts.asked_model import ModelQuestion
from inquest.analysts.chat import ChatModel, Service
from inquest.kit.exchange import Purpose, Request
from inquest.net.redaction import fingerprint
from tests.analysts.scripted import KEY, completion

INSTRUCTIONS, QUESTION = "Be “exact”: é, \U0001f600.", 'Say\nhi <x> & \t"y"'
URLS = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
}


class Ear:
    """Stores the fingerprints of the requests that it answers."""

    def __init__(self, text: str = "Yes.", **usage: Any) -> None:
        self.heard: list[str] = []
        self._reply = completion(text)
        self._reply["usage"] |= usage
        self.transport = httpx2.MockTransport(self._answer)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        own = frozenset(("host", "connection", "content-length", "accept-encoding", "authorization"))
        headers = tuple((name, value) for name, value in request.headers.items() if name not in own)
        asked = Request(url=str(request.url), method=request.method, headers=headers, body=request.content)
        self.heard.append(fingerprint(asked, Purpose.MODEL))
        return httpx2.Response(200, content=json.dumps(self._reply))


async def by_library(service: Service, name: str, settings: Any) -> str:
    ear = Ear()
    client: Any = httpx2.AsyncClient(transport=ear.transport)
    made: dict[str, Any] = {
        "openai": lambda: OpenAIProvider(base_url=URLS["openai"], api_key=KEY, http_client=client),
        "openrouter": lambda: OpenRouterProvider(api_key=KEY, http_client=client),
        "ollama": lambda: OllamaProvider(base_url=URLS["ollama"], api_key=KEY, http_client=client),
    }
    model = OpenAIChatModel(name, provider=made[service]())
    profile = dict(model.profile)
    takes = not (profile.get("openai_supports_reasoning") or profile.get("anthropic_disallows_sampling_settings"))
    asked = ModelRequest(parts=[UserPromptPart(content=QUESTION)], instructions=INSTRUCTIONS)
    await model_request(model, [asked], model_settings={**settings, **({"temperature": 0.0} if takes else {})})
    return ear.heard[0]


@pytest.mark.parametrize(
    ("service", "name"),
    [
        ("openai", "gpt-4o-mini"),
        ("openai", "gpt-5-mini"),
        ("openai", "o3"),
        ("openrouter", "anthropic/claude-sonnet-4.5"),
        ("openrouter", "openai/gpt-5:free"),
        ("openrouter", "mistralai/mistral-large"),
        ("ollama", "qwen3"),
        ("ollama", "gpt-oss:20b"),
    ],
)
@pytest.mark.parametrize("most", [None, 4000])
async def test_the_request_has_the_fingerprint_of_the_library_s(service: Service, name: str, most: int | None) -> None:
    ear = Ear()
    await ChatModel(name, URLS[service], KEY, ear.transport, service).ask(ModelQuestion(INSTRUCTIONS, QUESTION, most))
    settings: Any = {"max_retries": 0} | ({} if most is None else {"max_tokens": most})
    assert ear.heard == [await by_library(service, name, settings)]


async def test_what_a_model_thinks_aloud_is_no_part_of_its_answer_and_cached_tokens_are_known() -> None:
    ear = Ear("<think>Hm.\nNo?</think>Yes.", prompt_tokens_details={"cached_tokens": 400})
    said = await ChatModel("qwen3", URLS["ollama"], KEY, ear.transport, "ollama").ask(ModelQuestion("i", "q"))
    assert (said.text, said.tokens_in, said.cached_in, said.tokens_out) == ("Yes.", 1000, 400, 100)
