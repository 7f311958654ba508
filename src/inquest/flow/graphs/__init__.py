"""One graph for each kind of case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inquest.domain.case import CaseKind


def graph_of(kind: CaseKind) -> Callable[..., Any]:
    """What makes the graph of a kind of case, from its services, a checkpoint saver and what to call after each node.

    Imported when it is first needed: a case pays for its own stages only.
    """
    if kind is CaseKind.CLAIMS:
        from inquest.flow.graphs.claims import claims_graph

        return claims_graph
    if kind is CaseKind.TOPIC:
        from inquest.flow.graphs.topic import topic_graph

        return topic_graph
    if kind is CaseKind.MARKET:
        from inquest.flow.graphs.market import market_graph

        return market_graph
    from inquest.flow.graphs.inquiry import inquiry_graph

    return inquiry_graph
