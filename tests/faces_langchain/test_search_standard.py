"""LangChain's own tests for a tool, with engines served on loopback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from bench.simulated.server import simulated_web
from bench.simulated.worlds import a_world
from inquest.langchain import SearchWeb, search_web

ARGUMENTS = {"query": "harbour fire", "max_results": 3, "source_types": ["news"]}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The simulated web in a thread of its own: it must answer while a synchronous test waits."""
    loop, started, ended = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    ports: list[int] = []

    async def serve() -> None:
        async with simulated_web(a_world(sources=10, late=2)) as web:
            ports.append(web.port)
            started.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait()
    yield ports[0]
    loop.call_soon_threadsafe(ended.set)
    thread.join()
    loop.close()


class TestUnit(ToolsUnitTests):
    @property
    def tool_constructor(self) -> type[BaseTool]:
        return SearchWeb

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return ARGUMENTS


class TestIntegration(ToolsIntegrationTests):
    @pytest.fixture(autouse=True)
    def _simulated(self, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
        from bench.simulated.server import CERTIFICATE

        monkeypatch.setenv("INQUEST_PROXY", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("INQUEST_CA_FILE", str(CERTIFICATE))
        monkeypatch.setenv("TAVILY_API_KEY", "tvly-simulated-0123")

    @property
    def tool_constructor(self) -> BaseTool:
        return search_web

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return ARGUMENTS

    def test_called_where_no_loop_runs_it_returns_the_results(self) -> None:
        found = search_web("harbour fire", max_results=2)
        assert found["search_provider"] == "tavily" and len(found["results"]) == 2

    async def test_called_where_a_loop_runs_it_is_awaited(self) -> None:
        found = await search_web("harbour fire", max_results=2)
        assert found["total_results"] == 2

    async def test_invoked_synchronously_inside_a_loop_it_still_answers(self) -> None:
        assert search_web.invoke({"query": "harbour fire", "max_results": 1})["total_results"] == 1
