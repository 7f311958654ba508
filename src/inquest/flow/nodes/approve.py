"""Approve: nothing runs before a person (or an option the person gave) has agreed to the plan.

There is nothing in this node but the interrupt, because a node that is resumed runs again from its top.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.types import Command, interrupt

from inquest.domain.plan import Approval, Decision
from inquest.flow.state import dump, load


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
