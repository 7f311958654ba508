"""Parts for programs built with LangChain and LangGraph: the search as a tool, the desks as nodes, their state.

from inquest.langchain import search_web, investigate_news, investigate_academic, SibylState
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol

from langchain_core.tools import BaseTool, ToolException
from pydantic import PrivateAttr, ValidationError

from inquest.app.invalid import fault_of
from inquest.app.nodes.searching_web import SearchArguments, search_arguments
from inquest.app.nodes.sibyl_state import (
    SHAPES,
    AgentFinding,
    AgentStatus,
    Claim,
    InfoRequest,
    InfoResponse,
    ReinvestigationRequest,
    RoutingAssignment,
    SibylState,
    StreamEvent,
)
from inquest.domain.errors import InputError, InquestError, Outage

if TYPE_CHECKING:
    from inquest.app.client import Inquest
    from inquest.app.wiring.resources import Resources

__all__ = [
    "SHAPES",
    "AgentFinding",
    "AgentStatus",
    "Claim",
    "InfoRequest",
    "InfoResponse",
    "ReinvestigationRequest",
    "RoutingAssignment",
    "SearchAPIError",
    "SearchArgumentError",
    "SearchWeb",
    "SibylState",
    "StreamEvent",
    "investigate_academic",
    "investigate_news",
    "nodes_of",
    "search_web",
]

State = Any
"""A `SibylState`, a mapping with its keys, or an object with its attributes. If a node were annotated with the class
itself, LangGraph would use it as the node's own schema, and its reducers would conflict with those of the graph."""


class Node(Protocol):
    """A node in the form that LangGraph accepts."""

    async def __call__(self, state: State) -> dict[str, Any]:
        """The changes to the state."""
        ...


async def investigate_news(state: State) -> dict[str, Any]:
    """Investigate what the press and public bodies say about the claims that the routing plan assigns to `news_media`.
    Returns the changes to the state: findings, agent_status, info_requests, info_responses, events. An outage is a
    finding of type `error`, never an exception. Raises InputError if the state does not have the documented shape."""
    return await _investigated("news", state)


async def investigate_academic(state: State) -> dict[str, Any]:
    """Investigate what literature, standards and benchmarks say about the claims that the routing plan assigns to
    `academic`. Otherwise like `investigate_news`."""
    return await _investigated("academic", state)


def nodes_of(inquest: Inquest) -> tuple[Node, Node]:
    """`investigate_news` and `investigate_academic` that share the connections and limits of an open `Inquest`."""

    async def news(state: State) -> dict[str, Any]:
        return await _investigated("news", state, inquest.app)

    async def academic(state: State) -> dict[str, Any]:
        return await _investigated("academic", state, inquest.app)

    return news, academic


async def _investigated(name: str, state: State, app: Resources | None = None) -> dict[str, Any]:
    # Imported here, so that merely building a graph does not load what runs in it.
    from inquest.app.nodes.sibyl import failed, investigate_state
    from inquest.app.wiring.resources import open_resources

    read = _read(state)
    try:
        if app is not None:
            return await investigate_state(app, name, read)
        async with open_resources() as opened:
            return await investigate_state(opened, name, read)
    except InquestError as error:
        return failed(read, name, error)


def _read(state: State) -> SibylState:
    try:
        # By attributes too: a state, or a claim in it, may be of a class defined by the graph's author.
        return SibylState.model_validate(state, from_attributes=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "state"
        raise InputError(f"The state cannot be used: {where}: {fault_of(first)}.", advice="See SibylState.") from error


class SearchAPIError(ToolException, Outage):
    """No engine could be queried: none is ready, or every one failed after its retries. The tool's `handle_tool_error`
    decides whether it is shown to the model or raised to the caller."""


class SearchArgumentError(ToolException, InputError):
    """An argument is invalid; the message says which and why."""


class SearchWeb(BaseTool):
    """The tool. `SearchWeb()` opens what it needs for each call, with the settings of the process;
    `SearchWeb(inquest=opened)` shares the connections and limits of an open `Inquest`."""

    name: str = "search_web"
    description: str = (
        "Find news articles, press releases, scholarly works, standards and other public sources on the web that "
        "support or contradict a claim. Gives for each result title, address, snippet, date of publication, domain, "
        "kind of source and its credibility tier from 1 (best) to 4. A result is a lead to be read, not yet evidence."
    )
    args_schema: Any = SearchArguments
    _inquest: Inquest | None = PrivateAttr(default=None)

    def __init__(self, *, inquest: Inquest | None = None, **fields: Any) -> None:
        super().__init__(**fields)
        self._inquest = inquest

    def __call__(self, query: str, **arguments: Any) -> Any:
        """Call as `await search_web("...", time_range="year")` in a running event loop. Without one,
        `search_web("...")` waits and returns the results."""
        given = {"query": query, **arguments}
        return self.ainvoke(given) if _in_a_loop() else self.invoke(given)

    def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> dict[str, Any]:
        """The arguments; raises one sentence on the first invalid one, in place of pydantic's report."""
        given = {"query": tool_input} if isinstance(tool_input, str) else tool_input
        try:
            return search_arguments(given).model_dump()
        except InputError as error:
            raise SearchArgumentError(error.sentence, advice=error.advice) from error

    def _run(self, **arguments: Any) -> dict[str, Any]:
        if not _in_a_loop():
            return asyncio.run(self._asked(arguments, None))
        with ThreadPoolExecutor(1) as aside:  # this thread's loop is busy with the caller
            return aside.submit(asyncio.run, self._asked(arguments, None)).result()

    async def _arun(self, **arguments: Any) -> dict[str, Any]:
        return await self._asked(arguments, self._inquest.app if self._inquest else None)

    async def _asked(self, arguments: dict[str, Any], app: Resources | None) -> dict[str, Any]:
        # Imported here, so that a program that only lists its tools need not load them.
        from inquest.app.nodes.searching_web import search_web as ask_engines
        from inquest.app.wiring.resources import open_resources

        asked = SearchArguments.model_validate(arguments)
        try:
            if app is not None:
                return await ask_engines(app, asked)
            async with open_resources(self._inquest.app.settings if self._inquest else None) as opened:
                return await ask_engines(opened, asked)
        except InquestError as error:
            raise SearchAPIError(error.sentence, advice=error.advice) from error


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


search_web = SearchWeb()  # the tool with the settings of the process
