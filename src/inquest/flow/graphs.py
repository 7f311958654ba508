"""The graph of each kind of case: its nodes, their order, and how LangGraph runs them.

    inquiry  plan -> approve -> gather -> claims -> check ----> judge -> write
                         ^ \\-> plan (revise)   \\-> bias -------------^
                                   |            \\-> timeline --------^
                                   \\-> vet --------------------------^
    check    plan -> approve -> orchestrate -> desks -> exchange -> judge -> report
                         ^ \\-> plan (revise)  ^------ (at most N rounds) -----'
    topic    plan -> approve -> gather -> trace -> claims -> check ----> judge -> investigate -> write
                                   |         \\-> vet ---------------^
                                   \\-> social ----------------------^
    market   plan -> approve -> ask -> respond
    audit    plan -> approve -> read -> judge -> report
                                          ^--' (a batch of statements each time)

What is shown and saved keeps the order of the stages.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

from inquest.domain.case import CaseKind
from inquest.domain.plan import Approval, Decision
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Channels, Delta, dump, load

Node = Callable[[CaseState, Services], Awaitable[Delta]]
AfterNode = Callable[[Delta], Awaitable[None]]
"""Given what each node adds, so that it can be saved and shown."""


@dataclass(frozen=True)
class Profile:
    """The nodes of a kind of case by name, and its edges. The first node is `plan`; the second begins once the plan is
    approved; the last ends the case."""

    nodes: dict[str, Node]
    edges: tuple[tuple[str | list[str], *tuple[str, ...]], ...]
    """A node and its successors; a node that follows a list of nodes waits for all of them."""
    again: str = ""
    """The node after which one before it may follow, or itself, as `next` says."""
    next: Callable[[CaseState], str] | None = None


def case_graph(
    kind: CaseKind, services: Services, saver: BaseCheckpointSaver[str], after_node: AfterNode
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of a kind of case, compiled."""
    profile = profile_of(kind)
    names = list(profile.nodes)
    work, last = names[1], names[-1]
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(Channels)
    for name, node in profile.nodes.items():
        graph.add_node(name, _wrapped(name, node, services, after_node))
    graph.add_node("approve", cast(Any, _approve_to(work)), destinations=("plan", work, END))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "approve")
    for before, *following in profile.edges:
        for name in following:
            graph.add_edge(before, name)
    if (chosen := profile.next) is not None:
        graph.add_conditional_edges(profile.again, lambda channels: chosen(load(channels)), [work, profile.again, last])
    graph.add_edge(last, END)
    return graph.compile(checkpointer=saver)


def profile_of(kind: CaseKind) -> Profile:
    """The nodes and edges of a kind of case, imported here: a case loads only its own stages."""
    nodes: dict[str, Node]
    if kind is CaseKind.CLAIMS:
        from inquest.flow.nodes.exchange import desks, exchange, orchestrate
        from inquest.flow.nodes.judge import judge_check
        from inquest.flow.nodes.plan_check import plan_check
        from inquest.flow.nodes.write import report_check

        nodes = {"plan": plan_check, "orchestrate": orchestrate, "desks": desks, "exchange": exchange}
        return Profile(
            {**nodes, "judge": judge_check, "report": report_check},
            (("orchestrate", "desks"), ("desks", "exchange"), ("exchange", "judge")),
            again="judge",
            next=lambda state: "report" if not state.check or state.check.stopped else "orchestrate",
        )

    if kind is CaseKind.AUDIT:
        from inquest.flow.nodes.audit import judge_citations, plan_audit, read_cited, report_audit

        nodes = {"plan": plan_audit, "read": read_cited, "judge": judge_citations, "report": report_audit}
        return Profile(nodes, (("read", "judge"),), again="judge", next=_after_batch)

    if kind is CaseKind.MARKET:
        from inquest.flow.nodes.ask_market import answer_market, ask_market
        from inquest.flow.nodes.market import plan_market

        return Profile({"plan": plan_market, "ask": ask_market, "respond": answer_market}, (("ask", "respond"),))

    from inquest.flow.nodes.check import check, claims
    from inquest.flow.nodes.gather import gather
    from inquest.flow.nodes.judge import judge
    from inquest.flow.nodes.vet import vet

    if kind is CaseKind.TOPIC:
        from inquest.flow.nodes.plan import plan_topic
        from inquest.flow.nodes.topic import investigation, social, trace, write_topic

        nodes = {"plan": plan_topic, "gather": gather, "social": social, "trace": trace, "claims": claims}
        return Profile(
            {**nodes, "check": check, "vet": vet, "judge": judge, "investigate": investigation, "write": write_topic},
            (
                ("gather", "trace", "social"),
                ("trace", "claims", "vet"),
                ("claims", "check"),
                (["check", "vet", "social"], "judge"),
                ("judge", "investigate"),
                ("investigate", "write"),
            ),
        )

    from inquest.flow.nodes.plan import plan
    from inquest.flow.nodes.write import bias, timeline, write

    nodes = {"plan": plan, "gather": gather, "claims": claims, "check": check, "bias": bias, "timeline": timeline}
    return Profile(
        {**nodes, "vet": vet, "judge": judge, "write": write},
        (
            ("gather", "claims", "vet"),
            ("claims", "check", "bias", "timeline"),
            (["check", "bias", "timeline", "vet"], "judge"),
            ("judge", "write"),
        ),
    )


def _wrapped(name: str, node: Node, services: Services, after_node: AfterNode) -> Any:
    """The node as LangGraph runs it: typed state in, plain JSON out. Its seconds are added to its stage."""
    stage = "answer" if name == "respond" else name  # `answer` is a field of the state already

    async def run(channels: Channels) -> dict[str, Any]:
        state = load(channels)
        began = time.monotonic()
        begun = services.begun.pop(name, None)
        with services.tracer.span(f"stage {stage}", inquest_stage=stage):
            delta = await (begun if begun is not None else node(state, services))
        delta["timings"] = {stage: round(state.timings.get(stage, 0.0) + time.monotonic() - began, 3)}
        await after_node(delta)
        return dump(delta)

    return run


def _after_batch(state: CaseState) -> str:
    auditing = state.auditing
    return "judge" if auditing is not None and auditing.judged < len(auditing.asked.statements) else "report"


def _approve_to(first: str) -> Callable[[dict[str, Any]], Command[str]]:
    """The node that waits for an Approval and continues to `first`, back to the plan, or to the end."""
    goto = {Decision.APPROVE: first, Decision.REVISE: "plan", Decision.REJECT: "__end__"}

    def approve(channels: dict[str, Any]) -> Command[str]:
        state = load(channels)
        answer = interrupt({"revision": state.plan.revision if state.plan else 0})
        approval = Approval.model_validate(answer)
        update = dump({"approvals": (*state.approvals, approval)})
        return Command(goto=goto[approval.decision], update=update)

    return approve
