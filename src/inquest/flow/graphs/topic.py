r"""The graph of the investigation of a topic: an inquiry, with posts gathered beside it and its result at the end.

plan -> approve -> gather -> trace -> claims -> check ----> judge -> investigation -> write
                      |         |          \-> timeline ^
                      |         \-> vet ---------------^
                      \-> social ----------------------^
"""

from __future__ import annotations

from langgraph.graph import END

from inquest.flow.graphs.wrapping import AfterNode, CompiledGraph, Node, Saver, planned_graph
from inquest.flow.nodes.check import check
from inquest.flow.nodes.gather import gather
from inquest.flow.nodes.judge import judge
from inquest.flow.nodes.plan_topic import plan_topic
from inquest.flow.nodes.timeline import timeline
from inquest.flow.nodes.topic import claims_topic, investigation, social, write_topic
from inquest.flow.nodes.trace import trace
from inquest.flow.nodes.vet import vet
from inquest.flow.services import Services


def topic_graph(services: Services, saver: Saver, after_node: AfterNode) -> CompiledGraph:
    """The graph, compiled. `after_node` is given what each node adds, so that it can be saved and shown."""
    nodes: dict[str, Node] = {
        "plan": plan_topic,
        "gather": gather,
        "social": social,
        "trace": trace,
        "claims": claims_topic,
        "check": check,
        "timeline": timeline,
        "vet": vet,
        "judge": judge,
        "investigate": investigation,
        "write": write_topic,
    }
    graph = planned_graph(nodes, "gather", services, after_node)
    for beside in ("trace", "social"):
        graph.add_edge("gather", beside)
    for beside in ("claims", "vet"):
        graph.add_edge("trace", beside)
    for side in ("check", "timeline"):
        graph.add_edge("claims", side)
    graph.add_edge(["check", "timeline", "vet", "social"], "judge")
    graph.add_edge("judge", "investigate")
    graph.add_edge("investigate", "write")
    graph.add_edge("write", END)
    return graph.compile(checkpointer=saver)
