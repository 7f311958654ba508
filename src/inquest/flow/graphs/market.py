"""The graph of a market answer: plan -> approve -> ask -> answer."""

from __future__ import annotations

from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from inquest.flow.graphs.wrapping import AfterNode, Node, wrapped
from inquest.flow.nodes.answer_market import answer_market
from inquest.flow.nodes.approve import approve_to
from inquest.flow.nodes.ask_market import ask_market
from inquest.flow.nodes.plan_market import plan_market
from inquest.flow.services import Services
from inquest.flow.state import Channels


def market_graph(
    services: Services, saver: BaseCheckpointSaver[str], after_node: AfterNode
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph, compiled. `after_node` is given what each node adds, so that it can be saved and shown."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(Channels)
    nodes: dict[str, Node] = {"plan": plan_market, "ask": ask_market, "answer": answer_market}
    for name, node in nodes.items():
        graph.add_node("respond" if name == "answer" else name, wrapped(name, node, services, after_node))
    graph.add_node("approve", cast(Any, approve_to("ask")), destinations=("plan", "ask", END))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "approve")
    graph.add_edge("ask", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=saver)
