"""The limits of a server: how many tokens its model takes, and how many calls it answers side by side."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from inquest.analysts.asked_model import ModelLimits

Get = Callable[[str], Awaitable[object]]
"""Fetches an address of the server as JSON."""
_CONTEXT = ("context_length", "max_model_len", "context_window", "max_context_length", "loaded_context_length")
"""What /models of OpenRouter, vLLM, Groq and LM Studio call it."""
_OLLAMA_CONTEXT, _OLLAMA_AT_ONCE = 4_096, 2
"""What Ollama takes by default: it cuts a longer question without a word. Calls that wait there count as silence."""


async def limits_of(get: Get, url: str, name: str, *, is_ollama: bool) -> ModelLimits:
    """The limits, as far as the server says them. `url`: up to its version. Raises what `get` raises."""
    root = url.rstrip("/").removesuffix("/v1")
    if is_ollama:
        loaded = _named(_dict(await get(f"{root}/api/ps")).get("models"), name)
        return ModelLimits(_number(loaded.get("context_length")) or _OLLAMA_CONTEXT, _OLLAMA_AT_ONCE)
    known = _named(_dict(await get(f"{url.rstrip('/')}/models")).get("data"), name)
    if "n_ctx_train" not in _dict(known.get("meta")):
        return ModelLimits(next((size for each in _CONTEXT if (size := _number(known.get(each)))), None))
    # llama.cpp: the model was made for that many, and the server may have been started with fewer.
    props = _dict(await get(f"{root}/props"))
    size = _number(_dict(props.get("default_generation_settings")).get("n_ctx"))
    return ModelLimits(size or _number(_dict(known.get("meta")).get("n_ctx_train")), _number(props.get("total_slots")))


def _named(models: object, name: str) -> dict[str, Any]:
    """The entry of the model; the only one, whatever its name."""
    entries = [each for each in models if isinstance(each, dict)] if isinstance(models, list) else []
    found = [each for each in entries if name in (each.get("id"), each.get("name"), each.get("model"))]
    return (found or (entries if len(entries) == 1 else [{}]))[0]


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
