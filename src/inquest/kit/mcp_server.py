"""MCP servers as engines: the choice of a server's search tool, and the hits of its replies.

A server's text is data: names must have the form of names, descriptions of tools are not read, and replies only give
leads. Calls are requests for `mcp://NAME/TOOL`, which the HTTP client sends, guards, limits, records and replays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.value import Value
from inquest.kit.dialect import count, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, each, listing, mapping, web_url
from inquest.text.regex import regex

PREFIX = "mcp:"
"""The beginning of an engine's name, followed by the server's."""
SERVER_NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"
_NAME = r"^[A-Za-z0-9_./-]{1,128}$"
_DEPTH = 4
_QUERY = ("query", "q", "search", "search_query", "searchquery", "search_term", "question", "keywords", "text")
_LIMIT = ("limit", "max_results", "maxresults", "num_results", "numresults", "count", "top_k", "k", "n", "size")
_URL = ("url", "link", "href", "uri", "source_url", "web_url")
_TITLE = ("title", "name", "headline")
_SNIPPET = ("snippet", "text", "content", "description", "summary", "excerpt", "body")
_DATE = ("published", "published_date", "publisheddate", "published_at", "publishedat", "pubdate", "date")
_LINK = regex(r"\[(?P<title>[^\[\]\n]{0,300})\]\((?P<at>https?://[^\s()<>]+)\)|(?P<bare>https?://[^\s()<>\[\]\"'`]+)")
_BULLET = regex(r"^[\s>*#-]*(?:\d{1,3}[.)]\s+)?(?:[A-Za-z]{1,10}:\s+)?")
_JSON = regex(r"\s*(?:\{|\[\s*(?:[\[{\"]|\]))")


class McpServer(Value):
    """The table [mcp.NAME] of `inquest.toml`: a server and its search tool."""

    command: str = ""
    """The command that starts it, written as in a shell."""
    url: str = ""
    """The address of a running server."""
    tool: Annotated[str, Field(pattern=_NAME)] = "search"
    query: Annotated[str, Field(pattern=_NAME)] = "query"
    """The argument for the words."""
    limit: Annotated[str, Field(pattern=_NAME)] | None = None
    """The argument for the number of hits; None: no such argument."""
    token: str = ""
    """A bearer token for the address."""
    env: dict[str, str] = {}
    """Environment variables of the command, besides the few that every program needs."""

    @model_validator(mode="after")
    def _one_place(self) -> McpServer:
        if bool(self.command) == bool(self.url):
            raise ValueError("expected either a command or a url")
        return self


class ToolChoice(Value):
    """A search tool with the names of its arguments."""

    tool: str
    query: str
    limit: str | None = None
    others: tuple[str, ...] = ()
    """Equally suitable tools."""
    unused: tuple[str, ...] = ()
    """Tools that fetch a page."""


def tool_names(tools: object) -> list[str]:
    """Return the valid names of a server's tools."""
    return [name for name in each(tools, "name") if isinstance(name, str) and re.match(_NAME, name)]


def choose_tool(tools: object, wanted: str | None = None) -> ToolChoice | None:
    """Choose the search tool by the JSON schemas of the tools' arguments, or the `wanted` one; None: no such tool. The
    best one has 'search' in its name, or else an argument named like a query."""
    fitting, pages = [], []
    for tool in listing(tools):
        for name in tool_names([tool]):
            schema = mapping(mapping(tool).get("inputSchema"))
            arguments = {str(key): mapping(value) for key, value in mapping(schema.get("properties")).items()}
            if all(re.match(_NAME, argument) for argument in arguments):
                query, known = _query(arguments, listing(schema.get("required")))
                numbers = {key for key, value in arguments.items() if {"integer", "number"} & _types(value)}
                if query and wanted in (None, name):
                    score = 2 * ("search" in name.lower()) + known
                    fitting.append((score, ToolChoice(tool=name, query=query, limit=_named(numbers, _LIMIT))))
                elif not query and _named(arguments, _URL):
                    pages.append(name)
    if not fitting:
        return None
    best, choice = max(fitting, key=lambda each: each[0])
    others = tuple(other.tool for score, other in fitting if score == best and other is not choice)
    return choice.model_copy(update={"others": others, "unused": tuple(pages)})


def _query(arguments: dict[str, dict[str, Any]], required: Sequence[object]) -> tuple[str | None, bool]:
    """Return the argument for the words, and True if it is named like a query; None without one, or if the tool
    requires others."""
    texts = [name for name, schema in arguments.items() if "string" in _types(schema) and "enum" not in schema]
    known = _named(texts, _QUERY)
    only = [name for name in required if name in texts] or (texts if len(texts) == 1 else [])
    query = known or (str(only[0]) if len(only) == 1 and not _named(only, (*_URL, "id", "path")) else None)
    return (query, known is not None) if set(map(str, required)) <= {query} else (None, False)


def _named(existing: Iterable[object], names: Sequence[str]) -> str | None:
    """Return the first of the names that the tool has, in the tool's spelling."""
    lower = {str(name).lower(): str(name) for name in existing}
    return next((lower[name] for name in names if name in lower), None)


def _types(schema: dict[str, Any]) -> set[str]:
    """Return the JSON types that an argument may have."""
    types = [schema.get("type"), *each(schema.get("anyOf"), "type")]
    names = (name for type_ in types for name in (type_ if isinstance(type_, list) else [type_]))
    return {name for name in names if isinstance(name, str)}


class _McpEngine(Engine):
    """The common part of the servers' engines; each is a class with its own spec."""

    server: McpServer

    def request(self, query: Query) -> Request:
        arguments: dict[str, str | int] = {self.server.query: words(query)}
        if self.server.limit:
            arguments[self.server.limit] = count(query, 50)
        return Request(
            url=f"mcp://{self.name.removeprefix(PREFIX)}/{self.server.tool}",
            method="POST",
            headers=(("content-type", "application/json"),),
            body=json.dumps(arguments, ensure_ascii=False).encode(),
        )

    def parse(self, reply: Reply) -> list[Hit]:
        """Return hits from structured content, from JSON in a text, or from the links of a text."""
        data = mapping(reply.json())
        texts = [text for text in each(data.get("content"), "text") if isinstance(text, str)]
        if data.get("isError"):
            raise self.refusal(" ".join(texts))
        parsed = [json.loads(text) for text in texts if _JSON.match(text)]
        for value in (data.get("structuredContent"), *parsed, parsed):
            records = _records(value, _DEPTH)
            if records or (records == [] and value is not parsed):
                return self.hits(records, lambda item: self._hit(item, reply))
        hits = self.hits(_links("\n".join(texts)), lambda item: self._hit(item, reply))
        if not hits:
            # A text without links may have any meaning; only an empty list certainly means 'nothing found'.
            raise ValueError("neither a list of results nor a link")
        return hits

    def _hit(self, item: dict[str, Any], reply: Reply) -> Hit:
        fields = {key.lower(): value for key, value in item.items()}

        def first(names: Sequence[str]) -> object:
            return next((fields[name] for name in names if fields.get(name)), None)

        return Hit(
            url=web_url(first(_URL)),
            title=as_text(first(_TITLE)),
            snippet=as_text(first(_SNIPPET)),
            published=dated(fields, *_DATE, now=reply.at),
        )


def mcp_engine(name: str, server: McpServer) -> type[Engine]:
    """Make the engine class of a server with this name."""
    host = urlsplit(server.url)
    spec = EngineSpec(
        name=f"{PREFIX}{name}",
        title=f"The MCP server {name}",
        kinds=(EngineKind.WEB,),
        homepage=f"{host.scheme}://{host.netloc}/" if server.url else "",
        documentation="docs/engines.md",
        limits=Limits(per_second=1, concurrency=2, timeout=30),
    )
    return type("McpEngine", (_McpEngine,), {"spec": spec, "server": server, "__doc__": spec.title})


def _records(value: object, depth: int) -> list[dict[str, Any]] | None:
    """Return the first list of objects with an address, at the top or in objects; [] if all lists are empty."""
    if isinstance(value, list):
        found = [item for item in value if isinstance(item, dict) and _named(item, _URL)]
        return found if found or not value else None
    empty = None
    for inner in mapping(value).values() if depth else ():
        records = _records(inner, depth - 1)
        if records:
            return records
        empty = records if empty is None else empty
    return empty


def _links(text: str) -> Iterator[dict[str, Any]]:
    """Yield each Markdown or bare link of a text once, with its title or the line before, and the text after it."""
    seen: set[str] = set()
    found = list(islice(_LINK.finditer(text), 500))
    for number, match in enumerate(found):
        url = match["at"] or match["bare"].rstrip(".,;:!?*_")
        if url in seen:
            continue
        seen.add(url)
        before = text[found[number - 1].end() if number else 0 : match.start()].splitlines()
        lines = [line for raw in before if (line := _BULLET.sub("", raw).strip(" *_-\u2013\u2014"))]
        lines = [line for line in lines if not line.endswith(":")]
        after = text[match.end() : found[number + 1].start() if number + 1 < len(found) else len(text)]
        yield {"url": url, "title": match["title"] or (lines[-1] if lines else ""), "text": after.strip()}
