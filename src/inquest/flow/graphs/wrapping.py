"""Nodes of ours as LangGraph runs them: typed state in, plain JSON out, timed, and kept; and graphs made of them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

from inquest.domain.plan import Approval, Decision
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Channels, Delta, dump, load

Node = Callable[[CaseState, Services], Awaitable[Delta]]
AfterNode = Callable[[Delta], Awaitable[None]]
"""Given what each node adds, so that it can be saved and shown."""
Saver = BaseCheckpointSaver[str]
Graph = StateGraph[Any, Any, Any, Any]
CompiledGraph = CompiledStateGraph[Any, Any, Any, Any]


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


def planned_graph(nodes: Mapping[str, Node], work: str, services: Services, after_node: AfterNode) -> Graph:
    """A graph of these nodes as every case begins: `plan`, then `approve`, which goes on to the node `work`, back to
    `plan` or to the end. The edges from `work` on are the caller's to add."""
    graph: Graph = StateGraph(Channels)
    for name, node in nodes.items():
        graph.add_node(name, wrapped(name, node, services, after_node))
    graph.add_node("approve", cast(Any, approve_to(work)), destinations=("plan", work, END))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "approve")
    return graph


def approve_to(first: str) -> Callable[[dict[str, Any]], Command[str]]:
    """The node that waits for an Approval and goes on to `first`, back to plan, or to the end."""
    goto = {Decision.APPROVE: first, Decision.REVISE: "plan", Decision.REJECT: "__end__"}

    def approve(channels: dict[str, Any]) -> Command[str]:
        state = load(channels)
        answer = interrupt({"revision": state.plan.revision if state.plan else 0})
        approval = Approval.model_validate(answer)
        update = dump({"approvals": (*state.approvals, approval)})
        return Command(goto=goto[approval.decision], update=update)

    return approve
