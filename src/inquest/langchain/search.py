"""`search_web` for LangChain: the engines of the settings behind one tool (spec 000 §1 and appendix A, 002 §4)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from langchain_core.tools import BaseTool, ToolException
from pydantic import PrivateAttr

from inquest.app.nodes.searching_web import SearchArguments, search_arguments
from inquest.domain.errors import InputError, InquestError, Outage

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.client import Inquest


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

    async def _asked(self, arguments: dict[str, Any], app: App | None) -> dict[str, Any]:
        # Imported here, so that a program that only lists its tools need not load them.
        from inquest.app.build import open_app
        from inquest.app.nodes.searching_web import search_web as ask_engines

        asked = SearchArguments.model_validate(arguments)
        try:
            if app is not None:
                return await ask_engines(app, asked)
            async with open_app(self._inquest.app.settings if self._inquest else None) as opened:
                return await ask_engines(opened, asked)
        except InquestError as error:
            raise SearchAPIError(error.sentence, advice=error.advice) from error


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


search_web = SearchWeb()
"""The tool with the settings of the process."""
