"""Parts for programs built with LangChain and LangGraph: the search as a tool, the desks as nodes, their state.

from inquest.langchain import search_web, investigate_news, investigate_academic, SibylState
"""

from __future__ import annotations

from inquest.app.nodes.sibyl_state import (
    SHAPES,
    AgentFinding,
    AgentStatus,
    Claim,
    InfoRequest,
    InfoResponse,
    ReinvestigationRequest,
    RoutingAssignment,
    SibylState,
    StreamEvent,
)
from inquest.langchain.nodes import investigate_academic, investigate_news, nodes_of
from inquest.langchain.search import SearchAPIError, SearchArgumentError, SearchWeb, search_web

__all__ = [
    "SHAPES",
    "AgentFinding",
    "AgentStatus",
    "Claim",
    "InfoRequest",
    "InfoResponse",
    "ReinvestigationRequest",
    "RoutingAssignment",
    "SearchAPIError",
    "SearchArgumentError",
    "SearchWeb",
    "SibylState",
    "StreamEvent",
    "investigate_academic",
    "investigate_news",
    "nodes_of",
    "search_web",
]
