"""A model that speaks OpenAI's chat completions, asked with nothing but the HTTP client.

OpenAI, OpenRouter, Ollama and most servers of one's own speak it. The client libraries for it take a second to load,
which would be the first second of every command; the form of one question and one answer is small and settled:
https://platform.openai.com/docs/api-reference/chat/create.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import httpx2

from inquest.analysts.asked_model import ModelRefused, ModelText, Noting
from inquest.text.regex import regex

_THOUGHT = regex(r"<think>.*?</think>", re.DOTALL)
"""What some models think aloud before they answer."""
_MOST = {"openai": "max_completion_tokens", "openrouter": "max_tokens", "ollama": "max_completion_tokens"}
"""How a service calls the greatest length of an answer."""

Service = Literal["openai", "openrouter", "ollama"]


class ChatModel:
    """A model at one service (analysts.asked_model.AskedModel)."""

    def __init__(self, name: str, url: str, key: str, transport: httpx2.AsyncBaseTransport, service: Service) -> None:
        """`url`: the service's, up to its version (`https://api.openai.com/v1`)."""
        self.name = name
        self.url = url
        self._key = key
        self._transport = Noting(transport)
        self._service = service

    async def ask(self, instructions: str, question: str, most_tokens: int | None) -> ModelText:
        """The answer. Raises what the transport raises, Refused, and ValueError where the reply has not its form."""
        request = httpx2.Request(
            "POST",
            f"{self.url.rstrip('/')}/chat/completions",
            headers={
                "authorization": f"Bearer {self._key}",
                "accept": "application/json",
                "content-type": "application/json",
            },
            content=self._body(instructions, question, most_tokens),
        )
        response = await self._transport.handle_async_request(request)
        body = await response.aread()
        if response.status_code >= 400:
            raise ModelRefused(response.status_code)
        return _said(json.loads(body))

    def _body(self, instructions: str, question: str, most_tokens: int | None) -> bytes:
        # The order of the fields is part of the request's fingerprint, by which a replay finds its answer.
        body: dict[str, object] = {
            "model": self.name,
            "stream": False,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": question},
            ],
        }
        if most_tokens is not None:
            body[_MOST[self._service]] = most_tokens
        if _takes_temperature(self.name, self._service):
            body["temperature"] = 0.0
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _said(reply: object) -> ModelText:
    """The answer in a reply. Raises ValueError."""
    if not isinstance(reply, dict):
        raise ValueError("no chat completion")
    try:
        content = reply["choices"][0]["message"].get("content") or ""
        usage = reply.get("usage") or {}
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        return ModelText(
            text=_THOUGHT.sub("", content),
            tokens_in=int(usage.get("prompt_tokens") or 0),
            tokens_out=int(usage.get("completion_tokens") or 0),
            cached_in=int(cached),
            model=str(reply.get("model") or ""),
        )
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("no chat completion") from error


def _takes_temperature(name: str, service: Service) -> bool:
    """Whether the model is sure to take a temperature: those that reason refuse it."""
    maker, model = "openai", name
    if service == "openrouter":
        maker, _, model = name.removeprefix("~").partition("/")
        model = model.partition(":")[0]
        model = model.replace(".", "-") if maker == "anthropic" else model
    table = _refusing()
    refuses = model.startswith(tuple(table.get(maker, ())))
    return not refuses or model.startswith(tuple(table.get(f"{maker}_not", ("\0",))))


@lru_cache(maxsize=1)
def _refusing() -> dict[str, list[str]]:
    return tomllib.loads((files("inquest.analysts") / "sampling.toml").read_text("utf-8"))
