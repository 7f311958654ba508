"""Begin the plan of a case, and the searches or pages of one approved in advance, before LangGraph is loaded.

Every call is made and paid for once and recorded, so it does not matter that it is made early. Nothing is searched
or read before the plan is approved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from inquest.domain.case import CaseKind
from inquest.domain.plan import Brief
from inquest.flow.state import CaseState, Delta, added

if TYPE_CHECKING:
    from inquest.flow.services import Services


def begin_plan(kind: CaseKind, brief: Brief, services: Services) -> asyncio.Task[Delta]:
    """Begin to make the plan of a new case. The graph takes the result from `Services.begun`."""
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
    if kind is CaseKind.AUDIT:
        from inquest.flow.nodes.audit import plan_audit

        return plan_audit
    from inquest.flow.nodes.plan import plan

    return plan


async def search_ahead(
    kind: CaseKind, state: CaseState, planning: asyncio.Future[Delta], kept: asyncio.Event, services: Services
) -> None:
    """Run the searches of the plan, or read the pages, once the case is `kept` and so can be resumed. The nodes will
    encounter any error again."""
    await asyncio.wait([planning])
    await kept.wait()
    if planning.cancelled() or planning.exception() is not None:
        return
    planned = added(state, planning.result())
    await asyncio.gather(*_begun(kind, planned, services), return_exceptions=True)


def _begun(kind: CaseKind, state: CaseState, services: Services) -> Iterator[Awaitable[object]]:
    if kind is CaseKind.AUDIT:
        from inquest.flow.nodes.audit import pages_ahead

        yield from pages_ahead(state, services)
    elif kind is CaseKind.CLAIMS and state.check is not None:
        from inquest.flow.gathering import query_for_engines

        for each in state.check.queries:
            query = query_for_engines(each, services.desks[each.desk], state.brief.as_of)
            yield from (services.searcher.search(engine, query) for engine in each.engines or ())
    elif kind is CaseKind.INQUIRY:
        from inquest.flow.nodes.gather import searches

        yield from (services.searcher.search(each.engine, each.query) for each in searches(state, services))
