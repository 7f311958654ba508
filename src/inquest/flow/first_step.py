"""The first step of a case, which needs no graph: it begins before the graph's library is loaded."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from inquest.domain.brief import Brief
from inquest.domain.case import CaseKind
from inquest.flow.state import CaseState, Delta

if TYPE_CHECKING:
    from inquest.flow.services import Services


def begin_plan(kind: CaseKind, brief: Brief, services: Services) -> asyncio.Task[Delta]:
    """The plan of a new case, being made; the graph takes what becomes of it (`Services.begun`)."""
    task = asyncio.ensure_future(_planner(kind)(CaseState(brief=brief), services))
    services.begun["plan"] = task
    return task


def _planner(kind: CaseKind) -> Callable[[CaseState, Services], Awaitable[Delta]]:
    if kind is CaseKind.CLAIMS:
        from inquest.flow.nodes.plan_check import plan_check

        return plan_check
    if kind is CaseKind.TOPIC:
        from inquest.flow.nodes.plan_topic import plan_topic

        return plan_topic
    if kind is CaseKind.MARKET:
        from inquest.flow.nodes.plan_market import plan_market

        return plan_market
    from inquest.flow.nodes.plan import plan

    return plan
