"""The plan of a case and the searches of one that is approved beforehand: they begin before the graph's library is
loaded.

An answer is the same whoever asked first: it is asked once, paid once, and kept for the replay. So nothing here decides
anything; a plan that nobody has approved is not begun.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from inquest.domain.brief import Brief
from inquest.domain.case import CaseKind
from inquest.domain.search import Query
from inquest.flow.state import CaseState, Delta, added

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
    if kind is CaseKind.AUDIT:
        from inquest.flow.nodes.audit import plan_audit

        return plan_audit
    from inquest.flow.nodes.plan import plan

    return plan


async def search_ahead(
    kind: CaseKind, state: CaseState, planning: asyncio.Future[Delta], kept: asyncio.Event, services: Services
) -> None:
    """Ask the searches that the plan comes to, once the case is `kept`, so that whoever stops it now can go on with it.
    What goes wrong is met again by whoever asks for the answer."""
    await asyncio.wait([planning])
    await kept.wait()
    if planning.cancelled() or planning.exception() is not None:
        return
    planned = added(state, planning.result())
    await asyncio.gather(
        *(services.searcher.search(engine, query) for engine, query in _searches(kind, planned, services)),
        return_exceptions=True,
    )


def _searches(kind: CaseKind, state: CaseState, services: Services) -> Iterator[tuple[str, Query]]:
    if kind is CaseKind.CLAIMS and state.check is not None:
        from inquest.flow.gathering import query_as_put

        for each in state.check.queries:
            query = query_as_put(each, services.desks[each.desk], state.brief.as_of)
            yield from ((engine, query) for engine in each.engines or ())
    elif kind is CaseKind.INQUIRY:
        from inquest.flow.nodes.gather import searches

        yield from ((each.engine, each.query) for each in searches(state, services))
