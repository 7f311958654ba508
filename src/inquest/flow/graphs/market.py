"""The graph of a market answer: plan -> approve -> ask -> answer."""

from __future__ import annotations

from langgraph.graph import END

from inquest.flow.graphs.wrapping import AfterNode, CompiledGraph, Saver, planned_graph, wrapped
from inquest.flow.nodes.ask_market import answer_market, ask_market
from inquest.flow.nodes.plan_market import plan_market
from inquest.flow.services import Services


def market_graph(services: Services, saver: Saver, after_node: AfterNode) -> CompiledGraph:
    """The graph, compiled. `after_node` is given what each node adds, so that it can be saved and shown."""
    graph = planned_graph({"plan": plan_market, "ask": ask_market}, "ask", services, after_node)
    # `answer` is a field of the state already.
    graph.add_node("respond", wrapped("answer", answer_market, services, after_node))
    graph.add_edge("ask", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=saver)
