"""The graph of an inquiry.

    plan -> approve -> gather -> claims -> check ----> judge -> write
                ^ \\-> plan (revise)   \\-> bias -------------^
                          |            \\-> timeline --------^
                          \\-> vet --------------------------^

Bias and timeline are made while claims are checked, and sources are vetted beside all of it; what is shown and saved
keeps the order of the stages.
"""

from __future__ import annotations

from langgraph.graph import END

from inquest.flow.graphs.wrapping import AfterNode, CompiledGraph, Node, Saver, planned_graph
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


def inquiry_graph(services: Services, saver: Saver, after_node: AfterNode) -> CompiledGraph:
    """The graph, compiled. `after_node` is given what each node adds, so that it can be saved and shown."""
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
    graph = planned_graph(nodes, "gather", services, after_node)
    graph.add_edge("gather", "claims")
    graph.add_edge("gather", "vet")
    for side in ("check", "bias", "timeline"):
        graph.add_edge("claims", side)
    graph.add_edge(["check", "bias", "timeline", "vet"], "judge")
    graph.add_edge("judge", "write")
    graph.add_edge("write", END)
    return graph.compile(checkpointer=saver)
