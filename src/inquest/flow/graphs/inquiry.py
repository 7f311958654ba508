"""The graph of an inquiry.

    plan -> approve -> gather -> claims -> check ----> judge -> write
                ^ \\-> plan (revise)   \\-> bias -------------^
                          |            \\-> timeline --------^
                          \\-> vet --------------------------^

Bias and timeline are made while claims are checked, and sources are vetted beside all of it; what is shown and saved
keeps the order of the stages.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from inquest.flow.nodes.approve import approve
from inquest.flow.nodes.bias import bias
from inquest.flow.nodes.check import check
from inquest.flow.nodes.claims import claims
from inquest.flow.nodes.gather import gather
from inquest.flow.nodes.judge import judge
from inquest.flow.nodes.plan import plan
from inquest.flow.nodes.timeline import timeline
from inquest.flow.nodes.vet import vet
from inquest.flow.nodes.write import write
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Channels, Delta, dump, load

__all__ = ["inquiry_graph"]

Node = Callable[[CaseState, Services], Awaitable[Delta]]
AfterNode = Callable[[Delta], Awaitable[None]]


def inquiry_graph(
    services: Services, saver: BaseCheckpointSaver[str], after_node: AfterNode
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph, compiled. `after_node` is given what each node adds, so that it can be saved and shown."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(Channels)
    nodes: dict[str, Node] = {
        "plan": plan,
        "gather": gather,
        "claims": claims,
        "check": check,
        "bias": bias,
        "timeline": timeline,
        "vet": vet,
        "judge": judge,
        "write": write,
    }
    for name, node in nodes.items():
        graph.add_node(name, _wrapped(name, node, services, after_node))
    graph.add_node("approve", cast(Any, approve), destinations=("plan", "gather", END))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "approve")
    graph.add_edge("gather", "claims")
    graph.add_edge("gather", "vet")
    for side in ("check", "bias", "timeline"):
        graph.add_edge("claims", side)
    graph.add_edge(["check", "bias", "timeline", "vet"], "judge")
    graph.add_edge("judge", "write")
    graph.add_edge("write", END)
    return graph.compile(checkpointer=saver)


def _wrapped(name: str, node: Node, services: Services, after_node: AfterNode) -> Any:
    async def run(channels: Channels) -> dict[str, Any]:
        state = load(channels)
        began = time.monotonic()
        delta = await node(state, services)
        delta["timings"] = {name: round(state.timings.get(name, 0.0) + time.monotonic() - began, 3)}
        await after_node(delta)
        return dump(delta)

    return run
