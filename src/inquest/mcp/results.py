"""How a tool's result reaches the client, marked as data for models, and how its errors do, in one sentence."""

from __future__ import annotations

import functools
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec

from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp_types import CallToolRequestParams
from pydantic import BaseModel
from pydantic import ValidationError as ArgumentErrors

from inquest.app.tools.for_models import NOTE, fit, marked
from inquest.domain.errors import InquestError

P = ParamSpec("P")


def result(value: BaseModel) -> ToolResult:
    """The value as structured content, and as a text for the model that is one block of marked data after a note."""
    made = fit(value.model_dump(mode="json"))
    rest = {name: each for name, each in made.items() if name != "note"}
    text = json.dumps(rest, ensure_ascii=False)
    return ToolResult(content=f"{NOTE}\n\n{marked(text, secrets.token_hex(8))}", structured_content=made)


def in_one_sentence(tool: Callable[P, Awaitable[ToolResult]]) -> Callable[P, Awaitable[ToolResult]]:
    """A tool whose errors of ours are the sentence and the advice of the error, and nothing else."""

    @functools.wraps(tool)
    async def wrapped(*args: P.args, **kwargs: P.kwargs) -> ToolResult:
        try:
            return await tool(*args, **kwargs)
        except InquestError as error:
            raise ToolError(fit(error.sentence), log_level=logging.INFO) from error

    return wrapped


class OneSentence(Middleware):
    """Arguments of the wrong shape are refused in one sentence, too."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        try:
            return await call_next(context)
        except (ValidationError, ArgumentErrors) as error:
            raise ToolError(_refused(context.message.name, error)) from error


def _refused(tool: str, error: Exception) -> str:
    found = error if isinstance(error, ArgumentErrors) else error.__cause__
    if not isinstance(found, ArgumentErrors):
        return f"The arguments of {tool} cannot be used."
    wrong: dict[str, Any] = found.errors(include_url=False, include_input=False)[0]  # type: ignore[assignment]
    where = ".".join(str(part) for part in wrong["loc"]) or "an argument"
    return f"{tool}: `{where}` cannot be used: {wrong['msg'].rstrip('.')}."
