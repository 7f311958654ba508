"""Approve: nothing runs before a person (or an option the person gave) has agreed to the plan.

There is nothing in this node but the interrupt, because a node that is resumed runs again from its top.
"""

from __future__ import annotations

from typing import Any

from langgraph.types import Command, interrupt

from inquest.domain.plan import Approval, Decision
from inquest.flow.state import dump, load

__all__ = ["approve"]


def approve(channels: dict[str, Any]) -> Command[str]:
    """Wait for an Approval; go on to gather, back to plan, or to the end."""
    state = load(channels)
    answer = interrupt({"revision": state.plan.revision if state.plan else 0})
    approval = Approval.model_validate(answer)
    goto = {Decision.APPROVE: "gather", Decision.REVISE: "plan", Decision.REJECT: "__end__"}[approval.decision]
    update = dump({"approvals": (*state.approvals, approval)})
    return Command(goto=goto, update=update)
