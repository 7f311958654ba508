"""A node of ours as LangGraph runs it: typed state in, plain JSON out, timed, and kept."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from inquest.flow.services import Services
from inquest.flow.state import CaseState, Channels, Delta, dump, load

Node = Callable[[CaseState, Services], Awaitable[Delta]]
AfterNode = Callable[[Delta], Awaitable[None]]
"""Given what each node adds, so that it can be saved and shown."""


def wrapped(name: str, node: Node, services: Services, after_node: AfterNode) -> Any:
    """The node for `StateGraph.add_node`. Its seconds are added to the stage of its name."""

    async def run(channels: Channels) -> dict[str, Any]:
        state = load(channels)
        began = time.monotonic()
        begun = services.begun.pop(name, None)
        with services.tracer.span(f"stage {name}", inquest_stage=name):
            delta = await (begun if begun is not None else node(state, services))
        delta["timings"] = {name: round(state.timings.get(name, 0.0) + time.monotonic() - began, 3)}
        await after_node(delta)
        return dump(delta)

    return run
