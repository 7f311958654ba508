"""The graph of a check of claims.

    plan -> approve -> orchestrate -> news ------> exchange -> judge -> report
                ^ \\-> plan (revise)  \\-> academic ----^          |
                            ^-------- (at most N rounds) ---------'

One node for each installed desk, side by side; a desk that a round has nothing for is passed through.
"""

from __future__ import annotations

from langgraph.graph import END

from inquest.flow.graphs.wrapping import AfterNode, CompiledGraph, Node, Saver, planned_graph
from inquest.flow.nodes.desk import desk_node
from inquest.flow.nodes.exchange import exchange
from inquest.flow.nodes.judge_check import judge_check
from inquest.flow.nodes.orchestrate import orchestrate
from inquest.flow.nodes.plan_check import plan_check
from inquest.flow.nodes.report_check import report_check
from inquest.flow.services import Services
from inquest.flow.state import Channels, load


def claims_graph(services: Services, saver: Saver, after_node: AfterNode) -> CompiledGraph:
    """The graph, compiled. `after_node` is given what each node adds, so that it can be saved and shown."""
    desks = list(services.desks)
    nodes: dict[str, Node] = {
        "plan": plan_check,
        "orchestrate": orchestrate,
        **{name: desk_node(name) for name in desks},
        "exchange": exchange,
        "judge": judge_check,
        "report": report_check,
    }
    graph = planned_graph(nodes, "orchestrate", services, after_node)
    for name in desks:
        graph.add_edge("orchestrate", name)
    graph.add_edge(desks or ["orchestrate"], "exchange")
    graph.add_edge("exchange", "judge")
    graph.add_conditional_edges("judge", _next, ["orchestrate", "report"])
    graph.add_edge("report", END)
    return graph.compile(checkpointer=saver)


def _next(channels: Channels) -> str:
    check = load(channels).check
    return "report" if check is None or check.stopped else "orchestrate"
