"""Engines tried and added, and checks of the configuration, of connections and of the parts that would be used."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from inquest.app.settings import LOCAL, ROLES, Settings, load_settings
from inquest.app.settings_file import set_table
from inquest.app.tools.local_models import MODEL_SECONDS, in_use
from inquest.app.wiring.model_services import model_servers, models_of, try_model
from inquest.app.wiring.resources import Resources, open_resources
from inquest.app.wiring.tracing import WrappedClient
from inquest.domain.errors import EngineError, InputError, InquestError, SettingError
from inquest.domain.report import Cost
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Hit, Query
from inquest.kit.engine import Engine
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.mcp_server import PREFIX, SERVER_NAME, McpServer, choose_tool, tool_names
from inquest.text.markup import plain
from inquest.text.sentences import shorten
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


USUAL_QUERIES = {
    EngineKind.ARCHIVE: "https://www.iana.org/",
    EngineKind.FACT_CHECK: "vaccine",
    EngineKind.MARKET: "AAPL",
    EngineKind.SCHOLARLY: "coral reef bleaching",
    EngineKind.SOCIAL: "climate",
    EngineKind.NEWS: "climate",
    EngineKind.WEB: "climate",
    EngineKind.OWN: "report",
    EngineKind.REGISTRY: "Unilever PLC",
}
"""Default queries with results in every engine of the kind. For engines of several kinds, the first listed decides."""


async def try_engine(app: Resources, name: str, query: str | None = None) -> dict[str, Any]:
    """Send one live query to the engine, counted like every call. Return its hits, the time and, after a failure, the
    error with kind, status, the service's words and advice; never a key. Raises InputError for an unknown engine,
    SettingError if it lacks a key or an address."""
    from inquest.net.searcher import Searcher

    engine = app.engine(name)
    if EngineKind.OWN in engine.spec.kinds:
        await app.collections.refresh()
        names = app.collections.names()
        if not names:
            raise SettingError(f"{engine.spec.title} needs a collection.", advice="Add one: inquest collection add.")
        engine = type(engine)(engine.access.model_copy(update={"collections": names}))
    if lacks := engine.lacks():
        raise SettingError(f"The engine {name} cannot be queried: it {lacks}.")
    text = query or next(usual for kind, usual in USUAL_QUERIES.items() if kind in engine.spec.kinds)
    spent: list[Cost] = []
    door = _KeepingClient((await app.door()).for_case(None, cache_age=None))
    said: dict[str, Any] = {"engine": name, "title": engine.spec.title, "query": text, "ok": True, "hits": []}
    began = perf_counter()
    try:
        hits = await Searcher({name: engine}, door, spent.append).search(name, Query(text=text, limit=10))
        said["hits"] = [shown(hit) for hit in hits]
    except InquestError as error:
        last = door.last
        found: dict[str, Any] = {"kind": type(error).__name__, "message": str(error), "advice": error.advice}
        if isinstance(error, EngineError) and last is not None:
            found["status"] = last.status
            found["said"] = shorten(plain(last.text()[:20_000]), 300)
        said |= {"ok": False, "error": found}
    said["seconds"] = round(perf_counter() - began, 3)
    said["calls"] = sum(cost.search_calls for cost in spent)
    said["usd"] = round(sum(cost.usd for cost in spent), 6)
    return said


def shown(hit: Hit) -> dict[str, Any]:
    """The known fields of a hit."""
    found = hit.model_dump(mode="json", exclude_defaults=True)
    if hit.published is not None:
        found["published"] = hit.published.iso
    return {"url": hit.url, "title": hit.title, **found}


class _KeepingClient(WrappedClient):
    """An HTTP client that keeps the last reply, without keys."""

    last: Reply | None = None

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        from inquest.net.redaction import without_fields

        self.last = None
        reply = await super().fetch(request, purpose=purpose, label=label)
        self.last = without_fields(reply, request.reply_secrets)
        return reply


REACH_SECONDS = 8.0


async def examine(*, reach: bool = True) -> dict[str, Any]:
    """Run the checks, each with `what`, `ok` and `says`, never with keys. `ok` of the whole is False for a broken part,
    such as an unusable data folder or database, but not for an engine without a key."""
    settings = load_settings()
    checks: list[dict[str, Any]] = []

    def add(what: str, ok: bool, says: str) -> None:
        checks.append({"what": what, "ok": ok, "says": says})

    add("Python", sys.version_info >= (3, 11), sys.version.split()[0])
    async with open_resources(settings) as app:
        free, writable = shutil.disk_usage(settings.home).free // 2**20, os.access(settings.home, os.W_OK)
        says = f"{settings.home}, {free:,} MB free (more than 100 are needed)"
        add("data folder", writable and free > 100, says if writable else f"{settings.home} is read-only")
        try:
            add("database", True, (await app.database()).where)
        except InquestError as error:
            add("database", False, error.sentence)
        try:
            await app.collections.refresh()
            names = ", ".join(app.collections.names())
            add("collections", True, names or "none yet (inquest collection add NAME PATH)")
        except InquestError as error:
            add("collections", False, error.sentence)
        _models(add, settings)
        if reach:
            await _own_models(add, app)
            for server in await model_servers(app.clock):
                add("model server", True, server.sentence)
        pdf = importlib.util.find_spec("typst") is not None
        add("PDF reports", pdf, "ready" if pdf else "needs the extra packages of `inquest[pdf]`")
        proxy = urlsplit(settings.proxy or "")
        shown_proxy = f"{proxy.scheme}://{proxy.hostname}:{proxy.port}" if proxy.hostname else "set"
        add("proxy", True, shown_proxy if settings.proxy else "none")
        reached = await _reach(app) if reach else {}
        for name, engine in app.engines.items():
            lacks = engine.lacks()
            there, says = (False, lacks) if lacks else reached.get(name, (True, "ready"))
            add(f"engine {name}", there, says)
        broken = [check for check in checks if not check["ok"] and not check["what"].startswith(("engine", "PDF"))]
        return {
            "ok": not broken,
            "home": str(settings.home),
            "analyst": settings.models_in_words or "local",
            "engines_ready": [name for name, engine in app.engines.items() if engine.lacks() is None],
            "checks": checks,
        }


def _models(add: Any, settings: Any) -> None:
    for role in ROLES:
        model = settings.model_for(role)
        if model != settings.model or (model and role == "plan"):
            by = settings.chosen.over or "chosen" if model == settings.model else f"INQUEST_MODEL_{role.upper()}"
            add(f"model for {role}", True, f"{model or LOCAL} ({by})")
    if not settings.uses_model:
        add("analyst", True, "local (no model); to use one: `inquest models use PROVIDER:MODEL`, or set INQUEST_MODEL")
    for name in settings.untested:
        add(f"{name}", True, "saved but not tested, so not used; test it in the settings of the page")
    for kind in ("stance", "sentences"):
        used = in_use(settings, kind)
        add(f"local model ({kind})", not used.broken, used.sentence)


async def _own_models(add: Callable[[str, bool, str], None], app: Resources) -> None:
    """Test each model on the user's own servers."""
    try:
        places = [each for each in dict.fromkeys(models_of(app.settings).values()) if each.url]
    except InquestError as error:
        add("model", False, error.sentence)
        return
    door = (await app.door()).for_case(None, cache_age=None)
    for place in places:
        try:
            trial = await try_model(place, app.settings, door, MODEL_SECONDS)
            add(f"model {place}", trial.ok, trial.says)
        except InquestError as error:
            add(f"model {place}", False, error.sentence)


async def _reach(app: Resources) -> dict[str, tuple[bool, str]]:
    """Test whether the host of each ready engine can be reached; return the result in words by engine."""
    door = (await app.door()).for_case(None, cache_age=None)

    async def one(name: str, engine: Engine) -> tuple[str, tuple[bool, str]]:
        request = next(engine.search(Query(text="test", limit=1)))
        try:
            async with asyncio.timeout(REACH_SECONDS):
                reply = await door.fetch(request, purpose=Purpose.ENGINE, label=name)
        except TimeoutError:
            return name, (False, f"cannot be reached within {REACH_SECONDS:g} seconds")
        except InquestError as error:
            return name, (False, str(error).rstrip("."))
        return name, (True, f"reachable (answered {reply.status})")

    ready = [(n, e) for n, e in app.engines.items() if e.lacks() is None and not ON_THIS_MACHINE & set(e.spec.kinds)]
    return dict(await asyncio.gather(*(one(name, engine) for name, engine in ready)))
