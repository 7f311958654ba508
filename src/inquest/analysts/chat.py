"""A model with OpenAI's chat completions interface, called through the plain HTTP client.

OpenAI, OpenRouter, Ollama and most self-hosted servers support it. Their client libraries take a second to load on
every command, while the format of a single question and answer is small and stable:
https://platform.openai.com/docs/api-reference/chat/create.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import httpx2

from inquest.analysts.asked_model import ModelLimits, ModelQuestion, ModelRefused, ModelText, Noting
from inquest.kit.fields import dig, listing, mapping
from inquest.text.regex import regex

_THOUGHT = regex(r"<think>.*?</think>", re.DOTALL)
"""Reasoning that some models print before the answer."""
_MOST = {"openai": "max_completion_tokens", "openrouter": "max_tokens", "ollama": "max_completion_tokens"}
"""Each service's name for the maximum length of an answer."""

_REFUSAL = 4_000
"""Bytes read of an error reply."""

Service = Literal["openai", "openrouter", "ollama"]


class ChatModel:
    """A model of one service (analysts.asked_model.AskedModel)."""

    def __init__(
        self,
        name: str,
        url: str,
        key: str,
        transport: httpx2.AsyncBaseTransport,
        service: Service,
        *,
        streams: bool = False,
    ) -> None:
        """`url`: the service's address including its version (`https://api.openai.com/v1`). `streams`: request answers
        as a stream."""
        self.name = name
        self.url = url
        self._key = key
        self._transport = Noting(transport)
        self._service = service
        self._streams = streams

    async def ask(self, question: ModelQuestion) -> ModelText:
        """Return the answer. Raises the transport's errors, ModelRefused, and ValueError for a malformed reply."""
        body = await self._exchange("POST", f"{self.url.rstrip('/')}/chat/completions", self._body(question))
        return _said(_streamed(body) if body.lstrip().startswith((b"data:", b":")) else json.loads(body))

    async def limits(self) -> ModelLimits:
        """Return the limits that the service reports."""
        url = self.url.rstrip("/")
        root = url.removesuffix("/v1")
        if self._service == "ollama":
            loaded = self._entry(dig(await self._json(f"{root}/api/ps"), "models"))
            return ModelLimits(_positive(loaded.get("context_length")) or _OLLAMA_CONTEXT, _OLLAMA_AT_ONCE)
        known = self._entry(dig(await self._json(f"{url}/models"), "data"))
        trained = dig(known, "meta", "n_ctx_train")
        if "n_ctx_train" not in mapping(known.get("meta")):
            return ModelLimits(next((size for each in _CONTEXT if (size := _positive(known.get(each)))), None))
        # llama.cpp: the model's training context; the server may have been started with less.
        props = await self._json(f"{root}/props")
        size = _positive(dig(props, "default_generation_settings", "n_ctx"))
        return ModelLimits(size or _positive(trained), _positive(dig(props, "total_slots")))

    async def _json(self, url: str) -> object:
        return json.loads(await self._exchange("GET", url))

    def _entry(self, models: object) -> dict[str, Any]:
        """Return the model's entry, or the only entry, whatever its name."""
        entries = [each for each in listing(models) if isinstance(each, dict)]
        found = [each for each in entries if self.name in (each.get("id"), each.get("name"), each.get("model"))]
        return (found or (entries if len(entries) == 1 else [{}]))[0]

    async def _exchange(self, method: str, url: str, content: bytes | None = None) -> bytes:
        headers = {"authorization": f"Bearer {self._key}", "accept": "application/json"}
        if content is not None:
            headers["content-type"] = "application/json"
        request = httpx2.Request(method, url, headers=headers, content=content)
        response = await self._transport.handle_async_request(request)
        body = await response.aread()
        if response.status_code >= 400:
            raise ModelRefused(response.status_code, body[:_REFUSAL].decode("utf-8", "replace"))
        return body

    def _body(self, question: ModelQuestion) -> bytes:
        # Streaming shows that a slow server is at work. The last form is the simplest.
        streams = self._streams and question.form != "plain"
        # The order of fields is part of the request's fingerprint, by which a replay finds its answer.
        body: dict[str, object] = {
            "model": self.name,
            "stream": streams,
            "messages": [
                {"role": "system", "content": question.instructions},
                {"role": "user", "content": question.text},
            ],
        }
        if streams:
            body["stream_options"] = {"include_usage": True}
        if question.most_tokens is not None:
            body["max_tokens" if self._streams else _MOST[self._service]] = question.most_tokens
        if _takes_temperature(self.name, self._service):
            body["temperature"] = 0.0
        if question.form == "schema":
            named = {"name": "answer", "schema": question.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif question.form == "json":
            body["response_format"] = {"type": "json_object", "schema": question.schema}
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _streamed(body: bytes) -> dict[str, Any]:
    """Join the events of a streamed reply into one reply. Raises ValueError."""
    content: list[str] = []
    whole: dict[str, Any] = {}
    for line in body.decode("utf-8").splitlines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or data == "[DONE]":
            continue
        piece = json.loads(data)
        if not isinstance(piece, dict):
            raise ValueError("no piece of a chat completion")
        whole |= {name: piece[name] for name in ("model", "usage") if piece.get(name)}
        content.extend((choice.get("delta") or {}).get("content") or "" for choice in piece.get("choices") or ())
    return whole | {"choices": [{"message": {"content": "".join(content)}}]}


def _said(reply: object) -> ModelText:
    """Return the answer in a reply. Raises ValueError."""
    if not isinstance(reply, dict):
        raise ValueError("no chat completion")
    try:
        choice = reply["choices"][0]
        content = choice["message"].get("content") or ""
        usage = reply.get("usage") or {}
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        return ModelText(
            text=_THOUGHT.sub("", content),
            tokens_in=int(usage.get("prompt_tokens") or 0),
            tokens_out=int(usage.get("completion_tokens") or 0),
            cached_in=int(cached),
            model=str(reply.get("model") or ""),
            declined=choice.get("finish_reason") == "content_filter" or bool(choice["message"].get("refusal")),
        )
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("no chat completion") from error


def _takes_temperature(name: str, service: Service) -> bool:
    """True if the model certainly accepts a temperature; reasoning models reject it."""
    maker, model = "openai", name
    if service == "openrouter":
        maker, _, model = name.removeprefix("~").partition("/")
        model = model.partition(":")[0]
        model = model.replace(".", "-") if maker == "anthropic" else model
    table = _sampling()
    refuses = model.startswith(tuple(table.get(maker, ())))
    return not refuses or model.startswith(tuple(table.get(f"{maker}_not", ("\0",))))


@lru_cache(maxsize=1)
def _sampling() -> dict[str, list[str]]:
    return tomllib.loads((files("inquest.analysts") / "sampling.toml").read_text("utf-8"))


_CONTEXT = ("context_length", "max_model_len", "context_window", "max_context_length", "loaded_context_length")
"""Field names in /models of OpenRouter, vLLM, Groq and LM Studio."""
_OLLAMA_CONTEXT, _OLLAMA_AT_ONCE = 4_096, 2
"""Ollama's defaults: it silently truncates longer questions. Calls queued there count as no response."""


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
