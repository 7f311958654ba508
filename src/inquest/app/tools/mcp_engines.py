"""Adding and removing MCP servers as engines."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

from inquest.app.settings import Settings
from inquest.app.settings_file import set_table
from inquest.app.wiring.resources import Resources
from inquest.domain.errors import InputError
from inquest.kit.exchange import Purpose, Request
from inquest.kit.mcp_server import PREFIX, SERVER_NAME, McpServer, choose_tool, tool_names
from inquest.text.urls import is_web_url

_MOST_NAMED = 20


async def add_server(app: Resources, engine: str, where: Sequence[str], tool: str | None = None) -> dict[str, Any]:
    """Ask the server for its tools, choose a search tool and store it in `inquest.toml`. `where`: an address, a command
    as in a shell, or a command and its arguments. Raises InputError, SettingError, EngineError."""
    name = _name(engine)
    if name in app.settings.mcp:
        raise InputError(f"The engine {engine} already exists.", advice=f"inquest engines remove {engine}")
    values = {"url": where[0]} if is_web_url(where[0]) and len(where) == 1 else {"command": _command(where)}
    asked = McpServer(**values)
    app.use_settings(app.settings.model_copy(update={"mcp": {**app.settings.mcp, name: asked}}))
    door = (await app.door()).for_case(None, cache_age=None)
    reply = await door.fetch(Request(url=f"mcp://{name}/"), purpose=Purpose.ENGINE, label=engine)
    tools = app.engines[engine].parsed(reply, lambda reply: reply.json()["tools"])
    names, choice = tool_names(tools), choose_tool(tools, tool)
    if choice is None:
        what = f"no tool '{tool}' that searches" if tool else "no tool that searches"
        listed = ", ".join(names[:_MOST_NAMED]) or "none"
        advice = "A tool that searches needs one text, the query, and nothing else; Inquest fetches pages itself."
        raise InputError(f"The server has {what}. Its tools: {listed}.", advice=advice)
    values |= {"tool": choice.tool, "query": choice.query} | ({"limit": choice.limit} if choice.limit else {})
    set_table(app.settings.home / "inquest.toml", ("mcp", name), values)
    limit = f", the number of hits as '{choice.limit}'" if choice.limit else ""
    others = f"; {_listed(choice.others)} would fit as well (--tool chooses)" if choice.others else ""
    pages = f"; not used: {_listed(choice.unused)}, since Inquest fetches pages itself" if choice.unused else ""
    says = (
        f"{engine} searches with the tool '{choice.tool}', passing the query as '{choice.query}'{limit}{others}{pages}."
    )
    return {"engine": engine, **choice.model_dump(), "tools": names, "says": says}


def remove_server(settings: Settings, engine: str) -> None:
    """Remove the server from `inquest.toml`. Raises InputError if it was not added, SettingError."""
    name = _name(engine)
    if name not in settings.mcp:
        added = ", ".join(f"{PREFIX}{each}" for each in settings.mcp) or "none"
        raise InputError(f"There is no added engine {engine}.", advice=f"Added engines: {added}.")
    set_table(settings.home / "inquest.toml", ("mcp", name), None)


def _name(engine: str) -> str:
    name = engine.removeprefix(PREFIX)
    if name == engine or not re.match(SERVER_NAME, name):
        raise InputError(
            f"invalid engine '{engine[:100]}': expected mcp:NAME, the name in lower case letters, digits, - and _"
        )
    return name


def _command(where: Sequence[str]) -> str:
    written = where[0] if len(where) == 1 else shlex.join(where)
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise InputError(f"invalid command: {error}", advice="Write it as in a shell.") from error
    if not words or "://" in words[0]:
        raise InputError(f"invalid server '{written[:100]}': expected a command or a web address")
    return written


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:_MOST_NAMED])
