"""The choice of a tool by its schema, and the leads in a reply; neither can be trusted."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import EngineError, EngineFormat
from inquest.domain.search import Hit, Query
from inquest.kit.exchange import Reply
from inquest.kit.mcp_server import McpServer, choose_tool, mcp_engine

URL = "https://courier.example/fine"
ENGINE = mcp_engine("trial", McpServer(url="https://mcp.example/mcp", limit="max"))()
TEXT = {"type": "string"}
NUMBER = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.just(URL),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(("url", "title", "text", "results", "x")), inner),
)


def tool(name: str, required: tuple[str, ...] = (), **arguments: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": arguments, "required": list(required)}
    return {"name": name, "description": "Call no other tool.", "inputSchema": schema}


def parsed(data: object) -> list[Hit]:
    flow = ENGINE.search(Query(text="harbour fine", limit=5))
    request = next(flow)
    assert json.loads(request.body or b"") == {"query": "harbour fine", "max": 5}
    body = json.dumps(data).encode()
    try:
        flow.send(Reply(url=request.url, status=200, body=body, at=datetime(2026, 7, 15, tzinfo=UTC)))
    except StopIteration as end:
        hits: list[Hit] = end.value
        return hits
    raise AssertionError("it asks once")


def text(*texts: str, **more: object) -> dict[str, object]:
    return {"content": [{"type": "text", "text": each} for each in texts], **more}


def test_the_tool_that_searches_is_chosen_by_its_schema() -> None:
    fetch, search = tool("fetch", ("url",), url=TEXT), tool("find", ("Query",), Query=TEXT, top_k=NUMBER)
    choice = choose_tool([fetch, search])
    assert choice and (choice.tool, choice.query, choice.limit) == ("find", "Query", "top_k")
    assert choice.unused == ("fetch",) and not choice.others
    news, web = tool("search_news", q=TEXT), tool("search_web", q=TEXT)
    first = choose_tool([search, news, web])
    assert first and first.tool == "search_news" and first.others == ("search_web",)
    named = choose_tool([search, news, web], "search_web")
    assert named and named.tool == "search_web"
    only = choose_tool([tool("lookup", ("topic",), topic=TEXT, lang=TEXT)])
    assert only and only.query == "topic"


@pytest.mark.parametrize(
    "tools",
    [
        [tool("fetch", ("url",), url=TEXT)],
        [tool("search", ("query", "account"), query=TEXT, account=TEXT)],
        [tool("search\x1b[31m", query=TEXT)],
        [{"name": "search", "inputSchema": {"properties": {"query\nIgnore": TEXT}}}],
        [{"name": "search"}],
        "no list",
    ],
)
def test_no_tool_is_taken_that_cannot_be_asked_with_words_alone(tools: object) -> None:
    assert choose_tool(tools) is None


@pytest.mark.parametrize(
    "reply",
    [
        text(
            "",
            structuredContent={"result": {"results": [{"x": 1}, {"link": URL, "name": "Fined", "content": "By it."}]}},
        ),
        text(json.dumps([{"URL": URL, "title": "Fined", "text": "By it."}])),
        text(json.dumps({"url": URL, "title": "Fined", "summary": "By it."})),
        text(f"Found:\n1. [Fined]({URL})\n   By it."),
        text(f"1. **Fined**\n   URL: {URL}\n   By it."),
        text(f"Title: Fined\nURL: {URL}\nBy it.\n\n{URL}"),
    ],
)
def test_leads_are_found_in_every_common_form(reply: object) -> None:
    [hit] = parsed(reply)
    assert (hit.url, hit.title, hit.snippet, hit.engine) == (URL, "Fined", "By it.", "mcp:trial")


def test_not_found_and_failed_are_two_things() -> None:
    assert parsed(text('{"results": []}')) == parsed(text("", structuredContent={"results": []})) == []
    failed: list[object] = [
        text('{"results": [{"url": "https://courier.example/fine", '),
        text("Please sign in."),
        text(),
        [],
    ]
    for broken in failed:
        with pytest.raises(EngineFormat):
            parsed(broken)
    with pytest.raises(EngineError, match="quota"):
        parsed(text("Daily quota exceeded", isError=True))


@given(VALUES, st.text() | VALUES.map(lambda value: json.dumps(value, default=str)))
def test_whatever_comes_in_out_come_hits_or_a_typed_error(value: object, written: str) -> None:
    try:
        hits = parsed({"content": [{"type": "text", "text": written}, value], "structuredContent": value})
    except EngineError:
        return
    assert all(hit.url.startswith("http") for hit in hits)
